internal import AudioEncoding
internal import Foundation
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import Synchronization

/// Plays a queue into a sink: gapless, each track through its effects, on a thread of its own.
///
/// It knows neither a terminal nor a network. All methods return at once and may be called from any thread; what they ask
/// for is heard after what is in the sink already, at most a buffer later.
package final class Player: @unchecked Sendable {
  package let tap = SoundTap()
  private static let framesPerBlock = 1024

  enum Command {
    case pause(Bool)
    case seek(Int64)
    case place(Int)
    case loop(Range<Int64>?)
    case following(after: Int, [PlayItem])
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
  private let onStart: @Sendable (Int, PlayedTrack) -> Void
  private let onFailure: @Sendable (any Error) -> Void

  // The thread's own.
  private var path: OutputChain?
  private var track: (place: Int, track: PlayedTrack, format: AudioFormat)?
  /// Decoded samples that did not go through the effects yet, from `pendingStart` on.
  private var pending: [Float] = []
  private var pendingStart = 0
  private var timeline = PlayTimeline()
  private var writtenFrameCount: Int64 = 0
  /// Of the track: where it began in the sink, and how many of its frames have gone through the effects since.
  private var trackOutput: Int64 = 0
  private var trackInput: Int64 = 0
  private var loop: Range<Int64>?
  private var hasPlayed = false
  private var isPaused = false
  /// Whether a track was asked for and did not begin yet; it begins even while paused, so that it is known.
  private var awaitsTrack = true

  /// - Parameters:
  ///   - load: The track at a place of the queue; called on a thread of its own.
  ///   - onStart: Called when a track begins to go into the sink.
  ///   - onFailure: Called for each track that cannot be played.
  package init(
    _ queue: PlayQueue, into sink: any SoundSink, options: PlayerOptions = PlayerOptions(),
    load: @escaping @Sendable (PlayItem) throws -> PlayedTrack,
    onStart: @escaping @Sendable (Int, PlayedTrack) -> Void = { _, _ in },
    onFailure: @escaping @Sendable (any Error) -> Void = { _ in }
  ) {
    self.sink = sink
    self.onStart = onStart
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
      if pendingStart < pending.count {
        try feed()
      } else if let piece = readAhead.take(waitingSeconds: 0.02) {
        guard try take(piece) else { return }
      }
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
      try begin(track, at: place, format: format, frame: start)
    case .samples(let samples): (pending, pendingStart) = (samples, 0)
    case .moved(let frame):
      guard let path, let track else { return true }
      mark(
        track.place, frame: frame, at: trackOutput + path.outputFrameCount(for: trackInput), path)
    case .end:
      var block: [Float] = []
      try path?.finish(into: &block)
      try write(block)
      path = nil
    case .failed(_, let error):
      path = nil
      onFailure(error)
    case .finished(let place):
      // Tracks may have been added since the last one was read.
      if let next = queue.place(after: place) {
        readAhead.jump(to: next, frame: nil)
        return true
      }
      guard hasPlayed else { throw PlayingError.nothingPlayable }
      try sink.finish()
      return false
    }
    return true
  }

  private func begin(_ track: PlayedTrack, at place: Int, format: AudioFormat, frame: Int64) throws {
    if !sink.continues(with: format) {
      try sink.open(format)
      timeline.removeAll()
      writtenFrameCount = 0
    }
    let isOther = self.track?.place != place || !hasPlayed
    self.track = (place, track, format)
    if isOther { loop = nil }
    awaitsTrack = false
    let settings = shared.withLock { state in
      state.begin(track, at: place)
      return state.settings(of: track, at: place)
    }
    let path = try OutputChain(
      format, through: track.chain, settings, to: sink.format ?? format, form: sink.form,
      own: SampleForm(holding: track.source.track.format))
    self.path = path
    (trackOutput, trackInput) = (writtenFrameCount, 0)
    mark(place, frame: frame, at: writtenFrameCount, path)
    hasPlayed = true
    if isOther { onStart(place, track) }
  }

  private func mark(_ place: Int, frame: Int64, at output: Int64, _ path: OutputChain) {
    let many: Int64 = 1 << 30
    timeline.append(
      atOutput: output, place: place, frame: frame, ratio: Double(many) / Double(path.outputFrameCount(for: many)))
  }

  /// Sends one block through the effects.
  private func feed() throws {
    guard let path, let track else {
      pending = []
      return
    }
    let channelCount = track.format.channelCount
    let end = min(pending.count, pendingStart + Self.framesPerBlock * channelCount)
    var block: [Float] = []
    let samples = Array(pending[pendingStart..<end])
    try path.process(samples.span, into: &block)
    trackInput += Int64((end - pendingStart) / channelCount)
    pendingStart = end
    try write(block)
  }

  private func write(_ block: [Float]) throws {
    guard !block.isEmpty, let format = sink.format else { return }
    tap.append(block.span, channelCount: format.channelCount, sampleRateInHz: format.sampleRateInHz)
    try sink.write(block.span)
    writtenFrameCount += Int64(block.count / format.channelCount)
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
      sink.discard()
      move(to: place, frame: nil)
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
        move(to: place + 1, frame: nil)
      } else if readAhead.place.map({ $0 > place }) ?? false {
        // A track that no longer follows may be decoded already.
        sink.discard()
        move(to: heard.place, frame: heard.frame)
      }
    case .settings:
      if let track { path?.update(shared.withLock { $0.settings(of: track.track, at: track.place) }) }
    case .stop:
      publish()
      shared.withLock { $0.wasStopped = true }
      sink.discard()
      return false
    }
    return true
  }

  private func move(to place: Int, frame: Int64?) {
    if place != track?.place { loop = nil }
    awaitsTrack = true
    path = nil
    pending = []
    pendingStart = 0
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
