import MediaModel

/// The tags of a QuickTime movie, which TagLib does not read: texts in the user data, and metadata with named keys.
///
/// Source: Apple, QuickTime File Format Specification (2015), "User Data Text Strings" and "QuickTime Metadata".
struct QuickTimeTags {
  private static let maximumItemCount = 10_000
  /// The names of texts in the user data, after the copyright sign, by those of TagLib.
  private static let textNames: [String: String] = [
    "nam": "TITLE", "ART": "ARTIST", "aut": "ARTIST", "alb": "ALBUM", "day": "DATE", "gen": "GENRE", "cmt": "COMMENT",
    "des": "DESCRIPTION", "wrt": "COMPOSER", "com": "COMPOSER", "trk": "TRACKNUMBER", "cpy": "COPYRIGHT",
    "lyr": "LYRICS", "too": "ENCODING", "swr": "ENCODING", "grp": "GROUPING", "prf": "PERFORMER", "prd": "PRODUCER",
    "isr": "ISRC", "lab": "LABEL", "con": "CONDUCTOR", "arg": "ARRANGER", "dir": "DIRECTOR",
  ]
  /// The names of keys that differ from those of TagLib.
  private static let keyNames: [String: String] = [
    "ALBUM_ARTIST": "ALBUMARTIST", "AUTHOR": "ARTIST", "CREATIONDATE": "DATE", "YEAR": "DATE", "ENCODER": "ENCODING",
    "SOFTWARE": "ENCODING", "TRACK": "TRACKNUMBER", "DISC": "DISCNUMBER",
  ]
  private static let keyPrefix = "com.apple.quicktime."
  /// What muxers say about the file, not about the music.
  private static let ignoredKeys: Set<String> = ["MAJOR_BRAND", "MINOR_VERSION", "COMPATIBLE_BRANDS", "CREATION_TIME"]

  private let bytes: BufferedBytes

  /// What each place says, that with named keys first.
  static func contents(_ bytes: BufferedBytes, _ boxes: MP4TagBoxes) throws(DecodingError) -> [TagContents] {
    let tags = QuickTimeTags(bytes: bytes)
    var places: [TagContents] = []
    for metadata in try boxes.metadata(hasNamedKeys: true) { places.append(try tags.keyed(metadata.range)) }
    return places + [try tags.texts(boxes.userData)]
  }

  // MARK: Texts

  /// Each box holds pieces: a length, a language, and the text.
  private func texts(_ userData: [MP4Box]) throws(DecodingError) -> TagContents {
    var found = TagContents()
    for box in userData.prefix(Self.maximumItemCount) where box.type.first == 0xA9 {
      guard let name = Self.textNames[String(decoding: box.type.dropFirst(), as: UTF8.self)] else { continue }
      let body = try copy(box.body)
      guard let length = body.bigEndian(UInt16.self, at: 0), body.count >= 4 else { continue }
      // The other pieces are the same in other languages.
      found.add(name, body.dropFirst(4).prefix(Int(length)), .none)
    }
    return found
  }

  // MARK: Keys

  /// A list of keys, then items whose types are the numbers of their keys.
  private func keyed(_ body: Range<Int64>) throws(DecodingError) -> TagContents {
    guard let list = try MP4Box.body(bytes, of: "keys", in: body),
      let items = try MP4Box.body(bytes, of: "ilst", in: body)
    else { return TagContents() }
    // After a version and the number of keys.
    let keys = try MP4Box.boxes(bytes, in: min(list.lowerBound + 8, list.upperBound)..<list.upperBound)
    var names: [String?] = []
    for key in keys.prefix(Self.maximumItemCount) {
      let text = String(decoding: try copy(key.body, limit: 256), as: UTF8.self)
      names.append(key.isType("mdta") ? Self.name(ofKey: text) : nil)
    }
    var found = TagContents()
    for item in try MP4Box.boxes(bytes, in: items).prefix(Self.maximumItemCount) {
      guard let number = item.type.bigEndian(UInt32.self, at: 0), (1...UInt32(Self.maximumItemCount)).contains(number),
        Int(number) <= names.count, let name = names[Int(number) - 1]
      else { continue }
      for box in try MP4Box.boxes(bytes, in: item.body).prefix(Self.maximumItemCount) where box.isType("data") {
        if let (text, encoding) = Self.text(ofData: try copy(box.body)) { found.add(name, text, encoding) }
      }
    }
    return found
  }

  private static func name(ofKey key: String) -> String? {
    let name = (key.hasPrefix(keyPrefix) ? String(key.dropFirst(keyPrefix.count)) : key).uppercased()
    return name.isEmpty || ignoredKeys.contains(name) ? nil : keyNames[name] ?? name
  }

  /// A type and a locale, then the value; nil unless it is a text or a whole number.
  private static func text(ofData data: [UInt8]) -> (text: [UInt8], encoding: TagContents.Encoding)? {
    guard let type = data.bigEndian(UInt32.self, at: 0), data.count >= 8 else { return nil }
    let value = Array(data.dropFirst(8))
    switch type {
    case 1: return (value, .utf8)
    case 2: return (value, .utf16BigEndian)
    case 21: return number(value).map { (Array("\($0)".utf8), .utf8) }
    case 22: return number(value).flatMap { $0 >= 0 ? (Array("\($0)".utf8), .utf8) : nil }
    default: return nil
    }
  }

  /// A signed number of one to eight bytes.
  private static func number(_ bytes: [UInt8]) -> Int64? {
    guard (1...8).contains(bytes.count) else { return nil }
    let sign: Int64 = bytes[0] & 0x80 != 0 ? -1 : 0
    return bytes.reduce(sign) { $0 << 8 | Int64($1) }
  }

  /// One byte more than is kept shows that there is more.
  private func copy(
    _ range: Range<Int64>, limit: Int = TagLimits.maximumValueByteCount + 16
  ) throws(DecodingError) -> [UInt8] {
    try bytes.copy(at: range.lowerBound, count: Int(min(Int64(limit), range.upperBound - range.lowerBound)))
  }
}
