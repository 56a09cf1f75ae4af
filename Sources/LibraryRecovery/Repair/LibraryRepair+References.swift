internal import LibraryDatabase
internal import MediaStore
internal import UserData

extension LibraryRepair {
  /// Deletes rows that refer to lost rows. A file whose recording is lost is read again by the next scan.
  mutating func dropWhatBelongsToNothing(_ db: Database) throws {
    try db.execute(
      sql: """
        UPDATE file SET audio_id = NULL, last_state = 'pending', extractor_version = 0
         WHERE audio_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM audio WHERE audio.id = audio_id)
        """)
    if source.trees["stream"] != nil {
      try drop("stream", where: "NOT EXISTS (SELECT 1 FROM audio WHERE audio.id = audio_id)", db)
      try db.execute(
        sql: """
          UPDATE file SET stream_id = NULL, last_state = 'pending', extractor_version = 0
           WHERE stream_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM stream WHERE stream.id = stream_id)
          """)
    }
    if source.trees["album"] != nil {
      // Its files lead to it again, see below.
      try db.execute(
        sql: """
          UPDATE file SET album_id = NULL
           WHERE album_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album WHERE album.id = album_id)
          """)
    }
    if source.trees["preset_assignment"] != nil {
      // The switch stays as it is.
      try db.execute(
        sql: """
          UPDATE preset_assignment SET preset_id = NULL
           WHERE is_on = 0 AND preset_id NOT IN (SELECT id FROM preset)
          """)
    }
    for tree in schemaTable.trees where tree.isTable {
      let keys = try Row.fetchAll(
        db, sql: "SELECT \"table\", \"from\", \"to\" FROM pragma_foreign_key_list(?)", arguments: [tree.name])
      for key in keys {
        let (parent, from, to): (String, String, String) = try (key[0], key[1], key[2])
        try drop(
          tree.name,
          where: "\(from) IS NOT NULL AND NOT EXISTS (SELECT 1 FROM \(parent) AS parent WHERE parent.\(to) = \(from))",
          db)
      }
    }
    try drop("product_blob", where: "length(bytes) <> (SELECT byte_count FROM product WHERE id = product_id)", db)
    try drop("product", where: "id NOT IN (SELECT product_id FROM product_blob)", db)
    let isNeeded =
      source.trees["folder_picture"] == nil
      ? "id IN (SELECT artwork_id FROM file_artwork)"
      : source.trees["file_change_picture"] == nil ? CoverSQL.isNeededBefore12 : CoverSQL.isNeeded
    try drop("artwork", where: "NOT \(isNeeded)", db)
    guard let change = try UserTable.change.name(in: db), let changeRow = try UserTable.changeRow.name(in: db)
    else { return }
    // A partly lost change cannot be undone.
    let half = """
      (SELECT id FROM \(change) LEFT JOIN \(changeRow) ON change_id = id
        GROUP BY id HAVING count(change_id) = 0 OR max(position) + 1 <> count(change_id))
      """
    try drop(changeRow, where: "change_id IN \(half)", db)
    try drop(change, where: "id NOT IN (SELECT change_id FROM \(changeRow))", db)
  }

  mutating func drop(_ table: String, where condition: String, _ db: Database) throws {
    try db.execute(sql: "DELETE FROM \(table) WHERE \(condition)")
    tables[table]?.lostRowCount += db.changesCount
  }

  /// Counts the files of recordings that were rebuilt after their files.
  func countFiles(_ db: Database) throws {
    guard source.trees["audio"]?.columns.contains(where: { $0.name == "present_count" }) == true else { return }
    try db.execute(
      sql: """
        UPDATE audio
           SET file_count = (SELECT count(*) FROM file WHERE audio_id = audio.id),
               present_count = (SELECT count(*) FROM file WHERE audio_id = audio.id AND missing_since IS NULL)
         WHERE file_count <> (SELECT count(*) FROM file WHERE audio_id = audio.id)
            OR present_count <> (SELECT count(*) FROM file WHERE audio_id = audio.id AND missing_since IS NULL)
        """)
  }

  /// The last ids of the damaged library, by table. Each page can be read once, so this comes before the search for lost pages.
  func sequences() throws -> [String: Int64] {
    guard let tree = source.trees["sqlite_sequence"] else { return [:] }
    var sequences: [String: Int64] = [:]
    try source.forEachRow(of: tree) { row in
      guard let name = row["name"]?.text, let number = row["seq"]?.integer, number > 0, number < Int64.max / 2,
        source.trees[name]?.isTable == true
      else { return }
      sequences[name] = number
    }
    return sequences
  }

  /// Restores the sequences, so that ids are never used again.
  func raise(_ sequences: [String: Int64], _ db: Database) throws {
    for (name, number) in sequences {
      try db.execute(
        sql: """
          INSERT INTO sqlite_sequence (name, seq) SELECT :name, :number
           WHERE NOT EXISTS (SELECT 1 FROM sqlite_sequence WHERE name = :name);
          UPDATE sqlite_sequence SET seq = max(seq, :number) WHERE name = :name
          """, arguments: ["name": name, "number": number])
    }
  }

  /// Counts the saved rows, and drops gaps and text damage that were filled or mended.
  mutating func count(_ db: Database) throws {
    for (name, table) in tables {
      tables[name]?.rowCount = try Int.fetchOne(db, sql: "SELECT count(*) FROM \(name)") ?? 0
      if table.brokenRowCount > 0, let tree = source.trees[name] {
        let conditions = tree.columns.filter { $0.type == "TEXT" }.map { "instr(\($0.name), char(65533)) > 0" }
        let count = try Int.fetchOne(
          db, sql: "SELECT count(*) FROM \(name) WHERE \(conditions.joined(separator: " OR "))")
        tables[name]?.brokenRowCount = min(table.brokenRowCount, count ?? 0)
      }
      guard let alias = source.trees[name]?.rowIDColumn else { continue }
      tables[name]?.gaps = try table.gaps.filter { gap in
        try Bool.fetchOne(
          db, sql: "SELECT EXISTS (SELECT 1 FROM \(name) WHERE \(alias) BETWEEN ? AND ?)",
          arguments: [gap.lowerBound, gap.upperBound]) == false
      }
    }
  }
}
