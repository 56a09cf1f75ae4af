import MediaModel

/// Decodes a track of packets through FFmpeg.
///
/// Every packet gives the frames that its codec has for one, whether it decodes or not: what is behind a broken packet
/// does not move. So the place of a frame is known without decoding what is before it.
final class PacketTrackDecoder: DecodingEngine {
  let format: AudioFormat
  let mediaFormat: MediaFormat
  private(set) var streamProblem: Problem?

  private let bytes: BufferedBytes
  private let track: PacketTrack
  private let reader: any PacketReader
  private let shape: FFmpegDecoder.Frames
  private var decoder: FFmpegDecoder
  /// The next packet.
  private var packetNumber: Int64 = 0
  /// Samples of the last packet that are not given out yet, 32 bits each.
  private var samples: [UInt32] = []
  private var firstPending = 0
  /// Frames that are still to be decoded and dropped, and frames of the recording that are still to be given out.
  private var frameCountToDrop: Int64
  private var remainingFrameCount: Int64
  private let hasher: SampleHasher?

  init(_ bytes: BufferedBytes, track: PacketTrack, options: DecodingOptions) throws(DecodingError) {
    decoder = try FFmpegDecoder(track.codec)
    guard let shape = track.decoded else {
      throw .damaged(
        Problem(code: "undecodable", reason: "none of the first packets of \(track.codec.codec.rawValue) decodes"))
    }
    guard track.packetCount > 0 else { throw .empty(reason: "no packet of \(track.codec.codec.rawValue)") }
    self.bytes = bytes
    self.track = track
    self.shape = shape
    reader = track.makeReader(bytes)
    frameCountToDrop = track.skippedFrameCount
    remainingFrameCount = track.frameCount
    format = try .checked(
      sampleRateInHz: shape.sampleRateInHz, channelCount: shape.channelCount,
      sampleEncoding: shape.isInteger ? .integer : .floatingPoint, channelMask: shape.channelMask)
    let whole = track.packetCount * track.frameCountPerPacket
    mediaFormat = MediaFormat(
      container: track.container, codec: track.codec.codec, sampleRateInHz: shape.sampleRateInHz,
      channelCount: shape.channelCount, bitsPerSample: track.codec.bitsPerSample,
      bitRateInBitsPerSecond: Int(
        (Double(track.byteCount) * 8 * Double(shape.sampleRateInHz) / Double(max(1, whole))).rounded()),
      declaredFrameCount: track.declaredFrameCount, delayFrameCount: track.delayFrameCount,
      paddingFrameCount: track.delayFrameCount == nil || track.codec.codec.isLossless
        ? nil : Int(max(0, whole - track.skippedFrameCount - track.frameCount)))
    hasher =
      options.hashesSamples && shape.isInteger ? SampleHasher.Form(track.codec.codec).flatMap { SampleHasher($0) } : nil
  }

  var ownProblem: Problem? { track.ownProblem }
  var notes: [String] { track.notes }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    let channelCount = format.channelCount
    while remainingFrameCount > 0 {
      if firstPending == samples.count, try !decodePacket() { return 0 }
      let pending = (samples.count - firstPending) / channelCount
      if frameCountToDrop > 0 {
        let dropped = Int(min(frameCountToDrop, Int64(pending)))
        frameCountToDrop -= Int64(dropped)
        firstPending += dropped * channelCount
        continue
      }
      let count = Int(min(Int64(pending), Int64(buffer.count / channelCount), remainingFrameCount))
      guard count > 0 else { return 0 }
      give(count * channelCount, to: buffer)
      firstPending += count * channelCount
      remainingFrameCount -= Int64(count)
      return count
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    let target = min(frame, track.frameCount)
    let place = target + track.skippedFrameCount
    try enter(atPacket: min(place / track.frameCountPerPacket, track.packetCount))
    frameCountToDrop = place - packetNumber * track.frameCountPerPacket
    remainingFrameCount = track.frameCount - target
    return target
  }

  func finishSampleHash() -> ContentHash? { hasher?.finish(format) }

  private func give(_ count: Int, to buffer: UnsafeMutableBufferPointer<Float>) {
    samples.withUnsafeBytes { samples in
      guard let source = samples.baseAddress.map({ $0 + 4 * firstPending }), let target = buffer.baseAddress else {
        return
      }
      hasher?.add(UnsafeRawBufferPointer(start: source, count: 4 * count))
      if shape.isInteger {
        FullScale.convert(source, to: UnsafeMutableRawPointer(target), count: count)
      } else {
        UnsafeMutableRawPointer(target).copyMemory(from: source, byteCount: 4 * count)
      }
    }
  }

  // MARK: Packets

  /// Goes to the nearest packet at or before `number` from which a whole decode can be continued.
  private func enter(atPacket number: Int64) throws(DecodingError) {
    switch track.codec.restart {
    case .anywhere:
      packetNumber = number
      try reader.go(toPacket: number)
    case .periodically(let period, _):
      packetNumber = number / period * period
      try restart()
    }
    samples.removeAll(keepingCapacity: true)
    firstPending = 0
  }

  /// Begins with a new decoder at ``packetNumber``, which has decoded some packets before.
  private func restart() throws(DecodingError) {
    guard case .periodically(_, let prerollCount) = track.codec.restart else { return }
    decoder = try FFmpegDecoder(track.codec)
    let first = max(0, packetNumber - prerollCount)
    try reader.go(toPacket: first)
    for _ in first..<packetNumber {
      guard let packet = try reader.next() else { return }
      _ = try bytes.withBytes(of: packet) { decoder.decode($0, into: &samples) }
    }
  }

  /// Makes the samples of the next packet ``samples``; false at the end.
  private func decodePacket() throws(DecodingError) -> Bool {
    guard packetNumber < track.packetCount else { return false }
    if case .periodically(let period, _) = track.codec.restart, packetNumber > 0, packetNumber.isMultiple(of: period) {
      try restart()
    }
    guard let packet = try reader.next() else { return false }
    let frames = try bytes.withBytes(of: packet) { decoder.decode($0, into: &samples) }
    firstPending = 0
    let wanted = Int(track.frameCountPerPacket)
    let isLast = packetNumber == track.packetCount - 1
    let isIntact = frames.map {
      $0.hasShape(of: shape) && ($0.frameCount == wanted || isLast && $0.frameCount < wanted)
    }
    if isIntact != true {
      note(frames)
      samples.removeAll(keepingCapacity: true)
    }
    let missing = wanted * shape.channelCount - samples.count
    if missing > 0, !isLast || isIntact != true { samples.append(contentsOf: repeatElement(0, count: missing)) }
    packetNumber += 1
    return true
  }

  /// Spectral band replication may begin some packets after the start; silence in its place is no damage.
  private func note(_ frames: FFmpegDecoder.Frames?) {
    let isStart = packetNumber < 16 && frames.map { $0.channelCount <= shape.channelCount } == true
    guard streamProblem == nil, !isStart else { return }
    let position = max(0, packetNumber * track.frameCountPerPacket - track.skippedFrameCount)
    if let frames, !frames.hasShape(of: shape) {
      streamProblem = .parametersChange(
        atFrame: position,
        to: AudioFormat.shape(sampleRateInHz: frames.sampleRateInHz, channelCount: frames.channelCount),
        sampleRateInHz: shape.sampleRateInHz)
    } else {
      streamProblem = Problem(
        code: "undecodable", reason: "packet \(packetNumber) of \(track.codec.codec.rawValue) does not decode",
        positionInSeconds: Double(position) / Double(shape.sampleRateInHz))
    }
  }
}
