internal import Glibc
internal import SignalProcessing

/// The onsets of low, middle and high bands, and at which distances they repeat.
struct OnsetGroups: ~Copyable {
  /// Below 200 Hz, up to 1,300 Hz, above.
  private let groups = [0..<BandLevels.lowBandCount, BandLevels.lowBandCount..<20, 20..<BandLevels.count]
  private static let lagCount = 24
  private static let lagsInSeconds = 0.2...2.0
  /// A rise of 1 dB, averaged over the bands of a group.
  private static let stepsPerDecibel: Float = 16

  private let rises = SampleBuffer(count: BandLevels.count)
  private var onsets: [[UInt8]]

  init(expectedColumnCount: Int) {
    onsets = groups.map { _ in
      var column: [UInt8] = []
      column.reserveCapacity(min(max(expectedColumnCount, 0), OnsetAnalyzer.longestColumnCount))
      return column
    }
  }

  mutating func consume(_ levels: UnsafePointer<Float>, former: UnsafePointer<Float>) {
    guard onsets[0].count < OnsetAnalyzer.longestColumnCount else { return }
    for band in stride(from: 0, to: BandLevels.count, by: 8) {
      rises.pointer.store(greater(levels.vector8(at: band) - former.vector8(at: band), .zero), at: band)
    }
    for index in groups.indices {
      let bands = groups[index]
      var rise: Float = 0
      for band in bands { rise += rises.pointer[band] }
      onsets[index].append(UInt8(min(rise / Float(bands.count) * Self.stepsPerDecibel, 255)))
    }
  }

  /// Ends the stream: for each group, from the lowest, the autocorrelation at each lag, shortest first.
  consuming func finish(columnsPerSecond: Double) -> [Float] {
    let ratio = log(Self.lagsInSeconds.upperBound / Self.lagsInSeconds.lowerBound)
    let lags = (0..<Self.lagCount).map { index in
      Self.lagsInSeconds.lowerBound * exp(ratio * Double(index) / Double(Self.lagCount - 1)) * columnsPerSecond
    }
    return onsets.flatMap { Self.correlations($0, lags) }
  }

  private static func correlations(_ onsets: [UInt8], _ lags: [Double]) -> [Float] {
    guard onsets.count > 256 else { return lags.map { _ in 0 } }
    let mean = Float(onsets.reduce(0) { $0 + Int($1) }) / Float(onsets.count)
    let signal = SampleBuffer(onsets.map { Float($0) - mean })
    let power = correlation(signal, 0)
    guard power > 0 else { return lags.map { _ in 0 } }
    return lags.map { lag in
      let whole = Int(lag)
      let part = Float(lag - Double(whole))
      return ((1 - part) * correlation(signal, whole) + part * correlation(signal, whole + 1)) / power
    }
  }

  /// The mean product of a signal with itself, a lag later.
  private static func correlation(_ signal: borrowing SampleBuffer, _ lag: Int) -> Float {
    let count = signal.count - lag
    var sum = SIMD8<Float>.zero
    var index = 0
    while index + 8 <= count {
      sum += signal.pointer.vector8(at: index) * signal.pointer.vector8(at: index + lag)
      index += 8
    }
    return sum.sum() / Float(max(count, 1))
  }
}
