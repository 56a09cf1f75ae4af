/// When the next submission of a person may be tried, and how large it may be.
struct SubmissionPace {
  private static let longestPauseInSeconds = 600.0

  /// On the caller's clock.
  private(set) var nextTry = 0.0
  private(set) var largestCount = ListenBrainzClient.largestCount
  /// Failures since the last answer.
  private(set) var failureCount = 0

  /// The service was heard from, and wants a pause.
  mutating func pause(_ seconds: Double, now: Double) {
    failureCount = 0
    nextTry = now + seconds
  }

  /// Everything was taken.
  mutating func grow() { largestCount = min(largestCount * 2, ListenBrainzClient.largestCount) }

  /// One of so many is wrong: halves find it.
  mutating func halve(_ count: Int) { largestCount = max(1, count / 2) }

  /// Waits 2, 4, 8 seconds and so on, at most ten minutes.
  mutating func fail(now: Double) {
    failureCount += 1
    nextTry = now + min(Self.longestPauseInSeconds, Double(1 << min(failureCount, 20)))
  }
}
