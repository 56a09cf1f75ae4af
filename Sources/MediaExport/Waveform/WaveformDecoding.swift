package import MediaModel

/// Peaks that can only be had by decoding audio.
package struct WaveformDecoding: Hashable, Sendable {
  /// At least 2.
  package var framesPerPoint: Int
  package var resolution: WaveformPeaks.Resolution
  /// Whether every channel has its own minimum and maximum; otherwise the mono mix has.
  package var splitsChannels: Bool
  /// The frames to decode, starting at a multiple of `framesPerPoint`; nil for the whole recording. May reach beyond
  /// its end.
  package var frames: Range<Int64>?

  package init(
    framesPerPoint: Int, resolution: WaveformPeaks.Resolution, splitsChannels: Bool, frames: Range<Int64>? = nil
  ) {
    self.framesPerPoint = framesPerPoint
    self.resolution = resolution
    self.splitsChannels = splitsChannels
    self.frames = frames
  }
}
