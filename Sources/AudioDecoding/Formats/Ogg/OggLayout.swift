import MediaModel

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
    /// Whether packets of audio end on a page whose position is below -1.
    fileprivate(set) var hasNegativePosition = false
    /// At the start of the stream.
    let gaps: OggGaps
    fileprivate(set) var packets: OggPacketWalk
    /// Page offsets by the granule at the end of the page.
    fileprivate(set) var index = SeekIndex<Int64>(stride: 1)

    /// Header packets that are still to come by the rules of version 1, which know pages only.
    fileprivate var missingHeaderPacketCount: Int?
    fileprivate var nextSequence: UInt32

    /// Bytes of the audio packets.
    var byteCount: Int64 { packets.byteCount }
  }

  private(set) var links: [Link] = []
  /// Names of the streams that are not audio, in the order of the file.
  private(set) var otherStreams: [String] = []

  /// What the file itself is found to say: without a decode.
  private(set) var declaration = StreamDeclaration()
  /// The first contradiction of pages or positions.
  private(set) var ownProblem: Problem?
  private(set) var notes: [String] = []
  /// Whether the file has pages whose checksum is right.
  var hasIntactPages = true
  /// What lies between the pages, and behind them.
  private(set) var unread = UnreadRanges()
  /// Whether a stream is not decoded, whatever it is, but for the index of the others; or a link of the chain.
  private(set) var hasOtherStreams = false

  /// The code of a chain that is not decoded to its end.
  static let chained = "chained"
  private static let maximumLinkCount = 10_000

  /// Frames before the recording, in the link that has most of them.
  var droppedFrameCount: Int64 {
    links.lazy.filter { $0.shape != nil }.map { $0.extent.droppedFrameCount + Int64($0.delayFrameCount) }.max() ?? 0
  }

  /// 1 if it is not known.
  var sampleRateInHz: Int { links.first?.shape?.sampleRateInHz ?? 1 }

  var packetByteCount: Int64 { links.reduce(0) { $0 + $1.byteCount } }

  /// - Parameter hashers: Get the packets of the audio streams.
  init(_ bytes: BufferedBytes, range: Range<Int64>, hashers: StreamHashers? = nil) throws(DecodingError) {
    var scanner = OggPageScanner(bytes, range: range)
    var isAmongFirstPages = false
    var groupOffset = range.lowerBound
    var current: Link?
    // What stands before the first page, without the tags there.
    var end = min(range.lowerBound, try TagBounds(bytes).audio.lowerBound)
    var indexSerials: Set<UInt32> = []
    while let page = try scanner.next() {
      let skipped = scanner.skippedByteCount
      unread.add(end..<page.offset)
      end = page.offset + Int64(page.byteCount)
      if page.isFirst {
        if !isAmongFirstPages {
          if let link = current { close(link, at: page.offset) }
          current = nil
          groupOffset = page.offset
          isAmongFirstPages = true
          guard links.count < Self.maximumLinkCount else {
            end = page.offset
            break
          }
        }
        let packet = try bytes.copy(at: page.bodyOffset, count: page.bodyByteCount)
        let codec = OggCodec(firstPacket: packet)
        if case .other(let name) = codec, otherStreams.count < 16 { otherStreams.append(name) }
        if current == nil, codec.codec != nil {
          var link = Link(
            codec: codec, packet: packet, page: page, start: groupOffset, hash: hashers?.current,
            gaps: OggGaps(codec, silenceLeft: links.last?.packets.timing.gaps.silenceLeft))
          packet.withUnsafeBytes { _ = link.packets.add(page, body: $0, isNextInRow: false) }
          current = link
        } else if case .other(let name) = codec, name == OggCodec.indexName, indexSerials.count < 16 {
          indexSerials.insert(page.serial)
        } else {
          hasOtherStreams = true
        }
        continue
      }
      isAmongFirstPages = false
      if current?.serial == page.serial {
        try bytes.withBytes(at: page.bodyOffset, count: page.bodyByteCount) { body in
          if current?.add(page, body: body, skippedByteCount: skipped) == true { hashers?.former.update(body) }
        }
      } else if !indexSerials.contains(page.serial) {
        hasOtherStreams = true
      }
    }
    let lastEnd = min(range.upperBound, bytes.byteCount)
    // The last page may be cut off.
    let rest = try bytes.withBytes(at: end, count: OggPage.maximumHeaderByteCount) { OggPage($0, offset: end) }
    if end < lastEnd, rest.map({ end + Int64($0.byteCount) > lastEnd }) != true { unread.add(end..<lastEnd) }
    if var link = current {
      if scanner.skippedByteCount > 0, !link.hasEnd { link.note("truncated", "the last page is incomplete") }
      close(link, at: range.upperBound)
    }
    judge()
  }

  private mutating func close(_ link: Link, at end: Int64) {
    var link = link
    link.range = link.range.lowerBound..<end
    if !link.hasEnd { link.note("truncated", "truncated: the stream has no last page") }
    link.packets.close()
    links.append(link)
  }
}

