/// What a cache of segments did so far, and what it holds now.
package struct SegmentCacheStatistics: Hashable, Sendable {
  /// Requests answered from the cache.
  package var hitCount = 0
  /// Requests that made somebody decode.
  package var missCount = 0
  /// Requests that waited for a decode that another one had begun.
  package var waitCount = 0
  package var evictionCount = 0
  package var segmentCount = 0
  /// Bytes in the cache, never above its capacity.
  package var byteCount = 0
  package var peakByteCount = 0
  package var capacityInBytes = 0
  /// Bytes of all segments that exist: in the cache, and beside it in the hands of readers.
  package var existingByteCount = 0
  package var peakExistingByteCount = 0

  package var requestCount: Int { hitCount + missCount + waitCount }
}
