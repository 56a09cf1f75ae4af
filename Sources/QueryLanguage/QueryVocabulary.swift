internal import Base
package import MediaModel

/// The fields that a query can use.
package struct QueryVocabulary: Sendable {
  package let fields: [QueryField]
  private let byName: [String: QueryField]
  private let hasTag: @Sendable (String) -> Bool

  /// - Parameter hasTag: Whether a property name in upper case is a tag; called for names that are not fields.
  package init(_ fields: [QueryField], hasTag: @escaping @Sendable (String) -> Bool = { _ in false }) {
    self.fields = fields
    byName = Dictionary(fields.map { ($0.name, $0) }, uniquingKeysWith: { first, _ in first })
    self.hasTag = hasTag
  }

  /// A field by its name, regardless of case.
  package subscript(name: String) -> QueryField? {
    let lower = name.lowercased()
    if let field = byName[lower] { return field }
    if let computed = ComputedField(lower) { return computed.kind.map { QueryField(lower, $0) } }
    return TagNames.known.contains(name.uppercased()) || hasTag(name.uppercased()) ? QueryField(lower, .tag) : nil
  }

  /// Up to three names that a mistyped one may mean, the closest first; for a name that other programs have for a field,
  /// that field.
  package func names(near name: String) -> [String] {
    let meant = (Self.elsewhere[name.lowercased()] ?? []).filter { self[$0] != nil }
    guard meant.isEmpty else { return meant }
    return SpellingSuggestions.of(name, among: Set(fields.map(\.name) + TagNames.known.map { $0.lowercased() }))
  }
}

extension QueryVocabulary {
  /// What fields are called in beets, ffprobe, MediaInfo and players.
  private static let elsewhere: [String: [String]] = [
    "length": ["duration"], "time": ["duration"],
    "format": ["codec", "container"], "type": ["codec", "container"],
    "samplerate": ["rate"], "sample_rate": ["rate"],
    "bitdepth": ["bits"], "bit_depth": ["bits"], "bitspersample": ["bits"], "bits_per_sample": ["bits"],
    "bit_rate": ["bitrate"], "tempo": ["bpm"], "loudness": ["lufs"], "initial_key": ["key"],
    "person": ["contributor"], "people": ["contributor"], "role": ["contributor"],
    "file": ["filename", "path"], "name": ["filename", "title"], "folder": ["path"], "directory": ["path"],
    "extension": ["ext"], "filesize": ["size"], "modified": ["mtime"], "playcount": ["plays"], "play_count": ["plays"],
  ]
}

/// A field that a query can use, with its name and the kind of its values.
package struct QueryField: Hashable, Sendable {
  package enum Kind: Hashable, Sendable {
    /// Text, matched regardless of case and accents.
    case text
    /// Text that may be absent, and the word that means its absence.
    case name(none: String)
    /// Each value of a tag; also compared as a number if it starts with one.
    case tag
    /// A path: a value with a slash names folders.
    case path
    /// One of a few words.
    case keyword([String])
    /// Hexadecimal digits of a hash.
    case hexadecimal
    /// A key in any notation, compared by its number: see ``MusicalKey``.
    case musicalKey
    /// A key as text in one notation, found by a key in any.
    case keyText(MusicalKey.Notation)
    /// Whole numbers, such as years and counts.
    case integer
    case real
    /// Beats a minute. The ends of a range reach as far as the digits that were written: what is shown as 120 may be stored
    /// as 119.996.
    case tempo
    /// Bytes: `10M` is ten million, `10Mi` is 10 · 2^20.
    case size
    /// Seconds: `210`, `3:30`, `1:02:03`, `3m30s`.
    case duration
    /// `2023`, `2023-04`, `2023-04-17`, as in tags.
    case date
    /// A time in seconds since 1970, given as a local date or relative to now.
    case instant

    /// Whether values are compared as numbers.
    package var isNumber: Bool {
      switch self {
      case .integer, .real, .tempo, .size, .duration: true
      case .text, .name, .tag, .path, .keyword, .hexadecimal, .musicalKey, .keyText, .date, .instant: false
      }
    }
  }

  /// The id of a recording.
  package static let id = QueryField("id", .integer)

  package var name: String
  package var kind: Kind
  /// For an order that only looks random; the same seed gives the same order.
  package private(set) var randomSeed: Int64?

  package init(_ name: String, _ kind: Kind) {
    self.name = name
    self.kind = kind
  }

  /// What `random` and `random:SEED` sort by; nil for any other text. Without a seed each call has another one.
  static func random(_ text: Substring) -> QueryField? {
    let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false)
    guard parts.first?.lowercased() == "random" else { return nil }
    guard let seed = parts.count == 1 ? Int64.random(in: 0...Int64(Int32.max)) : Int64(parts[1]) else { return nil }
    var field = QueryField("random", .integer)
    field.randomSeed = seed
    return field
  }
}

/// Tags that queries accept even if no file of the library has them, by TagLib's property names, the attribute that is a star, and
/// two names for tags: CONTRIBUTOR for all roles of people, and MOVEMENT for the name of a movement.
package enum TagNames {
  package static let known: Set<String> = [
    "ACOUSTID_FINGERPRINT", "ACOUSTID_ID", "ALBUM", "ALBUMARTIST", "ALBUMARTISTSORT", "ALBUMSORT", "ARRANGER", "ARTIST",
    "ARTISTS", "ARTISTSORT", "ASIN", "BARCODE", "BPM", "CATALOGNUMBER", "COMMENT", "COMPILATION", "COMPOSER",
    "COMPOSERSORT", "CONDUCTOR", "CONTRIBUTOR", "COPYRIGHT", "DATE", "DIRECTOR", "DISCNUMBER", "DISCSUBTITLE",
    "DISCTOTAL", "DJMIXER", "ENCODEDBY",
    "ENCODING", "ENGINEER", "GENRE", "GROUPING", "INITIALKEY", "ISRC", "LABEL", "LANGUAGE", "LYRICIST", "LYRICS",
    "MEDIA", "MIXER", "MOOD", "MOVEMENT", "MOVEMENTCOUNT", "MOVEMENTNAME", "MOVEMENTNUMBER",
    "MUSICBRAINZ_ALBUMARTISTID",
    "MUSICBRAINZ_ALBUMID", "MUSICBRAINZ_ARTISTID", "MUSICBRAINZ_RELEASEGROUPID", "MUSICBRAINZ_RELEASETRACKID",
    "MUSICBRAINZ_TRACKID", "MUSICBRAINZ_WORKID", "ORIGINALDATE", "PERFORMER", "PRODUCER", "RATING", "RELEASECOUNTRY",
    "RELEASEDATE", "RELEASESTATUS", "RELEASETYPE", "REMIXER", "REPLAYGAIN_ALBUM_GAIN", "REPLAYGAIN_ALBUM_PEAK",
    "REPLAYGAIN_TRACK_GAIN", "REPLAYGAIN_TRACK_PEAK", "SCRIPT", "STARRED", "SUBTITLE", "TITLE", "TITLESORT",
    "TRACKNUMBER", "TRACKTOTAL", "WORK",
  ]
}
