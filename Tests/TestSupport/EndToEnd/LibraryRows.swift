import Foundation

/// The rows of `file` with their ids, which no command shows, without those of folders that could not be read.
package struct LibraryRows: Equatable {
  package struct Row: Equatable, Decodable {
    package var path: String
    package var id: Int
    package var audio_id: Int?
    package var title: String?
    package var state: String
  }

  /// By path below the root.
  package var rows: [String: Row]

  package subscript(path: String) -> Row? { rows[path] }

  package var paths: Set<String> { Set(rows.keys) }

  package init(_ deadwax: DeadwaxCommand) async throws {
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      [
        "-json", "file:\(deadwax.library.path)?immutable=1",
        """
        SELECT path_text AS path, id, audio_id, title, state FROM file
         WHERE problem_code IS NOT 'unreadable-folder' ORDER BY root_id, path
        """,
      ])
    guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
    let list = try outcome.standardOutput.isEmpty ? [] : outcome.document([Row].self)
    rows = Dictionary(list.map { ($0.path, $0) }, uniquingKeysWith: { first, _ in first })
  }
}
