import TestSupport
import Testing

extension Invariants {
  /// Records an issue for each invariant that does not hold.
  func check(
    _ deadwax: DeadwaxCommand, users: UserDump, equals expected: LibraryDump? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for violation in try await violations(of: deadwax, users: users, equals: expected) {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }
}