extension OggLayout: StreamLayout {
  var hasFormerHash: Bool { true }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) -> Int64? {
    links.first.map(\.codec.isDecodable) == true ? packetByteCount : nil
  }

  func account(to account: inout FileAccount) throws(DecodingError) {
    if hasOtherStreams { account.noteOtherStream() }
    account.compare(frameCount: 0, ofDecoded: droppedFrameCount, sampleRateInHz: sampleRateInHz)
    try account.leave(unread)
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    guard let link = links.first else {
      guard hasIntactPages else { throw .damaged(Problem(code: "corrupt", reason: "no intact Ogg page")) }
      throw .unsupported(reason: "no audio stream in Ogg (\(otherStreams.joined(separator: ", ")))")
    }
    switch link.codec {
    case .vorbis, .opus, .speex: return try OggDecoder(bytes, stream: self)
    case .flac:
      return try FLACDecoder(
        bytes, range: link.range, byteCount: link.byteCount,
        streamInfo: FLACStreamInfo(Array(link.identification.dropFirst(17))),
        channelMask: try ChannelMaskComment.channelMask(ofOgg: bytes), container: .ogg, oggSerial: link.serial,
        ownProblem: ownProblem, notes: notes, isChained: links.count > 1, options: options)
    case .other:
      throw .unsupported(reason: "no decoder for \(link.codec.displayName) in Ogg")
    }
  }
}

// MARK: What the file says

extension OggLayout {
  /// Compares the positions of the pages with the packets, link after link, as far as they are decoded.
  private mutating func judge() {
    guard let first = links.first else { return }
    if links.contains(where: { $0.shape == nil || $0.shape != first.shape }), links.count > 1 { hasOtherStreams = true }
    if first.codec == .flac { return judgeFLAC(first) }
    guard let shape = first.shape else {
      declaration.isSound = links.allSatisfy { $0.fault == nil }
      return
    }
    declaration.delayFrameCount = first.codec == .opus ? first.delayFrameCount : nil
    declaration.outputGain = first.outputGain
    var frameCount: Int64 = 0
    var trimmings = ""
    for link in links {
      guard link.shape == shape else { break }
      let extent = link.extent
      trimmings += "\(link.delayFrameCount) \(link.outputGain) \(extent.droppedFrameCount) \(extent.frameCount)\n"
      func seconds(_ frame: Int64) -> Double { Double(frameCount + frame) / Double(shape.sampleRateInHz) }
      if ownProblem == nil, let fault = link.fault {
        let frame = max(0, fault.granule - extent.startGranule - Int64(link.delayFrameCount))
        ownProblem = Problem(code: fault.code, reason: fault.reason, positionInSeconds: seconds(frame))
      }
      if ownProblem == nil, extent.missingFrameCount > OggTiming.slack, let frame = extent.contradictionFrame {
        ownProblem = Problem(
          code: "missing-packets", reason: "packets are missing: \(extent.missingFrameCount) frames by the positions",
          positionInSeconds: seconds(min(frame, extent.frameCount)))
      }
      if ownProblem == nil, extent.missingFrameCount > OggTiming.slack {
        ownProblem = .truncated(
          frameCount: frameCount + extent.frameCount,
          declaredFrameCount: frameCount + extent.frameCount + extent.missingFrameCount,
          sampleRateInHz: shape.sampleRateInHz)
      }
      if ownProblem == nil, let frame = extent.contradictionFrame {
        ownProblem = Problem(
          code: "positions", reason: "the page positions contradict the packet lengths",
          positionInSeconds: seconds(min(frame, extent.frameCount)))
      }
      if ownProblem == nil, extent.unplacedFrameCount > OggTiming.slack {
        ownProblem = Problem(
          code: "positions", reason: "the positions end \(extent.unplacedFrameCount) frames before the packets",
          positionInSeconds: seconds(extent.frameCount))
      }
      let contradicts = extent.missingFrameCount > 0 || extent.unplacedFrameCount > 0 || link.hasNegativePosition
      if ownProblem == nil, contradicts, notes.isEmpty { notes.append("header-lies") }
      frameCount += extent.frameCount
    }
    declaration.frameCount = frameCount
    declaration.isSound = ownProblem == nil && notes.isEmpty
    if links.count > 1 { declaration.chain = ContentHash(of: Array(trimmings.utf8)).low }
    // Vorbis has no field for it: positions that begin before zero say it.
    let dropped = first.extent.droppedFrameCount
    if first.codec == .vorbis, dropped > 0 { declaration.delayFrameCount = Int(dropped) }
  }

