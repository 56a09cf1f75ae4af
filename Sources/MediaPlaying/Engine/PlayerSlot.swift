internal import MediaModel

/// A track on its way into the sink: its samples that wait, its effects, and where it is in the programme.
final class PlayerSlot {
  private static let framesPerBlock = 1024

  let place: Int
  /// nil if the queue has changed since.
  let item: PlayItem?
  let track: PlayedTrack
  let path: OutputChain
  /// Of its entry in the plan.
  let index: Int
  /// What came out of the effects and has no place yet.
  private(set) var ready: [Float] = []
  /// The frame of the programme of what is ready, or comes next. It may be before the first that is heard.
  private(set) var position: Int64
  /// Whether all of its samples were given.
  var isRead = false
  /// Whether all of them went through the effects.
  private(set) var isFinished = false
  /// Whether it was decided how it leads to the next one.
  var isJoinDecided = false

  private let channelCount: Int
  private let origin: Int64
  private var givenFrameCount: Int64 = 0
  private var waiting: [[Float]] = []
  /// Of the first of those that wait.
  private var start = 0

  /// - Parameters:
  ///   - channelCount: Of its samples.
  ///   - position: Where its first sample belongs.
  init(
    _ track: PlayedTrack, at place: Int, _ item: PlayItem?, channelCount: Int, through path: OutputChain, index: Int,
    position: Int64
  ) {
    (self.track, self.place, self.item, self.path, self.index) = (track, place, item, path, index)
    (self.channelCount, self.position, origin) = (channelCount, position, position)
  }

  var needsSamples: Bool { waiting.isEmpty && !isRead }

  var waitingSeconds: Double {
    let count = waiting.reduce(-start) { $0 + $1.count }
    return Double(count / channelCount) / Double(track.sampleRateInHz)
  }

  /// Where in the programme the sample after the last one that was given belongs.
  var end: Int64 { origin + path.outputFrameCount(for: givenFrameCount) }

  func give(_ samples: [Float]) {
    guard !samples.isEmpty else { return }
    givenFrameCount += Int64(samples.count / channelCount)
    waiting.append(samples)
  }

  /// Sends one block through the effects, or what is left in them.
  func advance() throws {
    guard let samples = waiting.first else {
      guard isRead, !isFinished else { return }
      try path.finish(into: &ready)
      isFinished = true
      return
    }
    let end = min(samples.count, start + Self.framesPerBlock * channelCount)
    try path.process(samples.span.extracting(start..<end), into: &ready)
    start = end
    guard end == samples.count else { return }
    waiting.removeFirst()
    start = 0
  }

  /// Gives what is ready up to a frame of the programme.
  func takeReady(upTo frame: Int64) -> [Float] {
    let channelCount = path.format.channelCount
    // The position of a track whose beginning is skipped may be below zero.
    let count = Int(max(0, min(frame, position + Int64(ready.count / channelCount)) - position))
    guard count > 0 else { return [] }
    position += Int64(count)
    guard count * channelCount < ready.count else {
      defer { ready = [] }
      return ready
    }
    defer { ready.removeFirst(count * channelCount) }
    return Array(ready[..<(count * channelCount)])
  }
}
