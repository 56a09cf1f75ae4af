internal import Glibc
internal import SignalProcessing

/// What is left of the spectrum of one recording when that of another one is subtracted, whose samples are aligned.
///
/// Each bin of the other spectrum is first multiplied by the complex number that leaves least over a whole block: so
/// gain, equalization, and delays of less than a sample do not count. Codecs leave noise far below what is heard; what
/// only one of the two has is left as it is.
package final class ResidueAnalyzer {
  /// What is compared: each channel, and the sum and the difference of the first two.
  package enum Signal: Hashable, Sendable {
    case channel(Int)
    case mid
    case side
  }

  /// Of one signal, mean squares for each column.
  package struct Residue: Sendable {
    package let signal: Signal
    /// The power of the recording itself, of what the other one explains of it, and of what is left.
    package var own: [Float] = []
    package var explained: [Float] = []
    package var rest: [Float] = []

    package init(_ signal: Signal) { self.signal = signal }
  }

  package static let columnSize = 1_024
  package static let hop = 512
  package static let columnInSeconds = Double(hop) / Double(ChannelResampler.sampleRateInHz)
  /// Up to where the resampler passes enough: 65 Hz to 4.7 kHz.
  private static let bins = 6..<437
  private static let correlationSize = 32_768
  private static let correlatedCount = 16_384
  private static let stretchCount = 4

  private let transform = ComplexTransform(size: ResidueAnalyzer.columnSize)
  private let correlation = ComplexTransform(size: ResidueAnalyzer.correlationSize)
  private let window: SampleBuffer
  private let ones: SampleBuffer
  /// From the sum of the powers of bins to the mean square.
  private let scale: Float

  package init() {
    let coefficients = (0..<Self.columnSize).map { index in
      0.5 - 0.5 * cos(2 * .pi * (Double(index) + 0.5) / Double(Self.columnSize))
    }
    window = SampleBuffer(coefficients.map { Float($0) })
    ones = SampleBuffer([Float](repeating: 1, count: Self.correlationSize))
    scale = Float(2 / (Double(Self.columnSize) * coefficients.reduce(0) { $0 + $1 * $1 }))
  }

  // MARK: - Alignment

  /// How many samples later something is heard in the kept recording than in the other one; nil if they have nothing in
  /// common.
  ///
  /// - Parameters:
  ///   - kept: The same stretch, with `reach` more samples before and after.
  ///   - reach: At most 8,000.
  package func lag(of other: [[Float]], in kept: [[Float]], reach: Int) -> Int? {
    let count = min(Self.correlatedCount, other[0].count)
    let room = other[0].count - count
    var sums = [Float](repeating: 0, count: 2 * reach + 1)
    for stretch in 0..<(room > 0 ? Self.stretchCount : 1) {
      let start = room * stretch / max(Self.stretchCount - 1, 1)
      let first = spectrum(of: kept, from: start, count: count + 2 * reach)
      let second = spectrum(of: other, from: start, count: count)
      let real = SampleBuffer(count: Self.correlationSize)
      let imaginary = SampleBuffer(count: Self.correlationSize)
      for bin in first.real.indices {
        // The conjugate of the product of one and the conjugate of the other, for the inverse transform.
        real.pointer[bin] = first.real[bin] * second.real[bin] + first.imaginary[bin] * second.imaginary[bin]
        imaginary.pointer[bin] = first.real[bin] * second.imaginary[bin] - first.imaginary[bin] * second.real[bin]
      }
      let result = correlation.transform(
        real: UnsafePointer(real.pointer), imaginary: UnsafePointer(imaginary.pointer),
        window: UnsafePointer(ones.pointer))
      for lag in sums.indices { sums[lag] += result.real[lag] }
    }
    guard let best = sums.indices.max(by: { sums[$0] < sums[$1] }), sums[best] > 0 else { return nil }
    return best - reach
  }

  /// Of the sum of the even channels and i times that of the odd ones.
  private func spectrum(of channels: [[Float]], from start: Int, count: Int) -> (real: [Float], imaginary: [Float]) {
    let real = SampleBuffer(count: Self.correlationSize)
    let imaginary = SampleBuffer(count: Self.correlationSize)
    for (channel, line) in channels.enumerated() {
      let target = channel.isMultiple(of: 2) ? real.pointer : imaginary.pointer
      for index in 0..<min(count, line.count - start) { target[index] += line[start + index] }
    }
    let result = correlation.transform(
      real: UnsafePointer(real.pointer), imaginary: UnsafePointer(imaginary.pointer),
      window: UnsafePointer(ones.pointer))
    return (
      Array(UnsafeBufferPointer(start: result.real, count: Self.correlationSize)),
      Array(UnsafeBufferPointer(start: result.imaginary, count: Self.correlationSize))
    )
  }

  // MARK: - Subtraction

  /// The number of columns in so many samples.
  package static func columnCount(_ sampleCount: Int) -> Int { max(0, (sampleCount - columnSize) / hop + 1) }

  /// The residues of all signals in a block, a column every ``hop`` samples.
  ///
  /// - Parameters:
  ///   - kept: As many channels and samples as `other`, aligned with it.
  ///   - isComparable: Of each column; the others are not looked at, and have no power.
  package func residues(of other: [[Float]], in kept: [[Float]], where isComparable: [Bool]) -> [Residue] {
    let columnCount = isComparable.count
    return stride(from: 0, to: other.count, by: 2).flatMap { channel in
      let own = columns(of: other, channel, count: columnCount)
      let others = columns(of: kept, channel, count: columnCount)
      var mixes: [(signal: Signal, first: Float, second: Float)] = [(.channel(channel), 1, 0)]
      if channel + 1 < other.count { mixes.append((.channel(channel + 1), 0, 1)) }
      if channel == 0, other.count > 1 { mixes += [(.mid, 0.5, 0.5), (.side, 0.5, -0.5)] }
      return mixes.map { residue($0.signal, own, others, $0.first, $0.second, where: isComparable) }
    }
  }

  /// The spectra of two channels: of each column all bins, of each bin the parts of the first and the second channel.
  private func columns(of channels: [[Float]], _ first: Int, count: Int) -> [SIMD4<Float>] {
    var result: [SIMD4<Float>] = []
    result.reserveCapacity(count * Self.bins.count)
    let silence = [Float](repeating: 0, count: channels[first].count)
    channels[first].withUnsafeBufferPointer { left in
      (first + 1 < channels.count ? channels[first + 1] : silence).withUnsafeBufferPointer { right in
        guard let left = left.baseAddress, let right = right.baseAddress else { return }
        for column in 0..<count {
          let start = column * Self.hop
          let (real, imaginary) = transform.transform(
            real: left + start, imaginary: right + start, window: UnsafePointer(window.pointer))
          for bin in Self.bins {
            let mirror = Self.columnSize - bin
            result.append(
              0.5
                * SIMD4(
                  real[bin] + real[mirror], imaginary[bin] - imaginary[mirror],
                  imaginary[bin] + imaginary[mirror], real[mirror] - real[bin]))
          }
        }
      }
    }
    return result
  }

  /// - Parameters:
  ///   - first: The weight of the first channel in the signal.
  ///   - second: That of the second one.
  private func residue(
    _ signal: Signal, _ own: [SIMD4<Float>], _ others: [SIMD4<Float>], _ first: Float, _ second: Float,
    where isComparable: [Bool]
  ) -> Residue {
    let binCount = Self.bins.count
    var factors = [SIMD2<Float>](repeating: .zero, count: binCount)
    var powers = [Float](repeating: 0, count: binCount)
    for column in isComparable.indices where isComparable[column] {
      for bin in 0..<binCount {
        let one = Self.mixed(own[column * binCount + bin], first, second)
        let two = Self.mixed(others[column * binCount + bin], first, second)
        factors[bin] += SIMD2(one.x * two.x + one.y * two.y, one.y * two.x - one.x * two.y)
        powers[bin] += two.x * two.x + two.y * two.y
      }
    }
    for bin in 0..<binCount { factors[bin] = powers[bin] > 0 ? factors[bin] / powers[bin] : .zero }
    var residue = Residue(signal)
    for column in isComparable.indices {
      var sums = SIMD3<Float>.zero
      for bin in 0..<(isComparable[column] ? binCount : 0) {
        let one = Self.mixed(own[column * binCount + bin], first, second)
        let two = Self.mixed(others[column * binCount + bin], first, second)
        let factor = factors[bin]
        let part = SIMD2(two.x * factor.x - two.y * factor.y, two.x * factor.y + two.y * factor.x)
        let rest = one - part
        sums += SIMD3((one * one).sum(), (part * part).sum(), (rest * rest).sum())
      }
      sums *= scale
      residue.own.append(sums.x)
      residue.explained.append(sums.y)
      residue.rest.append(sums.z)
    }
    return residue
  }

  @inline(__always)
  private static func mixed(_ pair: SIMD4<Float>, _ first: Float, _ second: Float) -> SIMD2<Float> {
    pair.lowHalf * first + pair.highHalf * second
  }
}
