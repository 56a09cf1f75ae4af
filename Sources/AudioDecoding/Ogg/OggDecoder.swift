import MediaModel

/// Decodes the Vorbis and Opus streams of an Ogg file, link after link, page by page.
///
/// Positions are those of the granules, less what the stream starts with and what the encoder put in front.
final class OggDecoder: DecodingEngine {
  /// By how much the last granule may exceed the packets: encoders round it up to what they were given.
  private static let granuleSlack: Int64 = 960

  let format: AudioFormat
  private(set) var problem: Problem?
  private(set) var notes: [String] = []

  private let bytes: BufferedBytes
  private let stream: OggStream
  private let container: Container
  private var linkNumber = 0
  private var reader: OggPacketReader
  private var decoder: any OggPacketDecoder
  /// Decoded samples; those before `firstPending` are given out.
  private var samples: [Float] = []
  private var firstPending = 0
  /// Granule at which the present link begins.
  private var startGranule: Int64 = 0
  /// Frames of the present link still to come; nil where its last granule is unknown.
  private var remainingFrameCount: Int64?
  private var linkFrameCount: Int64 = 0
  private var hasEnded = false
  private var frameCountToDrop: Int64 = 0
  /// Frames of the links that were decoded to their end from their start.
  private var finishedLinkFrameCounts: [Int64] = []
  private var frameCountOfEarlierLinks: Int64 = 0
  private let declaredFrameCount: Int64?

  init(_ bytes: BufferedBytes, stream: OggStream) throws(DecodingError) {
    guard let first = stream.links.first else { throw .empty(reason: "no audio stream in the Ogg file") }
    self.bytes = bytes
    self.stream = stream
    container = .ogg
    reader = OggPacketReader(bytes, link: first)
    decoder = try Self.makeDecoder(first, reader: reader)
    format = decoder.format
    declaredFrameCount = nil
    try startLink()
  }

  var mediaFormat: MediaFormat {
    let link = stream.links[0]
    let isOnlyLink = stream.links.count == 1
    let frameCount =
      isOnlyLink ? link.lastGranule.map { max(0, $0 - startGranule - Int64(decoder.delayFrameCount)) } : nil
    var bitRate = decoder.bitRateInBitsPerSecond
    if let frameCount, frameCount > 0 {
      bitRate = Int((Double(link.byteCount) * 8 * Double(format.sampleRateInHz) / Double(frameCount)).rounded())
    }
    return MediaFormat(
      container: container, codec: link.codec.codec, sampleRateInHz: format.sampleRateInHz,
      channelCount: format.channelCount, bitRateInBitsPerSecond: bitRate, declaredFrameCount: frameCount,
      delayFrameCount: decoder.delayFrameCount > 0 ? decoder.delayFrameCount : nil)
  }

  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int {
    let channelCount = format.channelCount
    while !hasEnded {
      var frames = Int(min(Int64((samples.count - firstPending) / channelCount), remainingFrameCount ?? .max))
      if frames > 0, frameCountToDrop > 0 {
        let dropped = Int(min(frameCountToDrop, Int64(frames)))
        frameCountToDrop -= Int64(dropped)
        take(dropped)
      } else if frames > 0 {
        frames = min(frames, buffer.count / channelCount)
        let count = frames * channelCount
        samples.withUnsafeBufferPointer {
          _ = buffer.update(fromContentsOf: $0[firstPending..<firstPending + count])
        }
        take(frames)
        return frames
      } else if remainingFrameCount == 0 {
        try finishLink()
      } else if try !decodePacket() {
        try finishLink()
      }
    }
    return 0
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    var number = 0
    var earlier: Int64 = 0
    while number < finishedLinkFrameCounts.count, number + 1 < stream.links.count,
      frame - earlier >= finishedLinkFrameCounts[number]
    {
      earlier += finishedLinkFrameCounts[number]
      number += 1
    }
    linkNumber = number
    frameCountOfEarlierLinks = earlier
    try openLink()
    try startLink()
    hasEnded = false
    frameCountToDrop = 0
    let target = frame - earlier
    if target <= 0 { return earlier + target }
    if try jump(toFrame: target) { return earlier + target }
    frameCountToDrop = target
    // With no room to give samples out, this goes on until the last frame is dropped.
    _ = try decode(into: UnsafeMutableBufferPointer(start: nil, count: 0))
    defer { frameCountToDrop = 0 }
    return frame - frameCountToDrop
  }

  func finish(frameCount: Int64) {}

  // MARK: Links

  private static func makeDecoder(
    _ link: OggStream.Link, reader: OggPacketReader
  ) throws(DecodingError) -> any OggPacketDecoder {
    switch link.codec {
    case .vorbis: try VorbisPacketDecoder(headersFrom: reader)
    case .opus: try OpusPacketDecoder(headersFrom: reader)
    default: throw .unsupported(reason: "no decoder for \(link.codec) in a chain")
    }
  }

  private func openLink() throws(DecodingError) {
    let link = stream.links[linkNumber]
    reader = OggPacketReader(bytes, link: link)
    decoder = try Self.makeDecoder(link, reader: reader)
  }

