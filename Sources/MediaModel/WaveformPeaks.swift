/// Minimum and maximum of the samples below each point of a waveform, as audiowaveform makes them.
package struct WaveformPeaks: Hashable, Sendable {
  package enum Resolution: Int, Hashable, Sendable {
    case bits8 = 8
    case bits16 = 16
  }

  package var sampleRateInHz: Int
  /// Audio frames below one point; the last point may cover fewer.
  package var framesPerPoint: Int
  /// Channels that are kept apart; 1 for the mono mix.
  package var channelCount: Int
  package var resolution: Resolution
  /// For each point, for each channel: minimum, then maximum; `-128...127` or `-32768...32767` by `resolution`.
  package var values: [Int16]

  package init(
    sampleRateInHz: Int, framesPerPoint: Int, channelCount: Int, resolution: Resolution, values: [Int16]
  ) {
    precondition(channelCount > 0 && values.count.isMultiple(of: 2 * channelCount), "a point has a pair a channel")
    self.sampleRateInHz = sampleRateInHz
    self.framesPerPoint = framesPerPoint
    self.channelCount = channelCount
    self.resolution = resolution
    self.values = values
  }

  package var pointCount: Int { values.count / (2 * channelCount) }
}
