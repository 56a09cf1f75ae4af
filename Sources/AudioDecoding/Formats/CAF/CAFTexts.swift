import MediaModel

/// The texts of a Core Audio file (Apple Core Audio Format Specification 1.0, "Information Chunk").
enum CAFTexts {
  /// Names that programs use for those of TagLib; others stay as they are.
  private static let names = [
    "album_artist": "ALBUMARTIST", "album artist": "ALBUMARTIST", "comments": "COMMENT", "encoder": "ENCODING",
    "encoding application": "ENCODING", "recorded date": "DATE", "tempo": "BPM", "track": "TRACKNUMBER",
    "track number": "TRACKNUMBER", "year": "DATE",
  ]

  /// What the first chunk of texts says.
  static func contents(_ bytes: BufferedBytes) throws(DecodingError) -> TagContents {
    var offset = try TagBounds.start(of: bytes) + 8
    for _ in 0..<ChunkForm.maximumCount {
      let head = try bytes.copy(at: offset, count: 12)
      guard head.count == 12, let size = head.bigEndian(Int64.self, at: 4), size >= 0 else { break }
      let start = offset + 12
      if head.has("info", at: 0) {
        // A number of texts comes first.
        let count = min(size - 4, Int64(TagLimits.maximumTextByteCount))
        guard count > 0 else { break }
        var texts: [UInt8] = []
        try bytes.forEachPiece(in: start + 4..<start + 4 + count) { texts += $0 }
        return contents(texts)
      }
      let (next, overflow) = start.addingReportingOverflow(size)
      guard !overflow, next < bytes.byteCount else { break }
      offset = next
    }
    return TagContents()
  }

  /// Names and values in turn, each with a zero byte behind it.
  private static func contents(_ texts: [UInt8]) -> TagContents {
    var contents = TagContents()
    let pieces = texts.split(separator: 0, omittingEmptySubsequences: false)
    for index in stride(from: 0, to: pieces.count - 1, by: 2) {
      let name = String(decoding: pieces[index], as: UTF8.self).lowercased()
      guard !name.isEmpty else { continue }
      contents.add(names[name] ?? name.uppercased(), pieces[index + 1], .utf8)
    }
    return contents
  }
}
