internal import MediaModel
internal import MediaStore
package import QueryLanguage
internal import UserData

/// A field of queries and lists, and the column that answers it.
package struct LibraryField: Sendable {
  package let field: QueryField
  /// An SQL expression over the tables of a ``QueryRoute``.
  package let sql: String
  /// The column of folded text that contains the value, so that the search index can be used.
  let searched: SearchColumn?
  /// An index whose first column this is.
  package let index: String?
  /// The expression that lists show, if it is not the one that is compared and sorted by.
  package var shown: String?
  /// The meaning of each word of a keyword field; empty for fields with values.
  let predicates: [Predicate]

  /// Whether the column holds several values of one tag, joined by `; `.
  var joinsValues: Bool { searched != nil && field.name != "filename" || field.name == "album-artist" }

  package enum SearchColumn: String {
    case words = "file.search_text"
    case more = "file.search_more"
  }

  package struct Predicate: Sendable {
    let word: String
    let sql: String

    init(_ word: String, _ sql: String) {
      self.word = word
      self.sql = sql
    }
  }

  package init(
    _ name: String, _ kind: QueryField.Kind, _ sql: String, searched: SearchColumn? = nil, index: String? = nil,
    shown: String? = nil
  ) {
    field = QueryField(name, kind)
    self.sql = sql
    self.shown = shown
    self.searched = searched
    self.index = index
    predicates = []
  }

  /// A field whose value is the list of the words that are true.
  package init(_ name: String, _ predicates: [Predicate]) {
    field = QueryField(name, .keyword(predicates.map(\.word)))
    let words = predicates.map { "CASE WHEN \($0.sql) THEN '\($0.word) ' ELSE '' END" }
    sql = "nullif(rtrim(\(words.joined(separator: " || "))), '')"
    searched = nil
    index = nil
    self.predicates = predicates
  }

  /// Every field except tags, which are fields by their names. A new column is one line here.
  package static let all: [LibraryField] = [
    LibraryField("id", .integer, "file.audio_id", index: "file_by_audio"),
    LibraryField("title", .text, "file.title", searched: .words),
    LibraryField("artist", .text, "file.artist", searched: .words),
    LibraryField("album", .text, "file.album", searched: .words),
    LibraryField("albumartist", .text, "file.albumartist", searched: .words),
    LibraryField("genre", .text, "file.genre", searched: .words),
    LibraryField("composer", .text, "file.composer", searched: .more),
    LibraryField("comment", .text, "file.comment", searched: .more),
    LibraryField("year", .integer, "file.year", index: "file_by_year"),
    LibraryField("date", .date, "file.date"),
    LibraryField("track", .integer, "file.track"),
    LibraryField("tracktotal", .integer, "file.track_total"),
    LibraryField("disc", .integer, "file.disc"),
    LibraryField("disctotal", .integer, "file.disc_total"),

    LibraryField("filename", .text, "file.name_text", searched: .words),
    LibraryField("path", .path, "rtrim(root.path_text, '/') || '/' || file.path_text"),
    LibraryField("root", .path, "root.path_text"),
    LibraryField("ext", .text, "file.extension"),
    LibraryField("size", .size, "file.size_bytes", index: "file_by_size"),
    LibraryField("added", .instant, "file.added_at", index: "file_by_added"),
    LibraryField("mtime", .instant, "file.mtime_ns / 1e9"),
    LibraryField("state", .keyword(FileState.allCases.map(\.rawValue)), "file.state", index: "file_by_state"),
    LibraryField("problem", .text, "file.problem_code"),
    LibraryField("reason", .text, "file.problem_reason"),
    LibraryField("attempts", .integer, "file.attempts"),
    LibraryField("verified", .instant, "file.verified_at"),
    LibraryField("notes", .text, notes),

    LibraryField("album-id", .integer, "file.album_id", index: "file_by_album_id"),
    LibraryField("album-artist", .text, "(SELECT nullif(artist, '') FROM album WHERE album.id = file.album_id)"),
    LibraryField("edition", .integer, "file.album_edition"),
    LibraryField("album-disc", .integer, "file.album_disc"),
    LibraryField("editionname", .text, "CASE WHEN \(AlbumSQL.column("TRUE")) THEN \(AlbumSQL.edition()) END"),
    LibraryField("codec", .text, "stream.codec"),
    LibraryField("container", .text, "file.container"),
    LibraryField("rate", .integer, "audio.sample_rate_hz"),
    LibraryField("channels", .integer, "audio.channels"),
    LibraryField("bits", .integer, "stream.bits"),
    LibraryField("bitrate", .integer, "stream.bitrate_bps", index: "stream_by_bitrate"),
    LibraryField("duration", .duration, "file.duration_s", index: "file_by_duration"),
    LibraryField("hash", .hexadecimal, "lower(hex(audio.hash))"),

    LibraryField("parts", .integer, PartFields.count),
    LibraryField("part", .text, PartFields.names),

    LibraryField("preset", .name(none: "none"), PresetSQL.heardName),
    LibraryField(ListReferences.fieldName, .text, ListReferences.names),
    LibraryField(SoundReferences.similar.name, .integer, "NULL"),
    LibraryField(SoundReferences.same.name, .integer, "NULL"),
    LibraryField(SoundReferences.redundantFile.name, .integer, "NULL"),
    LibraryField("plays", .integer, PlaySQL.count),
    LibraryField("lastplayed", .instant, PlaySQL.last),

    LibraryField("lufs", .real, "measures.loudness_lufs", index: "measures_by_loudness"),
    LibraryField("lra", .real, "measures.loudness_range_lu", index: "measures_by_range"),
    LibraryField("momentary", .real, "measures.momentary_max_lufs"),
    LibraryField("shortterm", .real, "measures.short_term_max_lufs"),
    LibraryField("truepeak", .real, "measures.true_peak_dbtp", index: "measures_by_true_peak"),
    LibraryField("peak", .real, "measures.sample_peak_dbfs"),
    LibraryField("rms", .real, "measures.rms_dbfs", index: "measures_by_rms"),
    LibraryField("crest", .real, "measures.crest_db", index: "measures_by_crest"),
    LibraryField("dc", .real, "measures.dc_offset"),
    LibraryField("clipped", .integer, "measures.clipped_samples"),
    LibraryField("silence_start", .duration, "measures.silence_start_s"),
    LibraryField("silence_end", .duration, "measures.silence_end_s"),
    LibraryField("centroid", .real, "measures.centroid_hz"),
    LibraryField("rolloff", .real, "measures.rolloff85_hz"),
    LibraryField("rolloff95", .real, "measures.rolloff95_hz"),
    LibraryField("flatness", .real, "measures.flatness"),
    LibraryField("cutoff", .real, "measures.cutoff_hz", index: "measures_by_cutoff"),
    LibraryField("cutoff_confidence", .real, "measures.cutoff_confidence"),
    LibraryField(
      "lossy_source", .keyword(LossySourceEvidence.Strength.allCases.map(\.rawValue)), LossySourceSQL.strength),

    LibraryField("bpm", .tempo, "file.bpm", index: "file_by_bpm"),
    LibraryField("bpm_source", .keyword(TempoAndKey.Source.words), TempoAndKeySQL.tempoSource),
    LibraryField("bpm_confidence", .real, TempoAndKeySQL.measured("bpm_confidence")),
    LibraryField("bpm_strength", .keyword(TempoAndKeySQL.strengths), TempoAndKeySQL.strength("bpm_confidence", .tempo)),
    LibraryField("bpm_stability", .real, TempoAndKeySQL.measured("bpm_stability")),
    LibraryField(
      "key", .musicalKey, "file.musical_key", index: "file_by_musical_key", shown: TempoAndKeySQL.keyText(\.name)),
    LibraryField("camelot", .keyText(.camelot), TempoAndKeySQL.keyText(\.camelot)),
    LibraryField("openkey", .keyText(.openKey), TempoAndKeySQL.keyText(\.openKey)),
    LibraryField("key_source", .keyword(TempoAndKey.Source.words), TempoAndKeySQL.keySource),
    LibraryField("key_confidence", .real, TempoAndKeySQL.measured("key_confidence")),
    LibraryField("key_strength", .keyword(TempoAndKeySQL.strengths), TempoAndKeySQL.strength("key_confidence", .key)),
    LibraryField("tuning", .real, TempoAndKeySQL.measured("tuning_cents")),

    LibraryField("is", FilePredicates.being),
    LibraryField("has", FilePredicates.having),
  ]

  /// A JSON list of words as text separated by commas, without quotation marks.
  private static let notes = "nullif(replace(trim(file.notes, '[]'), '\"', ''), '')"

  /// A field by its name; nil for tags.
  package static func named(_ name: String) -> LibraryField? { byName[name] ?? computed(name) }

  private static func computed(_ name: String) -> LibraryField? {
    switch ComputedField(name) {
    case nil: nil
    case .band(let hertz):
      SpectrumBands.standard.index(ofHz: hertz).map { index in
        LibraryField(
          name, .real,
          """
          (SELECT spectrum_level(bytes, \(index))
             FROM product JOIN product_blob ON product_blob.product_id = product.id
            WHERE product.audio_id = file.audio_id AND product.kind = '\(ProductKind.spectrum.rawValue)')
          """)
      }
    case .tempo(let range): LibraryField(name, .tempo, "tempo_in_range(file.bpm, \(range.lowest), \(range.highest))")
    }
  }

  private static let byName: [String: LibraryField] = Dictionary(
    all.map { ($0.field.name, $0) }, uniquingKeysWith: { first, _ in first })
}

