internal import AudioEncoding
internal import DecodingService
internal import Foundation
internal import MediaModel
internal import MediaRendering

/// Decodes what will be played, some seconds ahead, on a thread of its own: one track after the other, in one stream.
final class ReadAhead: @unchecked Sendable {
  enum Piece {
    /// A track begins at a frame of its recording; `format` is that of its samples.
    case track(place: Int, PlayedTrack, format: AudioFormat, start: Int64)
    /// Interleaved, in WAVE's order.
    case samples([Float])
    /// The next samples are from this frame on, because a loop begins again.
    case moved(Int64)
    /// Everything of the track was given.
    case end
    case failed(place: Int, any Error)
    /// Nothing comes after a place.
    case finished(after: Int)
  }

  private static let sampleLimit = 1 << 18
  private static let framesPerPiece: Int64 = 8192

  private let condition = NSCondition()
  private let load: @Sendable (Int) throws -> PlayedTrack
  private let next: @Sendable (Int) -> Int?
  // Behind the condition.
  private var pieces: [Piece] = []
  private var waitingSampleCount = 0
  private var request: (place: Int, frame: Int64?)?
  private var loop: Range<Int64>?
  private var ending: (place: Int, frame: Int64)?
  private var isStopped = false
  private var readPlace: Int?
  /// The thread's own: the track that is open.
  private var open: (place: Int, track: PlayedTrack, reader: SegmentReader)?

  /// - Parameters:
  ///   - load: The track at a place of the queue; called on the thread.
  ///   - next: The place that comes by itself after another one.
  init(load: @escaping @Sendable (Int) throws -> PlayedTrack, next: @escaping @Sendable (Int) -> Int?) {
    self.load = load
    self.next = next
  }

  /// The place that is read, or was read last; nil before the first one.
  var place: Int? { condition.withLock { request?.place ?? readPlace } }

  func start() {
    let thread = Thread { self.run() }
    thread.name = "read ahead"
    thread.start()
  }

  /// Forgets what was read, and goes on elsewhere.
  ///
  /// - Parameters:
  ///   - frame: Of the recording; nil for the start of the track.
  ///   - loop: The frames that are repeated.
  func jump(to place: Int, frame: Int64?, loop: Range<Int64>? = nil) {
    condition.withLock {
      pieces = []
      waitingSampleCount = 0
      request = (place, frame)
      self.loop = loop
      ending = nil
      condition.broadcast()
    }
  }

  /// Ends a track before its last frame, if it is still read.
  ///
  /// - Parameter frame: Of the recording; nil for its end.
  func end(_ place: Int, at frame: Int64?) { condition.withLock { ending = frame.map { (place, $0) } } }

  /// The next piece; nil if there is none for a moment.
  func take(waitingSeconds: Double) -> Piece? {
    condition.withLock {
      if pieces.isEmpty { _ = condition.wait(until: Date(timeIntervalSinceNow: waitingSeconds)) }
      guard !pieces.isEmpty else { return nil }
      let piece = pieces.removeFirst()
      if case .samples(let samples) = piece { waitingSampleCount -= samples.count }
      condition.broadcast()
      return piece
    }
  }

  func stop() {
    condition.withLock {
      isStopped = true
      condition.broadcast()
    }
  }

  private func run() {
    var place: Int?
    var frame: Int64?
    while true {
      if let request = takeRequest(waits: place == nil) { (place, frame) = request }
      guard !condition.withLock({ isStopped }) else { return }
      guard let current = place else { continue }
      // Whatever is left of an interrupted track is given up for the request.
      guard read(current, from: frame) else {
        place = nil
        continue
      }
      place = next(current)
      frame = nil
      if place == nil { push(.finished(after: current)) }
    }
  }

  private func takeRequest(waits: Bool) -> (Int, Int64?)? {
    condition.withLock {
      while waits, request == nil, !isStopped { condition.wait() }
      defer { request = nil }
      return request.map { ($0.place, $0.frame) }
    }
  }

  /// Gives a track to its end.
  ///
  /// - Returns: false if something else was asked for meanwhile.
  private func read(_ place: Int, from frame: Int64?) -> Bool {
    condition.withLock { (readPlace, ending) = (place, nil) }
    do {
      let track: PlayedTrack
      let reader: SegmentReader
      if let open, open.place == place {
        (track, reader) = (open.track, open.reader)
      } else {
        open = nil
        track = try load(place)
        reader = try track.source.makeReader()
        open = (place, track, reader)
      }
      var format = reader.format
      let permutation = ChannelOrder.permutation(from: format.channelOrder, channelCount: format.channelCount)
      if permutation != nil { format.channelOrder = .standard }
      var position = min(max(frame ?? track.frames.lowerBound, track.frames.lowerBound), track.frames.upperBound)
      guard push(.track(place: place, track, format: format, start: position)) else { return false }
      while true {
        let (loop, ending) = condition.withLock { (self.loop, self.ending) }
        let last = min(track.frames.upperBound, ending.map { $0.place == place ? $0.frame : .max } ?? .max)
        guard position < last else { break }
        if let loop, position >= loop.upperBound {
          position = loop.lowerBound
          guard push(.moved(position)) else { return false }
        }
        let end = min(position + Self.framesPerPiece, last, loop?.upperBound ?? .max)
        var samples = try reader.samples(of: position..<end)
        guard !samples.isEmpty else { throw RenderingError.missingFrames(track.frames.upperBound - position) }
        position += Int64(samples.count / format.channelCount)
        if let permutation { samples = ChannelOrder.reordered(samples.span, by: permutation) }
        guard push(.samples(samples)) else { return false }
      }
      return push(.end)
    } catch {
      // Its decoder may be gone.
      open = nil
      return push(.failed(place: place, error))
    }
  }

  /// - Returns: false if something else was asked for meanwhile.
  @discardableResult
  private func push(_ piece: Piece) -> Bool {
    condition.withLock {
      while waitingSampleCount > Self.sampleLimit, request == nil, !isStopped { condition.wait() }
      guard request == nil, !isStopped else { return false }
      pieces.append(piece)
      if case .samples(let samples) = piece { waitingSampleCount += samples.count }
      condition.broadcast()
      return true
    }
  }
}
