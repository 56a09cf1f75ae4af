internal import MediaModel

/// A field of queries and lists, and the column that answers it.
struct LibraryField: Sendable {
  let field: QueryField
  /// An expression over ``QueryCompiler/source``.
  let sql: String
  /// Whether the value is a part of `search_text`, which finds text without folding every row.
  let isSearched: Bool

  init(_ name: String, _ kind: QueryField.Kind, _ sql: String, isSearched: Bool = false) {
    field = QueryField(name, kind)
    self.sql = sql
    self.isSearched = isSearched
  }

  /// Every field but the tags, which are fields by their names. A new column is one line here.
  static let all: [LibraryField] = [
    LibraryField("id", .integer, "file.audio_id"),
    LibraryField("title", .text, "file.title", isSearched: true),
    LibraryField("artist", .text, "file.artist", isSearched: true),
    LibraryField("album", .text, "file.album", isSearched: true),
    LibraryField("albumartist", .text, "file.albumartist", isSearched: true),
    LibraryField("genre", .text, "file.genre", isSearched: true),
    LibraryField("composer", .text, "file.composer"),
    LibraryField("comment", .text, "file.comment"),
    LibraryField("year", .integer, "file.year"),
    LibraryField("date", .date, "file.date"),
    LibraryField("track", .integer, "file.track"),
    LibraryField("tracktotal", .integer, "file.track_total"),
    LibraryField("disc", .integer, "file.disc"),
    LibraryField("disctotal", .integer, "file.disc_total"),

    LibraryField("filename", .text, "file.name_text", isSearched: true),
    LibraryField("path", .path, "rtrim(root.path_text, '/') || '/' || file.path_text"),
    LibraryField("root", .path, "root.path_text"),
    LibraryField("ext", .text, "file.extension"),
    LibraryField("size", .size, "file.size_bytes"),
    LibraryField("added", .instant, "file.added_at"),
    LibraryField("mtime", .instant, "file.mtime_ns / 1e9"),
    LibraryField("state", .keyword(FileState.allCases.map(\.rawValue)), "file.state"),
    LibraryField("problem", .text, "file.problem_code"),
    LibraryField("reason", .text, "file.problem_reason"),
    LibraryField("attempts", .integer, "file.attempts"),

    LibraryField("codec", .text, "audio.codec"),
    LibraryField("container", .text, "audio.container"),
    LibraryField("rate", .integer, "audio.sample_rate_hz"),
    LibraryField("channels", .integer, "audio.channels"),
    LibraryField("bits", .integer, "audio.bits"),
    LibraryField("bitrate", .integer, "audio.bitrate_bps"),
    LibraryField("duration", .duration, "audio.duration_s"),
    LibraryField("hash", .hexadecimal, "lower(hex(audio.hash))"),

    LibraryField("lufs", .real, "measures.loudness_lufs"),
    LibraryField("lra", .real, "measures.loudness_range_lu"),
    LibraryField("momentary", .real, "measures.momentary_max_lufs"),
    LibraryField("shortterm", .real, "measures.short_term_max_lufs"),
    LibraryField("truepeak", .real, "measures.true_peak_dbtp"),
    LibraryField("peak", .real, "measures.sample_peak_dbfs"),
    LibraryField("rms", .real, "measures.rms_dbfs"),
    LibraryField("crest", .real, "measures.crest_db"),
    LibraryField("dc", .real, "measures.dc_offset"),
    LibraryField("clipped", .integer, "measures.clipped_samples"),
    LibraryField("silence_start", .duration, "measures.silence_start_s"),
    LibraryField("silence_end", .duration, "measures.silence_end_s"),
    LibraryField("centroid", .real, "measures.centroid_hz"),
    LibraryField("rolloff", .real, "measures.rolloff85_hz"),
    LibraryField("rolloff95", .real, "measures.rolloff95_hz"),
    LibraryField("flatness", .real, "measures.flatness"),
    LibraryField("cutoff", .real, "measures.cutoff_hz"),
    LibraryField("cutoff_confidence", .real, "measures.cutoff_confidence"),
    LibraryField(
      "lossy_source", .keyword(LossySourceEvidence.Level.allCases.map(\.rawValue)), LossySourceSQL.level),
  ]

  static let byName: [String: LibraryField] = Dictionary(
    all.map { ($0.field.name, $0) }, uniquingKeysWith: { first, _ in first })
}
