/// The landmarks by which one asks what an excerpt is.
package struct ExcerptLandmarks: Hashable, Sendable {
  /// Four times as many as a recording has stored.
  package var usual: Landmarks
  /// Ten times as many, for excerpts of which the usual ones find nothing. They take longer to look up.
  package var dense: Landmarks

  package init(usual: Landmarks, dense: Landmarks) {
    self.usual = usual
    self.dense = dense
  }

  package var durationInSeconds: Double { usual.durationInSeconds }

  /// Whether there are too few peaks to say that something does not match.
  package var isWeak: Bool { usual.isWeak }

  /// The landmarks of a part, whose first column becomes 0.
  package func part(_ columns: Range<Int32>) -> ExcerptLandmarks {
    ExcerptLandmarks(usual: usual.part(columns), dense: dense.part(columns))
  }
}
