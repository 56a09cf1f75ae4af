/// Where an Ogg file has its audio, found in one walk over its pages: the links of the chain, each with its first audio
/// stream.
struct OggLayout {
  /// Something wrong with the pages of a link.
  struct Fault: Hashable {
    let code: String
    let reason: String
    /// The last position known before it.
    let granule: Int64
  }

  /// One logical stream from its first to its last page.
  struct Link {
    let codec: OggCodec
    let serial: UInt32
    /// The whole first packet.
    let identification: [UInt8]
    /// From the first page of the link, of any stream, to the first page of the next link.
    fileprivate(set) var range: Range<Int64>
    /// Offset of the first page of audio; nil if there is none.
    fileprivate(set) var audioOffset: Int64?
    fileprivate(set) var lastGranule: Int64?
    /// Whether the last page of the stream says that it is the last; some encoders also say so earlier.
    fileprivate(set) var hasEnd = false
    fileprivate(set) var lastPageOffset: Int64
    fileprivate(set) var fault: Fault?
    fileprivate(set) var byteCount: Int64 = 0
    /// Page offsets by the granule at the end of the page.
    fileprivate(set) var index = SeekIndex<Int64>(stride: 1)

    fileprivate var missingHeaderPacketCount: Int?
    fileprivate var nextSequence: UInt32
  }

  private(set) var links: [Link] = []
  /// Names of the streams that are not audio, in the order of the file.
  private(set) var otherStreams: [String] = []

  private static let maximumLinkCount = 10_000

  /// - Parameter onAudio: gets the bytes of each audio page's packets in order.
  init(
    _ bytes: BufferedBytes, range: Range<Int64>, onAudio: ((UnsafeRawBufferPointer) -> Void)? = nil
  ) throws(DecodingError) {
    var scanner = OggPageScanner(bytes, range: range)
    var isAmongFirstPages = false
    var groupOffset = range.lowerBound
    var current: Link?
    while let page = try scanner.next() {
      let skipped = scanner.skippedByteCount
      if page.isFirst {
        if !isAmongFirstPages {
          if let link = current { close(link, at: page.offset) }
          current = nil
          groupOffset = page.offset
          isAmongFirstPages = true
          guard links.count < Self.maximumLinkCount else { break }
        }
        let packet = try bytes.copy(at: page.bodyOffset, count: page.bodyByteCount)
        let codec = OggCodec(firstPacket: packet)
        if case .other(let name) = codec, otherStreams.count < 16 { otherStreams.append(name) }
        if current == nil, codec.codec != nil {
          current = Link(codec: codec, packet: packet, page: page, start: groupOffset)
        }
        continue
      }
      isAmongFirstPages = false
      if current?.serial == page.serial {
        try bytes.withBytes(at: page.bodyOffset, count: page.bodyByteCount) { body in
          if current?.add(page, body: body, skippedByteCount: skipped) == true { onAudio?(body) }
        }
      }
    }
    if var link = current {
      if scanner.skippedByteCount > 0, !link.hasEnd { link.note("truncated", "the last page is incomplete") }
      close(link, at: range.upperBound)
    }
  }

  private mutating func close(_ link: Link, at end: Int64) {
    var link = link
    link.range = link.range.lowerBound..<end
    if !link.hasEnd { link.note("truncated", "truncated: the stream has no last page") }
    links.append(link)
  }
}

extension OggLayout.Link {
  fileprivate init(codec: OggCodec, packet: [UInt8], page: OggPage, start: Int64) {
    self.codec = codec
    serial = page.serial
    identification = packet
    range = start..<start
    missingHeaderPacketCount = codec.furtherHeaderPacketCount(firstPacket: packet)
    nextSequence = page.sequence &+ 1
    hasEnd = page.isLast
    lastPageOffset = page.offset
  }

  fileprivate mutating func note(_ code: String, _ reason: String) {
    fault = fault ?? OggLayout.Fault(code: code, reason: reason, granule: lastGranule ?? 0)
  }

  /// - Returns: whether the page holds audio.
  fileprivate mutating func add(_ page: OggPage, body: UnsafeRawBufferPointer, skippedByteCount: Int64) -> Bool {
    if page.sequence != nextSequence {
      note("missing-pages", "pages are missing: number \(page.sequence) follows \(nextSequence &- 1)")
    } else if skippedByteCount > 0 {
      note("junk", "\(skippedByteCount) bytes between pages are not Ogg")
    }
    if page.hasImpossibleGranule { note("corrupt", "a page gives an impossible position") }
    nextSequence = page.sequence &+ 1
    hasEnd = page.isLast
    lastPageOffset = page.offset
    if let missing = missingHeaderPacketCount {
      if missing > 0 {
        missingHeaderPacketCount = max(0, missing - page.completedPacketCount)
        return false
      }
    } else if !page.isContinued, body.first == 0xFF {
      // Ogg FLAC that does not count its headers: frames begin with a sync code, metadata blocks do not.
      missingHeaderPacketCount = 0
    } else {
      return false
    }
    if audioOffset == nil { audioOffset = page.offset }
    byteCount += Int64(body.count)
    if let granule = page.granule, granule >= lastGranule ?? 0 {
      lastGranule = granule
      index.add(page.offset, at: granule)
    }
    return true
  }
}
