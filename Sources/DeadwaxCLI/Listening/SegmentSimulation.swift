internal import ArgumentParser
internal import Base
internal import DecodingService
internal import Dispatch
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import Synchronization

/// A part of a track that is read.
struct SegmentAccess: Sendable {
  let track: TrackReference
  let start: SecondsArgument
  let end: SecondsArgument

  /// - Parameter bytes: Start, end and track; the path of a track may be any bytes.
  init(_ bytes: [UInt8], line: Int, in store: MediaStore) throws {
    let words = bytes.split(maxSplits: 2, whereSeparator: Self.isBlank)
    func seconds(_ index: Int) -> SecondsArgument? {
      words.count == 3 ? SecondsArgument(argument: String(decoding: words[index], as: UTF8.self)) : nil
    }
    guard let start = seconds(0), let end = seconds(1), start.seconds < end.seconds else {
      let text = TerminalText.escaped(String(decoding: bytes, as: UTF8.self))
      throw ValidationError("line \(line) is not a start, a later end and a track: \(text)")
    }
    self.start = start
    self.end = end
    track = try store.tracks.resolve(BytePath(words[2]))
  }

  /// Blanks of ASCII, including the carriage return of other systems.
  static func isBlank(_ byte: UInt8) -> Bool { [0x20, 0x09, 0x0D].contains(byte) }
}

/// Replays accesses through a cache.
struct SegmentSimulation: Sendable {
  /// Files that one thread keeps open; each has a worker process.
  private static let openFileLimit = 4

  let accesses: [SegmentAccess]
  let cache: SegmentCache
  let jobCount: Int

  private struct State {
    var next = 0
    var frameCount: Int64 = 0
    var failure: (any Error)?
  }

  /// - Parameter report: Called after each access with what it changed, including changes by other threads.
  /// - Returns: The number of frames that were read.
  func run(_ report: @Sendable (SegmentAccess, SegmentCacheStatistics) throws -> Void) throws -> Int64 {
    let state = Mutex(State())
    let workerCount = ThreadSupply.canStartThread ? max(1, min(jobCount, accesses.count)) : 1
    DispatchQueue.concurrentPerform(iterations: workerCount) { _ in
      var readers: [(id: Int64, reader: SegmentReader)] = []
      while let index = state.withLock({ Self.next(&$0, of: accesses.count) }) {
        let access = accesses[index]
        do {
          let before = cache.statistics
          let count = try read(access, with: &readers)
          try report(access, cache.statistics.since(before))
          state.withLock { $0.frameCount += count }
        } catch {
          state.withLock { $0.failure = $0.failure ?? error }
        }
      }
    }
    return try state.withLock { state in
      if let failure = state.failure { throw failure }
      return state.frameCount
    }
  }

  private static func next(_ state: inout State, of count: Int) -> Int? {
    guard state.failure == nil, state.next < count else { return nil }
    defer { state.next += 1 }
    return state.next
  }

  private func read(_ access: SegmentAccess, with readers: inout [(id: Int64, reader: SegmentReader)]) throws -> Int64 {
    let id = access.track.recordingID
    if let index = readers.firstIndex(where: { $0.id == id }) {
      readers.append(readers.remove(at: index))
    } else {
      if readers.count == Self.openFileLimit { readers.removeFirst() }
      readers.append((id, try RecordingSource(access.track, cache: cache).makeReader()))
    }
    guard let reader = readers.last?.reader else { return 0 }
    let rate = reader.format.sampleRateInHz
    let frames = access.start.frame(atRateInHz: rate)..<access.end.frame(atRateInHz: rate)
    return try reader.forEachPiece(of: frames) { _ in }
  }
}

extension SegmentCacheStatistics {
  /// What was counted since then; the sizes are the current ones.
  fileprivate func since(_ earlier: Self) -> Self {
    var result = self
    result.hitCount -= earlier.hitCount
    result.missCount -= earlier.missCount
    result.waitCount -= earlier.waitCount
    result.evictionCount -= earlier.evictionCount
    return result
  }
}
