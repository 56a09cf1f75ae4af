package import MediaModel

/// What is stored of a recording's waveform: enough to decide whether something must be decoded.
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
  /// Whether what is not stored can be decoded; false for a file of peaks.
  package var hasAudio = true

  package init(sampleRateInHz: Int, frameCount: Int64, channelCount: Int, mix: Shape?, channels: Shape?) {
    self.sampleRateInHz = sampleRateInHz
    self.frameCount = frameCount
    self.channelCount = channelCount
    self.mix = mix
    self.channels = channels
  }

  /// For a file of peaks, which is all there is.
  package init(of peaks: WaveformPeaks) {
    let (frameCount, overflow) = Int64(peaks.pointCount).multipliedReportingOverflow(by: Int64(peaks.framesPerPoint))
    let shape = Shape(of: peaks)
    self.init(
      sampleRateInHz: peaks.sampleRateInHz, frameCount: overflow ? .max : frameCount,
      channelCount: peaks.channelCount, mix: peaks.channelCount == 1 ? shape : nil,
      channels: peaks.channelCount == 1 ? nil : shape)
    hasAudio = false
  }

  /// The resolution that needs no decoding: 8 bit, or that of a file of peaks.
  package var preferredResolution: WaveformPeaks.Resolution {
    hasAudio ? .bits8 : (mix ?? channels)?.resolution ?? .bits8
  }

  /// The default zoom of data: audiowaveform's 256, or that of a file of peaks.
  package var preferredFramesPerPoint: Int { hasAudio ? 256 : (mix ?? channels)?.framesPerPoint ?? 256 }

  /// A zoom that fits a width, but not finer than a file of peaks.
  package func coarsened(_ zoom: WaveformZoom) throws(RenderingError) -> WaveformZoom {
    guard !hasAudio else { return zoom }
    if case .range(let start, let end, _) = zoom, start >= end { return zoom }
    let asked: Int
    do throws(RenderingError) {
      asked = try zoom.framesPerPoint(sampleRateInHz: sampleRateInHz, frameCount: frameCount)
    } catch {
      asked = WaveformZoom.minimumFramesPerPoint
    }
    return .framesPerPoint(max(asked, preferredFramesPerPoint))
  }

  package var durationInSeconds: Double { Double(frameCount) / Double(max(sampleRateInHz, 1)) }
}
