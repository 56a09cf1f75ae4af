package import MediaModel

/// Reads any range of a recording through a cache of its segments. One thread at a time; the cache is shared.
package final class SegmentReader {
  package let cache: SegmentCache
  private let source: any SegmentSource

  package init(_ source: any SegmentSource, cache: SegmentCache) {
    self.source = source
    self.cache = cache
  }

  package var format: AudioFormat { source.audio.format }

  /// Passes on the samples of a range, segment by segment: interleaved, bit for bit those of a whole decode.
  ///
  /// - Parameter frames: Counted from 0; may reach beyond the end.
  /// - Returns: The number of frames that were there.
  @discardableResult
  package func forEachPiece(
    of frames: Range<Int64>, _ body: (Span<Float>) throws -> Void
  ) throws -> Int64 {
    let length = Int64(SegmentKey.framesPerSegment)
    let channelCount = format.channelCount
    var position = max(0, frames.lowerBound)
    let start = position
    while position < frames.upperBound {
      let segment = try segment(position / length)
      let first = Int(position % length)
      let last = Int(min(Int64(segment.frameCount), frames.upperBound - position / length * length))
      guard first < last else { break }
      let samples = segment.samples
      try body(samples.span.extracting(first * channelCount..<last * channelCount))
      position += Int64(last - first)
      if segment.frameCount < SegmentKey.framesPerSegment { break }
    }
    return position - start
  }

  /// The samples of a range that fits into memory.
  package func samples(of frames: Range<Int64>) throws -> [Float] {
    var result: [Float] = []
    try forEachPiece(of: frames) { piece in piece.withUnsafeBufferPointer { result.append(contentsOf: $0) } }
    return result
  }

  private func segment(_ number: Int64) throws -> DecodedSegment {
    let key = SegmentKey(audio: source.audio, number: number)
    return try cache.segment(for: key) { try source.decode(key.frames) }
  }
}
