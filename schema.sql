-- The schema of a new Deadwax library: one SQLite file that holds everything known about a collection of audio files.
--
-- For reading with the sqlite3 shell: `sqlite3 -readonly library.sqlite`. Times ending in _at are seconds since 1970
-- UTC (`datetime(added_at, 'unixepoch')`), those ending in _ns nanoseconds. Paths are BLOBs, because a file name need
-- not be UTF-8; each has a _text column for reading. A column is NULL if nothing is known. Levels are in dB.
--
-- There are three levels. A `file` is a path: its tags, its container, how it trims what it holds. A `stream` is what is
-- encoded in it, whatever the container and its tags. A recording (the table `audio`) is what is heard: what was
-- measured and what users decided belong to it. Lossless streams with equal samples are one recording. A moved,
-- retagged or losslessly converted file keeps its recording; deleting a `file` never deletes a recording.

PRAGMA page_size = 8192;
PRAGMA application_id = 1146569048;  -- 0x44574158, "DWAX"
PRAGMA user_version = 14;            -- the version of this schema

-- A folder that is scanned.
CREATE TABLE root (
  id        INTEGER PRIMARY KEY,
  path      BLOB NOT NULL UNIQUE,    -- absolute, without a slash at its end
  path_text TEXT NOT NULL,
  volume    TEXT,                    -- the file system on which it was last believed
  added_at  INTEGER NOT NULL,
  is_protected INTEGER NOT NULL DEFAULT 0 CHECK (is_protected IN (0, 1)) -- whether no command may write its files
) STRICT;

-- A path below a root, what was found there when it was last read, and the common tags as columns.
CREATE TABLE file (
  id                 INTEGER PRIMARY KEY,
  root_id            INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
  path               BLOB NOT NULL,    -- relative to the root
  path_text          TEXT NOT NULL,
  name_text          TEXT NOT NULL,    -- the last component
  extension          TEXT NOT NULL,    -- in lower case, without the dot
  size_bytes         INTEGER NOT NULL,
  mtime_ns           INTEGER NOT NULL,
  ctime_ns           INTEGER NOT NULL,
  inode              INTEGER NOT NULL, -- 64 bits, which may read as a negative number
  device             INTEGER NOT NULL, -- 0 where it is not known

  last_state         TEXT NOT NULL CHECK (last_state IN (
                       'ok', 'damaged', 'empty', 'unsupported', 'unreadable', 'timeout', 'crashed', 'oversize',
                       'pending')),
  missing_since      INTEGER,          -- a time; set while the file is gone from its folder
  state              TEXT GENERATED ALWAYS AS (iif(missing_since IS NULL, last_state, 'missing')) VIRTUAL,
  problem_code       TEXT,
  problem_reason     TEXT,
  problem_position_s REAL,
  notes              TEXT,             -- a JSON list of remarks that do not change the state
  attempts           INTEGER NOT NULL,
  extractor_version  INTEGER NOT NULL,
  audio_id           INTEGER REFERENCES audio (id),
  added_at           INTEGER NOT NULL,
  extracted_at       INTEGER NOT NULL,

  title              TEXT,             -- several values of one tag are joined with "; "
  artist             TEXT,
  album              TEXT,
  albumartist        TEXT,
  genre              TEXT,
  composer           TEXT,
  comment            TEXT,
  year               INTEGER,
  date               TEXT,             -- YYYY, YYYY-MM or YYYY-MM-DD
  track              INTEGER,
  track_total        INTEGER,
  disc               INTEGER,
  disc_total         INTEGER,
  search_text        TEXT NOT NULL,    -- title, artist, album, albumartist, genre and name, folded: no case, no accents
  search_more        TEXT NOT NULL DEFAULT '', -- likewise the path, then every tag that is worth searching, a line each

  stream_id          INTEGER REFERENCES stream (id), -- its recording is also in audio_id
  container          TEXT,
  declared_frames    INTEGER,          -- by its headers, after trimming
  decoded_frames     INTEGER,          -- after trimming, as this file trims
  delay_frames       INTEGER,          -- that this file trims at the start
  padding_frames     INTEGER,          -- and at the end
  duration_s         REAL,
  statement          TEXT,             -- what it says about its stream (docs/formats.md); NULL if it was not read yet
  verified_at        INTEGER,          -- when its bytes were last compared with what was read before, and agreed
  key                BLOB CHECK (length(key) = 16), -- random; what clients of the server call it: it outlives moves, merges, repairs

  tag_bpm            REAL,             -- of its tags, beats per minute; NULL if there is none, or an impossible one
  tag_key            INTEGER,          -- of its tags: 0 to 11 are C major to B major, 12 to 23 C minor to B minor
  bpm                REAL,             -- tag_bpm, or else what was measured of the recording; kept by triggers
  musical_key        INTEGER,          -- tag_key, likewise

  album_id           INTEGER REFERENCES album (id) ON DELETE SET NULL, -- NULL where no album is known, and until it was looked for
  album_shelf        TEXT,             -- files of one album have one: '=' and the folded title, or '/' and the folder without a title
  album_folder       INTEGER,          -- a hash of root and folder, which several discs of an album share
  album_edition      INTEGER,          -- of its album: 1 for the one with most tracks; NULL without a codec
  album_disc         INTEGER,          -- of its tags, else that of its folder or its album's title, else 1
  folder             INTEGER,          -- a hash of root and folder
  has_lyrics_beside  INTEGER NOT NULL DEFAULT 0 CHECK (has_lyrics_beside IN (0, 1)), -- in a file with its name, such as .lrc

  UNIQUE (root_id, path)
) STRICT;

