internal import MediaExport
internal import MediaModel

/// audiowaveform's JSON, read, drawn and written again.
struct WaveformJSONTarget: FuzzTarget {
  let name = "waveform-json"

  var seeds: [[UInt8]] { WaveformDatTarget.peaks.map { Array($0.jsonText.utf8) } }
  var dictionary: [String] {
    [
      "\"version\":", "\"channels\":", "\"sample_rate\":", "\"samples_per_pixel\":", "\"bits\":", "\"length\":",
      "\"data\":",
    ]
      + JSONTarget.words
  }

  func check(_ bytes: [UInt8]) throws {
    guard let read = try? WaveformPeaks.read(json: bytes) else { return }
    let again = try WaveformPeaks.read(json: Array(read.peaks.jsonText.utf8))
    try require(again.peaks == read.peaks, "peaks are not read as they are written")
    try PeakUses.check(read.peaks)
  }
}
