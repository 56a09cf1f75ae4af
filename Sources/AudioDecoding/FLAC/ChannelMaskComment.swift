/// The comment in which FLAC says for which loudspeakers its channels are (RFC 9639 section 8.6.2).
enum ChannelMaskComment {
  private static let name = Array("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0X".utf8)

  /// Its dwChannelMask; nil where there is no such comment.
  ///
  /// - Parameter comments: the body of a VORBIS_COMMENT block.
  static func channelMask(in comments: UnsafeRawBufferPointer) -> UInt32? {
    func length(at offset: Int) -> Int? { comments.littleEndian(UInt32.self, at: offset).map { Int($0) } }
    guard let vendorLength = length(at: 0) else { return nil }
    // Behind the vendor and the number of comments.
    var offset = 4 + vendorLength + 4
    while let length = length(at: offset) {
      let start = offset + 4
      offset = start + length
      guard (name.count + 1...name.count + 8).contains(length), offset <= comments.count else { continue }
      let comment = comments[start..<offset].map { $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0 }
      guard comment.starts(with: name) else { continue }
      return UInt32(String(decoding: comment.dropFirst(name.count), as: UTF8.self), radix: 16)
    }
    return nil
  }

  /// The same of the first audio stream of an Ogg file, whose second packet is the block with its header (RFC 9639
  /// section 10.1).
  static func channelMask(ofOgg bytes: BufferedBytes) throws(DecodingError) -> UInt32? {
    let packet = try OggHeaderPages.secondPacket(bytes, maximumByteCount: 4 + (1 << 24))
    return packet.withUnsafeBytes { packet in
      guard let word = packet.bigEndian(UInt32.self, at: 0), word >> 24 & 0x7F == 4 else { return nil }
      return channelMask(in: UnsafeRawBufferPointer(rebasing: packet.dropFirst(4)))
    }
  }
}
