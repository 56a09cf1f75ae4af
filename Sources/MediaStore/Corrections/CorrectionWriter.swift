internal import Base
internal import Foundation
package import LibraryDatabase
internal import MediaModel

/// Lays corrections over the tags of files, within a transaction that has changed either.
///
/// `tag` and the columns of `file` hold what counts; what a file itself says about a corrected field is in `own_tag`. Triggers note
/// in `correction_due` which files are concerned. Only what differs is written, so that a corrected genre has no
/// consequences for albums.
package struct CorrectionWriter {
  private let db: Database
  private var nameIDs: [String: Int64] = [:]
  /// New values of `file`, by the columns that they are for.
  private var pending: [[Int]: [PendingRow]] = [:]
  /// Files whose albums are due, while they are not in `album_due`.
  private var due: Set<Int64> = []

  private struct PendingRow {
    var fileID: Int64
    /// As many as there are columns.
    var values: [DatabaseValue]
  }

  /// Brings the tags of all files that are due up to date. To be called before albums are looked for.
  package static func settle(_ db: Database) throws {
    let ids = try Int64.fetchAll(db.cachedStatement(sql: "SELECT file_id FROM correction_due ORDER BY file_id"))
    guard !ids.isEmpty else { return }
    var writer = CorrectionWriter(db: db)
    for id in ids { try writer.lay(overFile: id) }
    try writer.writePending()
    try writer.returnDue()
    try db.execute(sql: "DELETE FROM correction_due")
  }

  /// Looks at all files with corrections again.
  package static func settleAll(_ db: Database) throws {
    try db.execute(
      sql: """
        INSERT OR IGNORE INTO correction_due
          SELECT file.id FROM correction CROSS JOIN audio ON audio.hash = subject CROSS JOIN file ON file.audio_id = audio.id
           WHERE scope = 'recording'
          UNION SELECT file.id FROM correction CROSS JOIN file ON file.key = subject WHERE scope = 'file'
          UNION SELECT file_id FROM own_tag
        """)
    try settle(db)
  }

  private mutating func lay(overFile id: Int64) throws {
    guard
      let row = try Row.fetchOne(
        db.cachedStatement(
          sql: """
            SELECT path, \(Self.columns.joined(separator: ", ")), file.key, audio.hash
              FROM file LEFT JOIN audio ON audio.id = file.audio_id WHERE file.id = ?
            """), arguments: [id])
    else { return }
    let count = Self.columns.count
    let corrections = try StoredCorrections.all(ofFile: row[1 + count], recording: row[2 + count], db)
    let kept = try StoredCorrections.own(ofFile: id, db)
    let present = try tags(ofFile: id)
    let corrected = CorrectedTags(CorrectedTags.ownTags(in: present, kept), corrections)
    try write(corrected.own, insteadOf: kept, ofFile: id)
    guard corrected.tags != present else { return }
    try write(corrected.tags, insteadOf: present, ofFile: id)
    let texts = SearchText(corrected.tags, path: BytePath(try row[0] as Data))
    let values = Self.values(CommonTags(corrected.tags), texts)
    let differing = try Self.columns.indices.filter { try values[$0] != row[1 + $0] as DatabaseValue }
    guard !differing.isEmpty else { return }
    pending[differing, default: []].append(PendingRow(fileID: id, values: differing.map { values[$0] }))
    if let rows = pending[differing], rows.count == Self.chunk(differing) { try write(differing, rows) }
  }

  /// How many files one statement changes: FTS5 writes what it holds to its tables at the end of each one, and a trigger looks
  /// through all files that are in `album_due` already. SQLite allows 32,766 arguments.
  private static func chunk(_ columns: [Int]) -> Int {
    min(columns.contains(where: isOfAlbums) ? 1_000 : 4_000, 30_000 / (1 + columns.count))
  }

  /// Whether albums are due if the column changes: the trigger `album_due_changed`.
  private static func isOfAlbums(_ column: Int) -> Bool {
    ["title", "artist", "album", "albumartist", "year", "track", "disc"].contains(columns[column])
  }

  /// Takes the files out of `album_due`. Its trigger asks whether a file is there, for which SQLite uses no index, because
  /// the column has no type: with 11,000 files it took 3 s.
  private mutating func takeDue() throws {
    due.formUnion(try Int64.fetchAll(db, sql: "DELETE FROM album_due WHERE kind = 'file' RETURNING value"))
  }

  private mutating func returnDue() throws {
    for id in due {
      try db.cachedStatement(sql: "INSERT OR IGNORE INTO album_due VALUES ('file', ?)").execute(arguments: [id])
    }
    due = []
  }

  private mutating func writePending() throws {
    for (columns, rows) in pending.sorted(by: { $0.key.lexicographicallyPrecedes($1.key) }) { try write(columns, rows) }
  }

  private mutating func write(_ columns: [Int], _ rows: [PendingRow]) throws {
    let assignments = columns.enumerated().map { "\(Self.columns[$1]) = new.column\($0 + 2)" }
    let row = "(\(repeatElement("?", count: 1 + columns.count).joined(separator: ", ")))"
    let sql = """
      UPDATE file SET \(assignments.joined(separator: ", "))
        FROM (VALUES \(repeatElement(row, count: rows.count).joined(separator: ", "))) AS new WHERE file.id = new.column1
      """
    try db.makeStatement(sql: sql).execute(
      arguments: StatementArguments(rows.flatMap { [$0.fileID.databaseValue] + $0.values }))
    pending[columns] = nil
    if columns.contains(where: Self.isOfAlbums) { try takeDue() }
  }

  /// Of `file`, which follow from its tags.
  private static let columns = [
    "title", "artist", "album", "albumartist", "genre", "composer", "comment", "year", "date", "track", "track_total",
    "disc", "disc_total", "tag_bpm", "tag_key", "search_text", "search_more",
  ]

  private static func values(_ tags: CommonTags, _ texts: SearchText) -> [DatabaseValue] {
    let values: [(any DatabaseValueConvertible)?] = [
      tags.title, tags.artist, tags.album, tags.albumArtist, tags.genre, tags.composer, tags.comment, tags.year,
      tags.date,
      tags.track, tags.trackTotal, tags.disc, tags.discTotal, tags.beatsPerMinute, tags.key?.number, texts.words,
      texts.more,
    ]
    return values.map { $0?.databaseValue ?? .null }
  }

  private mutating func tags(ofFile id: Int64) throws -> Tags {
    var properties: [Tags.Property] = []
    let rows = try Row.fetchCursor(
      db.cachedStatement(
        sql:
          "SELECT name, value FROM tag JOIN tag_name ON tag_name.id = name_id WHERE file_id = ? ORDER BY name_id, position"
      ),
      arguments: [id])
    while let row = try rows.next() {
      let name: String = try row[0]
      if properties.last?.name == name {
        try properties[properties.count - 1].values.append(row[1])
      } else {
        try properties.append(Tags.Property(name: name, values: [row[1]]))
      }
    }
    return Tags(properties)
  }

  private mutating func write(_ tags: Tags, insteadOf former: Tags, ofFile id: Int64) throws {
    let before = Dictionary(former.properties.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    let after = Dictionary(tags.properties.map { ($0.name, $0.values) }, uniquingKeysWith: { first, _ in first })
    for name in Set(before.keys).union(after.keys) where before[name] != after[name] {
      let nameID = try nameID(name)
      if before[name] != nil {
        try db.cachedStatement(sql: "DELETE FROM tag WHERE file_id = ? AND name_id = ?").execute(arguments: [
          id, nameID,
        ])
      }
      for (position, value) in (after[name] ?? []).enumerated() {
        try db.cachedStatement(sql: "INSERT INTO tag (file_id, name_id, position, value) VALUES (?, ?, ?, ?)")
          .execute(arguments: [id, nameID, position, value])
      }
    }
  }

  private mutating func nameID(_ name: String) throws -> Int64 {
    if let known = nameIDs[name] { return known }
    let select = "SELECT id FROM tag_name WHERE name = ?"
    var id = try Int64.fetchOne(db.cachedStatement(sql: select), arguments: [name])
    if id == nil {
      try db.execute(sql: "INSERT INTO tag_name (name) VALUES (?)", arguments: [name])
      id = db.lastInsertedRowID
    }
    guard let id else { throw DatabaseError(message: "a tag's name was not stored") }
    nameIDs[name] = id
    return id
  }

  private func write(_ own: [CorrectedTags.Own], insteadOf kept: [CorrectedTags.Own], ofFile id: Int64) throws {
    guard own != kept else { return }
    for former in kept where !own.contains(where: { $0.field == former.field }) {
      try db.cachedStatement(sql: "DELETE FROM own_tag WHERE file_id = ? AND field = ?")
        .execute(arguments: [id, former.field.name])
    }
    for one in own where !kept.contains(one) {
      try db.cachedStatement(
        sql: """
          INSERT INTO own_tag (file_id, field, tags, state) VALUES (?, ?, ?, ?)
          ON CONFLICT (file_id, field) DO UPDATE SET tags = excluded.tags, state = excluded.state
          """
      ).execute(arguments: [id, one.field.name, StoredCorrections.json(one.properties).text, one.state.rawValue])
    }
  }
}