CREATE INDEX file_by_audio ON file (audio_id);
CREATE INDEX file_by_state ON file (state, id);
CREATE INDEX file_by_album ON file (album);
CREATE INDEX file_by_year ON file (year DESC, root_id, path);
CREATE INDEX file_by_added ON file (added_at DESC, root_id, path);
CREATE INDEX file_by_size ON file (size_bytes);
CREATE INDEX file_by_stream ON file (stream_id);
CREATE INDEX file_by_duration ON file (duration_s);
CREATE INDEX file_by_bpm ON file (bpm);
CREATE INDEX file_by_musical_key ON file (musical_key);
CREATE UNIQUE INDEX file_by_key ON file (key);
CREATE INDEX file_by_album_id ON file (album_id);
CREATE INDEX file_by_album_shelf ON file (album_shelf);
CREATE INDEX file_by_folder ON file (folder, album_id) WHERE missing_since IS NULL;
CREATE INDEX file_by_album_folder ON file (album_folder);
CREATE INDEX file_with_lyrics_beside ON file (root_id, path) WHERE has_lyrics_beside;

CREATE TRIGGER file_key_given AFTER INSERT ON file WHEN new.key IS NULL BEGIN
  UPDATE file SET key = randomblob(16) WHERE id = new.id;
END;

-- What people call an album, in all its editions (docs/albums.md). It follows from the files, but for its key and the two names
-- by which clients and decisions know it: these it keeps while its files, artist and title change.
CREATE TABLE album (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  key            BLOB NOT NULL UNIQUE CHECK (length(key) = 16), -- MD5 of the folded names, an artist, NUL and a title
  known_artist   TEXT NOT NULL,        -- as `group_attribute` and `preset_assignment` have it
  known_title    TEXT NOT NULL,
  title          TEXT NOT NULL,        -- empty for tracks without an album
  artist         TEXT NOT NULL,        -- the album artist, or that of all files; empty if nothing is known
  sort_key       TEXT NOT NULL,        -- artist and title, folded and without articles; behind them the names for ordering that its tags have
  is_compilation INTEGER NOT NULL CHECK (is_compilation IN (0, 1)),
  release_group  TEXT,                 -- of MusicBrainz
  is_new         INTEGER NOT NULL CHECK (is_new IN (0, 1)), -- 1 while the scan runs that found it: then its names may change
  year           INTEGER,              -- the earliest of its files, as all below: those that are not missing
  added_at       INTEGER,              -- the earliest
  file_count     INTEGER NOT NULL DEFAULT 0,
  problem_count  INTEGER NOT NULL DEFAULT 0, -- files that are not 'ok'
  edition_count  INTEGER NOT NULL DEFAULT 0, -- in other folders or codecs, with the same tracks
  track_count    INTEGER NOT NULL DEFAULT 0, -- of the edition with most, as the next two
  disc_count     INTEGER NOT NULL DEFAULT 0,
  duration_s     REAL NOT NULL DEFAULT 0,
  cover          BLOB CHECK (length(cover) = 16), -- XXH3 of a picture in `artwork` or of a `folder_picture`
  cover_source   TEXT CHECK (iif(cover IS NULL, cover_source IS NULL, cover_source IN ('chosen', 'beside', 'tags'))),
  loudness_lufs  REAL,                 -- of the tracks of that edition together: the mean of their power by their lengths
  brightness_hz  REAL,                 -- the mean of their spectral centroids, on a scale of octaves
  UNIQUE (known_title, known_artist)
) STRICT;

CREATE INDEX album_by_name ON album (sort_key, id);
CREATE INDEX album_by_release_group ON album (release_group) WHERE release_group IS NOT NULL;

-- What an album was called before it became part of another one.
CREATE TABLE former_album (
  key      BLOB PRIMARY KEY CHECK (length(key) = 16),
  album_id INTEGER NOT NULL REFERENCES album (id) ON DELETE CASCADE,
  former_id INTEGER,                   -- of the row that it had, which it gets back; NULL if that is not known
  moved    TEXT                        -- what was decided about it and went to the other, as JSON, to be given back
) STRICT, WITHOUT ROWID;

CREATE INDEX former_album_by_album ON former_album (album_id);

-- What somebody said by hand about the album of a recording, for files of one shelf.
CREATE TABLE album_choice (
  hash   BLOB NOT NULL CHECK (length(hash) = 16), -- of the recording
  shelf  TEXT NOT NULL,
  artist TEXT NOT NULL,                -- the known names of the album
  title  TEXT NOT NULL,
  PRIMARY KEY (hash, shelf)
) STRICT, WITHOUT ROWID;

-- Files, shelves, folders and albums that changed, and albums that must be looked for again: filled by triggers, emptied by whoever writes.
CREATE TABLE album_due (
  kind  TEXT NOT NULL CHECK (kind IN ('file', 'shelf', 'folder', 'album', 'picture')),
  value ANY NOT NULL,
  PRIMARY KEY (kind, value)
) STRICT, WITHOUT ROWID;

CREATE INDEX album_choice_by_album ON album_choice (title, artist);

CREATE TRIGGER album_due_added AFTER INSERT ON file BEGIN
  INSERT INTO album_due SELECT 'file', new.id
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'file' AND value = new.id);
END;

CREATE TRIGGER album_due_changed AFTER UPDATE OF root_id, path, last_state, missing_since, audio_id, stream_id, title, artist, album,
  albumartist, year, track, disc, duration_s, extracted_at ON file BEGIN
  INSERT INTO album_due SELECT 'file', new.id
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'file' AND value = new.id);
END;

