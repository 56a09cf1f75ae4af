import AudioDecoding

/// The fields of ID3v1 (id3.org), which have a fixed length: a value that is longer is cut, one that does not fit Latin-1
/// leaves its field empty, so that it says nothing wrong.
enum ID3v1Writer {
  private static let properties = ["TITLE": "title", "ARTIST": "artist", "ALBUM": "album", "COMMENT": "comment"]

  static func splices(_ tag: RawTag, _ edit: TagEdit) throws(TagEditRefusal) -> [Splice] {
    var splices: [Splice] = []
    for property in edit.properties {
      let first = property.values.first ?? ""
      func field(_ name: String) -> Range<Int64>? {
        tag.items.first { $0.name.elementsEqual(name.utf8) }?.range
      }
      func write(_ text: String, _ name: String) {
        guard let range = field(name) else { return }
        let count = Int(range.upperBound - range.lowerBound)
        let kept = Array((Latin1.encoded(text) ?? []).prefix(count))
        splices.append(Splice(range, kept + [UInt8](repeating: 0, count: count - kept.count)))
      }
      switch property.name {
      case "TRACKNUMBER":
        let number = Int(first.prefix { ("0"..."9").contains($0) }) ?? 0
        if let range = field("track") {
          splices.append(Splice(range, [UInt8(exactly: number) ?? 0]))
        } else if let comment = field("comment"), let number = UInt8(exactly: number), number > 0 {
          try reading { () throws(DecodingError) in
            // Version 1.1 has it in the last two bytes of the comment, if these are free.
            let end = try tag.bytes.copy(at: comment.upperBound - 2, count: 2)
            if end == [0, 0] { splices.append(Splice(comment.upperBound - 2..<comment.upperBound, [0, number])) }
          }
        }
      case "DATE":
        write(first.count >= 4 && first.prefix(4).allSatisfy(\.isNumber) ? String(first.prefix(4)) : "", "year")
      case "GENRE":
        if let range = field("genre") { splices.append(Splice(range, [TagItemNames.id3v1Genre(first)])) }
      default: if let name = Self.properties[property.name] { write(first, name) }
      }
    }
    return splices
  }
}

/// Latin-1 as ISO 8859-1 has it: what other programs may read as code page 1252 is left out.
enum Latin1 {
  /// nil if a character is not in it.
  static func encoded(_ text: String) -> [UInt8]? {
    var bytes: [UInt8] = []
    for scalar in text.unicodeScalars {
      guard scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) else { return nil }
      bytes.append(UInt8(scalar.value))
    }
    return bytes
  }
}
