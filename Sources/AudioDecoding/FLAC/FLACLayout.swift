/// Where a FLAC file has its stream marker, its STREAMINFO and its frames.
struct FLACLayout {
  /// From the stream marker (or, without one, the first frame) to the end of the audio.
  let stream: Range<Int64>
  /// The frames alone: behind the metadata blocks, before trailing tags.
  let frames: Range<Int64>
  let streamInfo: FLACStreamInfo?
  /// dwChannelMask, where a comment has one.
  let channelMask: UInt32?

  /// - Parameter range: the file without the tags around it.
  init(_ bytes: BufferedBytes, range: Range<Int64>) throws(DecodingError) {
    stream = range
    var info: FLACStreamInfo?
    var mask: UInt32?
    var offset = range.lowerBound
    if try bytes.matches("fLaC", at: offset) {
      offset += 4
      while let word = try bytes.view(at: offset, count: 4).bigEndian(UInt32.self, at: 0) {
        // Type 127 cannot be, and what looks like a sync code is the first frame: a last-block flag was forgotten.
        guard word >> 24 & 0x7F != 127, offset + 4 <= range.upperBound else { break }
        let length = Int64(word & 0xFF_FFFF)
        if word >> 24 & 0x7F == 0, info == nil {
          info = FLACStreamInfo(try bytes.view(at: offset + 4, count: FLACStreamInfo.byteCount))
        }
        let next = min(range.upperBound, offset + 4 + length)
        if word >> 24 & 0x7F == 4, mask == nil {
          mask = try Self.channelMask(bytes, in: offset + 4..<max(offset + 4, next))
        }
        offset = next
        if word >> 31 == 1 || offset == range.upperBound { break }
      }
    }
    frames = offset..<max(offset, range.upperBound)
    streamInfo = info
    channelMask = mask
  }

  /// What the comments of a VORBIS_COMMENT block say of the loudspeakers (RFC 9639 section 8.6.2).
  private static func channelMask(_ bytes: BufferedBytes, in block: Range<Int64>) throws(DecodingError) -> UInt32? {
    let name = Array("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0X".utf8)
    func length(at offset: Int64) throws(DecodingError) -> Int64? {
      guard offset + 4 <= block.upperBound else { return nil }
      return try bytes.view(at: offset, count: 4).littleEndian(UInt32.self, at: 0).map { Int64($0) }
    }
    guard let vendorLength = try length(at: block.lowerBound) else { return nil }
    // Behind the vendor and the number of comments.
    var offset = block.lowerBound + 4 + vendorLength + 4
    while let length = try length(at: offset) {
      if (name.count + 1...name.count + 8).contains(Int(length)), offset + 4 + length <= block.upperBound {
        let comment = try bytes.view(at: offset + 4, count: Int(length)).map {
          $0 >= 0x61 && $0 <= 0x7A ? $0 - 0x20 : $0
        }
        if comment.starts(with: name) {
          return UInt32(String(decoding: comment.dropFirst(name.count), as: UTF8.self), radix: 16)
        }
      }
      offset += 4 + length
    }
    return nil
  }
}
