import MediaModel

extension Problem {
  /// Less audio than the header promised.
  static func truncated(frameCount: Int64, declaredFrameCount: Int64, sampleRateInHz: Int) -> Problem {
    Problem(
      code: "truncated", reason: "truncated: \(frameCount) of \(declaredFrameCount) frames",
      positionInSeconds: Double(frameCount) / Double(max(1, sampleRateInHz)))
  }

  /// More audio than the header promised.
  static func longerThanHeader(frameCount: Int64, declaredFrameCount: Int64, sampleRateInHz: Int) -> Problem {
    Problem(
      code: "longer-than-header",
      reason: "stream longer than header: \(frameCount) frames instead of \(declaredFrameCount)",
      positionInSeconds: Double(declaredFrameCount) / Double(max(1, sampleRateInHz)))
  }

  /// The first segment was decoded, what follows has another shape.
  static func parametersChange(atFrame frame: Int64, to description: String, sampleRateInHz: Int) -> Problem {
    Problem(
      code: "parameters-change", reason: "parameters change at frame \(frame) (to \(description))",
      positionInSeconds: Double(frame) / Double(max(1, sampleRateInHz)))
  }
}

extension AudioFormat {
  static let highestSampleRateInHz = 384_000
  static let highestChannelCount = 64

  /// A format from a header that may claim anything.
  static func checked(
    sampleRateInHz: Int, channelCount: Int, sampleEncoding: SampleEncoding, channelOrder: ChannelOrder = .standard,
    channelMask: UInt32? = nil
  ) throws(DecodingError) -> AudioFormat {
    guard (1...8 * highestSampleRateInHz).contains(sampleRateInHz) else {
      throw .impossibleHeader("the header gives a sample rate of \(sampleRateInHz) Hz")
    }
    guard (1...1024).contains(channelCount) else {
      throw .impossibleHeader("the header gives \(channelCount) channels")
    }
    guard sampleRateInHz <= highestSampleRateInHz else {
      throw .unsupported(reason: "sample rate \(sampleRateInHz) Hz is above \(highestSampleRateInHz) Hz")
    }
    guard channelCount <= highestChannelCount else {
      throw .unsupported(reason: "\(channelCount) channels are more than \(highestChannelCount)")
    }
    return AudioFormat(
      sampleRateInHz: sampleRateInHz, channelCount: channelCount, sampleEncoding: sampleEncoding,
      channelOrder: channelOrder, channelMask: channelMask)
  }
}
