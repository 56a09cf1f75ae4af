package import MediaModel

/// What is known and stored of a recording's waveform, so that it can be decided what must be decoded.
package struct WaveformInventory: Hashable, Sendable {
  /// The shape of stored peaks, without their values.
  package struct Shape: Hashable, Sendable {
    package var framesPerPoint: Int
    package var resolution: WaveformPeaks.Resolution
    /// Channels that are kept apart; 1 for the mono mix.
    package var channelCount: Int

    package init(framesPerPoint: Int, resolution: WaveformPeaks.Resolution, channelCount: Int) {
      self.framesPerPoint = framesPerPoint
      self.resolution = resolution
      self.channelCount = channelCount
    }

    package init(of peaks: WaveformPeaks) {
      self.init(
        framesPerPoint: peaks.framesPerPoint, resolution: peaks.resolution, channelCount: peaks.channelCount)
    }
  }

  package var sampleRateInHz: Int
  /// Frames that were decoded.
  package var frameCount: Int64
  /// Channels of the recording, of which only the first eight may be stored.
  package var channelCount: Int
  package var mix: Shape?
  package var channels: Shape?

  package init(sampleRateInHz: Int, frameCount: Int64, channelCount: Int, mix: Shape?, channels: Shape?) {
    self.sampleRateInHz = sampleRateInHz
    self.frameCount = frameCount
    self.channelCount = channelCount
    self.mix = mix
    self.channels = channels
  }

  package var durationInSeconds: Double { Double(frameCount) / Double(max(sampleRateInHz, 1)) }
}