CREATE TRIGGER album_due_removed AFTER DELETE ON file BEGIN
  INSERT INTO album_due SELECT 'shelf', old.album_shelf
   WHERE old.album_shelf IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = old.album_shelf);
  INSERT INTO album_due SELECT 'folder', old.album_folder
   WHERE old.album_folder IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'folder' AND value = old.album_folder);
  INSERT INTO album_due SELECT 'album', old.album_id
   WHERE old.album_id IS NOT NULL AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = old.album_id);
  DELETE FROM album_due WHERE kind = 'file' AND value = old.id;
END;

CREATE TRIGGER album_choice_made AFTER INSERT ON album_choice BEGIN
  INSERT INTO album_due SELECT 'shelf', new.shelf
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = new.shelf);
END;

CREATE TRIGGER album_choice_changed AFTER UPDATE ON album_choice BEGIN
  INSERT INTO album_due SELECT 'shelf', old.shelf
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = old.shelf);
  INSERT INTO album_due SELECT 'shelf', new.shelf
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = new.shelf);
END;

CREATE TRIGGER album_choice_removed AFTER DELETE ON album_choice BEGIN
  INSERT INTO album_due SELECT 'shelf', old.shelf
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'shelf' AND value = old.shelf);
END;

-- Any three consecutive characters in the texts of a file lead to the file. The index holds only file ids
-- (docs/decisions/0018): a word is looked up by `search MATCH '"tid" AND "ide"'` and then compared with the texts.
CREATE VIEW search_source AS
  SELECT id, search_text || char(10) || search_more || char(10, 10) AS text FROM file;

CREATE VIRTUAL TABLE search USING fts5 (
  text, content = 'search_source', content_rowid = 'id', detail = none, columnsize = 0,
  tokenize = 'trigram case_sensitive 1');

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

-- Every tag of a file as it counts, with all its values: corrections are laid over what the file says. `file_tag` shows them with
-- their names.
CREATE TABLE tag_name (
  id   INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE            -- TagLib's property name, such as ALBUMARTIST
) STRICT;

CREATE TABLE tag (
  file_id  INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  name_id  INTEGER NOT NULL REFERENCES tag_name (id),
  position INTEGER NOT NULL,           -- 0 for the first value of a name
  value    TEXT NOT NULL,
  PRIMARY KEY (file_id, name_id, position)
) STRICT, WITHOUT ROWID;

CREATE VIEW file_tag AS
  SELECT tag.file_id, tag_name.name, tag.position, tag.value FROM tag JOIN tag_name ON tag_name.id = tag.name_id;

-- What a file itself says about a field that is corrected (docs/corrections.md).
CREATE TABLE own_tag (
  file_id INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  field   TEXT NOT NULL,               -- as correction.field
  tags    TEXT NOT NULL,               -- a JSON object: of each tag that the correction replaces, the list of its values
  state   TEXT NOT NULL CHECK (state IN ('active', 'satisfied', 'conflict')),
  PRIMARY KEY (file_id, field)
) STRICT, WITHOUT ROWID;

CREATE INDEX own_tag_by_state ON own_tag (state);

-- Files over whose tags corrections must be laid: filled by triggers, emptied by whoever writes.
CREATE TABLE correction_due (
  file_id INTEGER PRIMARY KEY REFERENCES file (id) ON DELETE CASCADE
) STRICT;

CREATE TRIGGER correction_due_added AFTER INSERT ON file
WHEN EXISTS (SELECT 1 FROM correction WHERE scope = 'file' AND subject = new.key)
  OR EXISTS (SELECT 1 FROM correction
              WHERE scope = 'recording' AND subject = (SELECT hash FROM audio WHERE id = new.audio_id)) BEGIN
  INSERT INTO correction_due SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = new.id);
END;

CREATE TRIGGER correction_due_changed AFTER UPDATE OF audio_id, key, extracted_at ON file
WHEN EXISTS (SELECT 1 FROM own_tag WHERE file_id = new.id)
  OR EXISTS (SELECT 1 FROM correction WHERE scope = 'file' AND subject = new.key)
  OR EXISTS (SELECT 1 FROM correction
              WHERE scope = 'recording' AND subject = (SELECT hash FROM audio WHERE id = new.audio_id)) BEGIN
  INSERT INTO correction_due SELECT new.id WHERE NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = new.id);
END;

-- An embedded picture; the same bytes in a hundred files are stored once.
CREATE TABLE artwork (
  id        INTEGER PRIMARY KEY,
  hash      BLOB NOT NULL UNIQUE CHECK (length(hash) = 16),
  mime_type TEXT NOT NULL,
  bytes     BLOB NOT NULL,
  is_shown  INTEGER NOT NULL DEFAULT 1 CHECK (is_shown IN (0, 1)) -- whether its bytes begin like a picture that is shown
) STRICT;

