import MediaDrawing
import MediaExchange
import MediaModel
import MediaRendering

/// audiowaveform's `.dat`, read, drawn and written again.
struct WaveformDatTarget: FuzzTarget {
  let name = "waveform-dat"

  var seeds: [[UInt8]] { Self.peaks.map(\.datBytes) }

  static let peaks = [1, 2, 6].flatMap { channelCount in
    [WaveformPeaks.Resolution.bits8, .bits16].map { resolution in
      WaveformPeaks(
        sampleRateInHz: 44_100, framesPerPoint: 256, channelCount: channelCount, resolution: resolution,
        values: (0..<4 * channelCount).flatMap { [Int16(-$0), Int16(20 + $0)] })
    }
  }

  func check(_ bytes: [UInt8]) throws {
    guard let read = try? WaveformPeaks.read(dat: bytes) else { return }
    let again = try WaveformPeaks(datBytes: read.peaks.datBytes)
    try require(again == read.peaks, "peaks are not read as they are written")
    try PeakUses.check(read.peaks)
  }
}

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

/// What commands do with peaks from a file.
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

/// How pictures for terminals are drawn here.
enum PictureUses {
  static let capabilities = TerminalCapabilities(hasUnicode: true, colorDepth: .none)
}
