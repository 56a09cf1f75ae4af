internal import Glibc
internal import SignalProcessing

/// Filters blocks of a pair of lines by taps around the sample itself, by overlap-save.
final class BlockFilter {
  static let size = 8_192
  /// Frames that the filter reaches before and after a block.
  static let reach = LeastSquaresFilter.reach
  static let blockLength = size - 2 * reach

  private let transform = PairTransform(size: BlockFilter.size)
  private let response = PairSpectrum(size: BlockFilter.size)
  private let work = PairSpectrum(size: BlockFilter.size)

  /// - Parameter taps: `2 * reach + 1`; the one in the middle is of the sample itself.
  init(taps: [Double]) {
    response.clear()
    for (index, tap) in taps.enumerated() {
      response.real.pointer[(index - Self.reach) & (Self.size - 1)] = Float(tap / Double(Self.size))
    }
    transform.forward(response)
  }

  /// The block, filtered.
  ///
  /// - Parameter wide: The block, and ``reach`` more frames before and after it: at most ``size`` frames, the rest is silence.
  func filtered(_ wide: SignalPair) -> SignalPair {
    work.load(wide, count: min(wide.count, Self.size))
    transform.forward(work)
    for bin in stride(from: 0, to: Self.size, by: 8) {
      let (a, b) = (work.real.pointer.vector8(at: bin), work.imaginary.pointer.vector8(at: bin))
      let (c, d) = (response.real.pointer.vector8(at: bin), response.imaginary.pointer.vector8(at: bin))
      work.real.pointer.store(a * c - b * d, at: bin)
      work.imaginary.pointer.store(a * d + b * c, at: bin)
    }
    transform.inverse(work)
    func line(_ values: borrowing SampleBuffer) -> [Float] {
      Array(UnsafeBufferPointer(start: values.pointer + Self.reach, count: Self.blockLength))
    }
    return SignalPair(left: line(work.real), right: line(work.imaginary))
  }

  /// The taps of one gain and a delay of less than a frame.
  ///
  /// - Parameter shift: The frames by which the result is later in the source: the value at `n + shift`.
  static func taps(gain: Double, shift: Double) -> [Double] {
    let half = 64.0
    var taps = [Double](repeating: 0, count: 2 * reach + 1)
    for tap in -64...64 {
      let distance = Double(tap) + shift
      guard abs(distance) < half else { continue }
      taps[tap + reach] =
        WindowedSinc.sinc(.pi * distance) * WindowedSinc.kaiserWeight(at: distance / half, beta: 10)
    }
    let sum = taps.reduce(0, +)
    return taps.map { gain * $0 / sum }
  }

  /// The gain of taps at a frequency in dB.
  static func gainInDB(of taps: [Double], atHz frequency: Double, sampleRateInHz: Int) -> Double {
    let step = 2 * Double.pi * frequency / Double(sampleRateInHz)
    var (real, imaginary) = (0.0, 0.0)
    for (index, tap) in taps.enumerated() {
      let angle = step * Double(index - reach)
      real += tap * cos(angle)
      imaginary += tap * sin(angle)
    }
    return 10 * log10(max(real * real + imaginary * imaginary, 1e-20))
  }
}
