internal import GRDB

extension ImpossibleRows {
  /// What makes rows possible again without losing one: what a scan knows better is left to the next scan.
  private static let changes = [
    "UPDATE audio SET state = 'pending' WHERE state NOT IN (\(states))",
    """
    UPDATE audio
       SET state = 'pending', sample_rate_hz = NULL, channels = NULL, decoded_frames = NULL, payload_bytes = NULL
     WHERE decoded_frames < 0 OR sample_rate_hz <= 0 OR channels <= 0 OR payload_bytes < 0
    """,
    "UPDATE file SET last_state = 'pending' WHERE last_state = 'ok' AND audio_id IS NULL",
    """
    UPDATE file SET last_state = 'pending', size_bytes = max(size_bytes, 0), attempts = 0
     WHERE size_bytes < 0 OR attempts < 0
    """,
    """
    UPDATE file SET last_state = 'pending'
     WHERE audio_id IN (SELECT id FROM audio WHERE state = 'pending') AND last_state IN ('ok', 'damaged')
    """,
    "UPDATE file SET notes = NULL WHERE notes IS NOT NULL AND NOT json_valid(notes)",
    """
    DELETE FROM product
     WHERE id IN (SELECT product_id FROM product_blob WHERE length(bytes) <> byte_count)
    """,
    "UPDATE list SET query = NULL WHERE query IS NOT NULL AND id IN (SELECT list_id FROM list_entry)",
    "UPDATE OR IGNORE list SET name = 'List ' || id WHERE name = ''",
    "UPDATE OR IGNORE attribute SET name = 'unnamed' WHERE name = ''",
  ]

  /// Changes the rows that a repaired library must not have; none of what users decided goes.
  static func mend(_ db: Database) throws {
    for change in changes { try db.execute(sql: change) }
  }
}
