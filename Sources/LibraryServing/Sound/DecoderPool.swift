internal import Base
internal import DecodingService
internal import Dispatch
internal import HTTPServing
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import Synchronization

/// Worker processes that have a file open, so that the next range of it needs no new process.
///
/// Each is used by one thread at a time. There are at most ``limit``: an idle one makes room for another file. One more
/// may wait for the next file, see ``keepOneWaiting()``.
///
/// Some files are reached only by decoding all that is before a place. If a pool takes turns at them, a second thread waits
/// for the worker that has such a file open, instead of decoding all of it again in another one.
final class DecoderPool: Sendable {
  let limit: Int
  private let takesTurns: Bool

  /// The longest time that a thread waits for its turn.
  private static let turnTimeoutInSeconds = 10.0

  /// A file as it was scanned.
  fileprivate struct Key: Hashable {
    let recording: ContentHash
    let path: BytePath
    let status: FileStatus
    let declaration: StreamDeclaration?
  }

  /// An open file. The thread that takes it out of the pool is its only user.
  fileprivate struct OpenSource: @unchecked Sendable {
    let key: Key
    let source: any SegmentSource
    var idleSince = 0.0
    /// The end of what it has decoded: up to there some decoders remember states to go on from.
    var reach: Int64 = 0
  }

  private struct State {
    /// The one used last is the last.
    var idle: [OpenSource] = []
    var count = 0
    var waiting: PrewarmedWorker?
    /// How many workers with a file are in use.
    var lent: [Key: Int] = [:]
    /// Threads that wait for a worker with a file, the first one first.
    var turns: [(key: Key, turn: DispatchSemaphore)] = []
  }

  private enum Found {
    case source(OpenSource)
    /// The worker that made room, if one had to.
    case room(OpenSource?)
    case full
    /// Another thread uses the worker; this is signalled when it gives it back.
    case busy(DispatchSemaphore)
  }

  private let state = Mutex(State())

  /// - Parameter takesTurns: Whether it is for short requests of listeners, who jump: its workers also look ahead. False
  ///   where workers are kept for long.
  init(limit: Int, takesTurns: Bool = false) {
    self.limit = limit
    self.takesTurns = takesTurns
  }

  /// How many workers there are.
  var count: Int { state.withLock { $0.count } }

  func open(_ file: FileDetail, of track: TrackReference) throws(SegmentReadingError) -> any SegmentSource {
    let key = Key(
      recording: track.hash, path: file.path, status: file.status, declaration: file.declaration)
    let end = monotonicSeconds() + Self.turnTimeoutInSeconds
    while true {
      let left = end - monotonicSeconds()
      switch find(key, waits: takesTurns && track.isReachedByDecoding && left > 0) {
      case .source(let known): return LentSource(known, pool: self)
      case .full: throw .worker(reason: "all \(limit) are busy; try again")
      case .busy(let turn):
        if turn.wait(timeout: .now() + left) == .timedOut {
          state.withLock { $0.turns.removeAll { $0.turn === turn } }
        }
      case .room:
        do throws(SegmentReadingError) {
          let source = try RecordingSource.open(file, of: track, in: takeWaiting())
          if takesTurns { source.lookAhead() }
          return LentSource(OpenSource(key: key, source: source), pool: self)
        } catch {
          giveUp(key)
          throw error
        }
      }
    }
  }

  private func find(_ key: Key, waits: Bool) -> Found {
    state.withLock { state in
      let known = state.idle.indices.filter { state.idle[$0].key == key }
      if let farthest = known.max(by: { state.idle[$0].reach < state.idle[$1].reach }) {
        state.lent[key, default: 0] += 1
        return .source(state.idle.remove(at: farthest))
      }
      if waits, state.lent[key] != nil {
        let turn = DispatchSemaphore(value: 0)
        state.turns.append((key, turn))
        return .busy(turn)
      }
      guard state.count < limit || !state.idle.isEmpty else { return .full }
      state.lent[key, default: 0] += 1
      if state.count < limit {
        state.count += 1
        return .room(nil)
      }
      return .room(state.idle.removeFirst())
    }
  }

  /// Lets one worker wait for the next file, beyond the limit: the first sound of a file then needs no new process.
  ///
  /// Does nothing if there is one, or if none can be started.
  func keepOneWaiting() {
    guard state.withLock({ $0.waiting?.isThere != true }), let started = try? PrewarmedWorker() else { return }
    // One that has ended is released outside the lock.
    _ = state.withLock { state in
      defer { state.waiting = started }
      return state.waiting
    }
  }

  /// Ends the worker that waits.
  func endWaiting() { _ = takeWaiting() }

  private func takeWaiting() -> PrewarmedWorker? {
    let taken = state.withLock { state in
      defer { state.waiting = nil }
      return state.waiting
    }
    return taken?.isThere == true ? taken : nil
  }

  /// Ends the workers that were not used for some seconds.
  func endIdle(afterSeconds seconds: Double) {
    let now = monotonicSeconds()
    // They end when they are released, outside the lock.
    _ = state.withLock { state in
      let ended = state.idle.filter { now - $0.idleSince >= seconds }
      state.idle.removeAll { now - $0.idleSince >= seconds }
      state.count -= ended.count
      return ended
    }
  }

  fileprivate func takeBack(_ open: OpenSource, isUsable: Bool) {
    guard isUsable else { return giveUp(open.key) }
    var open = open
    open.idleSince = monotonicSeconds()
    state.withLock { [open] state in
      state.idle.append(open)
      Self.note(&state, freed: open.key)
    }
  }

  /// There is one worker less.
  private func giveUp(_ key: Key) {
    state.withLock { state in
      state.count -= 1
      Self.note(&state, freed: key)
    }
  }

  /// A worker with a file is no longer in use: the next thread that waits for one looks again.
  private static func note(_ state: inout State, freed key: Key) {
    let left = (state.lent[key] ?? 1) - 1
    state.lent[key] = left > 0 ? left : nil
    guard let next = state.turns.firstIndex(where: { $0.key == key }) else { return }
    state.turns.remove(at: next).turn.signal()
  }
}

extension TrackReference {
  /// Whether a place of it is reached only by decoding all that is before it: see docs/decisions/0012-positions-are-exact.md.
  fileprivate var isReachedByDecoding: Bool { isDamaged || format.codec == .opus }
}

/// A source of the pool while one thread has it.
private final class LentSource: SegmentSource {
  private var open: DecoderPool.OpenSource
  private let pool: DecoderPool
  private var isUsable = true

  init(_ open: DecoderPool.OpenSource, pool: DecoderPool) {
    self.open = open
    self.pool = pool
  }

  var audio: SegmentedAudio { open.source.audio }

  func decode(_ frames: Range<Int64>) throws -> [Float] {
    // A whole track takes minutes, and others may wait.
    if ClientDisconnect.current?.isCrowdedOut == true { throw CancellationError() }
    do {
      let samples = try open.source.decode(frames)
      open.reach = max(open.reach, frames.upperBound)
      return samples
    } catch {
      // After an error all further requests would fail.
      isUsable = false
      throw error
    }
  }

  deinit { pool.takeBack(open, isUsable: isUsable) }
}
