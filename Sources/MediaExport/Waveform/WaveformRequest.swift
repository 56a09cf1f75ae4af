package import MediaModel

/// Waveform data as asked for: always of the whole recording, as audiowaveform gives it.
///
/// A start and an end choose the zoom only (``WaveformZoom/range(startInSeconds:endInSeconds:pointCount:)``); they cut
/// pictures, not data.
package struct WaveformRequest: Hashable, Sendable {
  package var zoom: WaveformZoom
  package var resolution: WaveformPeaks.Resolution
  package var splitsChannels: Bool
  /// Whether the values are scaled so that the negative excursion reaches full scale.
  package var scalesAutomatically: Bool
  /// Whether a zoom that is no multiple of the stored one is decoded rather than rescaled.
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

  /// Decides whether stored peaks give what audiowaveform would have made of the audio.
  ///
  /// They do at any multiple of their zoom. At other coarser zooms they are rescaled, as audiowaveform rescales its own
  /// files, unless the request is exact. Finer zooms, 16 bit and automatic scaling (which starts from 16 bit) are
  /// decoded. Peaks that are all there is are taken for everything.
  package func selection(from stored: WaveformInventory) throws(ExportError) -> WaveformSelection {
    let framesPerPoint = try zoom.framesPerPoint(
      sampleRateInHz: stored.sampleRateInHz, frameCount: stored.frameCount)
    let neededResolution = scalesAutomatically ? .bits16 : resolution

    if !stored.hasAudio {
      guard !isExact || framesPerPoint.isMultiple(of: stored.preferredFramesPerPoint) else {
        throw .zoom(
          reason: "from peaks alone \(framesPerPoint) frames a point are not exact; "
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

    // One channel is its own mix, and the mix is stored at the finer zoom.
    if !splitsChannels || stored.channelCount == 1, suffices(stored.mix, channelCount: 1) { return .storedMix }
    if splitsChannels, suffices(stored.channels, channelCount: stored.channelCount) { return .storedChannels }
    return .decoded(
      WaveformDecoding(
        framesPerPoint: framesPerPoint, resolution: neededResolution, splitsChannels: splitsChannels))
  }

  /// Peaks that the selection led to, brought to the zoom, scale and resolution that were asked for.
  package func result(from peaks: WaveformPeaks, of stored: WaveformInventory) throws(ExportError) -> WaveformPeaks {
    let framesPerPoint = try zoom.framesPerPoint(
      sampleRateInHz: stored.sampleRateInHz, frameCount: stored.frameCount)
    guard peaks.framesPerPoint > 0, peaks.framesPerPoint <= framesPerPoint else {
      throw .zoom(
        reason: "peaks of \(peaks.framesPerPoint) frames a point cannot become finer (\(framesPerPoint) asked for)")
    }
    var result = peaks.rescaled(toFramesPerPoint: framesPerPoint, frameCount: stored.frameCount)
    if scalesAutomatically { result = result.scaledAutomatically }
    return result.converted(to: resolution)
  }
}
