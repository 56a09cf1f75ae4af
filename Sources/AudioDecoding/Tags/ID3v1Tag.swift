internal import Base

/// ID3v1 and 1.1 (id3.org) as a list of raw fields.
enum ID3v1Reader {
  static let byteCount: Int64 = 128

  /// The names of fields, and where they are.
  private static let fields: [(name: StaticString, range: Range<Int64>)] = [
    ("title", 3..<33), ("artist", 33..<63), ("album", 63..<93), ("year", 93..<97), ("comment", 97..<127),
    ("genre", 127..<128),
  ]

  /// The tag that begins at `offset`; nil if there is none.
  static func tag(_ file: BufferedBytes, at offset: Int64) throws(DecodingError) -> RawTag? {
    let bytes = try file.copy(at: offset, count: Int(byteCount))
    guard bytes.count == Int(byteCount), bytes.has("TAG", at: 0) else { return nil }
    var tag = RawTag(.id3v1, file, offset..<offset + byteCount)
    tag.version = bytes[125] == 0 && bytes[126] != 0 ? 1 : 0
    for (name, range) in fields {
      var range = range
      if tag.version == 1, range == 97..<127 {
        range = 97..<125
        tag.items.append(
          RawTag.Item(name: Array("track".utf8), range: offset + 126..<offset + 127, body: offset + 126..<offset + 127))
      }
      let place = offset + range.lowerBound..<offset + range.upperBound
      tag.items.append(RawTag.Item(name: Array(name.utf8Buffer), range: place, body: place))
    }
    return tag
  }
}

extension TagContents {
  private static let id3v1Names = ["title": "TITLE", "artist": "ARTIST", "album": "ALBUM", "comment": "COMMENT"]

  /// What the fields of an ID3v1 tag say; blanks fill fields.
  init(id3v1 tag: RawTag) throws(DecodingError) {
    self.init()
    for item in tag.items {
      let name = String(decoding: item.name, as: UTF8.self)
      let body = try tag.body(item, limit: Int(ID3v1Reader.byteCount))
      let text = body.prefix { $0 != 0 }
      let blank = UInt8(ascii: " ")
      let kept = text.drop { $0 == blank }.prefix(
        1 + (text.lastIndex { $0 != blank } ?? -1) - (text.firstIndex { $0 != blank } ?? 0))
      switch name {
      case "genre": if let genre = TagGenres.name(Int(body.first ?? 255)) { add("GENRE", genre) }
      case "track": add("TRACKNUMBER", "\(body.first ?? 0)")
      case "year":
        let digits = String(decoding: kept.prefix { (0x30...0x39).contains($0) }, as: UTF8.self)
        if let year = Int(digits), year > 0 { add("DATE", "\(year)") }
      default: if let name = Self.id3v1Names[name], !kept.isEmpty { add(name, kept, .latin1) }
      }
    }
  }
}
