internal import AudioEncoding
internal import Foundation
internal import LibraryTracks
package import MediaModel
internal import MediaRendering
internal import Synchronization

/// Plays a queue into a sink: gapless, or with transitions, each track through its effects, on a thread of its own.
///
/// It knows neither a terminal nor a network. All methods return at once and may be called from any thread; what they ask
/// for is heard after what is in the sink already, at most a buffer later.
package final class Player: @unchecked Sendable {
  package let tap = SoundTap()
  /// How a track leads to the next is decided when so much of it is left, or half.
  private static let decisionInSeconds = 60.0
  /// The next track is read so long before it is heard.
  private static let leadInSeconds = 10.0
  private static let waitingInSeconds = 3.0

  enum Command {
    case pause(Bool)
    case seek(Int64)
    case place(Int)
    case loop(Range<Int64>?)
    case following(after: Int, [PlayItem])
    case queueChanged
    case settings
    case stop
  }

  let queue: SharedQueue
  let condition = NSCondition()
  /// Behind the condition.
  var commands: [Command] = []
  let shared: Mutex<PlayerState>
  private let sink: any SoundSink
  private let readAhead: ReadAhead
  private let load: @Sendable (PlayItem) throws -> PlayedTrack
  private let transitions: PlayerTransitions?
  private let onStart: @Sendable (Int, PlayedTrack) -> Void
  private let onTransition: @Sendable (Transition) -> Void
  private let onFailure: @Sendable (any Error) -> Void

  // The thread's own.
  private var mix = PlayerMix()
  private var join: Join?
  /// What came before the tracks that it has to wait for were written.
  private var deferred: ReadAhead.Piece?
  /// How the track that waits in there is to begin.
  private var resumed: Join?
  /// Tracks whose first frame was not written yet.
  private var starts: [(output: Int64, announce: () -> Void)] = []
  private var track: (place: Int, track: PlayedTrack)?
  private var timeline = PlayTimeline()
  private var writtenFrameCount: Int64 = 0
  private var loop: Range<Int64>?
  private var hasPlayed = false
  private var isPaused = false
  /// Whether a track was asked for and did not begin yet; it begins even while paused, so that it is known.
  private var awaitsTrack = true

  /// How the last slot leads to the next track.
  private struct Join {
    let place: Int
    let item: PlayItem
    let transition: Transition
    /// In frames of the sink.
    let frames: RadioPlan.FrameTransition
    /// In the programme: until here nothing changes, whatever follows.
    let start: Int64
  }

  /// - Parameters:
  ///   - load: The track at a place of the queue; called on a thread of its own.
  ///   - onStart: Called when a track begins to go into the sink.
  ///   - onTransition: Called before that, if transitions are planned and another track came before it.
  ///   - onFailure: Called for each track that cannot be played.
  package init(
    _ queue: PlayQueue, into sink: any SoundSink, options: PlayerOptions = PlayerOptions(),
    load: @escaping @Sendable (PlayItem) throws -> PlayedTrack,
    onStart: @escaping @Sendable (Int, PlayedTrack) -> Void = { _, _ in },
    onTransition: @escaping @Sendable (Transition) -> Void = { _ in },
    onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    self.sink = sink
    self.load = load
    transitions = options.transitions
    self.onStart = onStart
    self.onTransition = onTransition
    self.onFailure = onFailure
    shared = Mutex(PlayerState(levelling: options.levelling, volume: options.volume))
    let shared = SharedQueue(queue)
    self.queue = shared
    readAhead = ReadAhead(
      load: { place in
        guard let item = shared.item(at: place) else { throw PlayingError.noItem(place) }
        return try load(item)
      }, next: { shared.place(after: $0) })
  }

  /// Begins to play.
  ///
  /// - Parameter seconds: Of the track at that place.
  package func start(at place: Int = 0, seconds: Double = 0) {
    readAhead.start()
    startSeconds = seconds
    readAhead.jump(to: place, frame: nil)
    let thread = Thread { self.run() }
    thread.name = "player"
    thread.stackSize = 1 << 20
    thread.start()
  }

  /// Where the first track begins; its rate is known when it is loaded.
  private var startSeconds = 0.0

  private func run() {
    do {
      try play()
    } catch {
      shared.withLock { $0.failure = error }
    }
    publish()
    readAhead.stop()
    condition.withLock {
      shared.withLock { $0.isFinished = true }
      condition.broadcast()
    }
  }

  private func play() throws {
    while true {
      for command in takeCommands() { guard try apply(command) else { return } }
      if isPaused, !awaitsTrack { continue }
      if let piece = nextPiece() { guard try take(piece) else { return } }
      try advance()
      publish()
    }
  }

  private func takeCommands() -> [Command] {
    condition.withLock {
      while isPaused, !awaitsTrack, commands.isEmpty { condition.wait() }
      defer { commands = [] }
      return commands
    }
  }

  // MARK: Sound

  /// The next piece that is needed now; nil if there is enough, or none for a moment.
  private func nextPiece() -> ReadAhead.Piece? {
    if let deferred {
      guard mix.slots.isEmpty else { return nil }
      self.deferred = nil
      return deferred
    }
    guard mix.last?.needsSamples ?? true || readsNext else { return nil }
    return readAhead.take(waitingSeconds: mix.advancing(upTo: joinStart) == nil ? 0.02 : 0)
  }

  /// Whether the next track is read while another one is heard.
  private var readsNext: Bool {
    guard let last = mix.last, let rate = sink.format?.sampleRateInHz else { return false }
    if mix.slots.count > 1 { return !last.isRead && last.waitingSeconds < Self.waitingInSeconds }
    // What is skipped of it is decoded, too, block by block beside the other one.
    return join.map {
      last.position >= $0.start - $0.frames.skippedFrameCount - Int64(Self.leadInSeconds * Double(rate))
    } ?? false
  }

  /// - Returns: false at the end.
  private func take(_ piece: ReadAhead.Piece) throws -> Bool {
    switch piece {
    case .track(let place, let track, let format, let start):
      if startSeconds > 0 {
        let frame =
          track.frames.lowerBound + FrameIndex.frame(atSeconds: startSeconds, rateInHz: Double(track.sampleRateInHz))
        startSeconds = 0
        readAhead.jump(to: place, frame: frame < track.frames.upperBound ? frame : nil)
        return true
      }
      if try !begin(track, at: place, format: format, frame: start) { deferred = piece }
    case .samples(let samples): mix.last?.give(samples)
    case .moved(let frame):
      guard let slot = mix.last else { return true }
      mark(slot, frame: frame, at: slot.end)
    case .end: mix.last?.isRead = true
    case .failed(let place, let error):
      join = nil
      if let slot = mix.last, slot.place == place, !slot.isRead { mix.removeLast() }
      onFailure(error)
    case .finished(let place):
      join = nil
      guard mix.slots.isEmpty else {
        deferred = piece
        return true
      }
      // Tracks may have been added since the last one was read.
      if let next = queue.place(after: place) {
        readAhead.jump(to: next, frame: nil)
        return true
      }
      guard hasPlayed else { throw PlayingError.nothingPlayable }
      try passOn()
      try sink.finish()
      return false
    }
    return true
  }

  /// - Returns: false if the track must wait for those before it.
  private func begin(_ track: PlayedTrack, at place: Int, format: AudioFormat, frame: Int64) throws -> Bool {
    let join = resumed ?? (frame == track.frames.lowerBound ? decidedJoin(to: track, at: place) : nil)
    if !sink.continues(with: format), join?.frames.overlapFrameCount ?? 0 == 0 || mix.slots.isEmpty {
      guard mix.slots.isEmpty else {
        // It ends where it is to end.
        if let join { mix.end(at: mix.frameCount - join.frames.cutFrameCount) }
        self.join = nil
        resumed = join
        return false
      }
      try passOn()
      try sink.open(format)
      mix.reopen()
    }
    let output = sink.format ?? format
    var transition = join?.frames
    if let resumed {
      // The track before it ended already, and the rate may be another one.
      transition = RadioPlan.FrameTransition(
        resumed.transition, afterFrames: 0, sampleRateInHz: output.sampleRateInHz)
      transition?.overlapFrameCount = 0
      transition?.fadeInFrameCount = 0
    }
    (self.join, resumed) = (nil, nil)
    let isOther = self.track?.place != place || !hasPlayed
    self.track = (place, track)
    if isOther { loop = nil }
    awaitsTrack = false
    let settings = shared.withLock { state in
      state.begin(track, at: place)
      return state.settings(of: track, at: place)
    }
    let path = try OutputChain(
      format, through: track.chain, settings, to: output, form: sink.form,
      own: SampleForm(holding: track.source.track.format))
    let frameCount = loop == nil ? path.outputFrameCount(for: track.frames.upperBound - frame) : 1 << 60
    let (slot, skipped) = mix.append(RadioPlan.Slot(frameCount: frameCount, transition: transition), output) {
      PlayerSlot(
        track, at: place, queue.item(at: place), channelCount: format.channelCount, through: path, index: $0,
        position: $1)
    }
    let first = mix.frames(of: slot).lowerBound
    mark(slot, frame: frame, skipping: skipped, at: first)
    hasPlayed = true
    let announce = { [onStart, onTransition] in
      if let join { onTransition(join.transition) }
      if isOther { onStart(place, track) }
    }
    starts.append((first, announce))
    announceStarts()
    return true
  }

  private func announceStarts() {
    while let start = starts.first, start.output <= writtenFrameCount {
      start.announce()
      starts.removeFirst()
    }
  }

  private func mark(_ slot: PlayerSlot, frame: Int64, skipping skipped: Int64 = 0, at output: Int64) {
    let many: Int64 = 1 << 30
    let ratio = Double(many) / Double(slot.path.outputFrameCount(for: many))
    timeline.append(
      atOutput: output, place: slot.place, frame: frame + Int64(Double(skipped) * ratio), ratio: ratio)
  }

  /// Where the last track waits for the next one.
  private var joinStart: Int64 { join?.start ?? .max }

  private func advance() throws {
    guard let slot = mix.advancing(upTo: joinStart) else { return }
    decideJoin(of: slot)
    guard !mix.waits(slot, at: joinStart) else { return }
    try mix.advance(slot, upTo: joinStart)
    try passOn()
    mix.removeFinished()
  }

  /// Writes what is complete.
  private func passOn() throws {
    for (block, slot) in mix.take(from: writtenFrameCount) { try write(block, as: slot) }
  }

  private func write(_ block: [Float], as slot: PlayerSlot?) throws {
    guard let format = sink.format else { return }
    let block = slot?.path.dithered(block) ?? block
    tap.append(block.span, channelCount: format.channelCount, sampleRateInHz: format.sampleRateInHz)
    try sink.write(block.span)
    writtenFrameCount += Int64(block.count / format.channelCount)
    announceStarts()
  }

  // MARK: Transitions

  private func decideJoin(of slot: PlayerSlot) {
    guard let rate = sink.format?.sampleRateInHz, slot === mix.last, !slot.isJoinDecided, transitions != nil,
      loop == nil
    else { return }
    let frames = mix.frames(of: slot)
    let least = max(Int64(Self.decisionInSeconds * Double(rate)), Int64(frames.count) / 2)
    guard frames.upperBound - slot.position <= least else { return }
    slot.isJoinDecided = true
    guard let next = queue.place(after: slot.place), let item = queue.item(at: next), let track = try? load(item) else {
      return
    }
    join = makeJoin(slot, to: track, item, at: next)
    guard let join, slot.track.chain.rate == 1 else { return }
    // Effects and the conversion of the rate look less than a second ahead.
    let cut = join.frames.cutFrameCount * Int64(slot.track.sampleRateInHz) / Int64(rate)
    readAhead.end(slot.place, at: slot.track.frames.upperBound - cut + Int64(slot.track.sampleRateInHz))
  }

  /// What was decided, if it is this track that follows; else that is decided now.
  private func decidedJoin(to track: PlayedTrack, at place: Int) -> Join? {
    guard transitions != nil, let item = queue.item(at: place) else { return nil }
    if let join, join.place == place, join.item == item { return join }
    return mix.last.flatMap { makeJoin($0, to: track, item, at: place) }
  }

  /// nil if nothing can be known of them; then both are heard whole.
  private func makeJoin(_ slot: PlayerSlot, to track: PlayedTrack, _ item: PlayItem, at place: Int) -> Join? {
    guard let rate = sink.format?.sampleRateInHz, let transitions,
      let transition = try? transitions.transition(from: slot.track, to: track, atRateInHz: rate),
      let frameCount = try? slot.track.frameCount(atRateInHz: rate)
    else { return nil }
    var frames = RadioPlan.FrameTransition(transition, afterFrames: frameCount, sampleRateInHz: rate)
    // What was written stays.
    let own = mix.frames(of: slot)
    let written = max(slot.position, own.lowerBound)
    let end = max(written, own.upperBound - frames.cutFrameCount)
    frames.cutFrameCount = own.upperBound - end
    if end - written < frames.overlapFrameCount {
      frames.overlapFrameCount = end - written
      frames.fadeInFrameCount = min(frames.fadeInFrameCount, frames.overlapFrameCount)
    }
    return Join(
      place: place, item: item, transition: transition, frames: frames, start: end - frames.overlapFrameCount)
  }

  /// Decides again what follows, after a change of the queue.
  private func decideAgain() {
    guard let heard = heard(), let last = mix.last else { return }
    func follows(_ item: PlayItem?, at place: Int, _ slot: PlayerSlot) -> Bool {
      queue.place(after: slot.place) == place && queue.item(at: place) == item
    }
    let isAsPlanned = zip(mix.slots, mix.slots.dropFirst()).allSatisfy { follows($1.item, at: $1.place, $0) }
    if isAsPlanned, readAhead.place == last.place {
      (join, last.isJoinDecided) = (nil, false)
      readAhead.end(last.place, at: nil)
    } else if !isAsPlanned || !(join.map { follows($0.item, at: $0.place, last) } ?? false) {
      sink.discard()
      move(to: heard.place, frame: heard.frame)
    }
  }

  // MARK: Commands

  /// - Returns: false to end.
  private func apply(_ command: Command) throws -> Bool {
    switch command {
    case .pause(let pauses):
      guard pauses != isPaused else { break }
      isPaused = pauses
      if !pauses {
        sink.resume()
      } else if let heard = heard(), !sink.pause() {
        move(to: heard.place, frame: heard.frame)
      }
      publish()
    case .seek(let frame):
      guard let place = heard()?.place ?? track?.place else { break }
      sink.discard()
      move(to: place, frame: frame)
    case .place(let place):
      let isHeard = heard()?.place == place
      sink.discard()
      move(to: place, frame: nil, keepsLoop: isHeard)
    case .loop(let range):
      let heard = heard()
      loop = range
      guard let heard else { break }
      sink.discard()
      move(to: heard.place, frame: heard.frame)
    case .following(let place, let items):
      queue.change { $0.replace(after: place, with: items) }
      let heard = heard() ?? track.map { ($0.place, $0.track.frames.lowerBound) }
      guard let heard else { break }
      if heard.place > place {
        sink.discard()
        move(to: place + 1, frame: nil, keepsLoop: false)
      } else if readAhead.place.map({ $0 > place }) ?? false {
        // A track that no longer follows may be decoded already.
        sink.discard()
        move(to: heard.place, frame: heard.frame)
      } else if transitions != nil {
        decideAgain()
      }
    case .queueChanged: if transitions != nil { decideAgain() }
    case .settings:
      for slot in mix.slots { slot.path.update(shared.withLock { $0.settings(of: slot.track, at: slot.place) }) }
    case .stop:
      publish()
      shared.withLock { $0.wasStopped = true }
      sink.discard()
      return false
    }
    return true
  }

  /// - Parameter keepsLoop: Whether it stays in the track that is heard.
  private func move(to place: Int, frame: Int64?, keepsLoop: Bool = true) {
    if !keepsLoop { loop = nil }
    awaitsTrack = true
    mix = PlayerMix()
    (join, deferred, resumed) = (nil, nil, nil)
    starts = []
    timeline.removeAll()
    writtenFrameCount = 0
    readAhead.jump(to: place, frame: frame, loop: loop)
    shared.withLock { state in
      state.place = place
      if let frame { state.frame = frame }
    }
  }

  private func heard() -> (place: Int, frame: Int64)? {
    timeline.heard(atOutput: max(0, writtenFrameCount - sink.delayFrameCount))
  }

  private func publish() {
    let delay = sink.delayFrameCount
    let output = max(0, writtenFrameCount - delay)
    timeline.prune(before: output)
    let heard = timeline.heard(atOutput: output)
    shared.withLock { state in
      state.isPaused = isPaused
      state.loop = loop
      state.delayFrameCount = delay
      guard let heard else { return }
      state.place = heard.place
      state.frame = heard.frame
    }
  }
}

/// The queue, for the thread that reads ahead.
final class SharedQueue: Sendable {
  private let queue: Mutex<PlayQueue>

  init(_ queue: PlayQueue) { self.queue = Mutex(queue) }

  /// nil if there is none any more.
  func item(at place: Int) -> PlayItem? { queue.withLock { $0.items.indices.contains(place) ? $0.items[place] : nil } }

  func place(after place: Int) -> Int? { queue.withLock { $0.place(after: place) } }

  func change<Result>(_ body: (inout PlayQueue) -> Result) -> Result { queue.withLock { body(&$0) } }
}
