internal import AudioAnalysis
internal import DecodingService
internal import Glibc
internal import MediaModel

/// What is heard in one recording and not in another one that would be kept for it, as their decoded samples tell.
///
/// Both are decoded in step, aligned to the sample, and subtracted (``ResidueAnalyzer``). What is left is held against
/// the power of all channels at the same time, and against what is left of the same pair elsewhere: a pair of formats
/// leaves about the same everywhere, and a voice that only one of them has does not. The thresholds were chosen with
/// `scripts/evaluate-removals.py` (docs/sound-search.md).
///
/// - Complexity: O(1) per sample; some 40 MB for two channels, whatever the length.
struct SampleComparison {
  /// The second of the other one in which most is left; nil if everything is in the kept one.
  private(set) var differenceInSeconds: Double?

  /// A minute. The last block is longer: in a short one there would be a factor for every bin that leaves nothing.
  private static let blockColumns = 1_290
  private static let leastColumns = 430
  /// Around the offset that levels have given, in samples; and from block to block.
  private static let reach = 1_100
  private static let drift = 16
  /// Columns at both ends of the two recordings that are not compared: encoders fade in and out there.
  private static let edgeColumns = 4
  /// Around each column: silence of the other one so near makes it incomparable.
  private static let silenceInSeconds = 0.05

  private var residues: [ResidueAnalyzer.Residue] = []
  private let areLossless: Bool

  /// - Parameters:
  ///   - comparison: What is stored of both, with the offset.
  ///   - areLossless: Whether neither has noise of a lossy codec.
  ///   - isDamaged: Whether the other one may end with an error.
  /// - Throws: ``SegmentReadingError`` if one of them cannot be read.
  init(
    keeping kept: any SegmentSource, removing other: any SegmentSource, as comparison: SoundComparison,
    areLossless: Bool, isDamaged: Bool = false
  ) throws {
    self.areLossless = areLossless
    guard let keptStream = SampleStream(kept), let stream = SampleStream(other, endsWithError: isDamaged),
      keptStream.channelCount == stream.channelCount
    else {
      differenceInSeconds = 0
      return
    }
    let analyzer = ResidueAnalyzer()
    let (hop, size) = (ResidueAnalyzer.hop, ResidueAnalyzer.columnSize)
    var lag = Int((comparison.offsetInSeconds * Double(ChannelResampler.sampleRateInHz)).rounded())
    var reach = Self.reach
    var start = 0
    while true {
      let most = (Self.blockColumns + Self.leastColumns) * hop + size
      try stream.read(to: start + most)
      let rest = stream.end - start
      let count = rest >= most ? (Self.blockColumns - 1) * hop + size : rest
      guard count >= size else { break }
      let block = start..<start + count
      try keptStream.read(to: block.upperBound + lag + reach + Self.edgeColumns * hop)
      let samples = stream.samples(block)
      let near = keptStream.samples(block.lowerBound + lag - reach..<block.upperBound + lag + reach)
      if let found = analyzer.lag(of: samples, in: near, reach: reach) {
        lag += found
        reach = Self.drift
      }
      let columnCount = ResidueAnalyzer.columnCount(count)
      let isComparable = (0..<columnCount).map { column in
        let first = start + column * hop
        let margin = Self.edgeColumns * hop
        let seconds = Double(first) / Double(ChannelResampler.sampleRateInHz)
        return first >= margin && first + lag >= margin && first + size + margin <= stream.end
          && first + size + lag + margin <= keptStream.end
          && !comparison.other.hasSilence(
            from: seconds - Self.silenceInSeconds,
            to: seconds + 2 * ResidueAnalyzer.columnInSeconds + Self.silenceInSeconds)
      }
      append(
        analyzer.residues(
          of: samples, in: keptStream.samples(block.lowerBound + lag..<block.upperBound + lag), where: isComparable))
      start += columnCount * hop
      stream.drop(before: start)
      keptStream.drop(before: start + lag - 2 * Self.reach)
    }
    judge()
  }

  private mutating func append(_ found: [ResidueAnalyzer.Residue]) {
    if residues.isEmpty { residues = found.map { ResidueAnalyzer.Residue($0.signal) } }
    for (index, residue) in found.enumerated() {
      residues[index].own += residue.own
      residues[index].explained += residue.explained
      // What only the kept one has is nothing that the other one would lose.
      residues[index].rest += zip(residue.rest, residue.own).map { min($0, $1) }
    }
  }

  // MARK: - Judgement

