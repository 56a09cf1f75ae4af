import MediaModel

/// Where the first audio stream of an Ogg file has its headers, of which the comments are one.
enum OggHeaderPages {
  /// Nobody has so many pages of headers on purpose.
  private static let maximumPieceCount = 1024

  /// The pages up to the first one with sound, neighbours in one piece; nil where no other stream is among them.
  ///
  /// TagLib takes all pages for those of one stream: in a file of several it looks for comments in the wrong packet.
  static func find(_ bytes: BufferedBytes) throws(DecodingError) -> [Range<Int64>]? {
    var scanner = OggPageScanner(bytes, range: try TagBounds(bytes).audio)
    var pieces: [Range<Int64>] = []
    var serial: UInt32?
    var isAlone = true
    while let page = try scanner.next() {
      guard page.isFirst || serial != nil else { return nil }
      if serial == nil,
        OggCodec(firstPacket: try bytes.view(at: page.bodyOffset, count: page.bodyByteCount)).codec != nil
      {
        serial = page.serial
      }
      guard page.serial == serial else {
        isAlone = false
        continue
      }
      let end = page.offset + Int64(page.byteCount)
      if let last = pieces.last, last.upperBound == page.offset {
        pieces[pieces.count - 1] = last.lowerBound..<end
      } else {
        pieces.append(page.offset..<end)
      }
      if pieces.count == maximumPieceCount { break }
      if let granule = page.granule, granule > 0 { break }
    }
    return isAlone ? nil : pieces
  }

  /// The second packet of the first audio stream, which are its comments; empty where there is none of that length.
  static func secondPacket(_ bytes: BufferedBytes, maximumByteCount: Int) throws(DecodingError) -> [UInt8] {
    var scanner = OggPageScanner(bytes, range: try TagBounds(bytes).audio)
    var packet: [UInt8] = []
    var serial: UInt32?
    while let page = try scanner.next(), packet.count <= maximumByteCount {
      let body = try bytes.view(at: page.bodyOffset, count: page.bodyByteCount)
      if page.isFirst {
        if serial == nil, OggCodec(firstPacket: body).codec != nil { serial = page.serial }
        continue
      }
      guard let serial else { break }
      guard page.serial == serial else { continue }
      let segments = page.lacing.firstIndex { $0 < 255 }.map { page.lacing[...$0] } ?? page.lacing[...]
      packet += body.prefix(segments.reduce(0) { $0 + Int($1) })
      if segments.last ?? 0 < 255 { return packet }
    }
    return []
  }
}
