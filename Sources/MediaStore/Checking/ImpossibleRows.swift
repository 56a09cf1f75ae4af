internal import Foundation
internal import GRDB
internal import MediaModel

/// Rows that no version of the program writes.
enum ImpossibleRows {
  static let states = FileState.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  private static let kinds = ProductKind.allCases.map { "'\($0.rawValue)'" }.joined(separator: ", ")

  private static let conditions: [(what: String, from: String)] = [
    ("files that are ok without a sound", "file WHERE last_state = 'ok' AND audio_id IS NULL"),
    ("files of less than nothing", "file WHERE size_bytes < 0 OR attempts < 0"),
    // U+FFFD stands in the text for what is no UTF-8.
    (
      "files whose path and its text differ",
      "file WHERE path_text <> CAST(path AS TEXT) AND instr(path_text, char(65533)) = 0"
    ),
    ("files with remarks that are no JSON", "file WHERE notes IS NOT NULL AND NOT json_valid(notes)"),
    ("sounds in an unknown state", "audio WHERE state NOT IN (\(states))"),
    (
      "sounds with impossible numbers",
      "audio WHERE decoded_frames < 0 OR sample_rate_hz <= 0 OR channels <= 0 OR payload_bytes < 0"
    ),
    (
      "sounds with a wrong count of files",
      """
      audio WHERE file_count <> (SELECT count(*) FROM file WHERE audio_id = audio.id)
               OR present_count <> (SELECT count(*) FROM file WHERE audio_id = audio.id AND missing_since IS NULL)
      """
    ),
    ("products of an unknown kind", "product WHERE kind NOT IN (\(kinds))"),
    (
      "products of another length than noted",
      "product JOIN product_blob ON product_id = product.id WHERE length(bytes) <> byte_count"
    ),
    ("lists of a query that have entries", "list WHERE query IS NOT NULL AND id IN (SELECT list_id FROM list_entry)"),
    (
      "lists and attributes without a name",
      "(SELECT name FROM list UNION ALL SELECT name FROM attribute) WHERE name = ''"
    ),
  ]

  static func find(_ db: Database) throws -> [String] {
    var counts = try conditions.map { what, from in
      (what, try Int.fetchOne(db, sql: "SELECT count(*) FROM \(from)") ?? 0)
    }
    counts.append(("texts of lists and attributes that are no UTF-8", try brokenTextCount(db)))
    return counts.filter { $0.1 > 0 }.map { "\($0): \($1)" }
  }

  /// SQLite never looks whether a text is UTF-8. A list with such a name is found by no name.
  private static func brokenTextCount(_ db: Database) throws -> Int {
    let texts = try Data.fetchCursor(
      db,
      sql: """
        SELECT CAST(text AS BLOB)
          FROM (SELECT name AS text FROM list UNION ALL SELECT query FROM list WHERE query IS NOT NULL
                UNION ALL SELECT name FROM attribute UNION ALL SELECT value FROM attribute)
        """)
    var count = 0
    while let text = try texts.next() {
      if String(validating: text, as: UTF8.self) == nil { count += 1 }
    }
    return count
  }
}
