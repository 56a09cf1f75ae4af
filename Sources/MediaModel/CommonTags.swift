/// The tags that everyone asks for, one value each, read from a file's ``Tags``.
///
/// Blank values are left out, several values of one tag are joined with `"; "`, and numbers out of their range are nil
/// while the raw text stays in ``Tags``.
package struct CommonTags: Hashable, Sendable {
  package var title: String?
  package var artist: String?
  package var album: String?
  package var albumArtist: String?
  package var genre: String?
  package var composer: String?
  package var comment: String?
  /// `1...9999`, of ``date``.
  package var year: Int?
  /// `YYYY`, `YYYY-MM` or `YYYY-MM-DD`: as precise as the tag is, up to its first impossible part.
  package var date: String?
  /// `1...9999`, as are the totals and the disc.
  package var track: Int?
  package var trackTotal: Int?
  package var disc: Int?
  package var discTotal: Int?

  /// For each column the first of its properties with a usable value counts.
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
    disc = numberedDisc?.number
    discTotal = numberedDisc?.total ?? Self.first(tags, "DISCTOTAL", "TOTALDISCS") { TagNumber($0)?.number }
  }

  /// What a search without a field looks into: the folded columns and the file's name, a line each.
  package func searchText(fileName: String) -> String {
    [title, artist, album, albumArtist, genre, fileName]
      .compactMap { $0.map(SearchText.line) }
      .joined(separator: "\n")
  }

  private static func text(_ tags: Tags, _ names: String...) -> String? {
    for name in names {
      let values = tags[name].map(TagNumber.trimmed).filter { !$0.isEmpty }
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
