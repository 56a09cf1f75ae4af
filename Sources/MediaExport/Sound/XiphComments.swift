import MediaModel

/// Tags as Vorbis, Opus and FLAC hold them: `NAME=value` in UTF-8, behind their lengths (Vorbis I, section 5).
enum XiphComments {
  /// The packet's body, without what the codec puts before and behind it.
  ///
  /// - Parameter embedsPictures: As METADATA_BLOCK_PICTURE in Base64; FLAC has blocks of its own for them.
  static func block(vendor: String, _ tags: SoundTags, embedsPictures: Bool) -> [UInt8] {
    let comments = comments(tags) + (embedsPictures ? tags.artwork.map(comment) : [])
    var writer = ByteWriter()
    writer.append(lengthPrefixed: Array(vendor.utf8))
    writer.append(UInt32(clamping: comments.count))
    for comment in comments { writer.append(lengthPrefixed: comment) }
    return writer.bytes
  }

  /// One for each value; names that cannot be written are left out.
  static func comments(_ tags: SoundTags) -> [[UInt8]] {
    tags.tags.properties.flatMap { property in
      let name = Array(property.name.utf8)
      guard !name.isEmpty, name.allSatisfy({ (0x20...0x7D).contains($0) && $0 != UInt8(ascii: "=") }) else {
        return [[UInt8]]()
      }
      return property.values.map { name + [UInt8(ascii: "=")] + Array($0.utf8) }
    }
  }

  private static func comment(_ picture: Artwork) -> [UInt8] {
    Array("METADATA_BLOCK_PICTURE=".utf8) + base64(block(picture))
  }

  /// The body of FLAC's PICTURE block, big-endian (RFC 9639 section 8.8); size and colours are left unsaid.
  static func block(_ picture: Artwork) -> [UInt8] {
    func number(_ value: Int) -> [UInt8] { withUnsafeBytes(of: UInt32(clamping: value).bigEndian) { Array($0) } }
    func counted(_ bytes: [UInt8]) -> [UInt8] { number(bytes.count) + bytes }
    return number(picture.pictureType) + counted(Array(picture.mimeType.utf8)) + counted(Array(picture.caption.utf8))
      + number(0) + number(0) + number(0) + number(0) + counted(picture.bytes)
  }

  private static func base64(_ bytes: [UInt8]) -> [UInt8] {
    let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(0) { $0 << 8 | Int($1) } << (8 * (3 - group.count))
      for place in 0..<4 {
        text.append(place <= group.count ? digits[bits >> (18 - 6 * place) & 63] : UInt8(ascii: "="))
      }
    }
    return text
  }
}
