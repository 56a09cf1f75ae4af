import MediaModel

/// Splits the pages of one logical stream into packets, without copying audio: hashes them and counts their frames.
///
/// Packets are those that ``OggPacketReader`` gives: one whose start or end is lost is hashed, but not counted.
struct OggPacketWalk {
  private static let maximumHeaderByteCount = 4 + (16 << 20)

  let codec: OggCodec
  /// Of the audio packets.
  private(set) var byteCount: Int64 = 0
  private(set) var timing: OggTiming
  /// The whole first packet.
  private(set) var identification: [UInt8] = []

  private let hash: ContentHasher?
  /// Of the frames of FLAC, which have no lengths.
  private let frames: ContentHasher?
  private var setup: [UInt8] = []
  private var comments: [UInt8] = []
  private var durations: (any PacketDurations)?
  private var packetCount: Int64 = 0
  private var isInAudio = false
  private var isConfigurationHashed = false
  /// Header packets that are complete.
  private var headerCount = 0
  /// Bytes so far of the packet that goes on.
  private var pendingByteCount = 0
  /// Its start is lost.
  private var isPartial = false
  private var firstByte: UInt8 = 0
  /// The first four bytes of a header packet.
  private var headerMark: UInt32 = 0
  private var secondByte: UInt8 = 0

  /// Whether the frames of the audio packets are counted.
  private(set) var hasDurations = false
  /// A page says that it continues a packet that did not begin, in the middle of what is complete.
  private(set) var hasLostStart = false
  /// The length of a metadata block of FLAC is not that of its packet, or the last one does not say that it is the
  /// last.
  private(set) var hasWrongBlocks = false

  /// - Parameters:
  ///   - hash: gets configuration and audio packets by the rules of version 2.
  ///   - gaps: at the start of the stream.
  init(codec: OggCodec, hash: ContentHasher?, gaps: OggGaps) {
    self.codec = codec
    timing = OggTiming(gaps: gaps)
    self.hash = hash
    frames = hash != nil && codec == .flac ? ContentHasher() : nil
  }

  /// Adds the next page of the stream.
  ///
  /// - Parameter isNextInRow: whether it follows the page before by its number.
  /// - Returns: whether audio packets begin, go on or end on the page.
  mutating func add(_ page: OggPage, body: UnsafeRawBufferPointer, isNextInRow: Bool) -> Bool {
    begin(page, isNextInRow: isNextInRow)
    if isInAudio, !isNextInRow { timing.openGap() }
    let lastEnd = page.lacing.lastIndex { $0 < 255 }
    var segment = 0
    var offset = 0
    var hasAudio = false
    while segment < page.lacing.count {
      var length = 0
      var isComplete = false
      while segment < page.lacing.count, !isComplete {
        length += Int(page.lacing[segment])
        isComplete = page.lacing[segment] < 255
        segment += 1
      }
      add(UnsafeRawBufferPointer(rebasing: body[offset..<offset + length]))
      offset += length
      // A packet without bytes is audio only behind the headers.
      hasAudio = hasAudio || isInAudio
      if isComplete { complete(page, isLastOnPage: segment - 1 == lastEnd) }
    }
    return hasAudio
  }

  /// Ends the stream.
  mutating func close() {
    abandon()
    hashConfiguration()
    // A chain may have thousands of links.
    durations = nil
    if let frames {
      hash?.note(frames)
    } else {
      hash?.note(length: packetCount)
      hash?.note(length: byteCount)
    }
  }

  private mutating func begin(_ page: OggPage, isNextInRow: Bool) {
    if !page.isContinued {
      abandon()
    } else if !isNextInRow || pendingByteCount == 0 && !isPartial {
      abandon()
      isPartial = true
      if isNextInRow { hasLostStart = true }
    }
  }

  /// Gives up a packet whose end is lost.
  private mutating func abandon() {
    if isInAudio, pendingByteCount > 0 { endAudioPacket() }
    isPartial = false
    pendingByteCount = 0
    if !isInAudio {
      switch headerCount {
      case 0: identification = []
      case 1: comments = []
      default: setup = []
      }
    }
  }