CREATE TABLE file_artwork (
  file_id      INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  position     INTEGER NOT NULL,
  artwork_id   INTEGER NOT NULL REFERENCES artwork (id),
  picture_type INTEGER NOT NULL,       -- as in ID3v2: 3 is the front cover
  caption      TEXT NOT NULL,
  PRIMARY KEY (file_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_artwork_by_artwork ON file_artwork (artwork_id);

-- A picture beside sound files whose name says that it is their cover, such as cover.jpg, as it was when it was last read.
CREATE TABLE folder_picture (
  id         INTEGER PRIMARY KEY,
  root_id    INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
  path       BLOB NOT NULL,            -- relative to the root
  path_text  TEXT NOT NULL,
  folder     INTEGER,                  -- as file.folder; NULL until the next settling of albums
  rank       INTEGER NOT NULL,         -- of its name: of several in a folder, the one with the least is the cover
  size_bytes INTEGER NOT NULL,
  mtime_ns   INTEGER NOT NULL,
  ctime_ns   INTEGER NOT NULL,
  hash       BLOB CHECK (length(hash) = 16), -- XXH3 of its bytes; NULL if it is no picture that can be shown
  mime_type  TEXT,                     -- of its bytes
  problem    TEXT,                     -- why it has no hash
  UNIQUE (root_id, path),
  CHECK (iif(hash IS NULL, problem IS NOT NULL AND mime_type IS NULL, problem IS NULL AND mime_type IS NOT NULL))
) STRICT;

CREATE INDEX folder_picture_by_folder ON folder_picture (folder, rank, path) WHERE hash IS NOT NULL;
CREATE INDEX folder_picture_by_hash ON folder_picture (hash) WHERE hash IS NOT NULL;

CREATE TRIGGER folder_picture_added AFTER INSERT ON folder_picture BEGIN
  INSERT INTO album_due SELECT 'picture', new.id
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'picture' AND value = new.id);
END;

CREATE TRIGGER folder_picture_changed AFTER UPDATE OF root_id, path, rank, hash ON folder_picture BEGIN
  INSERT INTO album_due SELECT 'picture', new.id
   WHERE NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'picture' AND value = new.id);
END;

CREATE TRIGGER folder_picture_removed AFTER DELETE ON folder_picture BEGIN
  INSERT INTO album_due
    SELECT DISTINCT 'album', album_id FROM file
     WHERE (folder = old.folder OR album_folder = old.folder) AND missing_since IS NULL AND album_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album_id);
  DELETE FROM album_due WHERE kind = 'picture' AND value = old.id;
END;

-- A CUE sheet beside sound files, as it was when it was last read.
CREATE TABLE cue_sheet (
  id         INTEGER PRIMARY KEY,
  root_id    INTEGER NOT NULL REFERENCES root (id) ON DELETE CASCADE,
  path       BLOB NOT NULL,            -- relative to the root
  path_text  TEXT NOT NULL,
  size_bytes INTEGER NOT NULL,
  mtime_ns   INTEGER NOT NULL,
  UNIQUE (root_id, path)
) STRICT;

-- A part of a file's sound: a chapter, or a track of a CUE sheet. What was measured stays with the recording.
CREATE TABLE part (
  file_id     INTEGER NOT NULL REFERENCES file (id) ON DELETE CASCADE,
  source      TEXT NOT NULL,           -- where it is described, such as 'cue-file' or 'mp4-chapters' (docs/formats.md)
  position    INTEGER NOT NULL,        -- 1 for the first of a source
  sheet_id    INTEGER REFERENCES cue_sheet (id) ON DELETE CASCADE, -- of the source 'cue-file'
  start_frame INTEGER NOT NULL,        -- of the sound as the file trims it
  end_frame   INTEGER NOT NULL,        -- the first frame that is no longer part of it
  title       TEXT,
  artist      TEXT,
  songwriter  TEXT,
  genre       TEXT,
  date        TEXT,
  isrc        TEXT,
  PRIMARY KEY (file_id, source, position),
  CHECK (start_frame >= 0 AND end_frame > start_frame)
) STRICT, WITHOUT ROWID;

CREATE INDEX part_by_sheet ON part (sheet_id);

-- The parts of a file that count: a sheet beside it comes before what is in it.
CREATE VIEW file_part AS
  SELECT * FROM part
   WHERE source = 'cue-file'
      OR NOT EXISTS (SELECT 1 FROM part AS beside WHERE beside.file_id = part.file_id AND beside.source = 'cue-file');

-- A recording: what is heard in one or several files, whatever their names, tags, containers and lossless codecs. Its id
-- is the TRACK of the command.
CREATE TABLE audio (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  hash               BLOB NOT NULL UNIQUE CHECK (length(hash) = 16), -- XXH3, of what `basis` says
  sample_rate_hz     INTEGER,
  channels           INTEGER,
  decoded_frames     INTEGER,          -- counted, after trimming
  delay_frames       INTEGER,          -- that were trimmed at the start
  padding_frames     INTEGER,          -- and at the end
  duration_s         REAL GENERATED ALWAYS AS (CAST(decoded_frames AS REAL) / nullif(sample_rate_hz, 0)) VIRTUAL,
  state              TEXT NOT NULL,    -- of the decoding
  problem_code       TEXT,
  problem_reason     TEXT,
  problem_position_s REAL,
  added_at           INTEGER NOT NULL,
  file_count         INTEGER NOT NULL DEFAULT 0, -- that hold it, kept by triggers
  present_count      INTEGER NOT NULL DEFAULT 0, -- those that are not missing
  basis              TEXT NOT NULL DEFAULT 'stream' CHECK (basis IN ('samples', 'stream')),
  statement          TEXT              -- of the file whose decode is stored: the greatest of those that hold it
) STRICT;

-- What is encoded in files: packets, and the configuration without which they mean something else.
CREATE TABLE stream (
  id            INTEGER PRIMARY KEY,
  audio_id      INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
  hash          BLOB NOT NULL UNIQUE CHECK (length(hash) = 16),
  hash_version  INTEGER NOT NULL,      -- of the rules by which it is hashed; 1 without a decoder, or if not read since
  payload_bytes INTEGER,
  codec         TEXT,
  bits          INTEGER,
  bitrate_bps   INTEGER
) STRICT;

