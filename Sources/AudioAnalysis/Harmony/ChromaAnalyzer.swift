internal import Glibc
internal import MediaModel
internal import SignalProcessing

/// Finds which pitches sound in a mono signal at 11,025 Hz.
///
/// The signal is halved to 5,512.5 Hz. Of each window of 372 ms (Hann, every 186 ms) the local maxima of the spectrum
/// count, with the frequency that a parabola through their levels gives; bins between them are noise or side lobes. Each
/// column has the same weight, so that quiet passages count as much as loud ones.
///
/// Source: E. Gómez, Tonal Description of Music Audio Signals (2006), chapter 3, but in finer steps, so that tuning
/// and harmonics are dealt with afterwards, see ``ChromaSummary/key(_:)``.
struct ChromaAnalyzer: ~Copyable {
  static let inputRateInHz = 11_025.0
  private static let rateInHz = inputRateInHz / 2
  private static let size = 2_048
  private static let hop = 1_024
  private static let blockCount = 512
  private static let bins = 20..<744
  private static let binWidthInHz = rateInHz / Double(size)
  /// Weaker maxima are left out: those whose amplitude is below a hundredth of the greatest.
  private static let leastPowerShare: Float = 1e-4
  /// A column whose greatest power is below that of a sine at -66 dBFS is silence.
  private static let leastPower: Float = 2.5e-7

  private let decimator = HalfBandDecimator(inputCount: blockCount)
  private let transform = ComplexTransform(size: size)
  private let powers = PairPowers(transformSize: size)
  private let window = SampleBuffer(
    (0..<size).map { Float(0.5 - 0.5 * cos(2 * .pi * (Double($0) + 0.5) / Double(size))) })
  /// Input that does not fill a block yet.
  private let block = SampleBuffer(count: blockCount)
  private var blockFill = 0
  /// Halved samples: two windows, the second a hop after the first.
  private let samples = SampleBuffer(count: size + hop)
  private var sampleFill = 0
  /// Makes a power of 1 of a full-scale sine; ``PairPowers`` leaves powers four times as large.
  private static let scale = 1 / Float(4 * (size / 4) * (size / 4))

  // Constants of another module would be asked for in each turn of a loop.
  private let stepCount = ChromaSummary.stepCount
  private let stepsPerSemitone = Double(ChromaSummary.stepsPerSemitone)
  private let bandEdgesInHz = ChromaSummary.bandEdgesInHz
  /// The pitch class of each step, which reaches half a semitone to each side.
  private let classOfStep = (0..<ChromaSummary.stepCount).map {
    ($0 + ChromaSummary.stepsPerSemitone / 2) / ChromaSummary.stepsPerSemitone % 12
  }

  private let column = SampleBuffer(count: ChromaSummary.bandCount * ChromaSummary.stepCount)
  private var sums = [Double](repeating: 0, count: ChromaSummary.bandCount * ChromaSummary.stepCount)
  private var classes = [Float](repeating: 0, count: 12)
  private var formerClasses = [Float](repeating: 0, count: 12)
  private var columnCount = 0
  private var flux = 0.0

  /// Adds the next samples, any number of them.
  mutating func consume(_ input: UnsafeBufferPointer<Float>) {
    guard let base = input.baseAddress else { return }
    var position = 0
    while position < input.count {
      let taken = min(Self.blockCount - blockFill, input.count - position)
      (block.pointer + blockFill).update(from: base + position, count: taken)
      blockFill += taken
      position += taken
      if blockFill == Self.blockCount { halveBlock() }
    }
  }

  /// Ends the stream; samples that do not fill a window are left out, unless there is no other one.
  consuming func finish() -> ChromaSummary {
    if blockFill > 0 {
      (block.pointer + blockFill).update(repeating: 0, count: Self.blockCount - blockFill)
      halveBlock()
    }
    if columnCount == 0 || sampleFill >= Self.size {
      (samples.pointer + sampleFill).update(repeating: 0, count: samples.count - sampleFill)
      measureWindows(count: 1)
    }
    let shares = (0..<ChromaSummary.bandCount).map { band in
      let own = sums[band * ChromaSummary.stepCount..<(band + 1) * ChromaSummary.stepCount]
      let total = own.reduce(0, +)
      return own.map { total > 0 ? UInt16($0 / total * 65_535) : 0 }
    }
    let meanFlux = columnCount > 1 ? flux / Double(columnCount - 1) : 0
    return ChromaSummary(shares: shares, columnCount: columnCount, flux: Float(min(1, meanFlux)))
  }

