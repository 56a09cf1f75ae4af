import Foundation
import TestSupport
import Testing

/// The rows of `file` with their ids, which no command shows, without those of folders that could not be read.
struct LibraryRows: Equatable {
  struct Row: Equatable, Decodable {
    var path: String
    var id: Int
    var audio_id: Int?
    var title: String?
    var state: String
  }

  /// By path below the root.
  var rows: [String: Row]

  subscript(path: String) -> Row? { rows[path] }

  var paths: Set<String> { Set(rows.keys) }

  init(_ deadwax: DeadwaxCommand) async throws {
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      [
        "-json", "file:\(deadwax.library.path)?immutable=1",
        """
        SELECT path_text AS path, id, audio_id, title, state FROM file
         WHERE problem_code IS NOT 'unreadable-folder' ORDER BY root_id, path
        """,
      ])
    try #require(outcome.status == 0, "\(outcome)")
    let list = try outcome.standardOutput.isEmpty ? [] : outcome.document([Row].self)
    rows = Dictionary(list.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}

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
