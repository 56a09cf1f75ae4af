import MediaModel

/// Decodes the Vorbis, Opus and Speex streams of an Ogg file, link after link, page by page.
///
/// Positions are granules minus the one that the stream starts with and the frames that the encoder added.
final class OggDecoder: DecodingEngine {
  let format: AudioFormat
  private(set) var streamProblem: Problem?
  var allowance: SilenceAllowance
  var ownProblem: Problem? { stream.ownProblem }
  var notes: [String] { stream.notes }

  let bytes: BufferedBytes
  let stream: OggLayout
  private let container: Container
  var linkNumber = 0
  var reader: OggPacketReader
  var decoder: any XiphPacketDecoder
  /// Decoded samples; those before `firstPending` are given out.
  var samples: [Float] = []
  var firstPending = 0
  /// Frames that are missing before them.
  var silentFrameCount: Int64 = 0
  var gaps: OggGaps
  /// Granule at which the current link begins.
  var startGranule: Int64 = 0
  /// Frames of the current link that are still to come; nil if its last granule is unknown.
  var remainingFrameCount: Int64?
  var linkFrameCount: Int64 = 0
  /// Whether the positions of the current link are wrong, so that nothing is cut by them.
  private var endsWithPackets: Bool
  var hasEnded = false
  /// Frames of the links that were decoded to their end from their start.
  var finishedLinkFrameCounts: [Int64] = []
  var frameCountOfEarlierLinks: Int64 = 0
  /// States of a decoder with unlimited memory, at first every half second of audio. 4 MiB are some 150 states of a
  /// stereo decoder: of an hour, one for each 32 seconds, which take 80 ms to decode.
  var checkpoints = SeekIndex<Checkpoint>(stride: 24_000, sizeLimit: 4 << 20, size: \.decoderState.count)

