import MediaModel

/// The tags of containers for which TagLib has no reader, as ranges that together look like MPEG audio without sound:
/// ID3v2 at the start, APEv2 and ID3v1 at the end.
enum SurroundingTags {
  static func find(_ bytes: BufferedBytes, container: Container) throws(DecodingError) -> [Range<Int64>] {
    switch container {
    case .dsf:
      if let tag = try dsfTag(bytes) { return [tag] }
    case .dsdiff:
      if let tag = try dsdiffTag(bytes) { return [tag] }
    default: break
    }
    let audio = try TagBounds(bytes).audio
    return [0..<audio.lowerBound, audio.upperBound..<bytes.byteCount].filter { !$0.isEmpty }
  }

  /// The header gives the offset of an ID3v2 tag at the end of the file, or 0 (Sony, DSF File Format Specification 1.01).
  private static func dsfTag(_ bytes: BufferedBytes) throws(DecodingError) -> Range<Int64>? {
    let head = try bytes.copy(at: try TagBounds.start(of: bytes), count: 28)
    guard let offset = head.littleEndian(UInt64.self, at: 20), offset < UInt64(bytes.byteCount) else { return nil }
    let tag = Int64(offset)..<bytes.byteCount
    return try bytes.matches("ID3", at: tag.lowerBound) ? tag : nil
  }

  /// The chunk `ID3 ` beside the sound: not in the specification (Philips, DSDIFF 1.5), but what taggers write.
  private static func dsdiffTag(_ bytes: BufferedBytes) throws(DecodingError) -> Range<Int64>? {
    var offset = try TagBounds.start(of: bytes) + 16
    for _ in 0..<PCMLayout.maximumChunkCount {
      let head = try bytes.copy(at: offset, count: 12)
      guard head.count == 12, let size = head.bigEndian(UInt64.self, at: 4) else { return nil }
      let body = offset + 12
      let end = body + Int64(min(size, UInt64(bytes.byteCount - body)))
      if head.has("ID3 ", at: 0) { return body..<end }
      offset = end + (end - body) % 2
    }
    return nil
  }
}
