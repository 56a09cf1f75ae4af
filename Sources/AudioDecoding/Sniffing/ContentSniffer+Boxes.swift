import MediaModel

extension ContentSniffer {
  /// MP4, ASF and Matroska.
  static func sniffBoxes(
    _ bytes: BufferedBytes, head: UnsafeRawBufferPointer, offset: Int64
  ) throws(DecodingError) -> SniffedContent? {
    let names: [StaticString] = ["ftyp", "moov", "mdat", "free", "skip", "wide", "pnot"]
    if names.contains(where: { head.has($0, at: 4) }) { return try MP4Layout(bytes, start: offset).content }
    if head.starts(with: ASFLayout.headerIdentifier) { return try ASFLayout.sniff(bytes, at: offset) }
    if head.starts(with: [0x1A, 0x45, 0xDF, 0xA3]) { return try sniffMatroska(bytes, at: offset) }
    return nil
  }

  /// By the codec identifiers, which stand as text near the start.
  private static func sniffMatroska(_ bytes: BufferedBytes, at offset: Int64) throws(DecodingError) -> SniffedContent {
    let head = try bytes.view(at: offset, count: 64 * 1024)
    let codecs: [(StaticString, Codec?, String)] = [
      ("A_OPUS", .opus, "Opus"), ("A_VORBIS", .vorbis, "Vorbis"), ("A_FLAC", .flac, "FLAC"), ("A_AAC", .aac, "AAC"),
      ("A_MPEG/L3", .mp3, "MP3"), ("A_MPEG/L2", .mp2, "MPEG layer II"), ("A_ALAC", .alac, "ALAC"),
      ("A_AC3", nil, "AC-3"), ("A_EAC3", nil, "E-AC-3"), ("A_DTS", nil, "DTS"), ("A_PCM", nil, "PCM"),
    ]
    for index in 0..<head.count where head[index] == 0x41 {
      for (mark, codec, name) in codecs where head.has(mark, at: index) {
        return .audio(.matroska, codec, name: name)
      }
    }
    return .audio(.matroska, nil, name: "an unknown codec")
  }
}
