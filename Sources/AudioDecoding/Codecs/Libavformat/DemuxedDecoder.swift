import MediaModel

/// Decodes a file whose packets libavformat finds; a frame is reached by decoding from the start.
///
/// What libavformat passes over becomes silence as long as the times of the packets say, so that what is behind it
/// stays in its place.
final class DemuxedDecoder: DecodingEngine {
  let format: AudioFormat
  let mediaFormat: MediaFormat
  let ownProblem: Problem? = nil
  let notes: [String] = []
  private(set) var streamProblem: Problem?

  private let bytes: BufferedBytes
  private let layout: DemuxedLayout
  private var file: DemuxedFile
  private let shape: PacketFrames
  private var pending: PendingSamples
  private var packetNumber: Int64 = 0
  private var isAtEnd = false
  private var position: Int64 = 0
  /// A packet that was read to learn when the one before it ends, or that there is none; nil if none was read.
  private var next: DemuxedFile.DemuxedPacket??
  private var clock: PacketClock?
  /// Frames of silence that come before what is pending.
  private var silentFrameCount: Int64 = 0
  private var allowance: SilenceAllowance

  init(_ bytes: BufferedBytes, layout: DemuxedLayout, options: DecodingOptions) throws(DecodingError) {
    self.bytes = bytes
    self.layout = layout
    let first = try DemuxedFile(bytes, layout: layout)
    let stream = first.stream
    var found: PacketFrames?
    var samples: [UInt32] = []
    while found == nil, let packet = try first.next() {
      found = first.decoder.decodeAll(packet.bytes, into: &samples).frames
    }
    guard let shape = found else { throw .damaged(.noPacketDecodes(of: stream.codec)) }
    self.shape = shape
    format = try .checked(
      sampleRateInHz: shape.sampleRateInHz, channelCount: shape.channelCount,
      sampleEncoding: shape.isInteger ? .integer : .floatingPoint, channelMask: shape.channelMask)
    let isLossless = stream.codec.isLossless
    let seconds = stream.frameCount.map { Double($0) / Double(max(1, stream.sampleRateInHz)) }
    let byteCount = Double(layout.hashed.upperBound - layout.hashed.lowerBound)
    let stated = (1...100_000_000).contains(stream.bitRateInBitsPerSecond) ? Int(stream.bitRateInBitsPerSecond) : nil
    let bitRate = seconds.map { Int((byteCount * 8 / max($0, 0.001)).rounded()) } ?? stated
    mediaFormat = MediaFormat(
      container: layout.container, codec: stream.codec, sampleRateInHz: format.sampleRateInHz,
      channelCount: format.channelCount,
      bitsPerSample: isLossless && (1...32).contains(stream.bitsPerSample) ? stream.bitsPerSample : nil,
      bitRateInBitsPerSecond: bitRate,
      declaredFrameCount: stream.frameCount)
    let isHashed = options.hashesSamples && shape.isInteger
    pending = PendingSamples(
      channelCount: shape.channelCount, isInteger: shape.isInteger,
      hasher: isHashed ? SampleHasher.Form(stream.codec).flatMap { SampleHasher($0) } : nil)
    file = try DemuxedFile(bytes, layout: layout)
    clock = Self.clock(of: stream)
    allowance = SilenceAllowance(sampleRateInHz: format.sampleRateInHz)
  }

