/// How alike two fingerprints are, at the offset at which they are most alike.
package struct FingerprintLikeness: Hashable, Sendable {
  /// Recordings whose lengths differ more are not compared.
  package static let durationToleranceInSeconds = 3.0
  /// In words, of which a second has about eight: a few seconds in both directions.
  static let maximumOffset = 32
  /// Shorter fingerprints, and those of hum and silence, whose words are mostly equal, say nothing for certain.
  static let minimumWordCount = 40
  static let minimumDistinctWordCount = 20
  static let minimumShare = 0.95
  static let minimumCoverage = 0.8
  /// A third of a window of 4,096 frames at 11,025 Hz (Chromaprint's algorithm 1).
  private static let wordInSeconds = 4_096.0 / 3 / 11_025

  /// The share of equal bits in the common part; of unrelated music about a half.
  package let share: Double
  /// The common part as a share of the shorter fingerprint.
  package let coverage: Double
  /// The second of the first recording at which the second one begins.
  package let offsetInSeconds: Double

  /// nil if the fingerprints cannot be compared: made by different algorithms, or too short or uniform.
  ///
  /// - Complexity: O(n) for n words.
  package init?(_ first: AcoustIDFingerprint, _ second: AcoustIDFingerprint) {
    guard first.algorithm == second.algorithm,
      [first, second].allSatisfy({
        $0.words.count >= Self.minimumWordCount && Set($0.words).count >= Self.minimumDistinctWordCount
      })
    else { return nil }
    let shorter = min(first.words.count, second.words.count)
    var best = (share: 0.0, coverage: 0.0, offset: 0)
    for offset in -Self.maximumOffset...Self.maximumOffset {
      let (start, otherStart) = (max(0, offset), max(0, -offset))
      let count = min(first.words.count - start, second.words.count - otherStart)
      guard count > 0, Double(count) >= Self.minimumCoverage * Double(shorter) else { continue }
      var unequalBitCount = 0
      for index in 0..<count {
        unequalBitCount += (first.words[start + index] ^ second.words[otherStart + index]).nonzeroBitCount
      }
      let share = 1 - Double(unequalBitCount) / Double(count * UInt32.bitWidth)
      if share > best.share { best = (share, Double(count) / Double(shorter), offset) }
    }
    (share, coverage) = (best.share, best.coverage)
    offsetInSeconds = Double(best.offset) * Self.wordInSeconds
  }

  /// Whether both are certainly the same recording, perhaps encoded with other losses.
  package var isSure: Bool { share >= Self.minimumShare && coverage >= Self.minimumCoverage }
}
