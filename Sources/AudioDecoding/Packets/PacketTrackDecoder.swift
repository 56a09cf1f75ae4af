import MediaModel

/// Decodes a track of packets.
///
/// Every packet gives the frames that it states, or that its codec has for one, whether it decodes or not: what is
/// behind a broken packet does not move. So the place of a frame is known without decoding what is before it.
final class PacketTrackDecoder: DecodingEngine {
  let format: AudioFormat
  let mediaFormat: MediaFormat
  private(set) var streamProblem: Problem?

  private let track: PacketTrack
  private let reader: any PacketReader
  private let shape: PacketFrames
  private var decoder: any PacketDecoder
  /// The next packet, and its first frame in the decode.
  private var place = PacketPlaces.Place()
  /// States of the decoder, by first frames of packets; half a second of most streams lies between them.
  private var checkpoints = SeekIndex<Checkpoint>(stride: 24_000, sizeLimit: 4 << 20, size: \.state.count)
  private var pending: PendingSamples
  private var allowance: SilenceAllowance
  /// Frames that are still to be decoded and dropped, and frames of the recording that are still to be given out.
  private var frameCountToDrop: Int64
  private var remainingFrameCount: Int64

  /// The state of a decoder before a packet.
  private struct Checkpoint {
    let packetNumber: Int64
    let state: [UInt8]
  }

  init(_ bytes: BufferedBytes, track: PacketTrack, options: DecodingOptions) throws(DecodingError) {
    decoder = try track.codec.makeDecoder()
    guard let shape = track.decoded else {
      throw .damaged(.noPacketDecodes(of: track.codec.codec))
    }
    guard track.source.packetCount > 0 else { throw .empty(reason: "no packet of \(track.codec.codec.rawValue)") }
    self.track = track
    self.shape = shape
    reader = track.source.makeReader(bytes)
    frameCountToDrop = track.skippedFrameCount
    remainingFrameCount = track.frameCount
    format = try .checked(
      sampleRateInHz: shape.sampleRateInHz, channelCount: shape.channelCount,
      sampleEncoding: shape.isInteger ? .integer : .floatingPoint, channelOrder: track.codec.channelOrder,
      channelMask: shape.channelMask)
    allowance = SilenceAllowance(sampleRateInHz: shape.sampleRateInHz)
    let whole = track.decodedFrameCount
    mediaFormat = MediaFormat(
      container: track.container, codec: track.codec.codec, sampleRateInHz: shape.sampleRateInHz,
      channelCount: shape.channelCount, bitsPerSample: track.codec.bitsPerSample,
      bitRateInBitsPerSecond: Int(
        (Double(track.source.byteCount) * 8 * Double(shape.sampleRateInHz) / Double(max(1, whole))).rounded()),
      declaredFrameCount: track.declaredFrameCount, delayFrameCount: track.delayFrameCount,
      paddingFrameCount: track.delayFrameCount == nil || track.codec.codec.isLossless
        ? nil : Int(max(0, whole - track.skippedFrameCount - track.frameCount)))
    let isHashed = options.hashesSamples && track.codec.codec.isLossless
    pending = PendingSamples(
      channelCount: shape.channelCount, isInteger: shape.isInteger,
      hasher: isHashed ? SampleHasher(shape.isInteger ? .int : .f32) : nil)
  }

  var ownProblem: Problem? { track.ownProblem }
  var notes: [String] { track.notes }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    while remainingFrameCount > 0 {
      while pending.frameCount == 0 { guard try decodePacket() else { return 0 } }
      if frameCountToDrop > 0 {
        let dropped = Int(min(frameCountToDrop, Int64(pending.frameCount)))
        frameCountToDrop -= Int64(dropped)
        pending.drop(dropped)
        continue
      }
      let count = Int(
        min(Int64(pending.frameCount), Int64(buffer.count / format.channelCount), remainingFrameCount))
      guard count > 0 else { return 0 }
      pending.give(count, to: buffer)
      remainingFrameCount -= Int64(count)
      return count
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    allowance = SilenceAllowance(sampleRateInHz: format.sampleRateInHz)
    try enter(before: min(frame, track.frameCount) + track.skippedFrameCount)
    let start = max(0, place.firstFrame - track.skippedFrameCount)
    frameCountToDrop = max(0, track.skippedFrameCount - place.firstFrame)
    remainingFrameCount = track.frameCount - start
    return start
  }

  func finishSampleHash() -> ContentHash? { pending.finishHash(format) }

  // MARK: Packets

  /// Goes to a packet at or before `frame` of the decode from which a whole decode can be continued.
  private func enter(before frame: Int64) throws(DecodingError) {
    switch track.codec.restart {
    case .anywhere:
      place = track.place(atOrBefore: frame)
      try reader.go(toPacket: place.packetNumber)
    case .preroll(let packetCount):
      place = track.place(atOrBefore: frame)
      decoder = try track.codec.makeDecoder()
      try preroll(packetCount)
    case .periodically(let period, let prerollCount):
      let number = track.place(atOrBefore: frame).packetNumber / period * period
      place = PacketPlaces.Place(packetNumber: number, firstFrame: number * track.frameCountPerPacket)
      decoder = try track.codec.makeDecoder()
      try preroll(prerollCount)
    case .fromSavedStates:
      let isBehind = place.firstFrame > frame
      let saved = checkpoints.entry(atOrBefore: frame)
      // Unless what comes next is nearer than the state.
      if isBehind || place.firstFrame < saved?.position ?? 0 {
        try enter(saved)
      }
    }
    pending.removeAll()
  }

