internal import AudioDecoding
internal import MediaModel

/// The decoded start of one file in memory, so that analysis can be measured without decoding.
struct DecodedMusic {
  let format: AudioFormat
  private(set) var samples: [Float] = []
  /// Of the whole file, kept or not.
  private(set) var durationInSeconds = 0.0
  private(set) var mediaFormat: MediaFormat

  /// Seconds that are kept.
  var keptSeconds: Double { Double(samples.count / format.channelCount) / Double(format.sampleRateInHz) }

  /// Decodes to the end.
  ///
  /// - Parameter keeping: at most so many seconds; with 0 this is decoding alone.
  init(decoding file: borrowing MediaFile, keeping seconds: Double) throws {
    // As many frames as a worker decodes at once.
    let framesPerBlock = 8192
    let decoder = try file.makeDecoder()
    format = decoder.format
    var block = [Float](repeating: 0, count: framesPerBlock * format.channelCount)
    let limit = Int(seconds * Double(format.sampleRateInHz)) * format.channelCount
    var frameCount = 0
    while true {
      var span = block.mutableSpan
      // A file that breaks off is music up to there.
      let count = (try? decoder.read(into: &span)) ?? 0
      guard count > 0 else { break }
      frameCount += count
      let kept = min(count * format.channelCount, limit - samples.count)
      if kept > 0 { samples.append(contentsOf: block[..<kept]) }
    }
    durationInSeconds = Double(frameCount) / Double(format.sampleRateInHz)
    mediaFormat = decoder.mediaFormat
  }
}
