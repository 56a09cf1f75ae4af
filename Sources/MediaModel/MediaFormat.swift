/// What a recording is made of: container, codec, and how long it claims to be and is.
package struct MediaFormat: Hashable, Sendable {
  package var container: Container
  /// nil where the bytes do not name one.
  package var codec: Codec?
  /// Sample rate of the decoded audio in Hz; nil where nothing could be read or the header is nonsense.
  package var sampleRateInHz: Int?
  package var channelCount: Int?
  /// Bits per sample of the source; nil for codecs that have none (MP3, Vorbis, Opus).
  package var bitsPerSample: Int?
  /// Average bit rate of the encoded audio in bits per second.
  package var bitRateInBitsPerSecond: Int?
  /// Frames that the header promises, after encoder delay and padding; nil where it promises nothing.
  package var declaredFrameCount: Int64?
  /// Frames that were decoded, after encoder delay and padding; nil where no decoder ran.
  package var decodedFrameCount: Int64?
  /// Frames that the encoder put before the audio and the decoder removed.
  package var delayFrameCount: Int?
  /// Frames that the encoder put behind the audio and the decoder removed.
  package var paddingFrameCount: Int?

  package init(
    container: Container,
    codec: Codec? = nil,
    sampleRateInHz: Int? = nil,
    channelCount: Int? = nil,
    bitsPerSample: Int? = nil,
    bitRateInBitsPerSecond: Int? = nil,
    declaredFrameCount: Int64? = nil,
    decodedFrameCount: Int64? = nil,
    delayFrameCount: Int? = nil,
    paddingFrameCount: Int? = nil
  ) {
    self.container = container
    self.codec = codec
    self.sampleRateInHz = sampleRateInHz
    self.channelCount = channelCount
    self.bitsPerSample = bitsPerSample
    self.bitRateInBitsPerSecond = bitRateInBitsPerSecond
    self.declaredFrameCount = declaredFrameCount
    self.decodedFrameCount = decodedFrameCount
    self.delayFrameCount = delayFrameCount
    self.paddingFrameCount = paddingFrameCount
  }

  /// Seconds of audio, counted while decoding; nil where no decoder ran.
  package var durationInSeconds: Double? {
    guard let decodedFrameCount, let sampleRateInHz, sampleRateInHz > 0 else { return nil }
    return Double(decodedFrameCount) / Double(sampleRateInHz)
  }
}
