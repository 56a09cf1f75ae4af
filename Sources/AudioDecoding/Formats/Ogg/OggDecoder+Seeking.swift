import MediaModel

/// Ways to a frame that lead to the samples of a decode from the start.
extension OggDecoder {
  /// The state of a decode between two packets.
  struct Checkpoint {
    let linkNumber: Int
    let frameCountOfEarlierLinks: Int64
    let startGranule: Int64
    let linkFrameCount: Int64
    let remainingFrameCount: Int64?
    let pendingDelay: Int64
    let pageCount: OggPageCount
    let gaps: OggGaps
    let reader: OggPacketReader
    let decoderState: [UInt8]
  }

  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    allowance = SilenceAllowance(sampleRateInHz: format.sampleRateInHz)
    if !decoder.memory.isLimited, let position = try resume(before: frame) { return position }
    var number = 0
    var earlier: Int64 = 0
    while number < finishedLinkFrameCounts.count, number + 1 < stream.links.count,
      frame - earlier >= finishedLinkFrameCounts[number]
    {
      earlier += finishedLinkFrameCounts[number]
      number += 1
    }
    frameCountOfEarlierLinks = earlier
    if number != linkNumber || hasEnded {
      linkNumber = number
      try rewindLink()
    }
    if try jump(toFrame: frame - earlier) { return frame }
    try rewindLink()
    return earlier
  }

  private func rewindLink() throws(DecodingError) {
    try openLink()
    try startLink()
    hasEnded = false
  }

  // MARK: By saved states

  /// The next frame of the recording.
  private var position: Int64 { frameCountOfEarlierLinks + linkFrameCount }

  /// Keeps the state before the next packet, if one is due; call this when no samples are pending.
  func saveCheckpoint() {
    guard checkpoints.isWanted(at: position) else { return }
    checkpoints.add(makeCheckpoint(), at: position)
  }

  private func makeCheckpoint() -> Checkpoint {
    Checkpoint(
      linkNumber: linkNumber, frameCountOfEarlierLinks: frameCountOfEarlierLinks, startGranule: startGranule,
      linkFrameCount: linkFrameCount, remainingFrameCount: remainingFrameCount, pendingDelay: pendingDelay,
      pageCount: pageCount, gaps: gaps, reader: OggPacketReader(copying: reader), decoderState: decoder.savedState())
  }

  /// Continues from the decoder's position, or from the nearest state that was kept; nil if neither is before `frame`.
  private func resume(before frame: Int64) throws(DecodingError) -> Int64? {
    let entry = checkpoints.entry(atOrBefore: frame)
    if !hasEnded, position <= frame, position >= entry?.position ?? 0 { return position }
    guard let entry else { return nil }
    try resume(entry.value)
    return entry.position
  }

  private func resume(_ saved: Checkpoint) throws(DecodingError) {
    if saved.linkNumber != linkNumber || hasEnded {
      linkNumber = saved.linkNumber
      try openLink()
    }
    decoder.restore(saved.decoderState)
    reader = OggPacketReader(copying: saved.reader)
    frameCountOfEarlierLinks = saved.frameCountOfEarlierLinks
    startGranule = saved.startGranule
    linkFrameCount = saved.linkFrameCount
    remainingFrameCount = saved.remainingFrameCount
    pendingDelay = saved.pendingDelay
    pageCount = saved.pageCount
    gaps = saved.gaps
    clear()
    hasEnded = false
  }

  func lookAhead() throws(DecodingError) -> Bool {
    guard decoder.memory == .unlimited else { return false }
    let furthest = checkpoints.last
    let here = makeCheckpoint()
    let (samples, firstPending, silentFrameCount, hasEnded) = (samples, firstPending, silentFrameCount, hasEnded)
    let allowance = allowance
    defer { self.allowance = allowance }
    if let furthest { try resume(furthest.value) }
    let isAtEnd = try !decodeToNextCheckpoint(after: furthest?.position ?? -1)
    try resume(here)
    (self.samples, self.firstPending, self.silentFrameCount) = (samples, firstPending, silentFrameCount)
    self.hasEnded = hasEnded
    return !isAtEnd
  }

  /// Whether there was a checkpoint before the end.
  private func decodeToNextCheckpoint(after place: Int64) throws(DecodingError) -> Bool {
    let scratch = UnsafeMutableBufferPointer<Float>.allocate(capacity: 4096 * format.channelCount)
    defer { scratch.deallocate() }
    while try decode(into: scratch) > 0 {
      if let last = checkpoints.last, last.position > place { return true }
    }
    return false
  }

  // MARK: By the positions of pages

  /// Goes to a frame of the current link by the index of its pages. If that does not lead to the frame, returns false,
  /// and the link must be opened again.
  private func jump(toFrame frame: Int64) throws(DecodingError) -> Bool {
    let link = stream.links[linkNumber]
    let delay = Int64(decoder.delayFrameCount)
    guard case .limited(let memoryFrameCount) = decoder.memory,
      let frameCount = remainingFrameCount.map({ $0 + linkFrameCount }), frame > 0, frame < frameCount
    else { return false }
    let target = startGranule + delay + frame
    // After a gap the positions of pages count what is missing.
    guard target <= link.fault?.granule ?? .max,
      let entry = link.index.entry(atOrBefore: target - memoryFrameCount), entry.position > startGranule
    else { return false }
    reader = OggPacketReader(bytes, link: link, from: entry.value)
    decoder.reset()
    pageCount = OggPageCount()
    gaps = link.gaps
    clear()
    while let packet = try reader.next() {
      decode(packet)
      guard let granule = packet.granule, !samples.isEmpty else { continue }
      guard granule <= target else { break }
      samples.removeAll(keepingCapacity: true)
      pendingDelay = target - granule
      linkFrameCount = frame
      remainingFrameCount = frameCount - frame
      return true
    }
    return false
  }
}