/// SQL for the words of the fields `is` and `has`.
enum FilePredicates {
  static let being: [LibraryField.Predicate] = [
    // Only queries have it, see SoundReferences.
    .init(SoundReferences.duplicate, "FALSE"),
    .init(SoundReferences.redundant, "FALSE"),
    .init("duplicate-file", "audio.present_count > 1 AND file.missing_since IS NULL"),
    .init("missing", "file.missing_since IS NOT NULL"),
    .init("excluded", "\(FileRowSQL.isExcluded) AND file.missing_since IS NULL"),
    .init("damaged", "file.state = 'damaged'"),
    .init("lossless", LossySourceSQL.isLossless),
    .init("clipped", "measures.clipped_samples > 0"),
    .init("compilation", "coalesce(\(AlbumSQL.column("is_compilation")), FALSE)"),
    .init("corrected", "EXISTS (SELECT 1 FROM own_tag WHERE own_tag.file_id = file.id)"),
    .init(
      "conflict", "EXISTS (SELECT 1 FROM own_tag WHERE own_tag.file_id = file.id AND own_tag.state = 'conflict')"),
    .init("verified", "file.verified_at IS NOT NULL AND file.state = 'ok'"),
  ]

  static let having: [LibraryField.Predicate] =
    [
      .init("cover", CoverSQL.exists),
      .init("artwork", "EXISTS (SELECT 1 FROM file_artwork WHERE file_artwork.file_id = file.id)"),
      .init("lyrics", (["file.has_lyrics_beside"] + lyricsNames.map(tag)).joined(separator: " OR ")),
      .init("parts", "EXISTS (SELECT 1 FROM part AS own WHERE own.file_id = file.id)"),
      .init("loudness", "measures.loudness_lufs IS NOT NULL"),
      .init("preset", "\(PresetSQL.heardName) IS NOT NULL"),
    ]
    + [ProductKind.chroma, .fingerprint, .landmarks, .rhythm, .similarity, .spectrum, .spectrogram, .waveform]
    .map { .init($0.rawValue, product($0)) }