  private mutating func halveBlock() {
    let halved = decimator.decimate(block.pointer)
    blockFill = 0
    let count = Self.blockCount / 2
    (samples.pointer + sampleFill).update(from: halved, count: count)
    sampleFill += count
    guard sampleFill == samples.count else { return }
    measureWindows(count: 2)
    // The last hop of the second window is the first of the next one.
    samples.pointer.update(from: samples.pointer + 2 * Self.hop, count: Self.hop)
    sampleFill = Self.hop
  }

  private mutating func measureWindows(count: Int) {
    let result = transform.transform(
      real: samples.pointer, imaginary: samples.pointer + Self.hop, window: window.pointer)
    powers.split(real: result.real, imaginary: result.imaginary, withMean: false)
    addColumn(powers.first.pointer)
    if count > 1 { addColumn(powers.second.pointer) }
  }

  private mutating func addColumn(_ powers: UnsafePointer<Float>) {
    let greatest = Extremes(of: powers + Self.bins.lowerBound, count: Self.bins.count).high
    guard greatest * Self.scale >= Self.leastPower else { return }
    column.pointer.update(repeating: 0, count: column.count)
    let least = SIMD8<Float>(repeating: greatest * Self.leastPowerShare)
    var total: Float = 0
    // Few bins are higher than their neighbours.
    for start in stride(from: Self.bins.lowerBound, to: Self.bins.upperBound, by: 8) {
      let eight = powers.vector8(at: start)
      let isPeak =
        (eight .> least) .& (eight .>= powers.vector8(at: start - 1)) .& (eight .> powers.vector8(at: start + 1))
      guard any(isPeak) else { continue }
      for bin in start..<min(start + 8, Self.bins.upperBound) where isPeak[bin - start] {
        let frequency = Self.frequency(ofPeak: bin, powers)
        guard let band = band(of: frequency) else { continue }
        let semitones = 12 * log2(frequency / 440)
        let step = Int((semitones * stepsPerSemitone).rounded())
        let amplitude = (powers[bin] / greatest).squareRoot()
        column.pointer[band * stepCount + step.modulo(stepCount)] += amplitude
        total += amplitude
      }
    }
    guard total > 0 else { return }
    for index in 0..<column.count { column.pointer[index] /= total }
    for index in 0..<column.count { sums[index] += Double(column.pointer[index]) }
    addFlux()
  }

  /// The vertex of the parabola through the levels of a bin and its neighbours, in Hz.
  private static func frequency(ofPeak bin: Int, _ powers: UnsafePointer<Float>) -> Double {
    let (a, b, c) = (log2(powers[bin - 1]), log2(powers[bin]), log2(powers[bin + 1]))
    let bend = a - 2 * b + c
    let offset = bend < 0 ? (a - c) / (2 * bend) : 0
    return (Double(bin) + Double(offset)) * binWidthInHz
  }

  /// Half the difference of the shares of the pitch classes from those of the column before.
  private mutating func addFlux() {
    for index in classes.indices { classes[index] = 0 }
    for start in stride(from: 0, to: column.count, by: stepCount) {
      for step in 0..<stepCount { classes[classOfStep[step]] += column.pointer[start + step] }
    }
    if columnCount > 0 {
      flux += Double(zip(classes, formerClasses).reduce(0) { $0 + abs($1.0 - $1.1) } / 2)
    }
    swap(&classes, &formerClasses)
    columnCount += 1
  }

  private func band(of frequency: Double) -> Int? {
    guard frequency >= bandEdgesInHz[0] else { return nil }
    for band in 0..<bandEdgesInHz.count - 1 where frequency < bandEdgesInHz[band + 1] { return band }
    return nil
  }
}

extension Int {
  /// The remainder in `0..<count`, also of negative numbers.
  fileprivate func modulo(_ count: Int) -> Int {
    let rest = self % count
    return rest < 0 ? rest + count : rest
  }
}
