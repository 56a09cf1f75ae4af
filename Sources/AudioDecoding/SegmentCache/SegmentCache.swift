import MediaModel

/// Decoded segments in memory, those used last, up to a number of bytes; shared by any number of threads.
///
/// A segment that is evicted leaves the cache, not its readers: what a reader holds stays as it is. So the bytes that
/// exist are at most the capacity and what is in use.
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

  /// The segment, decoded by `decode` unless it is there.
  ///
  /// Of several threads that ask for one segment at once one decodes it, and the others wait. An error goes to all of
  /// them and is not kept: whoever asks later makes a new attempt. `decode` must not ask for the same segment.
  ///
  /// - Parameter decode: gives the interleaved samples of the frames of `key`, fewer only where the recording ends.
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

  /// The keys of all segments that are kept, from the one used last to the one that would go first.
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

/// A segment on its way: the first thread that takes the lock decodes it, those that come while it does wait for the lock.
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
