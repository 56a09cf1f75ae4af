internal import GRDB

extension ImpossibleRows {
  /// What makes rows possible again without losing one: what a scan knows better is left to the next scan.
  private static let changes: [(table: String, sql: String)] = [
    ("audio", "UPDATE audio SET state = 'pending' WHERE state NOT IN (\(states))"),
    (
      "audio",
      """
      UPDATE audio
         SET state = 'pending', sample_rate_hz = NULL, channels = NULL, decoded_frames = NULL, payload_bytes = NULL
       WHERE decoded_frames < 0 OR sample_rate_hz <= 0 OR channels <= 0 OR payload_bytes < 0
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
    ("file", "UPDATE file SET notes = NULL WHERE notes IS NOT NULL AND NOT json_valid(notes)"),
    (
      "product",
      """
      DELETE FROM product
       WHERE id IN (SELECT product_id FROM product_blob WHERE length(bytes) <> byte_count)
      """
    ),
    ("list", "UPDATE list SET query = NULL WHERE query IS NOT NULL AND id IN (SELECT list_id FROM list_entry)"),
    ("list", "UPDATE OR IGNORE list SET name = 'List ' || id WHERE name = ''"),
    ("attribute", "UPDATE OR IGNORE attribute SET name = 'unnamed' WHERE name = ''"),
  ]

  /// Changes the rows that a repaired library must not have; none of what users decided goes. An older library may not have
  /// each of the tables.
  static func mend(_ db: Database) throws {
    for change in changes where try db.tableExists(change.table) { try db.execute(sql: change.sql) }
  }
}
