internal import Glibc
internal import MediaModel

/// Recently used segments in memory, up to a number of bytes; shared by any number of threads.
///
/// An evicted segment leaves the cache but stays valid for readers that hold it. So the memory in use is at most the
/// capacity plus what readers hold.
/// - Complexity: O(1) a request besides decoding, amortised.
package final class SegmentCache: Sendable {
  package static let defaultCapacityInBytes = 256 << 20

  private struct State {
    var segments: LeastRecentlyUsed<SegmentKey, DecodedSegment>
    /// What is being decoded now.
    var pending: [SegmentKey: PendingSegment] = [:]
    var statistics = SegmentCacheStatistics()
  }

  private enum Found {
    case segment(DecodedSegment)
    case pending(PendingSegment)
  }

  private let state: Guarded<State>
  private let ledger = SegmentLedger()

  package init(capacityInBytes: Int = defaultCapacityInBytes) {
    state = Guarded(State(segments: LeastRecentlyUsed(capacity: capacityInBytes)))
  }

  /// The segment, decoded by `decode` if it is not in the cache.
  ///
  /// If several threads request the same segment at once, one decodes it and the others wait. All of them get its
  /// error; the error is not kept, so a later request tries again. `decode` must not request the same segment.
  ///
  /// - Parameter decode: Returns the interleaved samples of the frames of `key`, fewer only if the recording ends.
  package func segment(for key: SegmentKey, decode: () throws -> [Float]) throws -> DecodedSegment {
    switch find(key) {
    case .segment(let segment): segment
    case .pending(let pending):
      try pending.outcome {
        let outcome = Result {
          DecodedSegment(
            samples: try decode(), channelCount: key.audio.format.channelCount, ledger: ledger)
        }
        finish(key, try? outcome.get())
        return outcome
      }
    }
  }

  package var statistics: SegmentCacheStatistics {
    var result = state.withLock { state in
      var statistics = state.statistics
      statistics.segmentCount = state.segments.count
      statistics.byteCount = state.segments.totalCost
      statistics.capacityInBytes = state.segments.capacity
      return statistics
    }
    result.existingByteCount = ledger.byteCount
    result.peakExistingByteCount = ledger.peak
    return result
  }

  /// The keys of all segments in the cache, from the one used last to the one that would be evicted first.
  package var keysInOrderOfUse: [SegmentKey] { state.withLock { $0.segments.inOrderOfUse } }

  private func find(_ key: SegmentKey) -> Found {
    state.withLock { state in
      if let segment = state.segments.value(for: key) {
        state.statistics.hitCount += 1
        return .segment(segment)
      }
      if let pending = state.pending[key] {
        state.statistics.waitCount += 1
        return .pending(pending)
      }
      state.statistics.missCount += 1
      let pending = PendingSegment()
      state.pending[key] = pending
      return .pending(pending)
    }
  }

  private func finish(_ key: SegmentKey, _ segment: DecodedSegment?) {
    state.withLock { state in
      state.pending[key] = nil
      guard let segment else { return }
      state.statistics.evictionCount += state.segments.insert(segment, for: key, cost: segment.byteCount)
      state.statistics.peakByteCount = max(state.statistics.peakByteCount, state.segments.totalCost)
    }
  }
}

/// A segment that is being decoded: the first thread that takes the lock decodes it, the others wait for the lock.
private final class PendingSegment: Sendable {
  private let result = Guarded<Result<DecodedSegment, any Error>?>(nil)

  func outcome(decode: () -> Result<DecodedSegment, any Error>) throws -> DecodedSegment {
    try result.withLock { result in
      let outcome = result ?? decode()
      result = outcome
      return try outcome.get()
    }
  }
}

extension SegmentCache: CustomDebugStringConvertible {
  /// The counters, then a line for each segment in order of use.
  package var debugDescription: String {
    let statistics = statistics
    let head =
      "\(statistics.segmentCount) segments, \(statistics.byteCount) of \(statistics.capacityInBytes) bytes "
      + "(at most \(statistics.peakByteCount)); \(statistics.description)"
    let lines = keysInOrderOfUse.map { key in
      "\(key.audio.hash) \(key.number): frames \(key.frames.lowerBound)..<\(key.frames.upperBound), "
        + "\(key.audio.format.sampleRateInHz) Hz, \(counted(key.audio.format.channelCount, "channel", "channels"))"
    }
    return ([head] + lines).joined(separator: "\n")
  }
}

extension SegmentCacheStatistics: CustomStringConvertible {
  /// Such as `12 hits, 3 misses, 0 waits, 1 eviction`.
  package var description: String {
    [
      counted(hitCount, "hit", "hits"), counted(missCount, "miss", "misses"), counted(waitCount, "wait", "waits"),
      counted(evictionCount, "eviction", "evictions"),
    ].joined(separator: ", ")
  }
}

/// What a segment cache did so far, and what it holds now.
package struct SegmentCacheStatistics: Hashable, Sendable {
  /// Requests answered from the cache.
  package var hitCount = 0
  /// Requests for which the segment was decoded.
  package var missCount = 0
  /// Requests that waited for another thread to decode the segment.
  package var waitCount = 0
  package var evictionCount = 0
  package var segmentCount = 0
  /// Bytes in the cache, never above its capacity.
  package var byteCount = 0
  package var peakByteCount = 0
  package var capacityInBytes = 0
  /// Bytes of all segments that exist, in the cache or held by readers.
  package var existingByteCount = 0
  package var peakExistingByteCount = 0

  package var requestCount: Int { hitCount + missCount + waitCount }
}

/// A value behind a lock of the system's threads.
///
/// The lock of the standard library's `Mutex` is in the runtime, where the thread sanitizer does not see it: every
/// access behind it would be reported as a race, which would hide real ones.
final class Guarded<Value>: @unchecked Sendable {
  private let mutex: UnsafeMutablePointer<pthread_mutex_t>
  private var value: Value

  init(_ value: sending Value) {
    self.value = value
    mutex = .allocate(capacity: 1)
    mutex.initialize(to: pthread_mutex_t())
    pthread_mutex_init(mutex, nil)
  }

  deinit {
    pthread_mutex_destroy(mutex)
    mutex.deallocate()
  }

  /// Waits for the lock; `body` must not take it again.
  func withLock<Result>(_ body: (inout Value) throws -> Result) rethrows -> Result {
    pthread_mutex_lock(mutex)
    defer { pthread_mutex_unlock(mutex) }
    return try body(&value)
  }
}

private func counted(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