  private mutating func add(_ piece: UnsafeRawBufferPointer) {
    guard let first = piece.first else { return }
    if pendingByteCount == 0 {
      firstByte = first
      secondByte = piece.count > 1 ? piece[1] : 0
      // Frames of FLAC begin with a sync code, metadata blocks do not, however many of them there are.
      if !isInAudio, codec == .flac, headerCount > 0, first == 0xFF, !isPartial { beginAudio(piece) }
    } else if pendingByteCount == 1 {
      secondByte = first
    }
    if !isInAudio {
      for byte in piece.prefix(max(0, 4 - pendingByteCount)) { headerMark = headerMark << 8 | UInt32(byte) }
    }
    pendingByteCount += piece.count
    if isInAudio {
      (frames ?? hash)?.update(piece)
      byteCount += Int64(piece.count)
    } else if !isPartial, pendingByteCount <= Self.maximumHeaderByteCount {
      switch headerCount {
      case 0: identification.append(contentsOf: piece)
      case 1 where codec == .flac: comments.append(contentsOf: piece)
      case 2 where codec == .vorbis: setup.append(contentsOf: piece)
      default: break
      }
    }
  }

  private mutating func complete(_ page: OggPage, isLastOnPage: Bool) {
    defer {
      pendingByteCount = 0
      isPartial = false
    }
    guard isInAudio else {
      guard !isPartial else { return }
      if codec == .flac, headerCount > 0, Int(headerMark & 0xFF_FFFF) != pendingByteCount - 4 {
        hasWrongBlocks = true
      }
      headerCount += 1
      if let count = codec.headerPacketCount(firstPacket: identification), headerCount == count {
        beginAudio(UnsafeRawBufferPointer(start: nil, count: 0))
      }
      return
    }
    endAudioPacket()
    // No decoder gets a packet whose start is lost.
    guard !isPartial else { return }
    let frameCount = durations?.frameCount(first: firstByte, second: secondByte, byteCount: pendingByteCount) ?? 0
    timing.add(frameCount: frameCount, granule: isLastOnPage ? page.granule : nil, page: page)
  }

  private mutating func endAudioPacket() {
    packetCount += 1
    if frames == nil { hash?.note(length: Int64(pendingByteCount)) }
  }

  private mutating func beginAudio(_ firstPiece: UnsafeRawBufferPointer) {
    isInAudio = true
    switch codec {
    case .vorbis: durations = try? VorbisHeaders(identification: identification, setup: setup).durations
    case .opus: durations = OpusPacketDurations()
    case .speex:
      durations = SpeexHeader(identification).map { SpeexPacketDurations(frameCount: $0.frameCountPerPacket) }
    default: break
    }
    hasDurations = durations != nil
    if codec == .flac {
      let last = headerCount > 1 ? headerMark >> 24 : UInt32(identification.dropFirst(13).first ?? 0)
      if last & 0x80 == 0 { hasWrongBlocks = true }
    }
    if codec == .flac, FLACStreamInfo(Array(identification.dropFirst(17))) == nil {
      hashConfiguration(firstFrame: Array(firstPiece.prefix(FLACFrameShape.maximumByteCount)))
    } else {
      hashConfiguration()
    }
  }

  private mutating func hashConfiguration(firstFrame: [UInt8] = []) {
    guard !isConfigurationHashed else { return }
    isConfigurationHashed = true
    defer { (setup, comments) = ([], []) }
    guard let hash else { return }
    switch codec {
    case .vorbis:
      hash.begin(.vorbis)
      for packet in [identification, setup] {
        hash.note(length: Int64(packet.count))
        hash.note(packet)
      }
    case .opus:
      hash.begin(.opus)
      let configuration = OpusPacketDecoder.configuration(head: identification)
      hash.note(length: Int64(configuration.count))
      hash.note(configuration)
    case .flac:
      hash.begin(.flac)
      let isComment = comments.first.map { $0 & 0x7F == 4 } ?? false
      hash.note(
        FLACStreamInfo.configuration(
          FLACStreamInfo(Array(identification.dropFirst(17))), firstFrame: firstFrame,
          channelMask: isComment ? ChannelMaskComment.channelMask(in: Array(comments.dropFirst(4))) : nil))
    case .speex where SpeexHeader(identification) != nil:
      hash.begin(.speex)
      hash.note(SpeexHeader(identification)?.identity ?? "")
    case .speex, .other:
      hash.begin(.other)
      hash.note(length: Int64(identification.count))
      hash.note(identification)
    }
  }
}

extension StreamHashers.Rules {
  /// Streams of a chain for which there is no decoder.
  static let other = Self("other")
}
