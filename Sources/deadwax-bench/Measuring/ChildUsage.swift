/// What a finished child process took, with those of its own children that it waited for.
struct ChildUsage {
  var userSeconds: Double
  var systemSeconds: Double
  var wallSeconds: Double
  /// The largest resident size that it, or one of its children, had at any time.
  var largestResidentBytes: Int
  /// As of wait(2).
  var status: Int32

  var hasSucceeded: Bool { status == 0 }
}
