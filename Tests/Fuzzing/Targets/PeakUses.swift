internal import MediaExport
internal import MediaModel

/// What commands do with peaks that came from a file.
enum PeakUses {
  static func check(_ peaks: WaveformPeaks) throws {
    let inventory = WaveformInventory(of: peaks)
    let zooms: [WaveformZoom] = [
      .framesPerPoint(max(1, peaks.framesPerPoint)), .framesPerPoint(peaks.framesPerPoint &* 3),
    ]
    for zoom in zooms {
      let request = WaveformRequest(zoom: zoom, resolution: .bits8, scalesAutomatically: true)
      guard (try? request.selection(from: inventory)) != nil,
        let result = try? request.result(from: peaks, of: inventory)
      else { continue }
      _ = result.jsonText
      _ = result.csvText
    }
    _ = TerminalPictures.waveform(peaks, width: 40, capabilities: PictureUses.capabilities)
  }
}
