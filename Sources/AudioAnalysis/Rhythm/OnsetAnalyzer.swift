internal import MediaModel
internal import SignalProcessing

/// Finds when something begins: how much the bands of a recording rise from column to column.
///
/// A window is four columns long, so a rise is taken over two columns: one that is spread over more than one column
/// counts once, as a whole.
///
/// Source: spectral flux as in S. Dixon, Onset Detection Revisited (2006), on levels of bands.
struct OnsetAnalyzer: ~Copyable {
  /// Longer recordings, such as radio shows, have no tempo; six hours are enough for all others.
  static let longestColumnCount = 1_000_000

  private let former = SampleBuffer(count: 2 * BandLevels.count)
  private var columnCount = 0
  private(set) var onsets: [UInt8] = []
  private(set) var lowOnsets: [UInt8] = []

  init(expectedColumnCount: Int) {
    let count = min(max(expectedColumnCount, 0), Self.longestColumnCount)
    onsets.reserveCapacity(count)
    lowOnsets.reserveCapacity(count)
    former.pointer.update(repeating: BandLevels.floorInDB, count: former.count)
  }

  /// Adds the levels of the next column.
  mutating func consume(_ levels: UnsafePointer<Float>) {
    guard columnCount < Self.longestColumnCount else { return }
    let before = former.pointer + (columnCount & 1) * BandLevels.count
    var rise = SIMD8<Float>.zero
    var lowRise: Float = 0
    for band in stride(from: 0, to: BandLevels.count, by: 8) {
      let level = levels.vector8(at: band)
      let risen = greater(level - before.vector8(at: band), .zero)
      if band == 0 { lowRise = risen.lowHalf.sum() }
      rise += risen
      before.store(level, at: band)
    }
    onsets.append(Self.step(rise.sum() / Float(BandLevels.count)))
    lowOnsets.append(Self.step(lowRise / Float(BandLevels.lowBandCount)))
    columnCount += 1
  }

  private static func step(_ riseInDB: Float) -> UInt8 {
    UInt8(min(riseInDB * RhythmSummary.onsetStep, 255))
  }

  /// Ends the stream.
  consuming func finish(columnsPerSecond: Double) -> RhythmSummary {
    let tempi = TempoEstimator(columnsPerSecond: columnsPerSecond).estimate(onsets: onsets, lowOnsets: lowOnsets)
    return RhythmSummary(
      columnsPerSecond: columnsPerSecond, candidates: tempi.candidates, stability: tempi.stability, onsets: onsets,
      lowOnsets: lowOnsets)
  }
}
