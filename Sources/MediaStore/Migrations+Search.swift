internal import Foundation
internal import GRDB
internal import MediaModel

extension Migrations {
  /// 3: the index of texts, indexes for sorting, sums for `status`, saved queries and what users say of sounds.
  @Sendable static func addSearch(_ db: Database) throws {
    try db.execute(sql: "ALTER TABLE file ADD COLUMN search_more TEXT NOT NULL DEFAULT ''")
    for name in ["file_count", "present_count"] {
      try db.execute(sql: "ALTER TABLE audio ADD COLUMN \(name) INTEGER NOT NULL DEFAULT 0")
    }
    try fillSearchText(db)
    try db.execute(
      sql: """
        UPDATE audio
           SET file_count = (SELECT count(*) FROM file WHERE file.audio_id = audio.id),
               present_count = (SELECT count(*) FROM file WHERE file.audio_id = audio.id AND missing_since IS NULL)
        """)
    try db.execute(sql: searchTables)
    try db.execute(sql: "INSERT INTO search (search) VALUES ('rebuild')")
    try db.execute(sql: "INSERT INTO search (search) VALUES ('optimize')")
    try fillTallies(db)
    try db.execute(sql: searchTriggers)
  }

  private static func fillSearchText(_ db: Database) throws {
    let update = try db.makeStatement(sql: "UPDATE file SET search_text = ?, search_more = ? WHERE id = ?")
    let tags = try db.makeStatement(
      sql: """
        SELECT name, value FROM tag JOIN tag_name ON tag_name.id = name_id WHERE file_id = ? ORDER BY name_id, position
        """)
    // The ids first: rows that are read must not be changed.
    for id in try Int64.fetchAll(db, sql: "SELECT id FROM file") {
      var properties: [String: [String]] = [:]
      let rows = try Row.fetchCursor(tags, arguments: [id])
      while let row = try rows.next() { try properties[row[0], default: []].append(row[1]) }
      guard let path = try Data.fetchOne(db.cachedStatement(sql: "SELECT path FROM file WHERE id = ?"), arguments: [id])
      else { continue }
      let text = SearchText(
        Tags(properties.map { Tags.Property(name: $0.key, values: $0.value) }), path: BytePath(path))
      try update.execute(arguments: [text.words, text.more, id])
    }
  }

  /// Counts everything that triggers keep from then on.
  private static func fillTallies(_ db: Database) throws {
    try db.execute(
      sql: """
        DELETE FROM file_tally;
        INSERT INTO file_tally
          SELECT root_id, state, count(*), sum(size_bytes) FROM file NOT INDEXED GROUP BY root_id, state;
        DELETE FROM audio_tally;
        INSERT INTO audio_tally
          SELECT CASE WHEN present_count > 0 THEN 'present' WHEN file_count > 0 THEN 'missing' ELSE 'none' END,
                 coalesce(sample_rate_hz, 0), count(*), coalesce(sum(decoded_frames), 0)
            FROM audio GROUP BY 1, 2;
        DELETE FROM product_tally;
        INSERT INTO product_tally
          SELECT kind, version, parameters, count(*), sum(byte_count) FROM product GROUP BY 1, 2, 3
          UNION ALL SELECT 'measures', version, parameters, count(*), 0 FROM measures GROUP BY 2, 3;
        """)
  }
}
