internal import Base
internal import Foundation
internal import LibraryDatabase
internal import MediaModel

extension Migrations {
  /// 3: the search index, indexes for sorting, sums for `status`, lists and attributes.
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
    // The ids are read first: rows must not be changed while they are read.
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

  /// Fills the sums that triggers maintain from then on.
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

/// The SQL of schema 3, which must never change.
extension Migrations {
  static let searchTables = """
    CREATE INDEX file_by_year ON file (year DESC, root_id, path);
    CREATE INDEX file_by_added ON file (added_at DESC, root_id, path);
    CREATE INDEX file_by_size ON file (size_bytes);
    CREATE VIEW search_source AS
      SELECT id, search_text || char(10) || search_more || char(10, 10) AS text FROM file;
    CREATE VIRTUAL TABLE search USING fts5 (
      text, content = 'search_source', content_rowid = 'id', detail = none, columnsize = 0,
      tokenize = 'trigram case_sensitive 1');
    CREATE INDEX audio_by_duration ON audio (duration_s);
    CREATE INDEX audio_by_bitrate ON audio (bitrate_bps);
    CREATE INDEX measures_by_loudness ON measures (loudness_lufs);
    CREATE INDEX measures_by_range ON measures (loudness_range_lu);
    CREATE INDEX measures_by_true_peak ON measures (true_peak_dbtp);
    CREATE INDEX measures_by_rms ON measures (rms_dbfs);
    CREATE INDEX measures_by_crest ON measures (crest_db);
    CREATE INDEX measures_by_cutoff ON measures (cutoff_hz);
    CREATE TABLE list (
      id         INTEGER PRIMARY KEY,
      name       TEXT NOT NULL UNIQUE COLLATE NOCASE,
      query      TEXT,
      changed_at INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE list_entry (
      list_id  INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
      position INTEGER NOT NULL,
      audio_id INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
      PRIMARY KEY (list_id, position)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX list_entry_by_audio ON list_entry (audio_id);
    CREATE TABLE attribute (
      audio_id INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
      name     TEXT NOT NULL,              -- in lower case, as queries ask for it
      value    TEXT NOT NULL,
      PRIMARY KEY (audio_id, name)
    ) STRICT, WITHOUT ROWID;
    CREATE INDEX attribute_by_name ON attribute (name);
    CREATE TABLE file_tally (
      root_id    INTEGER NOT NULL,
      state      TEXT NOT NULL,
      file_count INTEGER NOT NULL,
      byte_count INTEGER NOT NULL,
      PRIMARY KEY (root_id, state)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE audio_tally (
      presence        TEXT NOT NULL,       -- 'present' in a file, only in 'missing' ones, or in 'none'
      sample_rate_hz  INTEGER NOT NULL,    -- 0 where it is not known
      recording_count INTEGER NOT NULL,
      frame_count     INTEGER NOT NULL,
      PRIMARY KEY (presence, sample_rate_hz)
    ) STRICT, WITHOUT ROWID;
    CREATE TABLE product_tally (
      kind          TEXT NOT NULL,         -- of `product`, or 'measures'
      version       INTEGER NOT NULL,
      parameters    TEXT NOT NULL,
      product_count INTEGER NOT NULL,
      byte_count    INTEGER NOT NULL,
      PRIMARY KEY (kind, version, parameters)
    ) STRICT, WITHOUT ROWID;
    """

