import MediaModel

/// Text in tags whose encoding is not the one that the tag gives. TagLib returns nothing for it.
///
/// Found in Vorbis comments, and in those frames of ID3v2.3 and 2.4 that have a column in the library. If TagLib
/// refuses a FLAC file, because of blocks whose lengths are wrong, all its comments are read.
struct MisencodedText {
  private static let maximumValueByteCount = 128 << 10

  private(set) var values: [TagValue] = []

  /// Of the ID3v2 tag at the start of a file.
  init(id3v2 bytes: BufferedBytes) throws(DecodingError) { try readID3v2(bytes) }

  /// Of Vorbis comments.
  ///
  /// - Parameters:
  ///   - comments: a packet or block of them, with or without the mark of Vorbis or Opus before them.
  ///   - takesAll: also those that are encoded as they should be, because TagLib has read nothing at all.
  init(comments: [UInt8], takesAll: Bool = false) { readComments(comments, takesAll: takesAll) }

  private mutating func add(_ name: String, _ text: some Sequence<UInt8>) {
    guard values.count < TagLimits.maximumValueCount else { return }
    values.append(TagValue(name: name, text: Array(text)))
  }

  // MARK: Vorbis comments

  private mutating func readComments(_ packet: [UInt8], takesAll: Bool) {
    packet.withUnsafeBytes { packet in
      var offset =
        packet.has("vorbis", at: 1) ? 7 : packet.has("OpusTags", at: 0) ? 8 : packet.has("fLaC", at: 0) ? 8 : 0
      func length() -> Int? { packet.littleEndian(UInt32.self, at: offset).map { Int($0) } }
      guard let vendorLength = length(), vendorLength <= packet.count else { return }
      offset += 4 + vendorLength
      guard let count = length() else { return }
      offset += 4
      for _ in 0..<min(count, packet.count / 4) {
        guard let length = length(), length <= packet.count - offset - 4 else { return }
        let comment = packet[offset + 4..<offset + 4 + length]
        offset += 4 + length
        guard takesAll || String(validating: comment, as: UTF8.self) == nil, let end = comment.firstIndex(of: 0x3D),
          end - comment.startIndex <= 256, comment[..<end].allSatisfy({ (0x20...0x7D).contains($0) })
        else { continue }
        add(String(decoding: comment[..<end], as: UTF8.self).uppercased(), comment[(end + 1)...])
      }
    }
  }

  // MARK: ID3v2

  /// By TagLib's names.
  private static let frames = [
    "TIT2": "TITLE", "TPE1": "ARTIST", "TALB": "ALBUM", "TPE2": "ALBUMARTIST", "TCOM": "COMPOSER", "TCON": "GENRE",
    "TRCK": "TRACKNUMBER", "TPOS": "DISCNUMBER", "TDRC": "DATE", "TYER": "DATE",
  ]

  /// The frames of a tag at the start of the file. A tag that is unsynchronised or extended as a whole is left to
  /// TagLib.
  private mutating func readID3v2(_ bytes: BufferedBytes) throws(DecodingError) {
    let head = try bytes.copy(at: 0, count: 10)
    guard let length = TagBounds.id3v2Length(head), head[3] == 3 || head[3] == 4, head[5] & 0xC0 == 0 else { return }
    let isVersion4 = head[3] == 4
    let end = min(bytes.byteCount, length)
    var offset: Int64 = 10
    for _ in 0..<TagLimits.maximumValueCount where offset + 10 < end {
      let frame = try bytes.copy(at: offset, count: 10)
      guard frame.count == 10, frame[0] != 0, let size = frame.bigEndian(UInt32.self, at: 4) else { return }
      let isSynchsafe = isVersion4 && size & 0x8080_8080 == 0
      let count = isSynchsafe ? frame[4..<8].reduce(Int64(0)) { $0 << 7 | Int64($1) } : Int64(size)
      let name = Self.frames[String(decoding: frame[..<4], as: UTF8.self)]
      let isPlain = frame[9] == 0
      offset += 10 + count
      guard let name, isPlain, (2...Int64(Self.maximumValueByteCount)).contains(count), offset <= end else { continue }
      let body = try bytes.copy(at: offset - count, count: Int(count))
      guard body.count == Int(count) else { return }
      read(body.dropFirst(), encoding: body[0], name: name)
    }
  }

  private mutating func read(_ text: ArraySlice<UInt8>, encoding: UInt8, name: String) {
    let hasMark = text.starts(with: [0xFF, 0xFE]) || text.starts(with: [0xFE, 0xFF])
    switch encoding {
    // A mark of UTF-16 in what claims to be Latin-1.
    case 0 where hasMark: addUTF16(text.dropFirst(2), name: name, isBigEndian: text.first == 0xFE)
    case 1 where !hasMark: addUTF16(text, name: name, isBigEndian: false)
    case 3:
      guard String(validating: text, as: UTF8.self) == nil else { return }
      for value in text.split(separator: 0) { add(name, value) }
    default: break
    }
  }
  /// - Parameter isBigEndian: Counts if the text does not show its byte order.
  private mutating func addUTF16(_ text: ArraySlice<UInt8>, name: String, isBigEndian: Bool) {
    // In nearly all text the high byte of each unit is 0.
    let zeros = [0, 1].map { half in text.enumerated().count { $0.offset & 1 == half && $0.element == 0 } }
    let isBigEndian = zeros[0] == zeros[1] ? isBigEndian : zeros[0] > zeros[1]
    let bytes = Array(text)
    let units = stride(from: 0, to: bytes.count - 1, by: 2).map { index in
      UInt16(bytes[index]) << (isBigEndian ? 8 : 0) | UInt16(bytes[index + 1]) << (isBigEndian ? 0 : 8)
    }
    for value in units.split(separator: 0) { add(name, String(decoding: value, as: UTF16.self).utf8) }
  }
}
