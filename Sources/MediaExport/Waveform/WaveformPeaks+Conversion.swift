package import MediaModel

extension WaveformPeaks {
  /// The same peaks in the other resolution: 8 bit is the 16-bit value over 256, truncated; 16 bit is the 8-bit value
  /// times 256.
  package func converted(to newResolution: Resolution) -> WaveformPeaks {
    guard newResolution != resolution else { return self }
    var copy = self
    copy.resolution = newResolution
    copy.values = newResolution == .bits8 ? values.map { $0 / 256 } : values.map { Int16(clamping: Int($0) * 256) }
    return copy
  }

  /// The peaks scaled over their whole length as audiowaveform's `--amplitude-scale auto` scales data.
  package var scaledAutomatically: WaveformPeaks {
    let unit = unitsPerValue
    let low = Int(values.min() ?? 0) * unit
    let high = Int(values.max() ?? 0) * unit
    let factor = AmplitudeScale.referenceFactor(low: low, high: high)
    var copy = self
    copy.values = values.map { Int16(clamping: AmplitudeScale.scale(Int($0) * unit, by: factor) / unit) }
    return copy
  }

  /// What one step of a value is in 16 bit: 256 for 8-bit peaks, else 1.
  var unitsPerValue: Int { resolution == .bits8 ? 256 : 1 }

  /// Lowest minimum and highest maximum of some points of a channel in 16 bit; nil where there is no point.
  func extremes(of points: Range<Int>, channel: Int) -> ClosedRange<Int>? {
    let points = points.clamped(to: 0..<pointCount)
    guard !points.isEmpty, (0..<channelCount).contains(channel) else { return nil }
    var low = Int.max
    var high = Int.min
    for point in points {
      let index = (point * channelCount + channel) * 2
      low = min(low, Int(values[index]))
      high = max(high, Int(values[index + 1]))
    }
    // A hostile blob may hold a minimum above its maximum.
    return min(low, high) * unitsPerValue...max(low, high) * unitsPerValue
  }

  /// Seconds of audio below all points, the last one counted whole.
  var durationInSeconds: Double { Double(pointCount) * Double(framesPerPoint) / Double(max(sampleRateInHz, 1)) }
}
