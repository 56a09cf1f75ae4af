internal import LibraryDatabase
internal import MediaModel
package import MediaStore
package import QueryLanguage
internal import UserData

/// The fields of a list whose rows are parts of files, and what queries ask about the parts of a file.
enum PartFields {
  /// The number of parts of a file; NULL without any.
  static let count = "nullif((SELECT count(*) FROM file_part AS own WHERE own.file_id = file.id), 0)"

  /// Titles and artists of all parts of a file.
  static let names = """
    (SELECT group_concat(name, '; ')
       FROM (SELECT coalesce(own.artist || ' - ' || own.title, own.title, own.artist) AS name FROM file_part AS own
              WHERE own.file_id = file.id ORDER BY own.source, own.position))
    """

  /// The table of the rows, joined to the files.
  static let join = " CROSS JOIN file_part AS part ON part.file_id = file.id"

  /// The fields that mean something else in such a list, over ``join``; all others are those of the file.
  static let all: [LibraryField] = [
    LibraryField("address", .text, "file.audio_id || '#' || part.position"),
    LibraryField("part", .integer, "part.position"),
    LibraryField("track", .integer, "part.position"),
    LibraryField("start", .duration, "CAST(part.start_frame AS REAL) / audio.sample_rate_hz"),
    LibraryField("end", .duration, "CAST(part.end_frame AS REAL) / audio.sample_rate_hz"),
    LibraryField("duration", .duration, "CAST(part.end_frame - part.start_frame AS REAL) / audio.sample_rate_hz"),
    LibraryField("title", .text, "part.title"),
    LibraryField("artist", .text, "coalesce(part.artist, file.artist)"),
    LibraryField("songwriter", .text, "part.songwriter"),
    LibraryField("genre", .text, "coalesce(part.genre, file.genre)"),
    LibraryField("date", .date, "coalesce(part.date, file.date)"),
    LibraryField("isrc", .text, "part.isrc"),
    LibraryField("source", .text, "part.source"),
    LibraryField("preset", .name(none: "none"), preset),
  ]

  static func named(_ name: String) -> LibraryField? { byName[name] }

  private static let byName = Dictionary(all.map { ($0.field.name, $0) }, uniquingKeysWith: { first, _ in first })

  private static let preset = PresetSQL.name(frames: ("part.start_frame", "part.end_frame"))
}

extension MediaStore {
  /// The fields of a list of parts: those of parts come before those of files.
  package var partVocabulary: QueryVocabulary {
    let files = vocabulary
    return QueryVocabulary(PartFields.all.map(\.field) + files.fields) { files[$0] != nil }
  }
}
