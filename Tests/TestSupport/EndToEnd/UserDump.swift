internal import Foundation

/// What users decided, as text to compare: each row of presets, assignments, their journal, lists and attributes.
package struct UserDump: Equatable, Sendable, CustomStringConvertible {
  package var lines: [String]

  /// Reads a copy, so that it is not this look that folds a write-ahead log into the library.
  ///
  /// - Parameter withTimes: Whether the moments of writing count.
  package init(_ deadwax: DeadwaxCommand, withTimes: Bool = true) async throws {
    let folder = try TemporaryFolder()
    let copy = folder.appending("library.sqlite")
    for suffix in ["", "-wal"] where FileManager.default.fileExists(atPath: deadwax.library.path + suffix) {
      try FileManager.default.copyItem(atPath: deadwax.library.path + suffix, toPath: copy.path + suffix)
    }
    func shell(_ sql: String) async throws -> [String] {
      let outcome = try await deadwax.run(
        executable: URL(filePath: "/usr/bin/sqlite3"), ["-bail", "-ascii", copy.path, sql])
      guard outcome.status == 0 else { throw UnexpectedOutcome(outcome) }
      return outcome.text.split(separator: "\u{1E}").map { String($0).replacing("\u{1F}", with: " | ") }
    }
    // Older schemas have some of the tables only.
    let tables = try await shell("SELECT name FROM sqlite_schema WHERE type = 'table'")
    let present = Self.columns.filter { tables.contains($0.table) }
    lines = try await shell(
      present.map { table, columns, times in
        let all = columns + (withTimes ? times : [])
        return "SELECT '\(table)', \(all.joined(separator: ", ")) FROM \(table);"
      }.joined()
    ).sorted()
  }

  package var description: String { lines.joined(separator: "\n") }

  /// What only one of two has, for a failure's message.
  package func difference(from other: UserDump) -> String {
    let mine = lines.filter { !other.lines.contains($0) }.prefix(5).map { "+ \($0)" }
    let theirs = other.lines.filter { !lines.contains($0) }.prefix(5).map { "- \($0)" }
    return (mine + theirs).joined(separator: "\n")
  }

  private static let columns: [(table: String, columns: [String], times: [String])] = [
    ("preset", ["id", "name_key", "name", "document"], ["created_at", "changed_at"]),
    (
      "preset_assignment", ["scope", "hex(hash)", "artist", "album", "preset_id", "built_in", "is_on", "label"],
      ["assigned_at"]
    ),
    ("preset_change", ["id", "summary", "undone_at IS NULL"], ["made_at", "undone_at"]),
    ("preset_change_row", ["change_id", "position", "table_name"], ["before", "after"]),
    ("list", ["name", "query"], ["changed_at"]),
    (
      "list_entry",
      [
        "(SELECT name FROM list WHERE id = list_id)", "position", "(SELECT hex(hash) FROM audio WHERE id = audio_id)",
      ], []
    ),
    ("attribute", ["(SELECT hex(hash) FROM audio WHERE id = audio_id)", "name", "value"], []),
  ]
}
