internal import Base

/// Products of a part of a recording, cut from those of the whole.
extension WaveformPeaks {
  /// The points of a range of frames, from the one that holds its first frame; as many as that many frames have.
  package func cut(to frames: Range<Int64>) -> WaveformPeaks {
    let points = Self.points(of: frames, framesPerPoint: framesPerPoint, pointCount: pointCount)
    var peaks = self
    let width = 2 * channelCount
    peaks.values = Array(values[points.lowerBound * width..<points.upperBound * width])
    return peaks
  }

  fileprivate static func points(of frames: Range<Int64>, framesPerPoint: Int, pointCount: Int) -> Range<Int> {
    guard framesPerPoint > 0 else { return 0..<0 }
    let first = Int(clamping: frames.lowerBound) / framesPerPoint
    let count = (frames.count + framesPerPoint - 1) / framesPerPoint
    return (first..<first + count).clamped(to: 0..<pointCount)
  }

  /// The largest excursion of any channel in dB below full scale; nil for silence and without points.
  package var peakInDBFS: Double? {
    let largest = values.reduce(0) { max($0, $1 < 0 ? -Int($1) : Int($1) + 1) }
    let hasSound = values.contains { $0 != 0 && $0 != -1 }
    return hasSound ? Decibels.level(ofAmplitude: Double(largest) / (resolution == .bits8 ? 128 : 32_768)) : nil
  }
}

extension WaveformEnergy {
  /// The points of a range of frames, from the one that holds its first frame.
  package func cut(to frames: Range<Int64>) -> WaveformEnergy {
    let kept = WaveformPeaks.points(of: frames, framesPerPoint: framesPerPoint, pointCount: points.count)
    return WaveformEnergy(sampleRateInHz: sampleRateInHz, framesPerPoint: framesPerPoint, points: Array(points[kept]))
  }

  /// The mean level of the mix in dB below full scale; nil for silence and without points.
  package var rmsInDBFS: Double? {
    let power = BandEnergy(self, frames: 0..<max(1, points.count * framesPerPoint)).whole
    return power > 0 ? Decibels.level(ofPower: power) : nil
  }
}