  /// Goes to a state that was kept; nil means the start.
  private func enter(_ saved: SeekIndex<Checkpoint>.Entry?) throws(DecodingError) {
    place = PacketPlaces.Place(packetNumber: saved?.value.packetNumber ?? 0, firstFrame: saved?.position ?? 0)
    decoder = try track.codec.makeDecoder()
    if let saved { decoder.restore(saved.value.state) }
    try reader.go(toPacket: place.packetNumber)
  }

  func lookAhead() throws(DecodingError) -> Bool {
    guard track.codec.restart == .fromSavedStates else { return false }
    let furthest = checkpoints.last
    let (place, state, pending) = (place, decoder.savedState(), pending)
    let (remainingFrameCount, allowance) = (remainingFrameCount, allowance)
    defer { (self.remainingFrameCount, self.allowance) = (remainingFrameCount, allowance) }
    try enter(furthest)
    var hasPackets = true
    while hasPackets, checkpoints.last?.position ?? -1 <= furthest?.position ?? -1 {
      self.pending.removeAll()
      hasPackets = try decodePacket()
    }
    try enter(
      SeekIndex<Checkpoint>.Entry(
        position: place.firstFrame, value: Checkpoint(packetNumber: place.packetNumber, state: state)))
    self.pending = pending
    return hasPackets
  }

  /// Decodes and drops the packets before the next one.
  private func preroll(_ packetCount: Int64) throws(DecodingError) {
    let first = max(0, place.packetNumber - packetCount)
    try reader.go(toPacket: first)
    for _ in first..<place.packetNumber {
      guard let packet = try reader.next() else { return }
      _ = try decode(packet)
    }
    pending.removeAll()
  }

  private func decode(_ packet: Packet) throws(DecodingError) -> PacketFrames? {
    try pending.fill { samples throws(DecodingError) in
      try reader.withBytes(of: packet) { decoder.decode($0, into: &samples) }
    }
  }

  /// Does what is due before the next packet: begins with a new decoder, or keeps the state of this one.
  private func prepare() throws(DecodingError) {
    switch track.codec.restart {
    case .periodically(let period, let prerollCount):
      guard place.packetNumber > 0, place.packetNumber.isMultiple(of: period) else { return }
      decoder = try track.codec.makeDecoder()
      try preroll(prerollCount)
    case .fromSavedStates where checkpoints.isWanted(at: place.firstFrame):
      let checkpoint = Checkpoint(packetNumber: place.packetNumber, state: decoder.savedState())
      checkpoints.add(checkpoint, at: place.firstFrame)
    default: break
    }
  }

  /// Makes the samples of the next packet ``pending``; false at the end.
  private func decodePacket() throws(DecodingError) -> Bool {
    guard place.packetNumber < track.source.packetCount else { return false }
    try prepare()
    guard let packet = try reader.next() else { return false }
    let frames = try decode(packet)
    let wanted = packet.frameCount ?? Int(track.frameCountPerPacket)
    let mayBeShorter = packet.frameCount == nil && place.packetNumber == track.source.packetCount - 1
    let isIntact =
      frames.map { $0.hasShape(of: shape) && ($0.frameCount == wanted || mayBeShorter && $0.frameCount < wanted) }
      ?? (wanted == 0)
    if isIntact {
      allowance.addSound(frameCount: wanted)
    } else {
      if packet.isLost { noteLoss() } else { note(frames) }
      pending.removeAll()
      let byteCount = packet.range.upperBound - packet.range.lowerBound
      guard allowance.addSilence(frameCount: wanted, byteCount: byteCount) else {
        remainingFrameCount = 0
        return false
      }
    }
    if !mayBeShorter || !isIntact { pending.fill(to: wanted) }
    place.packetNumber += 1
    place.firstFrame += Int64(wanted)
    return true
  }

  private func noteLoss() {
    streamProblem =
      streamProblem
      ?? .missingPackets(
        before: place.packetNumber, atFrame: max(0, place.firstFrame - track.skippedFrameCount),
        sampleRateInHz: shape.sampleRateInHz)
  }

  /// Spectral band replication may begin some packets after the start; silence in its place is no damage.
  private func note(_ frames: PacketFrames?) {
    let isStart = place.packetNumber < 16 && frames.map { $0.channelCount <= shape.channelCount } == true
    guard streamProblem == nil, !isStart else { return }
    streamProblem = .packet(
      place.packetNumber, of: track.codec.codec, atFrame: max(0, place.firstFrame - track.skippedFrameCount),
      gave: frames, insteadOf: shape)
  }
}