  /// Tags in which programs write lyrics.
  private static let lyricsNames = ["LYRICS", "UNSYNCEDLYRICS", "UNSYNCED LYRICS", "SYNCEDLYRICS", "SYNCED LYRICS"]

  private static func tag(_ name: String) -> String {
    "EXISTS (SELECT 1 FROM tag WHERE file_id = file.id AND name_id = (SELECT id FROM tag_name WHERE name = '\(name)'))"
  }

  private static func product(_ kind: ProductKind) -> String {
    "EXISTS (SELECT 1 FROM product WHERE audio_id = file.audio_id AND kind = '\(kind.rawValue)')"
  }
}

/// ``LossySourceEvidence`` as an SQL expression, made from the same table of rules.
package enum LossySourceSQL {
  /// The level as text; NULL for lossy codecs and if no spectrum was measured.
  package static let strength: String = {
    let cases = LossySourceEvidence.rules.map { rule in
      """
      WHEN measures.cutoff_hz >= \(rule.cutoffInHz.lowerBound) AND measures.cutoff_hz < \(rule.cutoffInHz.upperBound)
           AND measures.cutoff_hz <= audio.sample_rate_hz * \(rule.highestShareOfRate)
           AND coalesce(measures.cutoff_confidence, 0) >= \(rule.leastConfidence) THEN '\(rule.strength.rawValue)'
      """
    }
    return """
      CASE WHEN \(isLossless) AND audio.sample_rate_hz IS NOT NULL AND measures.centroid_hz IS NOT NULL
           THEN CASE \(cases.joined(separator: "\n")) ELSE '\(LossySourceEvidence.Strength.none.rawValue)' END END
      """
  }()

  package static let isLossless: String = {
    let prefix = Codec.samplesPrefix
    return """
      (stream.codec IN (\(list(Codec.losslessCompression))) OR (substr(stream.codec, 1, \(prefix.count)) = '\(prefix)'
           AND stream.codec NOT IN (\(list(Codec.companded)))))
      """
  }()

  private static func list(_ codecs: [Codec]) -> String {
    codecs.map { "'\($0.rawValue)'" }.joined(separator: ", ")
  }
}
