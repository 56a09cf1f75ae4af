extension [Float] {
  /// Hands over interleaved samples in blocks of at most `frameCount` frames.
  func forEachBlock(of frameCount: Int, channelCount: Int, _ body: (Span<Float>) -> Void) {
    let size = frameCount.multipliedReportingOverflow(by: channelCount)
    let step = Swift.max(1, size.overflow ? count : Swift.min(size.partialValue, count))
    for start in stride(from: 0, to: count, by: step) {
      body(span.extracting(start..<Swift.min(start + step, count)))
    }
  }
}
