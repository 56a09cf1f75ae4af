package import MediaModel

/// What two recordings have to do with each other, as far as one can hear.
package struct SoundRelation: Hashable, Sendable {
  package enum Kind: String, CaseIterable, Sendable {
    /// The same sound from start to end in both, whatever the format.
    case sameRecording = "same-recording"
    /// All that is heard in one is a part of the other.
    case contained
    /// The same music, but louder, brighter or processed so that fewer peaks agree.
    case otherMaster = "other-master"
    /// They have only a part in common.
    case sharesSample = "shares-sample"
  }

  package var first: ContentHash
  package var second: ContentHash
  package var kind: Kind
  package var alignment: SoundAlignment
  package var firstColumnCount: Int32
  package var secondColumnCount: Int32

  /// Share of agreeing peaks from which on the sound counts as the same.
  private static let leastShareOfSame = 0.4
  private static let leastCoverage = 0.85
  /// Lengths of one recording may differ by silence at the ends: by five seconds or by three percent, but of a short one by a
  /// quarter at most.
  private static let lengthToleranceInColumns: Int32 = 215
  /// A part in common that is shorter is chance or a single chord.
  private static let leastSharedColumns: Int32 = 215
  private static let leastShareOfSample = 0.12

  /// nil if too little is common.
  init?(
    _ first: (hash: ContentHash, landmarks: Landmarks), _ second: (hash: ContentHash, landmarks: Landmarks),
    _ alignment: SoundAlignment
  ) {
    self.first = first.hash
    self.second = second.hash
    self.alignment = alignment
    firstColumnCount = first.landmarks.columnCount
    secondColumnCount = second.landmarks.columnCount
    let shorter = min(firstColumnCount, secondColumnCount)
    let longer = max(firstColumnCount, secondColumnCount)
    let overlapCount = Int32(alignment.overlap.count)
    let tolerance = min(max(Self.lengthToleranceInColumns, longer * 3 / 100), shorter / 4)
    let reachesShorter = overlapCount >= shorter - tolerance
    let coverages = (alignment.coverageOfFirst, alignment.coverageOfSecond)
    if reachesShorter, max(coverages.0, coverages.1) >= Self.leastCoverage {
      // What is silent in one of them is missing there.
      let isWhole = longer - overlapCount <= tolerance && min(coverages.0, coverages.1) >= Self.leastCoverage
      kind = alignment.share < Self.leastShareOfSame ? .otherMaster : isWhole ? .sameRecording : .contained
    } else if Int32(alignment.same.count) >= Self.leastSharedColumns, alignment.coverage > 0,
      alignment.share >= Self.leastShareOfSample
        || Int32(alignment.same.count) >= 3 * Self.leastSharedColumns && alignment.coverage >= 0.1
    {
      kind = .sharesSample
    } else {
      return nil
    }
  }
}