  private enum Limit {
    /// Windows of 0.75 s.
    static let windowColumns = 16
    /// Windows that are softer than loud ones by more are not judged.
    static let depthInDB: Float = 50
    /// What may be left, relative to the power of all channels.
    static func rest(_ signal: ResidueAnalyzer.Signal) -> Float {
      switch signal {
      case .channel: -6
      case .mid: -7
      case .side: -9
      }
    }
    /// What may be left beyond the least quarter of the windows, if it is more than that relative to all: codecs differ
    /// so much for a moment.
    static let excessInDB: Float = 22
    static let leastExcessive: Float = -18
    /// The same of the mean level over three seconds more, and how much that may be without lossy codecs.
    static let sustainedColumns = 64
    static let sustainedExcessInDB: Float = 13
    static let leastSustained: Float = -26
    static let sustainedOfLossless: Float = -20
    /// What may be left of a signal itself: of mid and side if that is more than so much of all …
    static let ownRest: Float = -5
    static let leastOfAll: Float = -24
    /// … and of a channel that is not softer than that, relative to all and to full scale.
    static let leastChannelOfAll: Float = -50
    static let leastChannel: Float = -66
    /// What is lost in rounding: of the power of loud windows, and with dither to 16 bits.
    static let roundingShare: Float = 3e-7
    static let rounding: Float = 3e-9
  }

  private mutating func judge() {
    let channels = residues.filter { if case .channel = $0.signal { true } else { false } }
    guard let first = channels.first, !first.own.isEmpty else { return }
    let divisor = Float(min(channels.count, 2))
    let totals = first.own.indices.map { column in channels.reduce(0) { $0 + $1.own[column] } / divisor }
      .means(of: Limit.windowColumns)
    let loud = totals.percentile(0.95)
    let heard = totals.indices.filter { totals[$0] > loud * pow(10, -Limit.depthInDB / 10) }
    guard loud > 0, !heard.isEmpty else { return }
    var worst: (column: Int, excess: Float)?
    func note(_ column: Int, _ excess: Float) {
      // What is not a number is no proof that nothing is lost.
      guard !(excess <= 0), !(excess <= worst?.excess ?? 0) else { return }
      worst = (column, excess)
    }
    for residue in residues {
      let own = residue.own.means(of: Limit.windowColumns)
      let explained = residue.explained.means(of: Limit.windowColumns)
      let rest = residue.rest.means(of: Limit.windowColumns)
        .map { max($0 - loud * Limit.roundingShare - Limit.rounding, loud * 1e-9) }
      let shares = heard.map { StoredSound.decibels(ofRatio: rest[$0], totals[$0]) }
      let usual = shares.percentile(0.25)
      var all = [Float](repeating: usual, count: totals.count)
      for (share, column) in zip(shares, heard) { all[column] = share }
      for (start, level) in all.means(of: Limit.sustainedColumns).enumerated() where level > Limit.leastSustained {
        let column = start + Limit.sustainedColumns / 2
        note(column, level - usual - Limit.sustainedExcessInDB)
        if areLossless { note(column, level - Limit.sustainedOfLossless) }
      }
      for (share, column) in zip(shares, heard) {
        note(column, share - Limit.rest(residue.signal))
        if share > Limit.leastExcessive { note(column, share - usual - Limit.excessInDB) }
        let ofOwn = StoredSound.decibels(ofRatio: rest[column], own[column] + explained[column])
        let isJudged =
          switch residue.signal {
          case .channel:
            share > Limit.leastChannelOfAll && StoredSound.decibels(own[column]) > Limit.leastChannel
          case .mid, .side: share > Limit.leastOfAll
          }
        if isJudged { note(column, ofOwn - Limit.ownRest) }
      }
    }
    differenceInSeconds = worst.map { Double($0.column + Limit.windowColumns / 2) * ResidueAnalyzer.columnInSeconds }
  }
}

extension StoredSound {
  static func decibels(ofRatio power: Float, _ other: Float) -> Float {
    10 * log10(max(power, 1e-20) / max(other, 1e-20))
  }
}

/// The samples of a recording at the rate of ``ChannelResampler``, decoded as they are needed.
private final class SampleStream {
  private let source: any SegmentSource
  private let resampler: ChannelResampler
  private let endsWithError: Bool
  private var position: Int64 = 0
  private var hasEnded = false

  /// nil for rates that are too low to compare.
  ///
  /// - Parameter endsWithError: Whether an error after the first samples counts as the end.
  init?(_ source: any SegmentSource, endsWithError: Bool = false) {
    guard let resampler = ChannelResampler(format: source.audio.format) else { return nil }
    self.source = source
    self.resampler = resampler
    self.endsWithError = endsWithError
  }

  var channelCount: Int { resampler.channels.count }
  /// Of what was read so far, or of all.
  var end: Int { resampler.end }

  func read(to end: Int) throws {
    while !hasEnded, resampler.end < end {
      let next = position + Int64(SegmentKey.framesPerSegment)
      var samples: [Float] = []
      do { samples = try source.decode(position..<next) } catch {
        guard endsWithError, position > 0 else { throw error }
      }
      resampler.consume(samples.span)
      position += Int64(samples.count / channelCount)
      if position < next {
        resampler.finish()
        hasEnded = true
      }
    }
  }

  func samples(_ range: Range<Int>) -> [[Float]] { resampler.samples(range) }

  func drop(before number: Int) { resampler.drop(before: number) }
}
