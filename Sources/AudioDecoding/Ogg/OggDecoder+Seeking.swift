import MediaModel

/// Ways to a frame that give the samples of a decode from the start.
extension OggDecoder {
  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64 {
    if decoder.memory == .unlimited, let position = try resume(before: frame) { return position }
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

  // MARK: By the state

  /// Frames of the recording before the next one.
  private var position: Int64 { frameCountOfEarlierLinks + linkFrameCount }

  /// Keeps the state before the next packet, with nothing pending, where it is due.
  func saveCheckpoint() {
    guard checkpoints.isWanted(at: position) else { return }
    checkpoints.add(
      OggCheckpoints.Checkpoint(
        frame: position, linkNumber: linkNumber, frameCountOfEarlierLinks: frameCountOfEarlierLinks,
        startGranule: startGranule, linkFrameCount: linkFrameCount, remainingFrameCount: remainingFrameCount,
        pendingDelay: pendingDelay, pageCount: pageCount, reader: OggPacketReader(copying: reader),
        decoderState: decoder.savedState()))
  }

  /// Goes on from where the decoder stands, or from the best state that was kept; nil where neither is before `frame`.
  private func resume(before frame: Int64) throws(DecodingError) -> Int64? {
    let saved = checkpoints.checkpoint(atOrBefore: frame)
    if !hasEnded, position <= frame, position >= saved?.frame ?? 0 { return position }
    guard let saved else { return nil }
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
    samples.removeAll(keepingCapacity: true)
    firstPending = 0
    hasEnded = false
    return saved.frame
  }

  // MARK: By the positions of pages

  /// Positions within the present link by the index of its pages; false where that does not lead to the frame, and the
  /// link must then be opened again.
  private func jump(toFrame frame: Int64) throws(DecodingError) -> Bool {
    let link = stream.links[linkNumber]
    let delay = Int64(decoder.delayFrameCount)
    guard case .limited(let memoryFrameCount) = decoder.memory,
      let frameCount = remainingFrameCount.map({ $0 + linkFrameCount }), frame > 0, frame < frameCount
    else { return false }
    let target = startGranule + delay + frame
    // Behind a gap the positions of pages count what is missing.
    guard target <= link.fault?.granule ?? .max,
      let entry = link.index.entry(atOrBefore: target - memoryFrameCount), entry.position > startGranule
    else { return false }
    reader = OggPacketReader(bytes, link: link, from: entry.offset)
    decoder.reset()
    pageCount = OggPageCount()
    samples.removeAll(keepingCapacity: true)
    firstPending = 0
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
