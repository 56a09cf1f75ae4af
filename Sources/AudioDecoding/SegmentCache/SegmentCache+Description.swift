import MediaModel

extension SegmentCache: CustomDebugStringConvertible {
  /// The counters, then a line for each segment in order of use.
  package var debugDescription: String {
    let statistics = statistics
    let head =
      "\(statistics.segmentCount) segments, \(statistics.byteCount) of \(statistics.capacityInBytes) bytes "
      + "(at most \(statistics.peakByteCount)); \(statistics.description)"
    let lines = keysInOrderOfUse.map { key in
      "\(key.audio.hash) \(key.number): frames \(key.frames.lowerBound)..<\(key.frames.upperBound), "
        + "\(key.audio.format.shape)"
    }
    return ([head] + lines).joined(separator: "\n")
  }
}

extension SegmentCacheStatistics: CustomStringConvertible {
  /// Such as `12 hits, 3 misses, 0 waits, 1 eviction`.
  package var description: String {
    func counted(_ count: Int, _ one: String, _ many: String) -> String { "\(count) \(count == 1 ? one : many)" }
    return [
      counted(hitCount, "hit", "hits"), counted(missCount, "miss", "misses"), counted(waitCount, "wait", "waits"),
      counted(evictionCount, "eviction", "evictions"),
    ].joined(separator: ", ")
  }
}