CREATE INDEX stream_by_audio ON stream (audio_id);
CREATE INDEX stream_by_bitrate ON stream (bitrate_bps);

-- What recordings were called before, or are called in other libraries: by version 1 of the hash, or by their stream
-- until their samples were known. Rows are never deleted, so that disks and libraries that come back years later are
-- recognized.
CREATE TABLE former_hash (
  id      INTEGER PRIMARY KEY,
  hash    BLOB NOT NULL CHECK (length(hash) = 16),
  current BLOB NOT NULL CHECK (length(current) = 16), -- audio.hash, whether or not that row exists
  is_key  INTEGER NOT NULL CHECK (is_key IN (0, 1)),  -- whether a recording of this library was ever stored under it
  UNIQUE (hash, current)
) STRICT;

CREATE INDEX former_hash_by_current ON former_hash (current);

-- Single numbers about a recording.
CREATE TABLE measures (
  audio_id            INTEGER PRIMARY KEY REFERENCES audio (id) ON DELETE CASCADE,
  version             INTEGER NOT NULL,    -- of the algorithm
  parameters          TEXT NOT NULL,
  made_at             INTEGER NOT NULL,
  sample_peak_dbfs    REAL,
  rms_dbfs            REAL,
  crest_db            REAL,
  dc_offset           REAL,
  clipped_samples     INTEGER,
  silence_start_s     REAL,
  silence_end_s       REAL,
  nonfinite_samples   INTEGER,
  loudness_lufs       REAL,            -- integrated, ITU-R BS.1770-4
  loudness_range_lu   REAL,            -- EBU Tech 3342
  momentary_max_lufs  REAL,
  short_term_max_lufs REAL,
  true_peak_dbtp      REAL,
  centroid_hz         REAL,            -- of the mean power spectrum of the mix, as all below
  rolloff85_hz        REAL,
  rolloff95_hz        REAL,
  flatness            REAL,
  cutoff_hz           REAL,            -- above it nothing is left
  cutoff_confidence   REAL             -- 0 to 1
) STRICT;

CREATE INDEX measures_by_loudness ON measures (loudness_lufs);
CREATE INDEX measures_by_range ON measures (loudness_range_lu);
CREATE INDEX measures_by_true_peak ON measures (true_peak_dbtp);
CREATE INDEX measures_by_rms ON measures (rms_dbfs);
CREATE INDEX measures_by_crest ON measures (crest_db);
CREATE INDEX measures_by_cutoff ON measures (cutoff_hz);

CREATE TRIGGER album_due_measured AFTER INSERT ON measures BEGIN
  INSERT INTO album_due
    SELECT DISTINCT 'album', album_id FROM file
     WHERE audio_id = new.audio_id AND missing_since IS NULL AND album_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album_id);
END;

CREATE TRIGGER album_due_measured_again AFTER UPDATE OF loudness_lufs, centroid_hz ON measures BEGIN
  INSERT INTO album_due
    SELECT DISTINCT 'album', album_id FROM file
     WHERE audio_id = new.audio_id AND missing_since IS NULL AND album_id IS NOT NULL
       AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album_id);
END;

-- Tempo and key of a recording, as its products `rhythm` and `chroma` give them.
CREATE TABLE tempo_key (
  audio_id       INTEGER PRIMARY KEY REFERENCES audio (id) ON DELETE CASCADE,
  bpm            REAL,                 -- beats per minute; NULL if nothing repeats
  bpm_confidence REAL,                 -- 0 to 1
  bpm_stability  REAL,                 -- the share of the recording that agrees: 0 to 1
  musical_key    INTEGER,              -- as in file.tag_key; NULL if nothing has a pitch
  key_confidence REAL,                 -- 0 to 1
  tuning_cents   REAL                  -- against A at 440 Hz
) STRICT;

-- What a file's tags say comes before what was measured.
CREATE TRIGGER tempo_key_added AFTER INSERT ON tempo_key BEGIN
  UPDATE file SET bpm = coalesce(tag_bpm, new.bpm), musical_key = coalesce(tag_key, new.musical_key)
   WHERE audio_id = new.audio_id;
END;

CREATE TRIGGER tempo_key_changed AFTER UPDATE ON tempo_key BEGIN
  UPDATE file SET bpm = coalesce(tag_bpm, new.bpm), musical_key = coalesce(tag_key, new.musical_key)
   WHERE audio_id = new.audio_id;
END;

CREATE TRIGGER tempo_key_removed AFTER DELETE ON tempo_key BEGIN
  UPDATE file SET bpm = tag_bpm, musical_key = tag_key WHERE audio_id = old.audio_id;
END;

CREATE TRIGGER file_tempo_added AFTER INSERT ON file WHEN new.audio_id IS NOT NULL BEGIN
  UPDATE file
     SET bpm = coalesce(tag_bpm, (SELECT bpm FROM tempo_key WHERE audio_id = new.audio_id)),
         musical_key = coalesce(tag_key, (SELECT musical_key FROM tempo_key WHERE audio_id = new.audio_id))
   WHERE id = new.id;
END;

CREATE TRIGGER file_tempo_changed AFTER UPDATE OF audio_id, tag_bpm, tag_key ON file BEGIN
  UPDATE file
     SET bpm = coalesce(tag_bpm, (SELECT bpm FROM tempo_key WHERE audio_id = new.audio_id)),
         musical_key = coalesce(tag_key, (SELECT musical_key FROM tempo_key WHERE audio_id = new.audio_id))
   WHERE id = new.id;
END;

