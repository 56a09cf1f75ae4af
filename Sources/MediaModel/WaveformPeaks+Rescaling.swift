extension WaveformPeaks {
  /// The same waveform at a coarser zoom, grouped as audiowaveform groups it.
  ///
  /// Point `k` takes the points from `floor(k·new/old)` up to, not including, `floor((k+1)·new/old)`. When
  /// `framesPerPoint` is a multiple of the present one, the result equals peaks made from the audio; otherwise a point
  /// may be up to one old point off.
  ///
  /// - Parameter frameCount: The length of the audio, where it is known: the last point that it reaches takes all that is
  ///   left, so that there are as many as peaks made from the audio would have.
  /// - Precondition: `framesPerPoint` is not below the present one.
  package func rescaled(toFramesPerPoint newFramesPerPoint: Int, frameCount: Int64? = nil) -> WaveformPeaks {
    precondition(newFramesPerPoint >= framesPerPoint, "peaks can only become coarser")
    guard newFramesPerPoint > framesPerPoint else { return self }
    let pairCount = channelCount
    var result: [Int16] = []
    result.reserveCapacity(values.count * framesPerPoint / newFramesPerPoint + 2 * pairCount)
    let last = frameCount.map { (Int(clamping: $0) - 1) / newFramesPerPoint }
    var first = 0
    var outputIndex = 0
    while first < pointCount {
      let end =
        outputIndex == last ? pointCount : min(pointCount, (outputIndex + 1) * newFramesPerPoint / framesPerPoint)
      for channel in 0..<pairCount {
        var low = Int16.max
        var high = Int16.min
        for point in first..<end {
          low = min(low, values[(point * pairCount + channel) * 2])
          high = max(high, values[(point * pairCount + channel) * 2 + 1])
        }
        result.append(low)
        result.append(high)
      }
      first = end
      outputIndex += 1
    }
    return WaveformPeaks(
      sampleRateInHz: sampleRateInHz, framesPerPoint: newFramesPerPoint, channelCount: channelCount,
      resolution: resolution, values: result)
  }
}
