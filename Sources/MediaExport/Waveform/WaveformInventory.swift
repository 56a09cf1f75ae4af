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
  /// Whether there is audio that can be decoded for what is not stored; peaks alone have none.
  package var hasAudio = true

  package init(sampleRateInHz: Int, frameCount: Int64, channelCount: Int, mix: Shape?, channels: Shape?) {
    self.sampleRateInHz = sampleRateInHz
    self.frameCount = frameCount
    self.channelCount = channelCount
    self.mix = mix
    self.channels = channels
  }

  /// Of peaks that are all there is.
  package init(of peaks: WaveformPeaks) {
    let (frameCount, overflow) = Int64(peaks.pointCount).multipliedReportingOverflow(by: Int64(peaks.framesPerPoint))
    let shape = Shape(of: peaks)
    self.init(
      sampleRateInHz: peaks.sampleRateInHz, frameCount: overflow ? .max : frameCount,
      channelCount: peaks.channelCount, mix: peaks.channelCount == 1 ? shape : nil,
      channels: peaks.channelCount == 1 ? nil : shape)
    hasAudio = false
  }

  /// The resolution that costs nothing: 8 bit of what is stored, that of peaks that are all there is.
  package var preferredResolution: WaveformPeaks.Resolution {
    hasAudio ? .bits8 : (mix ?? channels)?.resolution ?? .bits8
  }

  /// The zoom of data where none is asked for: audiowaveform's 256, or that of peaks that are all there is.
  package var preferredFramesPerPoint: Int { hasAudio ? 256 : (mix ?? channels)?.framesPerPoint ?? 256 }

  /// A zoom that fits a width, no finer than peaks that are all there is.
  package func coarsened(_ zoom: WaveformZoom) throws(ExportError) -> WaveformZoom {
    guard !hasAudio else { return zoom }
    if case .range(let start, let end, _) = zoom, start >= end { return zoom }
    let asked: Int
    do throws(ExportError) {
      asked = try zoom.framesPerPoint(sampleRateInHz: sampleRateInHz, frameCount: frameCount)
    } catch {
      asked = WaveformZoom.minimumFramesPerPoint
    }
    return .framesPerPoint(max(asked, preferredFramesPerPoint))
  }

  package var durationInSeconds: Double { Double(frameCount) / Double(max(sampleRateInHz, 1)) }
}
