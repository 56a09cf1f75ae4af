import MediaModel

/// Decodes a file whose packets libavformat finds; a frame is reached by decoding from the start.
final class DemuxedDecoder: DecodingEngine {
  /// How many packets may come before the first frame.
  private static let longestStart = 16

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

  init(_ bytes: BufferedBytes, layout: DemuxedLayout, options: DecodingOptions) throws(DecodingError) {
    self.bytes = bytes
    self.layout = layout
    let first = try DemuxedFile(bytes, layout: layout)
    let stream = first.stream
    var found: PacketFrames?
    var samples: [UInt32] = []
    for _ in 0..<Self.longestStart where found == nil {
      guard let packet = try first.next() else { break }
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
  }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    while pending.frameCount == 0 { guard try decodePacket() else { return 0 } }
    let count = min(pending.frameCount, buffer.count / format.channelCount)
    pending.give(count, to: buffer)
    position += Int64(count)
    return count
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    if frame < position {
      file = try DemuxedFile(bytes, layout: layout)
      pending.removeAll()
      (packetNumber, position, isAtEnd) = (0, 0, false)
    }
    return position
  }

  func finishSampleHash() -> ContentHash? { pending.finishHash(format) }

  /// Makes the samples of the next packet ``pending``, perhaps none; false at the end.
  ///
  /// If the container says how long a packet is, one that does not decode becomes silence of that length.
  private func decodePacket() throws(DecodingError) -> Bool {
    pending.removeAll()
    guard !isAtEnd else { return false }
    let packet = try file.next()
    isAtEnd = packet == nil
    let (frames, isIntact) = pending.fill { file.decoder.decodeAll(packet?.bytes, into: &$0) }
    let hasShape = frames?.hasShape(of: shape) ?? true
    if !isIntact || !hasShape {
      streamProblem =
        streamProblem
        ?? .packet(packetNumber, of: file.stream.codec, atFrame: position, gave: frames, insteadOf: shape)
      if !hasShape { pending.removeAll() }
      pending.fill(to: Int(min(packet?.frameCount ?? 0, 1 << 22)))
    }
    packetNumber += 1
    return true
  }
}
