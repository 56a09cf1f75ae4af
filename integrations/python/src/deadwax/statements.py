"""The statements that `Library` runs; their columns are in the order of the fields of the records."""

# Columns of `measures`, in the order of `Measures`.
MEASURES = (
    "version", "parameters", "sample_peak_dbfs", "rms_dbfs", "crest_db", "dc_offset", "clipped_samples",
    "silence_start_s", "silence_end_s", "nonfinite_samples", "loudness_lufs", "loudness_range_lu", "momentary_max_lufs",
    "short_term_max_lufs", "true_peak_dbtp", "centroid_hz", "rolloff85_hz", "rolloff95_hz", "flatness", "cutoff_hz",
    "cutoff_confidence",
)  # fmt: skip
MEASURE_COUNT = len(MEASURES)

# Columns of `file` with the same names as fields of `Track`, in their order.
FILE_TAGS = (
    "title", "artist", "album", "albumartist", "genre", "composer", "comment", "year", "date", "track", "track_total",
    "disc", "disc_total",
)  # fmt: skip

# What the three levels of a track join to.
TRACK_TABLES = """
  file JOIN root ON root.id = file.root_id
  LEFT JOIN audio ON audio.id = file.audio_id
  LEFT JOIN stream ON stream.id = file.stream_id
  LEFT JOIN measures ON measures.audio_id = file.audio_id
"""

_TRACK = f"""
SELECT audio.id, audio.hash, file.id, root.path, file.path, file.size_bytes, file.mtime_ns, file.state,
       file.problem_code, file.problem_reason, file.added_at, {", ".join(f"file.{name}" for name in FILE_TAGS)},
       file.container, stream.codec, stream.bits, stream.bitrate_bps, audio.sample_rate_hz, audio.channels,
       file.declared_frames, file.decoded_frames, file.duration_s,
       {", ".join(f"measures.{name}" for name in MEASURES)}
  FROM {TRACK_TABLES}
"""

TRACKS_PAGE = f"{_TRACK} WHERE file.id > :after ORDER BY file.id LIMIT :limit"
TRACK_BY_ID = f"{_TRACK} WHERE file.audio_id = :id ORDER BY file.missing_since IS NOT NULL, file.id LIMIT 1"
TRACK_AT = f"{_TRACK} WHERE file.root_id = :root AND file.path = :path"

TAGS = "SELECT name, value FROM file_tag WHERE file_id = :id ORDER BY name, position"
ATTRIBUTES = "SELECT name, value FROM attribute WHERE audio_id = :id AND person_id = 1 ORDER BY name"
PARTS = """
SELECT position, source, start_frame, end_frame, title, artist, songwriter, genre, date, isrc
  FROM file_part WHERE file_id = :id ORDER BY source, position
"""

KINDS = "SELECT kind FROM product WHERE audio_id = :id ORDER BY kind"
PRODUCT = """
SELECT version, parameters, byte_count, checksum, bytes
  FROM product JOIN product_blob ON product_blob.product_id = product.id
 WHERE audio_id = :id AND kind = :kind
"""

# Products that shards keep.
HASHES = """
SELECT hash, decoded_frames FROM audio WHERE id = :id
 UNION ALL
SELECT former.hash, NULL FROM audio JOIN former_hash AS former ON former.current = audio.hash WHERE audio.id = :id
"""
SHARDS = "SELECT path, mark FROM recording JOIN shard ON shard.id = shard_id WHERE hash = :hash ORDER BY shard.id"
RECORDING_OF_HASH = "SELECT id FROM audio WHERE hash = :hash AND decoded_frames IS :frames"
