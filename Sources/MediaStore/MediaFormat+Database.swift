internal import GRDB
internal import MediaModel

extension MediaFormat {
  /// From the columns of `audio`; nil where no container is known.
  init?(row: Row) {
    guard let container: String = row["container"] else { return nil }
    self.init(
      container: Container(rawValue: container), codec: (row["codec"] as String?).map(Codec.init(rawValue:)),
      sampleRateInHz: row["sample_rate_hz"], channelCount: row["channels"], bitsPerSample: row["bits"],
      bitRateInBitsPerSecond: row["bitrate_bps"], declaredFrameCount: row["declared_frames"],
      decodedFrameCount: row["decoded_frames"], delayFrameCount: row["delay_frames"],
      paddingFrameCount: row["padding_frames"])
  }

  var arguments: StatementArguments {
    [
      "container": container.rawValue, "codec": codec?.rawValue, "sample_rate_hz": sampleRateInHz,
      "channels": channelCount, "bits": bitsPerSample, "bitrate_bps": bitRateInBitsPerSecond,
      "declared_frames": declaredFrameCount, "decoded_frames": decodedFrameCount, "delay_frames": delayFrameCount,
      "padding_frames": paddingFrameCount,
    ]
  }
}