  init(_ bytes: BufferedBytes, stream: OggLayout) throws(DecodingError) {
    guard let first = stream.links.first else { throw .empty(reason: "no audio stream in the Ogg file") }
    self.bytes = bytes
    self.stream = stream
    container = .ogg
    reader = OggPacketReader(bytes, link: first)
    decoder = try Self.makeDecoder(first, reader: reader)
    endsWithPackets = first.extent.endsWithPackets
    gaps = first.gaps
    format = decoder.format
    allowance = SilenceAllowance(sampleRateInHz: decoder.format.sampleRateInHz)
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
      let limit = remainingFrameCount ?? .max
      let silent = Int(min(silentFrameCount, Int64(buffer.count / channelCount), limit))
      var frames = Int(min(Int64((samples.count - firstPending) / channelCount), limit))
      if silent > 0 {
        buffer[..<(silent * channelCount)].update(repeating: 0)
        silentFrameCount -= Int64(silent)
        advance(silent)
        return silent
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

  // MARK: Links

  private static func makeDecoder(
    _ link: OggLayout.Link, reader: OggPacketReader
  ) throws(DecodingError) -> any XiphPacketDecoder {
    switch link.codec {
    case .vorbis: return try VorbisHeaders(try reader.nextPackets(3)).makeDecoder()
    case .opus:
      let headers = try reader.nextPackets(2)
      return try OpusPacketDecoder(head: headers.count < 2 ? [] : headers[0])
    case .speex:
      let decoder = try SpeexPacketDecoder(head: try reader.nextPackets(1).first)
      _ = try reader.nextPackets(decoder.header.packetCount - 1)
      return decoder
    default: throw .unsupported(reason: "no decoder for \(link.codec) in a chain")
    }
  }

  func openLink() throws(DecodingError) {
    let link = stream.links[linkNumber]
    reader = OggPacketReader(bytes, link: link)
    decoder = try Self.makeDecoder(link, reader: reader)
    endsWithPackets = link.extent.endsWithPackets
    gaps = link.gaps
  }

  /// Decodes up to the first granule, which gives the position at which the link begins.
  func startLink() throws(DecodingError) {
    let link = stream.links[linkNumber]
    clear()
    startGranule = 0
    linkFrameCount = 0
    pageCount = OggPageCount()
    remainingFrameCount = nil
    var leadingFrameCount: Int64 = 0
    while let packet = try reader.next() {
      decode(packet)
      if endsWithPackets { break }
      if let granule = packet.granule, !samples.isEmpty || packet.isLast {
        let start = granule - Int64(samples.count / format.channelCount) - silentFrameCount
        startGranule = OggTiming.startGranule(start, mayBeNegative: link.codec == .opus && !packet.isLast)
        // Vorbis I appendix A.2: what is before time zero is dropped; if there is only one page, its end is cut
        // instead. In Speex, the first position shows the encoder's lookahead.
        if start < 0, !packet.isLast, link.codec != .opus {
          leadingFrameCount = -start + Int64(decoder.lookaheadFrameCount)
        }
        break
      }
      if samples.count >= OggTiming.longestStart * format.channelCount { break }
    }
    let delay = Int64(decoder.delayFrameCount)
    if let last = link.lastGranule, !endsWithPackets {
      remainingFrameCount = max(0, last - startGranule - delay)
    }
    let droppedFrameCount = delay + leadingFrameCount
    pendingDelay = droppedFrameCount
    dropDelay()
  }

  /// Forgets what was decoded and not given out.
  func clear() {
    samples.removeAll(keepingCapacity: true)
    (firstPending, silentFrameCount) = (0, 0)
  }

  /// Drops what is pending of the encoder's delay.
  private func dropDelay() {
    let silent = min(pendingDelay, silentFrameCount)
    silentFrameCount -= silent
    let frames = min(pendingDelay - silent, Int64((samples.count - firstPending) / format.channelCount))
    firstPending += Int(frames) * format.channelCount
    pendingDelay -= silent + frames
  }

  var pageCount = OggPageCount()

  /// Frames of the encoder's delay that are still to be dropped.
  var pendingDelay: Int64 = 0

  private func finishLink() throws(DecodingError) {
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
      streamProblem = streamProblem ?? error.problem
      return
    }
    guard decoder.format == format else {
      hasEnded = true
      streamProblem =
        streamProblem
        ?? .parametersChange(
          atFrame: frameCountOfEarlierLinks, to: decoder.format.shape, sampleRateInHz: format.sampleRateInHz)
      return
    }
    try startLink()
  }

  // MARK: Packets

  private func take(_ frameCount: Int) {
    firstPending += frameCount * format.channelCount
    advance(frameCount)
  }

  private func advance(_ frameCount: Int) {
    linkFrameCount += Int64(frameCount)
    if let remaining = remainingFrameCount { remainingFrameCount = remaining - Int64(frameCount) }
  }

  /// Makes the samples of the next packet pending; false at the end of the link.
  private func decodePacket() throws(DecodingError) -> Bool {
    clear()
    if decoder.memory == .unlimited { saveCheckpoint() }
    guard var packet = try reader.next() else { return false }
    decode(packet)
    // The next position says how much is missing before the packets up to there.
    if packet.isBehindGap {
      while packet.granule == nil, samples.count < OggTiming.longestStart * format.channelCount, !hasEnded,
        let next = try reader.next()
      {
        packet = next
        decode(packet)
      }
    }
    dropDelay()
    return true
  }

  func decode(_ packet: OggPacketReader.Packet) {
    let start = samples.count
    let isIntact = decoder.decode(packet.bytes, appendingTo: &samples)
    let newFrameCount = Int64((samples.count - start) / format.channelCount)
    let surplus =
      endsWithPackets
      ? 0 : pageCount.surplus(of: packet, frameCount: newFrameCount, lookahead: Int64(decoder.lookaheadFrameCount))
    if !endsWithPackets {
      if packet.isBehindGap { gaps.open() }
      silentFrameCount += gaps.add(frameCount: newFrameCount, granule: packet.granule)
    }
    samples.removeLast(Int(surplus) * format.channelCount)
    let frameCount = (samples.count - start) / format.channelCount
    guard !isIntact else { return allowance.addSound(frameCount: frameCount) }
    if !allowance.addSilence(frameCount: frameCount, byteCount: Int64(packet.bytes.count)) { hasEnded = true }
    guard streamProblem == nil else { return }
    let frame = frameCountOfEarlierLinks + linkFrameCount
    streamProblem = Problem(
      code: "corrupt", reason: "a packet cannot be decoded",
      positionInSeconds: Double(frame) / Double(format.sampleRateInHz))
  }
}

/// Compares the frames of the page that is being decoded with the positions before and after it.
///
/// The last position of a stream says where to cut it, but after a gap that position counts what is missing. Then only
/// the last page itself shows how much of it is padding.
struct OggPageCount: Hashable {
  /// The position at the end of the last page.
  private var granule: Int64?
  /// Frames decoded since.
  private var frameCount: Int64 = 0

  /// Counts the next packet; returns the number of frames at its end that are padding.
  mutating func surplus(of packet: OggPacketReader.Packet, frameCount new: Int64, lookahead: Int64) -> Int64 {
    frameCount += new
    guard let end = packet.granule else { return 0 }
    defer {
      granule = end
      frameCount = 0
    }
    guard packet.isLast, let granule, end >= granule else { return 0 }
    return max(0, min(new, frameCount - (end - granule) - lookahead))
  }
}