  static let searchTriggers = """
    CREATE TRIGGER search_added AFTER INSERT ON file BEGIN
      INSERT INTO search (rowid, text)
      VALUES (new.id, new.search_text || char(10) || new.search_more || char(10, 10));
    END;
    CREATE TRIGGER search_changed AFTER UPDATE OF search_text, search_more ON file
    WHEN old.search_text <> new.search_text OR old.search_more <> new.search_more BEGIN
      INSERT INTO search (search, rowid, text)
      VALUES ('delete', old.id, old.search_text || char(10) || old.search_more || char(10, 10));
      INSERT INTO search (rowid, text)
      VALUES (new.id, new.search_text || char(10) || new.search_more || char(10, 10));
    END;
    CREATE TRIGGER search_removed AFTER DELETE ON file BEGIN
      INSERT INTO search (search, rowid, text)
      VALUES ('delete', old.id, old.search_text || char(10) || old.search_more || char(10, 10));
    END;
    CREATE TRIGGER file_tally_added
    AFTER INSERT ON file BEGIN
      INSERT INTO file_tally VALUES (new.root_id, new.state, 1, new.size_bytes)
      ON CONFLICT DO UPDATE SET file_count = file_count + 1, byte_count = byte_count + excluded.byte_count;
      UPDATE audio SET file_count = file_count + 1, present_count = present_count + (new.missing_since IS NULL)
       WHERE id = new.audio_id;
    END;
    CREATE TRIGGER file_tally_changed
    AFTER UPDATE OF root_id, last_state, missing_since, size_bytes ON file BEGIN
      UPDATE file_tally SET file_count = file_count - 1, byte_count = byte_count - old.size_bytes
       WHERE root_id = old.root_id AND state = old.state;
      DELETE FROM file_tally WHERE root_id = old.root_id AND state = old.state AND file_count = 0;
      INSERT INTO file_tally VALUES (new.root_id, new.state, 1, new.size_bytes)
      ON CONFLICT DO UPDATE SET file_count = file_count + 1, byte_count = byte_count + excluded.byte_count;
    END;
    CREATE TRIGGER file_link_changed
    AFTER UPDATE OF audio_id, missing_since ON file BEGIN
      UPDATE audio SET file_count = file_count - 1, present_count = present_count - (old.missing_since IS NULL)
       WHERE id = old.audio_id;
      UPDATE audio SET file_count = file_count + 1, present_count = present_count + (new.missing_since IS NULL)
       WHERE id = new.audio_id;
    END;
    CREATE TRIGGER file_tally_removed
    AFTER DELETE ON file BEGIN
      UPDATE file_tally SET file_count = file_count - 1, byte_count = byte_count - old.size_bytes
       WHERE root_id = old.root_id AND state = old.state;
      DELETE FROM file_tally WHERE root_id = old.root_id AND state = old.state AND file_count = 0;
      UPDATE audio SET file_count = file_count - 1, present_count = present_count - (old.missing_since IS NULL)
       WHERE id = old.audio_id;
    END;
    CREATE TRIGGER audio_tally_added
    AFTER INSERT ON audio BEGIN
      INSERT INTO audio_tally
      VALUES (CASE WHEN new.present_count > 0 THEN 'present' WHEN new.file_count > 0 THEN 'missing' ELSE 'none' END,
              coalesce(new.sample_rate_hz, 0), 1, coalesce(new.decoded_frames, 0))
      ON CONFLICT DO UPDATE
         SET recording_count = recording_count + 1, frame_count = frame_count + excluded.frame_count;
    END;
    CREATE TRIGGER audio_tally_changed
    AFTER UPDATE OF sample_rate_hz, decoded_frames, file_count, present_count ON audio BEGIN
      UPDATE audio_tally
         SET recording_count = recording_count - 1, frame_count = frame_count - coalesce(old.decoded_frames, 0)
       WHERE presence = CASE WHEN old.present_count > 0 THEN 'present'
                             WHEN old.file_count > 0 THEN 'missing' ELSE 'none' END
         AND sample_rate_hz = coalesce(old.sample_rate_hz, 0);
      DELETE FROM audio_tally
       WHERE presence = CASE WHEN old.present_count > 0 THEN 'present'
                             WHEN old.file_count > 0 THEN 'missing' ELSE 'none' END
         AND sample_rate_hz = coalesce(old.sample_rate_hz, 0) AND recording_count = 0;
      INSERT INTO audio_tally
      VALUES (CASE WHEN new.present_count > 0 THEN 'present' WHEN new.file_count > 0 THEN 'missing' ELSE 'none' END,
              coalesce(new.sample_rate_hz, 0), 1, coalesce(new.decoded_frames, 0))
      ON CONFLICT DO UPDATE
         SET recording_count = recording_count + 1, frame_count = frame_count + excluded.frame_count;
    END;
    CREATE TRIGGER audio_tally_removed
    AFTER DELETE ON audio BEGIN
      UPDATE audio_tally
         SET recording_count = recording_count - 1, frame_count = frame_count - coalesce(old.decoded_frames, 0)
       WHERE presence = CASE WHEN old.present_count > 0 THEN 'present'
                             WHEN old.file_count > 0 THEN 'missing' ELSE 'none' END
         AND sample_rate_hz = coalesce(old.sample_rate_hz, 0);
      DELETE FROM audio_tally
       WHERE presence = CASE WHEN old.present_count > 0 THEN 'present'
                             WHEN old.file_count > 0 THEN 'missing' ELSE 'none' END
         AND sample_rate_hz = coalesce(old.sample_rate_hz, 0) AND recording_count = 0;
    END;
    CREATE TRIGGER product_tally_added
    AFTER INSERT ON product BEGIN
      INSERT INTO product_tally VALUES (new.kind, new.version, new.parameters, 1, new.byte_count)
      ON CONFLICT DO UPDATE SET product_count = product_count + 1, byte_count = byte_count + excluded.byte_count;
    END;
    CREATE TRIGGER product_tally_changed
    AFTER UPDATE OF kind, version, parameters, byte_count ON product BEGIN
      UPDATE product_tally SET product_count = product_count - 1, byte_count = byte_count - old.byte_count
       WHERE kind = old.kind AND version = old.version AND parameters = old.parameters;
      DELETE FROM product_tally
       WHERE kind = old.kind AND version = old.version AND parameters = old.parameters AND product_count = 0;
      INSERT INTO product_tally VALUES (new.kind, new.version, new.parameters, 1, new.byte_count)
      ON CONFLICT DO UPDATE SET product_count = product_count + 1, byte_count = byte_count + excluded.byte_count;
    END;
    CREATE TRIGGER product_tally_removed
    AFTER DELETE ON product BEGIN
      UPDATE product_tally SET product_count = product_count - 1, byte_count = byte_count - old.byte_count
       WHERE kind = old.kind AND version = old.version AND parameters = old.parameters;
      DELETE FROM product_tally
       WHERE kind = old.kind AND version = old.version AND parameters = old.parameters AND product_count = 0;
    END;
    CREATE TRIGGER measures_tally_added
    AFTER INSERT ON measures BEGIN
      INSERT INTO product_tally VALUES ('measures', new.version, new.parameters, 1, 0)
      ON CONFLICT DO UPDATE SET product_count = product_count + 1, byte_count = byte_count + excluded.byte_count;
    END;
    CREATE TRIGGER measures_tally_changed
    AFTER UPDATE OF version, parameters ON measures BEGIN
      UPDATE product_tally SET product_count = product_count - 1, byte_count = byte_count - 0
       WHERE kind = 'measures' AND version = old.version AND parameters = old.parameters;
      DELETE FROM product_tally
       WHERE kind = 'measures' AND version = old.version AND parameters = old.parameters AND product_count = 0;
      INSERT INTO product_tally VALUES ('measures', new.version, new.parameters, 1, 0)
      ON CONFLICT DO UPDATE SET product_count = product_count + 1, byte_count = byte_count + excluded.byte_count;
    END;
    CREATE TRIGGER measures_tally_removed
    AFTER DELETE ON measures BEGIN
      UPDATE product_tally SET product_count = product_count - 1, byte_count = byte_count - 0
       WHERE kind = 'measures' AND version = old.version AND parameters = old.parameters;
      DELETE FROM product_tally
       WHERE kind = 'measures' AND version = old.version AND parameters = old.parameters AND product_count = 0;
    END;
    """
}
