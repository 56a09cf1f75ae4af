/// The samples of a segment: they never change, and live as long as somebody holds them.
package final class DecodedSegment: Sendable {
  /// Interleaved, all finite; empty behind the end of the recording.
  package let samples: [Float]
  package let channelCount: Int
  private let ledger: SegmentLedger

  init(samples: [Float], channelCount: Int, ledger: SegmentLedger) {
    self.samples = samples
    self.channelCount = channelCount
    self.ledger = ledger
    ledger.add(byteCount)
  }

  deinit { ledger.remove(byteCount) }

  package var frameCount: Int { samples.count / channelCount }

  /// What it costs: the samples, and what it takes to keep them.
  var byteCount: Int { samples.count * MemoryLayout<Float>.stride + 256 }
}

/// Counts the bytes of all segments that exist, whether a cache or a reader holds them.
final class SegmentLedger: Sendable {
  private let counts = Guarded((byteCount: 0, peak: 0))

  var byteCount: Int { counts.withLock(\.byteCount) }
  var peak: Int { counts.withLock(\.peak) }

  func add(_ byteCount: Int) {
    counts.withLock { counts in
      counts.byteCount += byteCount
      counts.peak = max(counts.peak, counts.byteCount)
    }
  }

  func remove(_ byteCount: Int) { counts.withLock { $0.byteCount -= byteCount } }
}
