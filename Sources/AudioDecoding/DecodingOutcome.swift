package import MediaModel

/// What a decode came to; final once ``AudioDecoder/read(into:)`` has returned 0.
package struct DecodingOutcome: Hashable, Sendable {
  /// `ok`, `damaged` or `empty`.
  package var state: FileState
  /// The first thing that was wrong; nil exactly where `state` is `ok`.
  package var problem: Problem?
  /// Remarks that do not change the state, such as `header-lies`.
  package var notes: [String]
  /// Samples that were NaN or infinite and were given out as 0.
  package var nonFiniteSampleCount: Int

  package init(state: FileState, problem: Problem?, notes: [String], nonFiniteSampleCount: Int) {
    self.state = state
    self.problem = problem
    self.notes = notes
    self.nonFiniteSampleCount = nonFiniteSampleCount
  }
}
