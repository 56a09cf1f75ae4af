import Testing
import TestSupport

extension Invariants {
  /// Records an issue for each invariant that does not hold.
  func check(
    _ deadwax: DeadwaxCommand, equals expected: LibraryDump? = nil, users: UserDump? = nil,
    sourceLocation: SourceLocation = #_sourceLocation
  ) async throws {
    for violation in try await violations(of: deadwax, equals: expected, users: users) {
      Issue.record("\(violation)", sourceLocation: sourceLocation)
    }
  }
}
