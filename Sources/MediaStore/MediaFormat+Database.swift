internal import GRDB
internal import MediaModel

extension MediaFormat {
  /// From the columns of `audio`; nil where no container is known.
  init?(row: Row) throws {
    guard let container: String = try row["container"] else { return nil }
    try self.init(
      container: Container(rawValue: container), codec: (row["codec"] as String?).map(Codec.init(rawValue:)),
      sampleRateInHz: row["sample_rate_hz"], channelCount: row["channels"], bitsPerSample: row["bits"],
      bitRateInBitsPerSecond: row["bitrate_bps"], declaredFrameCount: row["declared_frames"],
      decodedFrameCount: row["decoded_frames"], delayFrameCount: row["delay_frames"],
      paddingFrameCount: row["padding_frames"])
  }
}

extension Optional where Wrapped == MediaFormat {
  /// The columns of a format, NULL where nothing is known.
  var arguments: StatementArguments {
    [
      "container": self?.container.rawValue, "codec": self?.codec?.rawValue, "sample_rate_hz": self?.sampleRateInHz,
      "channels": self?.channelCount, "bits": self?.bitsPerSample, "bitrate_bps": self?.bitRateInBitsPerSecond,
      "declared_frames": self?.declaredFrameCount, "decoded_frames": self?.decodedFrameCount,
      "delay_frames": self?.delayFrameCount, "padding_frames": self?.paddingFrameCount,
    ]
  }
}
