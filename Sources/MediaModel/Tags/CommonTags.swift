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
    disc = numberedDisc?.number
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

/// The number in a tag such as `7`, `7/12` or ` 07 / 12 `.
package struct TagNumber {
  package static let range = 1...9999

  /// At least one of the two is not nil.
  package let number: Int?
  package let total: Int?

  /// nil unless the text is one number, or two separated by a slash, in ASCII digits, with at least one in range.
  package init?(_ text: String) {
    let parts = text.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
    var numbers: [Int?] = []
    for part in parts {
      let digits = String(part).withoutBlankEnds
      guard !digits.isEmpty, digits.utf8.allSatisfy({ (0x30...0x39).contains($0) }) else { return nil }
      numbers.append(Int(digits).flatMap { Self.range.contains($0) ? $0 : nil })
    }
    number = numbers.first ?? nil
    total = numbers.count > 1 ? numbers[1] : nil
    guard number != nil || total != nil else { return nil }
  }

}

/// The date in a tag: ISO 8601 of any precision (`2019`, `2019-04`, `2019-04-17T20:15:00`), `2019/04/17` or `20190417`.
package struct TagDate: CustomStringConvertible {
  package let year: Int
  package let month: Int?
  package let day: Int?

  /// nil without a year in `1...9999`; the precision ends before an invalid month or day.
  package init?(_ text: String) {
    let bytes = Array(text.withoutBlankEnds.utf8)
    guard (4...32).contains(bytes.count), let year = Self.number(bytes.prefix(4), 4...4), year > 0 else { return nil }
    self.year = year
    let rest = bytes.dropFirst(4).prefix { $0 != UInt8(ascii: "T") && $0 != UInt8(ascii: " ") }
    var month: Int?
    var day: Int?
    if let separator = rest.first, separator == UInt8(ascii: "-") || separator == UInt8(ascii: "/") {
      let parts = rest.dropFirst().split(separator: separator, omittingEmptySubsequences: false)
      month = parts.first.flatMap { Self.number($0, 1...2) }
      day = parts.dropFirst().first.flatMap { Self.number($0, 1...2) }
    } else if !rest.isEmpty {
      guard rest.count == 2 || rest.count == 4, rest.allSatisfy(Self.isDigit) else { return nil }
      month = Self.number(rest.prefix(2), 2...2)
      day = Self.number(rest.dropFirst(2), 2...2)
    }
    self.month = month.flatMap { (1...12).contains($0) ? $0 : nil }
    self.day = self.month.flatMap { month in
      day.flatMap { (1...Self.days(in: month, of: year)).contains($0) ? $0 : nil }
    }
  }

  package var description: String {
    func padded(_ number: Int, _ width: Int) -> String {
      let digits = String(number)
      return String(repeating: "0", count: max(0, width - digits.count)) + digits
    }
    return [padded(year, 4), month.map { padded($0, 2) }, day.map { padded($0, 2) }].compactMap { $0 }
      .joined(separator: "-")
  }

  package static func days(in month: Int, of year: Int) -> Int {
    switch month {
    case 2: year.isMultiple(of: 4) && (!year.isMultiple(of: 100) || year.isMultiple(of: 400)) ? 29 : 28
    case 4, 6, 9, 11: 30
    default: 31
    }
  }

  private static func isDigit(_ byte: UInt8) -> Bool { (0x30...0x39).contains(byte) }

  /// The value of ASCII digits, if their number is in `count`.
  private static func number(_ digits: ArraySlice<UInt8>, _ count: ClosedRange<Int>) -> Int? {
    guard count.contains(digits.count), digits.allSatisfy(isDigit) else { return nil }
    return digits.reduce(0) { $0 * 10 + Int($1 & 15) }
  }
}
