internal import Base

/// The most common tags, one value each, derived from the ``Tags`` of a file.
///
/// Blank values are left out, and several values of one tag are joined with `"; "`. Numbers out of range are nil; their
/// text is still in ``Tags``.
package struct CommonTags: Hashable, Sendable {
  package var title: String?
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  package var genre: String?
  package var composer: String?
  package var comment: String?
  /// The year of ``date``, `1...9999`.
  package var year: Int?
  /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: as precise as the tag, up to its first invalid part.
  package var date: String?
  /// `1...9999`, like the totals and the disc.
  package var track: Int?
  package var trackTotal: Int?
  package var disc: Int?
  package var discTotal: Int?
  /// In ``Tempo/plausibleRange``.
  package var beatsPerMinute: Double?
  package var key: MusicalKey?

  /// For each column, the first property with a valid value counts.
  package init(_ tags: Tags) {
    title = Self.text(tags, "TITLE")
    artist = Self.text(tags, "ARTIST", "ARTISTS")
    album = Self.text(tags, "ALBUM")
    albumArtist = Self.text(tags, "ALBUMARTIST", "ALBUM ARTIST", "ALBUM_ARTIST")
    genre = Self.text(tags, "GENRE")
    composer = Self.text(tags, "COMPOSER")
    comment = Self.text(tags, "COMMENT", "DESCRIPTION")
    date = Self.first(tags, "DATE", "YEAR") { TagDate($0)?.description }
    year = date.flatMap { Int($0.prefix(4)) }
    let numberedTrack = Self.first(tags, "TRACKNUMBER", "TRACK") { TagNumber($0) }
    track = numberedTrack?.number
    trackTotal =
      numberedTrack?.total ?? Self.first(tags, "TRACKTOTAL", "TOTALTRACKS", "TRACKC") { TagNumber($0)?.number }
    let numberedDisc = Self.first(tags, "DISCNUMBER", "DISC") { TagNumber($0) }
    // The sides of records are in order as discs are.
    disc = numberedDisc?.number ?? numberedTrack?.side
    discTotal = numberedDisc?.total ?? Self.first(tags, "DISCTOTAL", "TOTALDISCS") { TagNumber($0)?.number }
    beatsPerMinute = Self.first(tags, "BPM", "TEMPO") { Tempo.inTag($0) }
    key = Self.first(tags, "INITIALKEY", "KEY") { MusicalKey($0) }
  }

  /// The text that a search without a field looks at: the folded columns and the file name, one per line.
  package func searchText(fileName: String) -> String {
    [title, artist, album, albumArtist, genre, fileName]
      .compactMap { $0.map(SearchText.line) }
      .joined(separator: "\n")
  }

  private static func text(_ tags: Tags, _ names: String...) -> String? {
    for name in names {
      let values = tags[name].map(\.withoutBlankEnds).filter { !$0.isEmpty }
      if !values.isEmpty { return values.joined(separator: "; ") }
    }
    return nil
  }

  private static func first<Value>(_ tags: Tags, _ names: String..., read: (String) -> Value?) -> Value? {
    for name in names {
      for value in tags[name] {
        if let result = read(value) { return result }
      }
    }
    return nil
  }
}
