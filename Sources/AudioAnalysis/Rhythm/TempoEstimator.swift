internal import Glibc
internal import MediaModel
internal import SignalProcessing

/// Finds the tempi at which the onsets of a recording repeat.
///
/// 1. The generalised autocorrelation (spectrum compressed by the power 0.5) of windows of 12 s says at which lags onsets
///    repeat.
/// 2. A comb from a quarter of a beat to four beats gives each tempo between 40 and 240 beats a minute its strength.
/// 3. The autocorrelation of the whole recording at 8, 32 and 128 beats refines the best ones, to about 0.01 %.
///
/// Source of 1: G. Percival and G. Tzanetakis, Streamlined Tempo Estimation Based on Autocorrelation and
/// Cross-correlation With Pulses (2014).
struct TempoEstimator: ~Copyable {
  /// In beats per minute.
  static let range: ClosedRange<Double> = 40...240
  private static let windowLength = 512
  private static let hop = 128
  /// Tempi that are compared, a constant ratio of some 0.5 % apart.
  private static let gridCount = 360
  private static let mostCandidates = 8
  /// Of a tempo, which are heard as the same rhythm at another level.
  private static let multiples: [Double] = [1, 2, 1.0 / 2, 3.0 / 2, 2.0 / 3, 3, 1.0 / 3]

  private let columnsPerSecond: Double
  private let transform = ComplexTransform(size: 2 * windowLength)
  private let rectangle = SampleBuffer(Array(repeating: 1, count: 2 * windowLength))

  init(columnsPerSecond: Double) { self.columnsPerSecond = columnsPerSecond }

  func estimate(
    onsets: [UInt8], lowOnsets: [UInt8]
  ) -> (candidates: [RhythmSummary.Candidate], stability: Float) {
    // Low onsets count once more.
    let raw = zip(onsets, lowOnsets).map { Float($0) + 0.5 * Float($1) }
    let signal = OnsetStrengths.flattened(raw, columnsPerSecond: columnsPerSecond)
    guard signal.count >= Self.windowLength / 2 else { return ([], 0) }
    let windows = autocorrelations(of: signal)
    guard !windows.isEmpty else { return ([], 0) }
    var mean = [Float](repeating: 0, count: Self.windowLength)
    for window in windows { for lag in mean.indices { mean[lag] += window[lag] / Float(windows.count) } }
    let tempi = Self.grid
    let strengths = tempi.map { strength(of: $0, in: mean) }
    let peaks = Self.peaks(strengths).prefix(Self.mostCandidates)
    guard let best = peaks.first else { return ([], 0) }
    var found: [Double] = []
    for index in peaks {
      let tempo = refined(tempi[index], in: signal)
      for multiple in Self.multiples {
        let other = tempo * multiple
        if index != best && multiple != 1 { continue }
        if Self.range.contains(other), !found.contains(where: { abs($0 / other - 1) < 0.02 }) { found.append(other) }
      }
    }
    let candidates = found.map { tempo in
      RhythmSummary.Candidate(
        beatsPerMinute: Float(tempo), strength: strength(of: tempo, in: mean),
        offbeatStrength: value(of: mean, at: 30 * columnsPerSecond / tempo))
    }
    let stable = windows.count { window in
      let own = tempi.map { strength(of: $0, in: window) }
      guard let top = own.indices.max(by: { own[$0] < own[$1] }) else { return false }
      let ratio = tempi[top] / found[0]
      return Self.multiples.contains { abs(ratio / $0 - 1) < 0.04 }
    }
    return (
      candidates.sorted { $0.strength > $1.strength }, Float(stable) / Float(windows.count)
    )
  }

  static let grid: [Double] = (0..<gridCount).map {
    range.lowerBound * exp(log(range.upperBound / range.lowerBound) * Double($0) / Double(gridCount - 1))
  }

