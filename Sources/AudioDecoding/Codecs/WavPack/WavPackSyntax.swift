import MediaModel

/// Blocks of WavPack in a row: a packet is the blocks of one group of channels after the other.
struct WavPackSyntax: BareFrameSyntax {
  let container = Container.wavpack
  let rules = StreamHashers.Rules.wavPack
  let headByteCount = WavPackBlock.headerByteCount
  let codec: PacketCodec
  /// What the first block with sound says of the file.
  let totalFrameCount: Int64?
  let isHybrid: Bool

  /// Reads the first block that has sound; throws if it has none that can be decoded.
  init(_ bytes: BufferedBytes, range: Range<Int64>) throws(DecodingError) {
    var offset = range.lowerBound
    var first: WavPackBlock?
    while offset < range.upperBound,
      let block = WavPackBlock(try bytes.copy(at: offset, count: WavPackBlock.headerByteCount))
    {
      first = block
      if block.frameCount > 0 { break }
      offset += Int64(block.byteCount)
    }
    guard let first else {
      throw .unsupported(reason: "no block of version 4 or 5 at the start of the WavPack file")
    }
    guard first.frameCount > 0 else { throw .empty(reason: "no block of the WavPack file contains audio") }
    let parts = try WavPackPart.parts(bytes, block: offset..<offset + Int64(first.byteCount))
    guard !first.isDSD else { throw .unsupported(reason: "no decoder for DSD in WavPack") }
    guard !parts.contains(where: { $0.kind == .correction }) || parts.contains(where: { $0.kind == .sound }) else {
      throw .unsupported(reason: "a WavPack correction file (.wvc) contains no audio of its own")
    }
    codec = .wavPack(first, statedRate: parts.first { $0.kind == .sampleRate }?.data)
    totalFrameCount = first.totalFrameCount
    isHybrid = first.isHybrid
  }

  func canBegin(with byte: UInt8) -> Bool { byte == 0x77 }

  func frame(_ head: [UInt8]) -> BareFrame? {
    guard let block = WavPackBlock(head) else { return nil }
    return BareFrame(
      role: block.frameCount == 0 ? .other : block.isFirst ? .packet : .continuation, byteCount: block.byteCount,
      frameCount: block.frameCount, firstFrame: block.firstFrame)
  }

  func complete(_ track: inout PacketTrack, of frames: BareFrames) {
    track.declaredFrameCount = totalFrameCount
    if isHybrid { track.notes.append("hybrid") }
    guard let declared = totalFrameCount else { return }
    if track.frameCount > declared { track.notes.append("header-lies") }
    if track.frameCount < declared, track.ownProblem == nil || track.ownProblem?.code == "truncated" {
      track.ownProblem = .truncated(
        frameCount: track.frameCount, declaredFrameCount: declared, sampleRateInHz: track.sampleRateInHz)
    }
  }
}

extension PacketCodec {
  /// WavPack, whose blocks say everything.
  ///
  /// - Parameter statedRate: The sample rate in three bytes, the lowest first, if the block's header has no number for
  ///   it.
  static func wavPack(_ block: WavPackBlock, statedRate: [UInt8]?) -> PacketCodec {
    let stated = statedRate?.prefix(3).reversed().reduce(0) { $0 << 8 | Int($1) }
    return .ffmpeg(
      "wavpack", codec: block.isHybrid ? .hybridWavPack : .wavpack,
      sampleRateInHz: block.sampleRateInHz ?? stated ?? 44_100, channelCount: 0, bitsPerSample: block.bitsPerSample,
      frameCountPerPacket: nil, restart: .anywhere)
  }
}

extension StreamHashers.Rules {
  static let wavPack = Self("wavpack") { $0.update(wavPackBlocks: $1) }
}

extension TrackForm {
  /// Blocks of WavPack with all of their headers.
  static var wavPack: TrackForm {
    .bare { (bytes, range) throws(DecodingError) in try WavPackSyntax(bytes, range: range) }
  }
}
