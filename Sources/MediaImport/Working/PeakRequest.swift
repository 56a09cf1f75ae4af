package import MediaModel

/// Peaks that no stored product gives.
package struct PeakRequest: Hashable, Sendable {
  /// At least 2.
  package var framesPerPoint: Int
  package var resolution: WaveformPeaks.Resolution
  /// Whether every channel has its own minimum and maximum; otherwise the mono mix has.
  package var splitsChannels: Bool
  /// May reach beyond the end.
  package var frames: Range<Int64>

  package init(framesPerPoint: Int, resolution: WaveformPeaks.Resolution, splitsChannels: Bool, frames: Range<Int64>) {
    self.framesPerPoint = framesPerPoint
    self.resolution = resolution
    self.splitsChannels = splitsChannels
    self.frames = frames
  }
}
