import MediaModel

extension StreamHashers.Rules {
  static let alac = Self("alac")
}

extension PacketCodec {
  /// Apple Lossless.
  ///
  /// - Parameter cookie: The decoder's configuration of 24 bytes (ALACMagicCookieDescription.txt of the reference).
  static func alac(cookie: [UInt8]) throws(DecodingError) -> PacketCodec {
    guard cookie.count >= 24, let frameCount = cookie.bigEndian(UInt32.self, at: 0),
      let rate = cookie.bigEndian(UInt32.self, at: 20), (1...16_384).contains(frameCount)
    else { throw .missing("usable ALAC configuration", in: .mp4) }
    // FFmpeg wants it as a box with version and flags.
    let box: [UInt8] = [0, 0, 0, 36] + Array("alac".utf8) + [0, 0, 0, 0] + cookie[..<24]
    // Largest frame and average bit rate, at bytes 12 to 19, do not matter.
    let identity = cookie[0..<4] + cookie[5..<10] + cookie[20..<24]
    return .ffmpeg(
      "alac", extradata: box, codec: .alac, sampleRateInHz: Int(rate), channelCount: Int(cookie[9]),
      bitsPerSample: Int(cookie[5]), frameCountPerPacket: Int(frameCount),
      identity: identity.map { "\($0)" }.joined(separator: " "), restart: .anywhere)
  }
}
