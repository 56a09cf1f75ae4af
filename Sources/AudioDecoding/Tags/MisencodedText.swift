import MediaModel

/// Text in tags whose encoding is not the one that the tag gives. TagLib returns nothing for it.
///
/// Found in Vorbis comments, and in those frames of ID3v2.3 and 2.4 that have a column in the library. If TagLib
/// refuses a FLAC file, because of blocks whose lengths are wrong, all its comments are read.
struct MisencodedText {
  private static let maximumValueByteCount = 128 << 10
  private static let maximumCommentByteCount = 16 << 20

  private let bytes: BufferedBytes
  /// Whether TagLib has read nothing at all.
  private let isRefused: Bool
  private(set) var values: [TagValue] = []

  /// - Parameters:
  ///   - container: only MPEG audio, FLAC and Ogg are searched.
  ///   - isRefused: whether TagLib has refused the file.
  init(_ bytes: BufferedBytes, container: Container, isRefused: Bool = false) throws(DecodingError) {
    self.bytes = bytes
    self.isRefused = isRefused && container == .flac
    switch container {
    case .mpeg: try readID3v2()
    case .flac: try readComments(try self.isRefused ? FLACComments.find(bytes) : flacComments())
    case .ogg: try readComments(try oggComments())
    default: break
    }
  }

  var tags: Tags {
    Tags(
      Dictionary(grouping: values, by: \.name).map { name, values in
        Tags.Property(name: name, values: values.map { String(decoding: $0.text, as: UTF8.self) })
      })
  }

  private mutating func add(_ name: String, _ text: some Sequence<UInt8>) {
    guard values.count < TagLimits.maximumValueCount else { return }
    values.append(TagValue(name: name, text: Array(text)))
  }

  // MARK: Vorbis comments

  /// The first block of comments of a FLAC file (RFC 9639 section 8.6).
  private func flacComments() throws(DecodingError) -> [UInt8] {
    var offset = try TagBounds(bytes).audio.lowerBound + 4
    while let word = try bytes.bigEndian(UInt32.self, at: offset) {
      let length = Int(word & 0xFF_FFFF)
      if word >> 24 & 0x7F == 4 { return try bytes.file.bytes(at: offset + 4, count: length) }
      guard word >> 31 == 0 else { break }
      offset += 4 + Int64(length)
    }
    return []
  }

  /// The second packet of an Ogg stream, which for FLAC is a block with its header (RFC 9639 section 10.1).
  private func oggComments() throws(DecodingError) -> [UInt8] {
    let packet = try OggHeaderPages.secondPacket(bytes, maximumByteCount: Self.maximumCommentByteCount)
    let word = packet.bigEndian(UInt32.self, at: 0) ?? 0
    let isBlock = word >> 24 & 0x7F == 4 && Int(word & 0xFF_FFFF) == packet.count - 4
    return isBlock ? Array(packet.dropFirst(4)) : packet
  }

  /// - Parameter packet: with or without the mark of Vorbis or Opus before the comments.
  private mutating func readComments(_ packet: [UInt8]) throws(DecodingError) {
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
        guard isRefused || String(validating: comment, as: UTF8.self) == nil, let end = comment.firstIndex(of: 0x3D),
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
  private mutating func readID3v2() throws(DecodingError) {
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