-- A stored analysis of a recording: at most one of each kind. Its bytes are in another table, so that this one stays
-- small.
CREATE TABLE product (
  id         INTEGER PRIMARY KEY,
  audio_id   INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
  kind       TEXT NOT NULL,
  version    INTEGER NOT NULL,         -- of the algorithm
  parameters TEXT NOT NULL,
  byte_count INTEGER NOT NULL,
  made_at    INTEGER NOT NULL,
  UNIQUE (audio_id, kind)
) STRICT;

CREATE TABLE product_blob (
  product_id INTEGER PRIMARY KEY REFERENCES product (id) ON DELETE CASCADE,
  checksum   INTEGER NOT NULL,         -- CRC-32 as in zlib
  bytes      BLOB NOT NULL             -- docs/formats.md gives the layout of each kind and version
) STRICT;

-- What users decide. Its parents are never deleted by a scan or `prune`: assignments of presets name a recording by its
-- hash, and a recording that is in a list or has an attribute keeps its row. So the decisions are still there when the
-- recording comes back.

-- Somebody who decides. The owner of the library is there from the start, and is whoever uses the command.
CREATE TABLE person (
  id       INTEGER PRIMARY KEY AUTOINCREMENT, -- 1 is the owner
  key      BLOB NOT NULL UNIQUE CHECK (length(key) = 16), -- random; the same in every library that knows the person
  name     TEXT NOT NULL UNIQUE COLLATE NOCASE,
  is_owner INTEGER GENERATED ALWAYS AS (id = 1) VIRTUAL
) STRICT;

INSERT INTO person (id, key, name) VALUES (1, randomblob(16), 'owner');

-- An equalizer preset. Built-in presets are part of the program and not in this table.
CREATE TABLE preset (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  name_key   TEXT NOT NULL UNIQUE,     -- the name in lower case, canonically composed
  name       TEXT NOT NULL,
  document   TEXT NOT NULL,            -- JSON (docs/formats.md, "Presets"), but for the name, which is `name`
  created_at INTEGER NOT NULL,
  changed_at INTEGER NOT NULL
) STRICT;

-- Which preset applies to what: that of a part is preferred to that of its track, its album, its artist and the library.
-- An assignment that is switched off also switches off everything below it. Everybody hears the owner's; who has any of
-- their own that concern a track hears these alone.
CREATE TABLE preset_assignment (
  scope       TEXT NOT NULL CHECK (scope IN ('part', 'track', 'album', 'artist', 'library')),
  hash        BLOB NOT NULL,           -- of a track, or the track of a part: audio.hash; else empty
  artist      TEXT NOT NULL,           -- of an artist, or album.known_artist; else empty
  album       TEXT NOT NULL,           -- album.known_title; else empty
  start_frame INTEGER NOT NULL DEFAULT 0, -- of a part; else 0
  end_frame   INTEGER NOT NULL DEFAULT 0,
  person_id   INTEGER NOT NULL DEFAULT 1 REFERENCES person (id), -- who hears it; 1, the owner, is everybody
  preset_id   INTEGER REFERENCES preset (id),
  built_in    TEXT,                    -- the name of one that comes with the program, instead of preset_id
  is_on       INTEGER NOT NULL CHECK (is_on IN (0, 1)),
  label       TEXT NOT NULL,           -- what a track was called when this was written: for people
  assigned_at INTEGER NOT NULL,
  PRIMARY KEY (scope, hash, artist, album, start_frame, end_frame, person_id),
  CHECK ((scope IN ('part', 'track')) = (length(hash) = 16) AND (scope = 'album') = (album <> '')
         AND (scope = 'part') = (end_frame > start_frame)),
  CHECK (preset_id IS NULL OR built_in IS NULL),
  CHECK (is_on = 0 OR coalesce(preset_id, built_in) IS NOT NULL)
) STRICT, WITHOUT ROWID;

CREATE INDEX preset_assignment_by_preset ON preset_assignment (preset_id);

-- A list with a name: a query that is run again at each use, or, without one, the recordings in `list_entry`.
CREATE TABLE list (
  id         INTEGER PRIMARY KEY AUTOINCREMENT,
  person_id  INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
  name       TEXT NOT NULL COLLATE NOCASE,
  query      TEXT,
  changed_at INTEGER NOT NULL,
  comment    TEXT,
  is_public  INTEGER NOT NULL DEFAULT 0 CHECK (is_public IN (0, 1)), -- whether other persons can hear it
  created_at INTEGER,                  -- NULL if that is not known
  UNIQUE (person_id, name)
) STRICT;

