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
          let comments = try bytes.file.bytes(at: offset + 4, count: Int(max(0, next - offset - 4)))
          mask = comments.withUnsafeBytes { ChannelMaskComment.channelMask(in: $0) }
        }
        offset = next
        if word >> 31 == 1 || offset == range.upperBound { break }
      }
    }
    frames = offset..<max(offset, range.upperBound)
    streamInfo = info
    channelMask = mask
  }
}
