internal import MediaExport
internal import MediaModel

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
