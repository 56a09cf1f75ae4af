internal import AudioEncoding
internal import MediaModel
internal import MediaRendering

/// The tracks between the decoder and the sink, each in its place of the programme, and their sum: one, or two where one
/// leads to the next.
struct PlayerMix {
  /// In their order.
  private(set) var slots: [PlayerSlot] = []
  private var plan = RadioPlan(sampleRateInHz: 1)
  private var bus: MixBus?

  var last: PlayerSlot? { slots.last }

  /// Where the last track will end.
  var frameCount: Int64 { plan.frameCount }

  /// Which frames of the programme a track is heard in.
  func frames(of slot: PlayerSlot) -> Range<Int64> { plan.entries[slot.index].frames }

  /// Places a track behind the others, or over the end of the last one.
  ///
  /// - Parameters:
  ///   - format: Of the sink.
  ///   - make: The slot, with its place in the plan and the frame of the programme where its first sample belongs.
  /// - Returns: The slot, and how many frames of its beginning are not heard.
  mutating func append(
    _ placed: RadioPlan.Slot, _ format: AudioFormat, _ make: (_ index: Int, _ position: Int64) -> PlayerSlot
  ) -> (slot: PlayerSlot, skippedFrameCount: Int64) {
    if bus == nil { bus = MixBus(format, origin: plan.frameCount) }
    plan.append(placed)
    let index = plan.entries.count - 1
    bus?.overlap(plan.overlap(before: index))
    let entry = plan.entries[index]
    let slot = make(index, entry.frames.lowerBound - entry.skippedFrameCount)
    slots.append(slot)
    return (slot, entry.skippedFrameCount)
  }

  /// Lets the last track end at another frame than planned.
  mutating func end(at frame: Int64) { plan.end(at: frame) }

  /// Lets the last track end where it is.
  mutating func removeLast() {
    guard let slot = slots.popLast() else { return }
    plan.end(at: slot.position)
  }

  /// Begins a sum in another format, when everything in this one has been taken.
  mutating func reopen() { bus = nil }

  /// The track whose turn it is: the one that is furthest behind; nil if it has to wait for samples, or for the next track.
  ///
  /// - Parameter limit: Where the last track waits for the next one.
  func advancing(upTo limit: Int64) -> PlayerSlot? {
    guard let slot = slots.min(by: { $0.position < $1.position }), !slot.needsSamples else { return nil }
    return waits(slot, at: limit) ? nil : slot
  }

  /// Whether a track waits for the next one.
  func waits(_ slot: PlayerSlot, at limit: Int64) -> Bool { slot === slots.last && slot.position >= limit }

  /// Adds the next block of a track to the sum.
  mutating func advance(_ slot: PlayerSlot, upTo limit: Int64) throws {
    try slot.advance()
    let start = slot.position
    let block = slot.takeReady(upTo: slot === slots.last ? limit : .max)
    bus?.add(block.span, ofChannels: slot.path.format.channelCount, at: start, in: plan.entries[slot.index])
  }

  /// Forgets tracks of which nothing more is heard.
  mutating func removeFinished() {
    guard let last = slots.last else { return }
    slots = slots.filter { slot in
      if slot.isFinished, slot.ready.isEmpty { return false }
      // The rest of it is cut off.
      return slot === last || slot.position < frames(of: slot).upperBound
    }
    if slots.isEmpty { plan.end(at: min(last.position, plan.frameCount)) }
  }

  /// What is complete, each block with the track that decides how it is written: the last one that is heard in it, but one
  /// that has to be dithered comes first.
  ///
  /// - Parameter written: The frame of the programme that is written next.
  mutating func take(from written: Int64) -> [(samples: [Float], slot: PlayerSlot?)] {
    let limit = min(slots.map(\.position).min() ?? .max, plan.frameCount)
    // Only so far sounds what sounds now.
    let starts = slots.map { frames(of: $0).lowerBound }
    return (starts.filter { $0 > written && $0 < limit } + [limit]).compactMap { frame in
      guard let block = bus?.take(upTo: frame), !block.isEmpty else { return nil }
      let sounding = slots.filter { frames(of: $0).lowerBound < frame }
      return (block, sounding.last { $0.path.isDithered } ?? sounding.last)
    }
  }
}
