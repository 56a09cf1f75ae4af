import MediaModel

/// An audio track as packets: how they are decoded, which frames of theirs are the recording, and where they are.
///
/// Each container adds an initializer of its own, which says what it knows about trimming and damage.
struct PacketTrack {
  let container: Container
  let codec: PacketCodec
  let source: any PacketSource
  /// What the decoder gives for the first packets; nil if it is not there, or decodes none of them.
  let decoded: PacketFrames?
  /// Frames of the decode before the recording, and of the recording; the rest at the end is dropped.
  var skippedFrameCount: Int64 = 0
  var frameCount: Int64
  /// What the container says, in frames of the decode.
  var delayFrameCount: Int?
  var declaredFrameCount: Int64?
  /// A gain in the header that the decoder applies, as Opus has it: in 1/256 dB.
  var outputGain = 0
  var ownProblem: Problem?
  var notes: [String] = []

  /// All frames of all packets.
  init(
    _ source: any PacketSource, container: Container, codec: PacketCodec, bytes: BufferedBytes
  ) throws(DecodingError) {
    self.container = container
    self.codec = codec
    self.source = source
    decoded = try Self.decode(codec, source.makeReader(bytes))
    frameCount = 0
    frameCount = decodedFrameCount
  }

  /// Frames of the decode for each packet but the last, if every packet gives as many; else 0.
  var frameCountPerPacket: Int64 {
    let count = codec.frameCountPerPacket ?? 0
    // Spectral band replication doubles the frames of the core.
    return Int64(decoded?.frameCount == 2 * count ? 2 * count : count)
  }

  /// Frames of the decode; the last packet may give fewer if every packet gives as many.
  var decodedFrameCount: Int64 { source.places?.end.firstFrame ?? source.packetCount * frameCountPerPacket }

  /// Of the decode; that of the core if nothing could be decoded.
  var sampleRateInHz: Int { decoded?.sampleRateInHz ?? codec.sampleRateInHz }

  /// A packet near `frame` of the decode that does not begin behind it.
  func place(atOrBefore frame: Int64) -> PacketPlaces.Place {
    if let places = source.places { return places.place(atOrBefore: frame) }
    let number = min(frame / frameCountPerPacket, source.packetCount)
    return PacketPlaces.Place(packetNumber: number, firstFrame: number * frameCountPerPacket)
  }

  /// Packets in which spectral band replication and parametric stereo show.
  private static let telltalePacketCount = 16

  /// What a decoder gives for the first packets that it decodes, however many before them it does not.
  private static func decode(_ codec: PacketCodec, _ reader: any PacketReader) throws(DecodingError) -> PacketFrames? {
    guard let decoder = try? codec.makeDecoder() else { return nil }
    var samples: [UInt32] = []
    var found: PacketFrames?
    var wantedCount = codec.codec == .aac ? telltalePacketCount : 1
    // More silence would not be given out in place of these packets.
    var allowance = SilenceAllowance(sampleRateInHz: codec.sampleRateInHz)
    while wantedCount > 0, let packet = try reader.next() {
      let frames = try reader.withBytes(of: packet) { decoder.decode($0, into: &samples) }
      if let frames, codec.mayGive(frames) { found = frames }
      if found != nil { wantedCount -= 1 }
      guard found == nil else { continue }
      let frameCount = packet.frameCount ?? codec.frameCountPerPacket ?? 0
      let byteCount = packet.range.upperBound - packet.range.lowerBound
      guard allowance.addSilence(frameCount: frameCount, byteCount: byteCount) else { break }
    }
    return found
  }
}

extension PacketCodec {
  /// Whether a packet can give such frames. What a damaged one of a lossless codec gives may have other channels.
  fileprivate func mayGive(_ frames: PacketFrames) -> Bool {
    !codec.isLossless || channelCount == 0 || frames.channelCount == channelCount
  }
}

extension PacketTrack: StreamLayout {
  var declaration: StreamDeclaration {
    StreamDeclaration(
      isSound: ownProblem == nil && !notes.contains("header-lies"), delayFrameCount: delayFrameCount,
      // The last packet of a lossless codec may be shorter, which only a decode shows.
      frameCount: codec.codec.isLossless && declaredFrameCount == nil ? nil : frameCount, outputGain: outputGain)
  }

  func finish(_ hashers: StreamHashers, _ bytes: BufferedBytes) -> Int64? { source.byteCount }

  func account(to account: inout FileAccount) throws(DecodingError) {
    account.compare(frameCount: frameCount, ofDecoded: decodedFrameCount, sampleRateInHz: sampleRateInHz)
    try source.account(to: &account)
  }

  func makeEngine(
    _ bytes: BufferedBytes, in container: Container, options: DecodingOptions
  ) throws(DecodingError) -> any DecodingEngine {
    try PacketTrackDecoder(bytes, track: self, options: options)
  }
}