  /// Only the first link of a chain is decoded; the numbers of its frames are compared when they are decoded.
  private mutating func judgeFLAC(_ first: Link) {
    let info = FLACStreamInfo(Array(first.identification.dropFirst(17)))
    let rate = Double(max(1, info?.sampleRateInHz ?? 1))
    if let fault = first.fault {
      ownProblem = Problem(
        code: fault.code, reason: fault.reason, positionInSeconds: Double(fault.granule) / rate)
    } else if links.count > 1 {
      let frameCount = info?.frameCount ?? first.lastGranule ?? 0
      ownProblem = Problem(
        code: Self.chained, reason: "chained: 1 of \(links.count) links", positionInSeconds: Double(frameCount) / rate)
    }
    // The numbers of the frames say what is where: nothing is lost.
    if first.hasNegativePosition { notes.append("header-lies") }
    let head = first.identification
    // Version, marker, length of STREAMINFO, and blocks (RFC 9639 section 10.1): with others, the library finds no
    // stream.
    let isUsual =
      head.count >= 17 && head[5] == 1 && head.has("fLaC", at: 9) && head[13] & 0x7F == 0
      && head[14..<17].elementsEqual([0, 0, UInt8(FLACStreamInfo.byteCount)]) && !first.packets.hasWrongBlocks
    declaration.isSound = ownProblem == nil && info != nil && notes.isEmpty && isUsual
  }
}

extension OggLayout.Link {
  /// What all links of a chain must have in common to be decoded as one recording; nil if the headers are broken.
  fileprivate var shape: AudioFormat? {
    let head = packets.identification
    switch codec {
    case .vorbis:
      guard packets.hasDurations, let rate = head.littleEndian(UInt32.self, at: 12), rate > 0,
        let channelCount = head.bigEndian(UInt8.self, at: 11), channelCount > 0
      else { return nil }
      return AudioFormat(sampleRateInHz: Int(rate), channelCount: Int(channelCount), channelOrder: .vorbis)
    case .opus:
      guard head.count >= 19, head[9] > 0 else { return nil }
      return AudioFormat(
        sampleRateInHz: 48_000, channelCount: Int(head[9]), channelOrder: head[18] < 2 ? .vorbis : .unspecified)
    case .speex:
      return SpeexHeader(head).map {
        AudioFormat(sampleRateInHz: $0.sampleRateInHz, channelCount: $0.channelCount)
      }
    case .flac, .other: return nil
    }
  }

  fileprivate var delayFrameCount: Int {
    codec == .opus ? Int(packets.identification.littleEndian(UInt16.self, at: 10) ?? 0) : 0
  }

  fileprivate var outputGain: Int {
    codec == .opus ? Int(packets.identification.littleEndian(Int16.self, at: 16) ?? 0) : 0
  }

  var extent: OggTiming.Extent {
    packets.timing.extent(
      lastGranule: lastGranule, lastPageOffset: lastPageOffset, hasEnd: hasEnd, delay: Int64(delayFrameCount),
      lookahead: codec == .speex ? SpeexHeader(packets.identification)?.lookaheadFrameCount ?? 0 : 0,
      dropsBeforeZero: codec != .opus)
  }
}

extension OggLayout.Link {
  fileprivate init(
    codec: OggCodec, packet: [UInt8], page: OggPage, start: Int64, hash: ContentHasher?, gaps: OggGaps
  ) {
    self.codec = codec
    self.gaps = gaps
    packets = OggPacketWalk(codec: codec, hash: hash, gaps: gaps)
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

  /// - Returns: whether the page holds audio by the rules of version 1: those that follow the page with the last
  ///   header.
  fileprivate mutating func add(_ page: OggPage, body: UnsafeRawBufferPointer, skippedByteCount: Int64) -> Bool {
    if page.sequence != nextSequence {
      note("missing-pages", "pages are missing: number \(page.sequence) follows \(nextSequence &- 1)")
    } else if skippedByteCount > 0 {
      note("junk", "\(skippedByteCount) bytes between pages are not Ogg")
    }
    if page.hasImpossibleGranule { note("corrupt", "a page gives an impossible position") }
    let hasAudio = packets.add(page, body: body, isNextInRow: page.sequence == nextSequence)
    if packets.hasLostStart { note("corrupt", "a page continues a packet that did not begin") }
    nextSequence = page.sequence &+ 1
    hasEnd = page.isLast
    lastPageOffset = page.offset
    let isAudioPage = isAudioPageOfVersion1(page, body: body)
    guard hasAudio else { return isAudioPage }
    if audioOffset == nil { audioOffset = page.offset }
    if page.hasNegativeGranule, page.completedPacketCount > 0 { hasNegativePosition = true }
    if let granule = page.granule, granule >= lastGranule ?? 0 {
      lastGranule = granule
      // A decoder that starts here must not get headers.
      if isAudioPage { index.add(page.offset, at: granule) }
    }
    return isAudioPage
  }

  private mutating func isAudioPageOfVersion1(_ page: OggPage, body: UnsafeRawBufferPointer) -> Bool {
    if let missing = missingHeaderPacketCount {
      guard missing > 0 else { return true }
      missingHeaderPacketCount = max(0, missing - page.completedPacketCount)
      return false
    }
    // Ogg FLAC that does not count its headers: frames begin with a sync code, metadata blocks do not.
    guard !page.isContinued, body.first == 0xFF else { return false }
    missingHeaderPacketCount = 0
    return true
  }
}
