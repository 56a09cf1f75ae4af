import MediaModel

/// TAK, whose packets libavformat finds.
struct TAKFormat: FileFormat {
  let containersByExtension: [String: Set<Container>] = [:]

  func sniff(_ start: FileStart) -> SniffedContent? {
    start.has("tBaK", at: 0) ? .audio(.tak, .tak, name: "TAK") : nil
  }

  func open(_ file: SniffedFile, hashers: StreamHashers?) throws(DecodingError) -> any StreamLayout {
    let range = try TagBounds(file.bytes).audio
    return DemuxedLayout(container: .tak, rules: StreamHashers.Rules("tak"), range: range, hashed: range)
  }

  func account(_ file: SniffedFile, _ layout: any StreamLayout, to account: inout FileAccount) throws(DecodingError) {
    try account.addTAK()
  }
}

extension FileAccount {
  /// TAK says in a metadata block where its last frame lies (FFmpeg, libavformat/takdec.c).
  fileprivate mutating func addTAK() throws(DecodingError) {
    let range = try TagBounds(bytes).audio
    var offset = range.lowerBound + 4
    var frameEnd: Int64?
    while let word = try bytes.bigEndian(UInt32.self, at: offset) {
      let type = word >> 24 & 0x7F
      let size = Int64(word >> 16 & 0xFF | word & 0xFF00 | (word & 0xFF) << 16)
      offset += 4
      if type == 0 { break }
      if type == 7, let place = try bytes.bigEndian(UInt64.self, at: offset).map(\.byteSwapped) {
        frameEnd = Int64(place & 0xFF_FFFF_FFFF) + Int64(place >> 40)
      }
      offset += size
    }
    guard let frameEnd else { return noteSurplus() }
    let end = offset + frameEnd
    if end < range.upperBound { try leave(end..<range.upperBound) }
  }
}