  /// Of each window that is not silent, with 1 at lag 0.
  private func autocorrelations(of signal: [Float]) -> [[Float]] {
    let size = transform.size
    let first = SampleBuffer(count: size)
    let second = SampleBuffer(count: size)
    let powers = PairPowers(transformSize: size)
    let starts = Array(stride(from: 0, through: max(0, signal.count - Self.windowLength), by: Self.hop))
    var result: [[Float]] = []
    for pair in stride(from: 0, to: starts.count, by: 2) {
      let own = starts[pair..<min(pair + 2, starts.count)]
      for (buffer, start) in zip([first.pointer, second.pointer], own) {
        buffer.update(repeating: 0, count: size)
        let count = min(Self.windowLength, signal.count - start)
        var mean: Float = 0
        for index in 0..<count { mean += signal[start + index] / Float(count) }
        for index in 0..<count { buffer[index] = signal[start + index] - mean }
      }
      if own.count < 2 { second.pointer.update(repeating: 0, count: size) }
      let bins = transform.transform(real: first.pointer, imaginary: second.pointer, window: rectangle.pointer)
      powers.split(real: bins.real, imaginary: bins.imaginary, withMean: false)
      for (source, target) in [(powers.first.pointer, first.pointer), (powers.second.pointer, second.pointer)] {
        for bin in 0...size / 2 {
          target[bin] = source[bin].squareRoot().squareRoot()
          target[(size - bin) % size] = target[bin]
        }
      }
      let lags = transform.transform(real: first.pointer, imaginary: second.pointer, window: rectangle.pointer)
      for values in [lags.real, lags.imaginary].prefix(own.count) where values[0] > 0 {
        result.append((0..<Self.windowLength).map { values[$0] / values[0] })
      }
    }
    return result
  }

  /// Where a rhythm in two, three or four repeats, in beats, and how much each counts.
  private static let comb: [(beats: Double, weight: Float)] = [
    (0.25, 1 / 12), (0.5, 1 / 12), (1, 1 / 6), (1.5, 1 / 6), (2, 1 / 6), (3, 1 / 6), (4, 1 / 6),
  ]

  /// The mean of an autocorrelation at the teeth of the comb.
  private func strength(of tempo: Double, in correlation: [Float]) -> Float {
    let lag = 60 * columnsPerSecond / tempo
    let sum = Self.comb.reduce(Float(0)) { $0 + $1.weight * value(of: correlation, at: $1.beats * lag) }
    return max(0, min(1, sum))
  }

  /// Interpolated by a parabola through the nearest three lags.
  private func value(of correlation: [Float], at lag: Double) -> Float {
    let middle = Int(lag.rounded())
    guard middle >= 1, middle + 1 < correlation.count else { return 0 }
    let offset = Float(lag - Double(middle))
    let (a, b, c) = (correlation[middle - 1], correlation[middle], correlation[middle + 1])
    return b + offset * ((c - a) + offset * (a - 2 * b + c)) / 2
  }

  /// Local maxima, highest first.
  private static func peaks(_ values: [Float]) -> [Int] {
    let inner = values.indices.dropFirst().dropLast()
    return inner.filter { values[$0] > 0 && values[$0] >= values[$0 - 1] && values[$0] > values[$0 + 1] }
      .sorted { values[$0] > values[$1] }
  }

  /// A tempo to some 0.01 %, if the recording keeps it: the lag of ever more beats, as long as they correlate.
  private func refined(_ tempo: Double, in signal: [Float]) -> Double {
    var lag = 60 * columnsPerSecond / tempo
    var uncertainty = 0.02
    for beats in [2.0, 8, 32, 128] {
      let center = beats * lag
      let reach = Int((center * uncertainty).rounded(.up)) + 1
      let lags = (Int(center) - reach)...(Int(center) + reach + 1)
      guard lags.upperBound < signal.count * 2 / 3, lags.lowerBound > 0 else { break }
      let values = lags.map { Self.correlation(of: signal, at: $0) }
      guard let top = values.indices.max(by: { values[$0] < values[$1] }), top > 0, top < values.count - 1 else {
        break
      }
      let (a, b, c) = (values[top - 1], values[top], values[top + 1])
      let bend = a - 2 * b + c
      let offset = bend < 0 ? Double((a - c) / (2 * bend)) : 0
      lag = (Double(lags.lowerBound + top) + offset) / beats
      uncertainty = 0.6 / (beats * lag)
    }
    return 60 * columnsPerSecond / lag
  }

  private static func correlation(of signal: [Float], at lag: Int) -> Float {
    signal.withUnsafeBufferPointer { samples in
      guard let base = samples.baseAddress else { return 0 }
      let count = samples.count - lag
      var sum = SIMD8<Float>.zero
      var index = 0
      while index + 8 <= count {
        sum += base.vector8(at: index) * (base + lag).vector8(at: index)
        index += 8
      }
      return sum.sum() / Float(max(count, 1))
    }
  }
}
