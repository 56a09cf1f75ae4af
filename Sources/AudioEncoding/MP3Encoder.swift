internal import Base
internal import CLame
import MediaModel

/// An MP3 file through libmp3lame: an ID3v2.4 tag, then a frame with the LAME tag (delay, padding, positions), then the
/// audio.
final class MP3Encoder: SoundEncoder {
  /// Of MPEG-1, MPEG-2 and MPEG-2.5 layer III (ISO 11172-3, 13818-3), ascending.
  private static let sampleRatesInHz = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
  private static let framesPerCall = 1152

  static var library: SharedLibrary {
    SharedLibrary("libmp3lame", dw_lame_load(), version: get_lame_version(), without: "MP3 files cannot be written")
  }

  let clippedSampleCount = 0
  private let encoder: OpaquePointer
  private let channelCount: Int
  private let tag: [UInt8]
  /// The samples of each channel that wait to be encoded; a mono recording has only the first.
  private var planes: [[Float]]
  private var ready: [UInt8]
  /// As large as the library asks for.
  private var buffer = [UInt8](repeating: 0, count: MP3Encoder.framesPerCall * 5 / 4 + 7200)

  /// The rate at which a recording can be encoded: its own, else the next one above, else 44,100 or 48,000 Hz, whichever
  /// is a simple fraction of it.
  static func sampleRate(for rate: Int) -> Int {
    sampleRatesInHz.first { $0 >= rate } ?? (rate % 44_100 == 0 ? 44_100 : 48_000)
  }

  /// - Parameters:
  ///   - bitRate: In bits per second, constant; nil for a variable one by the quality.
  ///   - quality: 0 (best) to 9.999, as in `lame -V`.
  init(
    _ format: AudioFormat, bitRate: Int?, quality: Double, tags: SoundTags
  ) throws(AudioEncodingError) {
    guard format.channelCount <= 2 else {
      throw AudioEncodingError(reason: "MP3 holds at most 2 channels, not \(format.channelCount)")
    }
    guard Self.sampleRatesInHz.contains(format.sampleRateInHz) else {
      throw AudioEncodingError(reason: "MP3 has no sample rate of \(format.sampleRateInHz) Hz")
    }
    try AudioEncodingError.check(dw_lame_load())
    guard let encoder = lame_init() else { throw AudioEncodingError(reason: "libmp3lame does not start") }
    self.encoder = encoder
    channelCount = format.channelCount
    planes = [[Float]](repeating: [], count: format.channelCount)
    tag = ID3v2Tag.bytes(tags)
    ready = tag
    dw_lame_silence(encoder)
    lame_set_in_samplerate(encoder, Int32(format.sampleRateInHz))
    // Otherwise low bit rates lower the sample rate.
    lame_set_out_samplerate(encoder, Int32(format.sampleRateInHz))
    lame_set_num_channels(encoder, Int32(channelCount))
    if let bitRate {
      lame_set_VBR(encoder, vbr_off)
      lame_set_brate(encoder, Int32(bitRate / 1000))
    } else {
      lame_set_VBR(encoder, vbr_mtrh)
      lame_set_VBR_quality(encoder, Float(quality))
    }
    guard lame_init_params(encoder) == 0 else {
      throw AudioEncodingError(reason: "libmp3lame refuses \(format.sampleRateInHz) Hz")
    }
    if let bitRate, case let nearest = Int(lame_get_brate(encoder)), nearest * 1000 != bitRate {
      let asked = DecimalText.number(Double(bitRate) / 1000, places: 3)
      throw AudioEncodingError(
        reason: "MP3 of \(format.sampleRateInHz) Hz has no \(asked) kbit/s; the nearest is \(nearest)")
    }
  }

  deinit { lame_close(encoder) }

  func encode(_ samples: Span<Float>) throws(AudioEncodingError) -> [UInt8] {
    for frame in 0..<samples.count / channelCount {
      for channel in 0..<channelCount { planes[channel].append(samples[frame * channelCount + channel]) }
      if planes[0].count == Self.framesPerCall { try encodeWaiting() }
    }
    defer { ready.removeAll(keepingCapacity: true) }
    return ready
  }

  func finish() throws(AudioEncodingError) -> (end: [UInt8], start: [UInt8]) {
    try encodeWaiting()
    try take(lame_encode_flush(encoder, &buffer, Int32(buffer.count)))
    var info = [UInt8](repeating: 0, count: lame_get_lametag_frame(encoder, nil, 0))
    guard lame_get_lametag_frame(encoder, &info, info.count) == info.count else { throw failure(0) }
    return (ready, info.isEmpty ? [] : tag + info)
  }

  private func encodeWaiting() throws(AudioEncodingError) {
    let count = Int32(planes[0].count)
    try take(
      lame_encode_buffer_ieee_float(encoder, planes[0], planes[channelCount - 1], count, &buffer, Int32(buffer.count)))
    for channel in planes.indices { planes[channel].removeAll(keepingCapacity: true) }
  }

  private func take(_ count: Int32) throws(AudioEncodingError) {
    guard count >= 0 else { throw failure(count) }
    ready += buffer[..<Int(count)]
  }

  private func failure(_ code: Int32) -> AudioEncodingError {
    AudioEncodingError(reason: "libmp3lame failed (\(code))")
  }
}