  /// Decodes up to the first granule, which tells where the link begins.
  private func startLink() throws(DecodingError) {
    let link = stream.links[linkNumber]
    samples.removeAll(keepingCapacity: true)
    firstPending = 0
    startGranule = 0
    linkFrameCount = 0
    remainingFrameCount = nil
    while let packet = try reader.next() {
      decode(packet)
      if let granule = packet.granule, !samples.isEmpty || packet.isLast {
        startGranule = max(0, granule - Int64(samples.count / format.channelCount))
        break
      }
    }
    let delay = Int64(decoder.delayFrameCount)
    if let last = link.lastGranule {
      remainingFrameCount = max(0, last - startGranule - delay)
    }
    firstPending = min(samples.count, Int(delay) * format.channelCount)
    pendingDelay = delay - Int64(firstPending / format.channelCount)
    note(link.fault)
  }

  /// Frames of the encoder's delay that the packets so far did not cover.
  private var pendingDelay: Int64 = 0

  private func note(_ fault: OggStream.Fault?) {
    guard let fault, problem == nil else { return }
    let frame = frameCountOfEarlierLinks + max(0, fault.granule - startGranule - Int64(decoder.delayFrameCount))
    problem = Problem(
      code: fault.code, reason: fault.reason, positionInSeconds: Double(frame) / Double(format.sampleRateInHz))
  }

  private func finishLink() throws(DecodingError) {
    if let missing = remainingFrameCount, (1...Self.granuleSlack).contains(missing), problem == nil {
      if !notes.contains("header-lies") { notes.append("header-lies") }
    } else if let missing = remainingFrameCount, missing > 0, problem == nil {
      problem = .truncated(
        frameCount: frameCountOfEarlierLinks + linkFrameCount,
        declaredFrameCount: frameCountOfEarlierLinks + linkFrameCount + missing,
        sampleRateInHz: format.sampleRateInHz)
    }
    if finishedLinkFrameCounts.count == linkNumber { finishedLinkFrameCounts.append(linkFrameCount) }
    frameCountOfEarlierLinks += linkFrameCount
    guard linkNumber + 1 < stream.links.count else {
      hasEnded = true
      return
    }
    linkNumber += 1
    do throws(DecodingError) {
      try openLink()
    } catch {
      hasEnded = true
      if case .unreadable = error { throw error }
      problem = problem ?? error.problem
      return
    }
    guard decoder.format == format else {
      hasEnded = true
      problem =
        problem
        ?? .parametersChange(
          atFrame: frameCountOfEarlierLinks, to: decoder.format.shape, sampleRateInHz: format.sampleRateInHz)
      return
    }
    try startLink()
  }

  // MARK: Packets

  private func take(_ frameCount: Int) {
    firstPending += frameCount * format.channelCount
    linkFrameCount += Int64(frameCount)
    if let remaining = remainingFrameCount { remainingFrameCount = remaining - Int64(frameCount) }
  }

  /// Makes the samples of the next packet pending; false at the end of the link.
  private func decodePacket() throws(DecodingError) -> Bool {
    samples.removeAll(keepingCapacity: true)
    firstPending = 0
    guard let packet = try reader.next() else { return false }
    decode(packet)
    if pendingDelay > 0 {
      let dropped = min(pendingDelay, Int64(samples.count / format.channelCount))
      pendingDelay -= dropped
      firstPending = Int(dropped) * format.channelCount
    }
    return true
  }

  private func decode(_ packet: OggPacketReader.Packet) {
    guard !decoder.decode(packet, appendingTo: &samples), problem == nil else { return }
    let frame = frameCountOfEarlierLinks + linkFrameCount
    problem = Problem(
      code: "corrupt", reason: "a packet does not decode",
      positionInSeconds: Double(frame) / Double(format.sampleRateInHz))
  }

  /// Positions within the present link by the index of its pages; false where that does not lead to the frame.
  private func jump(toFrame frame: Int64) throws(DecodingError) -> Bool {
    let link = stream.links[linkNumber]
    let delay = Int64(decoder.delayFrameCount)
    guard let remaining = remainingFrameCount, frame < remaining else { return false }
    let target = startGranule + delay + frame
    guard let entry = link.index.entry(atOrBefore: target - decoder.prerollFrameCount), entry.position > startGranule
    else { return false }
    reader = OggPacketReader(bytes, link: link, from: entry.offset)
    decoder.reset()
    samples.removeAll(keepingCapacity: true)
    firstPending = 0
    while let packet = try reader.next() {
      decode(packet)
      guard let granule = packet.granule, !samples.isEmpty else { continue }
      guard granule <= target else { break }
      samples.removeAll(keepingCapacity: true)
      pendingDelay = target - granule
      linkFrameCount = frame
      remainingFrameCount = remaining - frame
      return true
    }
    try openLink()
    try startLink()
    return false
  }
}

extension AudioFormat {
  /// Such as "44100 Hz, 2 channels".
  var shape: String { "\(sampleRateInHz) Hz, \(channelCount) \(channelCount == 1 ? "channel" : "channels")" }
}
