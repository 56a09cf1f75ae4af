package import MediaModel

/// Peaks as asked for: zoom, resolution and channels.
///
/// Data always cover the whole recording, as audiowaveform's do; a start and an end only choose the zoom
/// (``WaveformZoom/range(startInSeconds:endInSeconds:pointCount:)``). For a picture, only its view is decoded.
package struct WaveformRequest: Hashable, Sendable {
  package var zoom: WaveformZoom
  package var resolution: WaveformPeaks.Resolution
  package var splitsChannels: Bool
  /// Whether the values are scaled so that the negative excursion reaches full scale.
  package var scalesAutomatically: Bool
  /// Whether a zoom that is not a multiple of the stored one is decoded rather than rescaled.
  package var isExact: Bool

  package init(
    zoom: WaveformZoom = .framesPerPoint(256), resolution: WaveformPeaks.Resolution = .bits8,
    splitsChannels: Bool = false, scalesAutomatically: Bool = false, isExact: Bool = false
  ) {
    self.zoom = zoom
    self.resolution = resolution
    self.splitsChannels = splitsChannels
    self.scalesAutomatically = scalesAutomatically
    self.isExact = isExact
  }

  /// Decides whether stored peaks give what audiowaveform would compute from the samples.
  ///
  /// They do at any multiple of their zoom. At other coarser zooms they are rescaled, as audiowaveform rescales its own
  /// files, unless the request is exact. Finer zooms, 16 bit and automatic scaling (which starts from 16 bit) need
  /// decoding. A file of peaks is used for everything.
  package func selection(from stored: WaveformInventory) throws(RenderingError) -> WaveformSelection {
    let framesPerPoint = try zoom.framesPerPoint(
      sampleRateInHz: stored.sampleRateInHz, frameCount: stored.frameCount)
    let neededResolution = scalesAutomatically ? .bits16 : resolution

    if !stored.hasAudio {
      guard !isExact || framesPerPoint.isMultiple(of: stored.preferredFramesPerPoint) else {
        throw .zoom(
          reason: "from peaks alone \(framesPerPoint) frames per point are not exact; "
            + "multiples of \(stored.preferredFramesPerPoint) are")
      }
      return stored.mix != nil ? .storedMix : .storedChannels
    }

    func suffices(_ shape: WaveformInventory.Shape?, channelCount: Int) -> Bool {
      guard let shape, shape.framesPerPoint > 0, shape.channelCount == channelCount,
        shape.framesPerPoint <= framesPerPoint,
        shape.resolution.rawValue >= neededResolution.rawValue
      else { return false }
      return !isExact || framesPerPoint.isMultiple(of: shape.framesPerPoint)
    }

    // A single channel is its own mix, and the mix is stored at the finer zoom.
    if !splitsChannels || stored.channelCount == 1, suffices(stored.mix, channelCount: 1) { return .storedMix }
    if splitsChannels, suffices(stored.channels, channelCount: stored.channelCount) { return .storedChannels }
    return .decoded(
      WaveformDecoding(
        framesPerPoint: framesPerPoint, resolution: neededResolution, splitsChannels: splitsChannels))
  }

  /// The selected peaks at the zoom, scale and resolution that were asked for.
  package func result(from peaks: WaveformPeaks, of stored: WaveformInventory) throws(RenderingError) -> WaveformPeaks {
    let framesPerPoint = try zoom.framesPerPoint(
      sampleRateInHz: stored.sampleRateInHz, frameCount: stored.frameCount)
    guard peaks.framesPerPoint > 0, peaks.framesPerPoint <= framesPerPoint else {
      throw .zoom(
        reason: "peaks of \(peaks.framesPerPoint) frames per point cannot become finer (\(framesPerPoint) requested)")
    }
    var result = peaks.rescaled(toFramesPerPoint: framesPerPoint, frameCount: stored.frameCount)
    if scalesAutomatically { result = result.scaledAutomatically }
    return result.converted(to: resolution)
  }
}

extension WaveformRequest {
  /// Like ``selection(from:)``, but decodes only what a picture shows.
  ///
  /// Stored points cover the whole recording and begin with point 0; decoded ones begin with the first of the view.
  package func selection(
    from stored: WaveformInventory, showing view: WaveformView
  ) throws(RenderingError) -> WaveformSelection {
    switch try selection(from: stored) {
    case .decoded(var decoding):
      decoding.frames = view.frames
      return .decoded(decoding)
    case let selection: return selection
    }
  }
}

/// Where the peaks for a request come from.
package enum WaveformSelection: Hashable, Sendable {
  /// The stored peaks of the mono mix suffice.
  case storedMix
  /// The stored peaks of the channels suffice.
  case storedChannels
  /// The recording must be decoded.
  case decoded(WaveformDecoding)
}

/// Peaks that only decoding gives.
package struct WaveformDecoding: Hashable, Sendable {
  /// At least 2.
  package var framesPerPoint: Int
  package var resolution: WaveformPeaks.Resolution
  /// Whether every channel has its own minimum and maximum; otherwise they are of the mono mix.
  package var splitsChannels: Bool
  /// The frames to decode, starting at a multiple of `framesPerPoint`; nil for the whole recording. They may extend
  /// beyond its end.
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

/// The part of a recording that a picture shows, as points of a waveform.
package struct WaveformView: Hashable, Sendable {
  package let framesPerPoint: Int
  /// The first point that is shown; points begin at multiples of `framesPerPoint` frames from the recording's start.
  package let firstPoint: Int
  /// Columns of the picture; the recording may end before the last.
  package let pointCount: Int
  package let startInSeconds: Double

  /// - Throws: ``RenderingError/zoom(reason:)`` for a zoom that is not possible, or a start that is not a time.
  package init(
    zoom: WaveformZoom, startInSeconds start: Double, pointCount: Int, of stored: WaveformInventory
  ) throws(RenderingError) {
    framesPerPoint = try zoom.framesPerPoint(sampleRateInHz: stored.sampleRateInHz, frameCount: stored.frameCount)
    guard start >= 0, let frame = Int(exactly: (start * Double(stored.sampleRateInHz)).rounded(.towardZero)),
      frame < Int.max / 2
    else { throw .zoom(reason: "the start must be a time in seconds, not \(start)") }
    firstPoint = frame / framesPerPoint
    self.pointCount = max(pointCount, 0)
    startInSeconds = start
  }

  /// The frames that are shown; they may extend beyond the recording's end.
  package var frames: Range<Int64> {
    let start = firstPoint * framesPerPoint
    let length = pointCount.multipliedReportingOverflow(by: framesPerPoint)
    let end = start.addingReportingOverflow(length.partialValue)
    return Int64(start)..<(length.overflow || end.overflow ? .max : Int64(end.partialValue))
  }
}
