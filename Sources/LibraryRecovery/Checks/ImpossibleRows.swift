internal import Foundation
internal import LibraryDatabase
internal import MediaModel
internal import UserData

/// Rows that no version of the program writes.
enum ImpossibleRows {
  static let states = FileState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  private static let kinds = ProductKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

  private static let conditions: [(what: String, from: String)] = [
    ("libraries without an owner", "(SELECT 1 WHERE NOT EXISTS (SELECT 1 FROM person WHERE id = 1))"),
    ("files that are ok without a recording", "file WHERE last_state = 'ok' AND audio_id IS NULL"),
    ("files with a negative size or number of attempts", "file WHERE size_bytes < 0 OR attempts < 0"),
    // In the text, U+FFFD replaces bytes that are not UTF-8.
    (
      "files whose path and path text differ",
      "file WHERE path_text <> CAST(path AS TEXT) AND instr(path_text, char(65533)) = 0"
    ),
    ("files with notes that are not JSON", "file WHERE notes IS NOT NULL AND NOT json_valid(notes)"),
    ("recordings in an unknown state", "audio WHERE state NOT IN (\(states))"),
    (
      "recordings with impossible numbers",
      "audio WHERE decoded_frames < 0 OR sample_rate_hz <= 0 OR channels <= 0"
    ),
    ("streams with impossible numbers", "stream WHERE payload_bytes < 0 OR hash_version < 1"),
    (
      "files whose recording is not that of their stream",
      "file JOIN stream ON stream.id = file.stream_id WHERE file.audio_id IS NOT stream.audio_id"
    ),
    (
      "recordings with a wrong count of files",
      """
      audio WHERE file_count <> (SELECT count(*) FROM file WHERE audio_id = audio.id)
               OR present_count <> (SELECT count(*) FROM file WHERE audio_id = audio.id AND missing_since IS NULL)
      """
    ),
    (
      "files whose tempo or key differs from their tags or recording",
      """
      file LEFT JOIN tempo_key AS measured ON measured.audio_id = file.audio_id
       WHERE file.bpm IS NOT coalesce(tag_bpm, measured.bpm)
          OR file.musical_key IS NOT coalesce(tag_key, measured.musical_key)
      """
    ),
    ("products of an unknown kind", "product WHERE kind NOT IN (\(kinds))"),
    (
      "products whose length differs from the recorded one",
      "product JOIN product_blob ON product_id = product.id WHERE length(bytes) <> byte_count"
    ),
    ("corrections that cannot be read", "correction WHERE \(brokenCorrection)"),
    ("files whose own tags cannot be read", "own_tag WHERE \(brokenOwnTag)"),
    (
      "files with a corrected tag without its correction",
      """
      own_tag JOIN file ON file.id = file_id LEFT JOIN audio ON audio.id = audio_id
       WHERE NOT EXISTS (SELECT 1 FROM correction
                          WHERE correction.field = own_tag.field
                            AND (scope = 'file' AND subject = file.key OR scope = 'recording' AND subject = audio.hash))
      """
    ),
    ("lists with both a query and entries", "list WHERE query IS NOT NULL AND id IN (SELECT list_id FROM list_entry)"),
    (
      "persons, lists and attributes without a name",
      "(SELECT name FROM person UNION ALL SELECT name FROM list UNION ALL SELECT name FROM attribute) WHERE name = ''"
    ),
  ]

  /// A correction is two lists: its values, and what files said.
  private static let brokenCorrection = """
    CASE WHEN json_valid(value) AND json_valid(base)
         THEN json_type(value) <> 'array' OR json_type(base) <> 'array'
           OR EXISTS (SELECT 1 FROM json_each(correction.value) AS one WHERE one.type <> 'text')
           OR EXISTS (SELECT 1 FROM json_each(correction.base) AS one WHERE one.type <> 'array')
         ELSE 1 END
    """

  private static let brokenOwnTag = "CASE WHEN json_valid(tags) THEN json_type(tags) <> 'object' ELSE 1 END"

