/// Tags made by hand, which may contain what their standards forbid.
package enum TagBytes {
  /// The encoding that the text of an ID3v2 frame claims.
  package enum TextEncoding: UInt8, Sendable {
    case latin1, utf16, utf16BigEndian, utf8
  }

  /// An ID3v2.4 tag of these frames.
  ///
  /// - Parameter claimedByteCount: The length in its header, instead of the true one.
  package static func id3v2(_ frames: [UInt8], claiming claimedByteCount: Int? = nil) -> [UInt8] {
    Array("ID3".utf8) + [4, 0, 0] + synchsafe(claimedByteCount ?? frames.count) + frames
  }

  package static func textFrame(_ name: String, _ encoding: TextEncoding, _ text: [UInt8]) -> [UInt8] {
    frame(name, [encoding.rawValue] + text)
  }

  package static func textFrame(_ name: String, _ text: String) -> [UInt8] { textFrame(name, .utf8, Array(text.utf8)) }

  /// - Parameter claimedByteCount: The length in the frame's header, instead of the true one.
  package static func frame(
    _ name: String, flags: [UInt8] = [0, 0], _ body: [UInt8], claiming claimedByteCount: Int? = nil
  ) -> [UInt8] {
    Array(name.utf8) + synchsafe(claimedByteCount ?? body.count) + flags + body
  }

  /// A front cover.
  package static func pictureFrame(_ mimeType: String, _ picture: [UInt8]) -> [UInt8] {
    frame("APIC", [TextEncoding.utf8.rawValue] + Array(mimeType.utf8) + [0, 3, 0] + picture)
  }

  /// 128 bytes; texts of up to 30.
  package static func id3v1(title: String, artist: String, album: String, year: String, genre: UInt8) -> [UInt8] {
    func field(_ text: String, _ count: Int) -> [UInt8] {
      Array((Array(text.utf8) + [UInt8](repeating: 0, count: count)).prefix(count))
    }
    return Array("TAG".utf8) + field(title, 30) + field(artist, 30) + field(album, 30) + field(year, 4) + field("", 30)
      + [genre]
  }

  /// An APEv2 tag with header and footer.
  package static func ape(_ items: [(key: String, value: String)]) -> [UInt8] {
    var body: [UInt8] = []
    for (key, value) in items {
      body += littleEndian(UInt32(value.utf8.count)) + littleEndian(UInt32(0))
      body += Array(key.utf8) + [0] + Array(value.utf8)
    }
    func frame(_ flags: UInt32) -> [UInt8] {
      Array("APETAGEX".utf8) + littleEndian(UInt32(2000)) + littleEndian(UInt32(body.count + 32))
        + littleEndian(UInt32(items.count)) + littleEndian(flags) + [UInt8](repeating: 0, count: 8)
    }
    return frame(0xA000_0000) + body + frame(0x8000_0000)
  }

  /// The comments of Vorbis, Opus and FLAC, each "NAME=value" in any bytes.
  package static func vorbisComments(_ comments: [[UInt8]]) -> [UInt8] {
    littleEndian(UInt32(4)) + Array("test".utf8) + littleEndian(UInt32(comments.count))
      + comments.flatMap { littleEndian(UInt32($0.count)) + $0 }
  }

  package static func vorbisComments(_ comments: String...) -> [UInt8] {
    vorbisComments(comments.map { Array($0.utf8) })
  }

  /// 28 bits in four bytes.
  package static func synchsafe(_ number: Int) -> [UInt8] { (0..<4).map { UInt8(number >> (21 - 7 * $0) & 0x7F) } }
}