CREATE TABLE list_entry (
  list_id  INTEGER NOT NULL REFERENCES list (id) ON DELETE CASCADE,
  position INTEGER NOT NULL,           -- only the order counts: numbers may be left out
  audio_id INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
  PRIMARY KEY (list_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX list_entry_by_audio ON list_entry (audio_id);

-- What a user, or another program of the user, says about a recording: `rating`, or anything else with a name.
CREATE TABLE attribute (
  audio_id  INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
  name      TEXT NOT NULL,             -- in lower case, as queries ask for it
  person_id INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
  value     TEXT NOT NULL,             -- a `rating` is 0 to 100
  PRIMARY KEY (audio_id, name, person_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX attribute_by_name ON attribute (person_id, name);

-- The same about an album, by its known names, or an artist, by the name that the tags have.
CREATE TABLE group_attribute (
  scope     TEXT NOT NULL CHECK (scope IN ('album', 'artist')),
  artist    TEXT NOT NULL,             -- of an album: album.known_artist
  album     TEXT NOT NULL,             -- album.known_title; empty for an artist
  name      TEXT NOT NULL,
  person_id INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
  value     TEXT NOT NULL,
  PRIMARY KEY (scope, artist, album, name, person_id),
  CHECK (scope = 'album' OR album = '')
) STRICT, WITHOUT ROWID;

CREATE INDEX group_attribute_by_name ON group_attribute (person_id, name);

CREATE TRIGGER album_cover_chosen AFTER INSERT ON group_attribute WHEN new.scope = 'album' AND new.name = 'cover' BEGIN
  INSERT INTO album_due SELECT 'album', id FROM album
   WHERE known_title = new.album AND known_artist = new.artist
     AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
END;

CREATE TRIGGER album_cover_changed AFTER UPDATE ON group_attribute
WHEN new.scope = 'album' AND (new.name = 'cover' OR old.name = 'cover') BEGIN
  INSERT INTO album_due SELECT 'album', id FROM album
   WHERE known_title = old.album AND known_artist = old.artist
     AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
  INSERT INTO album_due SELECT 'album', id FROM album
   WHERE known_title = new.album AND known_artist = new.artist
     AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
END;

CREATE TRIGGER album_cover_forgotten AFTER DELETE ON group_attribute WHEN old.scope = 'album' AND old.name = 'cover' BEGIN
  INSERT INTO album_due SELECT 'album', id FROM album
   WHERE known_title = old.album AND known_artist = old.artist
     AND NOT EXISTS (SELECT 1 FROM album_due WHERE kind = 'album' AND value = album.id);
END;

-- What somebody says the values of a tag are, whatever files say (docs/corrections.md). A title or genre belongs to what is heard,
-- an album or number to one file, because a recording can be on two albums.
CREATE TABLE correction (
  scope        TEXT NOT NULL CHECK (scope IN ('recording', 'file')),
  subject      BLOB NOT NULL CHECK (length(subject) = 16), -- audio.hash, or file.key
  field        TEXT NOT NULL,          -- the name of the tag, such as ALBUMARTIST
  value        TEXT NOT NULL,          -- a JSON list of its values in their order; [] if it is to have none
  base         TEXT NOT NULL,          -- a JSON list of lists: the values that its files had when it was made
  corrected_at INTEGER NOT NULL,
  PRIMARY KEY (scope, subject, field)
) STRICT, WITHOUT ROWID;

CREATE TRIGGER correction_made AFTER INSERT ON correction BEGIN
  INSERT INTO correction_due
    SELECT id FROM file WHERE new.scope = 'file' AND key = new.subject
       AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
  INSERT INTO correction_due
    SELECT file.id FROM audio CROSS JOIN file ON file.audio_id = audio.id
     WHERE new.scope = 'recording' AND audio.hash = new.subject
       AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
END;

CREATE TRIGGER correction_changed AFTER UPDATE ON correction BEGIN
  INSERT INTO correction_due
    SELECT id FROM file WHERE new.scope = 'file' AND key IN (old.subject, new.subject)
       AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
  INSERT INTO correction_due
    SELECT file.id FROM audio CROSS JOIN file ON file.audio_id = audio.id
     WHERE new.scope = 'recording' AND audio.hash IN (old.subject, new.subject)
       AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
END;

CREATE TRIGGER correction_removed AFTER DELETE ON correction BEGIN
  INSERT INTO correction_due
    SELECT id FROM file WHERE old.scope = 'file' AND key = old.subject
       AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
  INSERT INTO correction_due
    SELECT file.id FROM audio CROSS JOIN file ON file.audio_id = audio.id
     WHERE old.scope = 'recording' AND audio.hash = old.subject
       AND NOT EXISTS (SELECT 1 FROM correction_due WHERE file_id = file.id);
END;

-- What was heard, by the hash that the recording had then: it leads on by `former_hash`. Not in the journal.
CREATE TABLE play (
  hash        BLOB NOT NULL CHECK (length(hash) = 16),
  person_id   INTEGER NOT NULL DEFAULT 1 REFERENCES person (id),
  started_at  INTEGER NOT NULL,
  seconds     REAL NOT NULL,           -- that were heard
  is_finished INTEGER NOT NULL CHECK (is_finished IN (0, 1)), -- heard to its end
  PRIMARY KEY (hash, person_id, started_at)
) STRICT, WITHOUT ROWID;

CREATE INDEX play_by_time ON play (person_id, started_at);

-- What a person is about to hear, on the page and in players, and the queue that it took the place of. Not in the journal.
CREATE TABLE play_queue (
  person_id   INTEGER NOT NULL REFERENCES person (id),
  is_former   INTEGER NOT NULL DEFAULT 0 CHECK (is_former IN (0, 1)),
  hashes      BLOB NOT NULL CHECK (length(hashes) % 16 = 0), -- of the recordings, 16 bytes each, in order
  place       INTEGER,                 -- of the current one, from 0; NULL if none is
  position_ms INTEGER NOT NULL,        -- in the current one
  changed_at  INTEGER NOT NULL,
  changed_by  TEXT NOT NULL,           -- the name of the client
  version     INTEGER NOT NULL DEFAULT 0, -- one more with every change
  entries     BLOB NOT NULL DEFAULT x'', -- 32 bytes for each recording (docs/formats.md); empty: none is known
  edits       BLOB NOT NULL DEFAULT x'', -- the latest edits, 16 bytes each, so that none is made twice
  source      TEXT,                    -- what goes on behind the last one, for the page
  PRIMARY KEY (person_id, is_former),
  CHECK (length(entries) IN (0, 2 * length(hashes)))
) STRICT;

-- The journal: changes of presets, their assignments, lists, attributes and corrections, one row for each command, so that
-- they can be undone.
CREATE TABLE change (
  id        INTEGER PRIMARY KEY AUTOINCREMENT,
  summary   TEXT NOT NULL,
  made_at   INTEGER NOT NULL,
  undone_at INTEGER                    -- set once it was undone, and where it came with a merge
) STRICT;

-- The rows that a change touched, as JSON objects of their columns; NULL if there was no row before, or none after.
CREATE TABLE change_row (
  change_id  INTEGER NOT NULL REFERENCES change (id) ON DELETE CASCADE,
  position   INTEGER NOT NULL,
  table_name TEXT NOT NULL CHECK (table_name IN (
               'preset', 'preset_assignment', 'list', 'list_entry', 'attribute', 'group_attribute', 'album_choice',
               'correction')),
  before     TEXT,
  after      TEXT,
  PRIMARY KEY (change_id, position)
) STRICT, WITHOUT ROWID;

CREATE INDEX change_row_of_groups ON change_row (change_id) WHERE table_name = 'group_attribute';

-- A command that wrote tags or pictures into music files; `tags undo` takes it back. The journal of `undo` does not have it.
CREATE TABLE file_change (
  id             INTEGER PRIMARY KEY AUTOINCREMENT,
  summary        TEXT NOT NULL,
  made_at        INTEGER NOT NULL,
  last_change_id INTEGER NOT NULL -- the latest of `change` at that time: `undo` knows by it what came later
) STRICT;

-- A file that it wrote, with what it takes to write the former one.
CREATE TABLE file_change_part (
  id        INTEGER PRIMARY KEY,
  change_id INTEGER NOT NULL REFERENCES file_change (id) ON DELETE CASCADE,
  file_key  BLOB NOT NULL CHECK (length(file_key) = 16), -- file.key
  path      BLOB NOT NULL,                -- absolute, when it was written
  path_text TEXT NOT NULL,
  state     TEXT NOT NULL CHECK (state IN ('planned', 'done', 'undoing', 'undone', 'foreign')),
                                       -- planned and undoing: the file is the old or the new one; foreign: it is neither
  temporary BLOB,                     -- the name of the file beside it that takes its place, while that happens
  old_hash  BLOB NOT NULL CHECK (length(old_hash) = 16), -- XXH3 of all bytes before
  new_hash  BLOB NOT NULL CHECK (length(new_hash) = 16),
  undo      BLOB NOT NULL             -- how the new file becomes the old one (docs/formats.md)
) STRICT;

CREATE INDEX file_change_part_by_change ON file_change_part (change_id);
CREATE INDEX file_change_part_open ON file_change_part (id) WHERE state IN ('planned', 'undoing');

-- Pictures that it takes for that, which stay in `artwork`.
CREATE TABLE file_change_picture (
  hash    BLOB NOT NULL CHECK (length(hash) = 16), -- artwork.hash
  part_id INTEGER NOT NULL REFERENCES file_change_part (id) ON DELETE CASCADE,
  PRIMARY KEY (hash, part_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX file_change_picture_by_part ON file_change_picture (part_id);

-- Sums that `status` shows, kept by triggers: counting a million rows would take too long.
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

-- A scan: running while ended_at is NULL and its process holds the library's scan lock.
CREATE TABLE scan_run (
  id            INTEGER PRIMARY KEY,
  process_id    INTEGER NOT NULL,
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  interrupted   INTEGER,
  found         INTEGER,
  new           INTEGER,
  changed       INTEGER,
  unchanged     INTEGER,
  moved         INTEGER,
  missing       INTEGER,
  problems      INTEGER,
  decoded_files INTEGER,
  audio_s       REAL,
  elapsed_s     REAL
) STRICT;

-- A `reanalyze`: running while ended_at is NULL and its process holds the library's scan lock.
CREATE TABLE reanalysis (
  id            INTEGER PRIMARY KEY,
  process_id    INTEGER NOT NULL,
  started_at    INTEGER NOT NULL,
  ended_at      INTEGER,
  products      TEXT NOT NULL,         -- the kinds that it makes, in order, parted by blanks
  decoded_files INTEGER,
  audio_s       REAL,
  elapsed_s     REAL
) STRICT;

-- A `reanalyze --force` that is not complete: the next one with the same recipes and query continues it.
CREATE TABLE forced_run (
  id         INTEGER PRIMARY KEY,
  recipes    TEXT NOT NULL,            -- of each product: kind, version, parameters
  query      TEXT NOT NULL,
  started_at INTEGER NOT NULL,
  UNIQUE (recipes, query)
) STRICT;

-- The recordings that it has already done.
CREATE TABLE forced_recording (
  run_id   INTEGER NOT NULL REFERENCES forced_run (id) ON DELETE CASCADE,
  audio_id INTEGER NOT NULL REFERENCES audio (id) ON DELETE CASCADE,
  PRIMARY KEY (run_id, audio_id)
) STRICT, WITHOUT ROWID;

CREATE INDEX forced_recording_by_audio ON forced_recording (audio_id);

-- Which state of the library the file holds: every transaction replaces `current`. So a write-ahead log that a killed process
-- left is applied to the file that it continues, and to no other.
CREATE TABLE log_mark (
  id       INTEGER PRIMARY KEY CHECK (id = 1),
  previous BLOB,                       -- of the transaction before
  current  BLOB NOT NULL               -- 16 random bytes
) STRICT;
INSERT INTO log_mark VALUES (1, NULL, randomblob(16));
