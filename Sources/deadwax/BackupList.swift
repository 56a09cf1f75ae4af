internal import MediaModel
internal import MediaStore

/// What `restore --list` shows.
struct BackupList {
  private let backups: [LibraryBackup]

  /// - Parameter path: nil for the copies beside the library.
  init(of path: BytePath?, library: BytePath) throws {
    backups = try path.map(LibraryBackup.all(of:)) ?? LibraryBackup.all(beside: library)
  }

  func write(_ json: Bool) throws {
    guard !json else {
      let document: JSONValue = .object(["schema": .integer(1), "backups": .array(backups.map(Self.document))])
      return try StandardOutput.line(document.prettyText)
    }
    var table = TextTable([
      .init(title: "WRITTEN", canShrink: false), .init(title: "SIZE", isAlignedRight: true, canShrink: false),
      .init(title: "FILES", isAlignedRight: true, canShrink: false), .init(title: "COPY"), .init(title: ""),
    ])
    for backup in backups {
      let contents = backup.contents
      try table.add([
        NumberText.moment(backup.writtenAt), NumberText.size(backup.byteCount),
        contents.map { "\($0.fileCount)" } ?? "", backup.path.displayString,
        backup.problem ?? contents?.rows.text ?? "",
      ])
    }
    try table.finish()
    if backups.isEmpty { StandardError.line("there is no copy of a library") }
  }

  private static func document(_ backup: LibraryBackup) -> JSONValue {
    let rows = backup.contents?.rows
    return JSONValue.object([
      "written_at": .string(Timestamp(secondsSince1970: backup.writtenAt).description),
      "size_bytes": .integer(backup.byteCount), "schema_version": .integer(backup.contents?.schemaVersion),
      "files": .integer(backup.contents?.fileCount), "presets": .integer(rows?.presets),
      "assignments": .integer(rows?.assignments), "lists": .integer(rows?.lists),
      "list_entries": .integer(rows?.listEntries), "attributes": .integer(rows?.attributes),
      "problem": .string(backup.problem),
    ]).preceded(by: JSONValue.path(backup.path))
  }
}