  /// Where the header counts frames, the packets say how long they are.
  private static func clock(of stream: DemuxedFile.Stream) -> PacketClock? {
    stream.frameCount == nil ? PacketClock(sampleRateInHz: stream.sampleRateInHz, duration: stream.duration) : nil
  }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    while pending.frameCount == 0, silentFrameCount == 0 { guard try decodePacket() else { return 0 } }
    if silentFrameCount > 0 {
      let count = Int(min(silentFrameCount, Int64(buffer.count / format.channelCount)))
      buffer[..<(count * format.channelCount)].update(repeating: 0)
      silentFrameCount -= Int64(count)
      position += Int64(count)
      return count
    }
    let count = min(pending.frameCount, buffer.count / format.channelCount)
    pending.give(count, to: buffer)
    position += Int64(count)
    return count
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    if frame < position {
      file = try DemuxedFile(bytes, layout: layout)
      pending.removeAll()
      (packetNumber, position, isAtEnd, next, silentFrameCount) = (0, 0, false, .none, 0)
      clock = Self.clock(of: file.stream)
      allowance = SilenceAllowance(sampleRateInHz: format.sampleRateInHz)
    }
    return position
  }

  func finishSampleHash() -> ContentHash? { pending.finishHash(format) }

  func finish(frameCount: Int64) {
    guard streamProblem == nil, let clock else { return }
    let seconds = Double(frameCount) / Double(format.sampleRateInHz)
    if clock.hasMissingStart(atEnd: frameCount) {
      streamProblem = .missingPackets(before: 0, atFrame: 0, sampleRateInHz: format.sampleRateInHz)
    } else if layout.missingByteCount > 0 {
      streamProblem = Problem(
        code: "truncated", reason: "truncated: \(layout.missingByteCount) bytes of packets are missing",
        positionInSeconds: seconds)
    } else if file.unreadByteCount > layout.packetByteCount {
      // One packet may hold the beginning of what was never finished.
      streamProblem = Problem(
        code: "junk", reason: "\(file.unreadByteCount) bytes after the last packet are not audio",
        positionInSeconds: seconds)
    }
  }

  // MARK: Packets

  /// Makes the samples of the next packet ``pending``, perhaps none; false at the end.
  private func decodePacket() throws(DecodingError) -> Bool {
    pending.removeAll()
    guard !isAtEnd else { return false }
    let packet = if let next { next } else { try file.next() }
    next = .none
    isAtEnd = packet == nil
    let hasLostStart = packet?.followsLostStart == true
    let lost =
      packet?.start.flatMap { clock?.lostFrameCount(beforePacketAt: $0, atFrame: position, hasLostStart: hasLostStart) }
      ?? 0
    // What is left of a block whose rest is lost would be joined to another one.
    if lost > 0 { file.decoder.reset() }
    let (frames, isIntact) = pending.fill { file.decoder.decodeAll(packet?.bytes, into: &$0) }
    let hasShape = frames?.hasShape(of: shape) ?? true
    if !hasShape { pending.removeAll() }
    clock?.add(frameCount: Int64(pending.frameCount))
    // Some decoders give nothing for the first packet.
    if isIntact, position == 0, pending.frameCount == 0 { clock?.restart() }
    if lost > 0 {
      try fill(lost)
    } else if !isIntact || !hasShape {
      note(frames, packet)
    }
    if let packet { notePlace(of: packet) }
    packetNumber += 1
    return true
  }

  /// Notes that a packet does not decode. If the container counts its frames, it becomes silence of that length; if it
  /// only says when packets begin, the next one shows what is missing.
  private func note(_ frames: PacketFrames?, _ packet: DemuxedFile.DemuxedPacket?) {
    streamProblem =
      streamProblem
      ?? .packet(packetNumber, of: file.stream.codec, atFrame: position, gave: frames, insteadOf: shape)
    guard clock == nil || packet?.start == nil else { return }
    pending.fill(to: Int(min(packet?.frameCount ?? 0, 1 << 22)))
  }

  /// Notes that packets come twice, or that there is something between them, which libavformat passes over.
  private func notePlace(of packet: DemuxedFile.DemuxedPacket) {
    let goesBack = packet.start.map { clock?.goesBack(toPacketAt: $0) ?? false } ?? false
    guard streamProblem == nil, goesBack || packet.isDisplaced else { return }
    streamProblem = Problem(
      code: goesBack ? "positions" : "junk",
      reason: goesBack
        ? "the packet times go backwards at packet \(packetNumber)"
        : "bytes before packet \(packetNumber) are not audio",
      positionInSeconds: Double(position) / Double(format.sampleRateInHz))
  }

  /// Puts silence before what is pending, in place of frames that are lost.
  private func fill(_ lost: Int64) throws(DecodingError) {
    streamProblem =
      streamProblem
      ?? .missingPackets(before: packetNumber, atFrame: position, sampleRateInHz: format.sampleRateInHz)
    var lost = lost
    let behind = try file.next()
    next = .some(behind)
    if let start = behind?.start, let clock {
      lost = clock.lostFrameCount(lost, beforePacketAt: start, atFrame: position + Int64(pending.frameCount))
    }
    guard lost < 1 << 40, allowance.addSilence(frameCount: Int(lost), byteCount: 0) else { return }
    silentFrameCount = lost
  }
}
