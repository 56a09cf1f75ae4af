import Foundation

/// What users decided, as text to compare: every row of ``tables``, which no scan may change.
package struct UserDump: Equatable, Sendable, CustomStringConvertible {
  package var lines: [String]

  /// Nothing was decided.
  package static let empty = UserDump(lines: [])

  private init(lines: [String]) { self.lines = lines }

  /// Reads a copy, so that this look does not fold a write-ahead log into the library; ``empty`` if there is no library.
  ///
  /// - Parameter withTimes: Whether the times of writing count.
  package init(_ deadwax: DeadwaxCommand, withTimes: Bool = true) async throws {
    guard FileManager.default.fileExists(atPath: deadwax.library.path) else {
      lines = []
      return
    }
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
    // Older schemas have only some of the tables, and of these only some of the columns.
    let stored = Set(
      try await shell(
        """
        SELECT t.name || '.' || c.name FROM sqlite_schema AS t JOIN pragma_table_info(t.name) AS c WHERE t.type = 'table'
        """))
    let tables = Set(stored.map { $0.prefix { $0 != "." } })
    let present = Self.columns.filter { tables.contains($0.table[...]) }
    lines = try await shell(
      present.map { table, columns, times in
        let all = (columns + (withTimes ? times : [])).map {
          stored.contains("\(table).\($0)") ? $0 : Self.added[table]?[$0] ?? $0
        }
        let condition = Self.conditions[table].map { " WHERE \($0)" } ?? ""
        return "SELECT '\(table)', \(all.joined(separator: ", ")) FROM \(table)\(condition);"
      }.joined()
    ).sorted()
  }

  package var description: String { lines.joined(separator: "\n") }

  /// The first rows that only one of the two has, for the message of a failure.
  package func difference(from other: UserDump) -> String {
    let mine = lines.filter { !other.lines.contains($0) }.prefix(5).map { "+ \($0)" }
    let theirs = other.lines.filter { !lines.contains($0) }.prefix(5).map { "- \($0)" }
    return (mine + theirs).joined(separator: "\n")
  }

  /// The names of the tables, which must be those that the library itself treats as the user's.
  package static let tables = columns.map(\.table)

  /// What rows of older schemas have in columns that schemas 6 to 12 added, once they are migrated.
  private static let added = [
    "play_queue": ["is_former": "0", "version": "0", "source": "NULL"],
    "list": ["comment": "NULL", "is_public": "0", "created_at": "NULL"],
    "preset_assignment": ["person_id": "1", "start_frame": "0", "end_frame": "0"],
  ]

  private static let conditions = [
    // Every scan notes what older versions would call a new recording; no decision hangs on that.
    "former_hash": "is_key",
    // The owner is there before anything was decided.
    "person": "NOT is_owner OR name <> 'owner'",
  ]

  private static let columns: [(table: String, columns: [String], times: [String])] = [
    ("person", ["id", "hex(key)", "name"], []),
    ("preset", ["id", "name_key", "name", "document"], ["created_at", "changed_at"]),
    (
      "preset_assignment",
      [
        "scope", "hex(hash)", "artist", "album", "start_frame", "end_frame", "preset_id", "built_in", "is_on", "label",
        "person_id",
      ],
      ["assigned_at"]
    ),
    ("list", ["name", "query", "comment", "is_public"], ["changed_at", "created_at"]),
    (
      "list_entry",
      [
        "(SELECT name FROM list WHERE id = list_id)", "position", "(SELECT hex(hash) FROM audio WHERE id = audio_id)",
      ], []
    ),
    ("attribute", ["(SELECT hex(hash) FROM audio WHERE id = audio_id)", "name", "value"], []),
    ("group_attribute", ["scope", "artist", "album", "name", "person_id", "value"], []),
    ("album_choice", ["hex(hash)", "shelf", "artist", "title"], []),
    ("correction", ["scope", "hex(subject)", "field", "value", "base"], ["corrected_at"]),
    (
      "play_queue",
      ["person_id", "is_former", "hex(hashes)", "place", "position_ms", "changed_by", "version", "source"],
      ["changed_at"]
    ),
    ("play", ["hex(hash)", "person_id", "started_at", "seconds", "is_finished"], []),
    ("change", ["id", "summary", "undone_at IS NULL"], ["made_at", "undone_at"]),
    ("change_row", ["change_id", "position", "table_name"], ["before", "after"]),
    ("file_change", ["summary"], ["made_at"]),
    ("file_change_part", ["hex(path)", "state", "hex(old_hash)", "hex(new_hash)"], []),
    ("file_change_picture", ["hex(hash)", "part_id"], []),
    ("former_hash", ["hex(hash)", "hex(current)"], []),
  ]
}

extension DeadwaxCommand {
  /// Decides things as a user does, so that a fault has something to destroy: creates a preset, assigns it, saves a query
  /// and makes a list of the tracks that are there. Creates the library if there is none.
  ///
  /// - Returns: What must be left unchanged.
  package func decide() async throws -> UserDump {
    for arguments in [
      ["preset", "create", "decided", "--gain", "-2"], ["preset", "assign", "decided", "--default"],
      ["list", "save", "short", "duration:<10"],
    ] { try await must(arguments) }
    let paths = try await must(["ls", "state:ok", "--format", "paths"]).standardOutput
    if !paths.isEmpty {
      let folder = try TemporaryFolder()
      try folder.write(paths, to: "kept.m3u8")
      try await must(["preset", "assign", "decided", "state:ok"])
      try await must(["list", "import", folder.appending("kept.m3u8").path])
      withExtendedLifetime(folder) {}
    }
    return try await UserDump(self)
  }
}