  static func find(_ db: Database) throws -> [String] {
    var counts = try conditions.map { what, from in
      (what, try Int.fetchOne(db, sql: "SELECT count(*) FROM \(from)") ?? 0)
    }
    counts.append(("texts of persons, lists and attributes that are not UTF-8", try brokenTextCount(db)))
    return counts.filter { $0.1 > 0 }.map { "\($0): \($1)" }
  }

  /// SQLite does not check that text is UTF-8. A list with such a name cannot be found by its name.
  private static func brokenTextCount(_ db: Database) throws -> Int {
    let texts = try Data.fetchCursor(
      db,
      sql: """
        SELECT CAST(text AS BLOB)
          FROM (SELECT name AS text FROM person UNION ALL SELECT name FROM list UNION ALL SELECT query FROM list WHERE query IS NOT NULL
                UNION ALL SELECT name FROM attribute UNION ALL SELECT value FROM attribute)
        """)
    var count = 0
    while let text = try texts.next() {
      if String(validating: text, as: UTF8.self) == nil { count += 1 }
    }
    return count
  }
}

extension ImpossibleRows {
  /// Makes rows valid without deleting what users made; the next scan finds out the rest.
  private static let changes: [(table: String, sql: String)] = [
    ("audio", "UPDATE audio SET state = 'pending' WHERE state NOT IN (\(states))"),
    (
      "audio",
      """
      UPDATE audio
         SET state = 'pending', sample_rate_hz = NULL, channels = NULL, decoded_frames = NULL
       WHERE decoded_frames < 0 OR sample_rate_hz <= 0 OR channels <= 0
      """
    ),
    ("stream", "UPDATE stream SET payload_bytes = NULL WHERE payload_bytes < 0"),
    ("stream", "UPDATE stream SET hash_version = 1 WHERE hash_version < 1"),
    (
      "stream",
      """
      UPDATE file SET stream_id = NULL, last_state = 'pending', extractor_version = 0
       WHERE id IN (SELECT file.id FROM file JOIN stream ON stream.id = file.stream_id
                     WHERE file.audio_id IS NOT stream.audio_id)
      """
    ),
    ("file", "UPDATE file SET last_state = 'pending' WHERE last_state = 'ok' AND audio_id IS NULL"),
    (
      "file",
      """
      UPDATE file SET last_state = 'pending', size_bytes = max(size_bytes, 0), attempts = 0
       WHERE size_bytes < 0 OR attempts < 0
      """
    ),
    (
      "file",
      """
      UPDATE file SET last_state = 'pending'
       WHERE audio_id IN (SELECT id FROM audio WHERE state = 'pending') AND last_state IN ('ok', 'damaged')
      """
    ),
    // The next scan finds out what the files of broken ones say.
    (
      "own_tag",
      """
      UPDATE file SET last_state = 'pending', extractor_version = 0
       WHERE id IN (SELECT file_id FROM own_tag WHERE \(brokenOwnTag))
      """
    ),
    ("own_tag", "DELETE FROM own_tag WHERE \(brokenOwnTag)"),
    ("correction", "DELETE FROM correction WHERE \(brokenCorrection)"),
    ("file", "UPDATE file SET notes = NULL WHERE notes IS NOT NULL AND NOT json_valid(notes)"),
    (
      "product",
      """
      DELETE FROM product
       WHERE id IN (SELECT product_id FROM product_blob WHERE length(bytes) <> byte_count)
      """
    ),
    ("list", "UPDATE list SET query = NULL WHERE query IS NOT NULL AND id IN (SELECT list_id FROM list_entry)"),
    ("person", "UPDATE OR IGNORE person SET name = 'person ' || id WHERE name = ''"),
    ("list", "UPDATE OR IGNORE list SET name = 'List ' || id WHERE name = ''"),
    ("attribute", "UPDATE OR IGNORE attribute SET name = 'unnamed' WHERE name = ''"),
  ]

  /// Corrects the rows that a repaired library must not have. No row that users made is deleted, if it can be read. Older libraries may
  /// lack some of the tables.
  static func mend(_ db: Database) throws {
    for change in changes where try db.tableExists(change.table) { try db.execute(sql: change.sql) }
  }
}
