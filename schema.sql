-- The schema of a new Deadwax library: one SQLite file that holds everything known about a collection of audio files.
--
-- For reading with the sqlite3 shell: `sqlite3 -readonly library.sqlite`. Times ending in _at are seconds since 1970
-- UTC (`datetime(added_at, 'unixepoch')`), those ending in _ns nanoseconds. Paths are BLOBs, because a file name need
-- not be UTF-8; each has a _text twin for reading. A column is NULL where nothing is known. Levels are in dB.
--
-- What belongs to a file (where it is, its tags) is in `file`; what belongs to the sound is in `audio` and what hangs
-- below it. A moved or retagged file keeps its `audio`; deleting a `file` never deletes an `audio`.

PRAGMA page_size = 8192;
PRAGMA application_id = 1146569048;  -- 0x44574158, "DWAX"
PRAGMA user_version = 2;             -- the version of this schema

-- A folder that is scanned.
CREATE TABLE root (
  id        INTEGER PRIMARY KEY,
  path      BLOB NOT NULL UNIQUE,    -- absolute, without a slash at its end
  path_text TEXT NOT NULL,
  volume    TEXT,                    -- the file system it was first seen on
  added_at  INTEGER NOT NULL
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
  device             INTEGER NOT NULL,

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

  UNIQUE (root_id, path)
) STRICT;

CREATE INDEX file_by_audio ON file (audio_id);
CREATE INDEX file_by_state ON file (state, id);
CREATE INDEX file_by_album ON file (album);

-- Every tag of a file, multi-valued; `file_tag` shows it with names.
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

-- An embedded picture; the same bytes in a hundred files are stored once.
CREATE TABLE artwork (
  id        INTEGER PRIMARY KEY,
  hash      BLOB NOT NULL UNIQUE CHECK (length(hash) = 16),
  mime_type TEXT NOT NULL,
  bytes     BLOB NOT NULL
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

-- A sound: what one or several files hold, whatever their names and tags. Its id is the TRACK of the command.
CREATE TABLE audio (
  id                 INTEGER PRIMARY KEY AUTOINCREMENT,
  hash               BLOB NOT NULL UNIQUE CHECK (length(hash) = 16),  -- XXH3, of the encoded audio without tags
  payload_bytes      INTEGER,
  container          TEXT,
  codec              TEXT,
  sample_rate_hz     INTEGER,
  channels           INTEGER,
  bits               INTEGER,
  bitrate_bps        INTEGER,
  declared_frames    INTEGER,
  decoded_frames     INTEGER,          -- counted, after encoder delay and padding
  delay_frames       INTEGER,
  padding_frames     INTEGER,
  duration_s         REAL GENERATED ALWAYS AS (CAST(decoded_frames AS REAL) / nullif(sample_rate_hz, 0)) VIRTUAL,
  state              TEXT NOT NULL,    -- of the decoding
  problem_code       TEXT,
  problem_reason     TEXT,
  problem_position_s REAL,
  added_at           INTEGER NOT NULL
) STRICT;

-- Single numbers about a sound.
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

-- A stored analysis of a sound: at most one of each kind. Its bytes lie apart, so that this table stays small.
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

-- What users decide (presets, ratings, playlists) comes here, below `audio`, never below `file`.

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
