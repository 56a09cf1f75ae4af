internal import Base
internal import CLame
import MediaModel

/// An MP3 file through libmp3lame: an ID3v2.4 tag, then a frame with the LAME tag (delay, padding, positions), then the
/// audio.
final class MP3Encoder: SoundEncoder {
  /// Of MPEG-1, MPEG-2 and MPEG-2.5 layer III (ISO 11172-3, 13818-3), ascending.
  private static let sampleRatesInHz = [8000, 11_025, 12_000, 16_000, 22_050, 24_000, 32_000, 44_100, 48_000]
  private static let framesPerCall = 1152
  /// Of the tag of Xing with all of its fields, and of LAME's behind it.
  private static let tagByteCount = 156
  /// Of the encoder, in frames.
  private static let delay: Int64 = 576

  /// The constant bit rates of layer III in kbit/s, ascending (ISO 11172-3, section 2.4.2.3; ISO 13818-3, section 2.4.2.3);
  /// MPEG-2.5 has the first of MPEG-2.
  private static func bitRates(sampleRateInHz: Int) -> [Int] {
    switch sampleRateInHz {
    case 32_000...: [32, 40, 48, 56, 64, 80, 96, 112, 128, 160, 192, 224, 256, 320]
    case 16_000..<32_000: [8, 16, 24, 32, 40, 48, 56, 64, 80, 96, 112, 128, 144, 160]
    default: [8, 16, 24, 32, 40, 48, 56, 64]
    }
  }

  /// See ``SoundFileKind/mp3BitRate(upTo:sampleRateInHz:)``.
  static func bitRate(upTo limit: Int, sampleRateInHz: Int) -> Int {
    let rates = bitRates(sampleRateInHz: sampleRateInHz)
    return rates.last { $0 <= limit } ?? rates[0]
  }

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
  /// What is still to come of the frame that stands in place of the empty one with which the library begins.
  private var info: [UInt8] = []
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
  ///   - frameCount: Of the recording, so that what is streamed says at its start how long it is.
  init(
    _ format: AudioFormat, bitRate: Int?, quality: Double, frameCount: Int64, tags: SoundTags
  ) throws(AudioEncodingError) {
    guard format.channelCount <= 2 else {
      throw AudioEncodingError(reason: "MP3 supports at most 2 channels, not \(format.channelCount)")
    }
    guard Self.sampleRatesInHz.contains(format.sampleRateInHz) else {
      throw AudioEncodingError(reason: "MP3 does not support a sample rate of \(format.sampleRateInHz) Hz")
    }
    try AudioEncodingError.check(dw_lame_load())
    guard let encoder = lame_init() else { throw AudioEncodingError(reason: "libmp3lame failed to start") }
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
      throw AudioEncodingError(reason: "libmp3lame rejects \(format.sampleRateInHz) Hz")
    }
    if let bitRate, case let nearest = Int(lame_get_brate(encoder)), nearest * 1000 != bitRate {
      let asked = DecimalText.number(Double(bitRate) / 1000, places: 3)
      throw AudioEncodingError(
        reason: "MP3 at \(format.sampleRateInHz) Hz does not support \(asked) kbit/s; the nearest is \(nearest)")
    }
    info = infoFrame(format, bitRate: bitRate, frameCount: frameCount)
  }

  deinit { lame_close(encoder) }

  /// The first frame, which is no sound: how many frames follow, and what of them is not of the recording (the tags of Xing and
  /// of LAME). The tag that the library makes at the end has more.
  private func infoFrame(_ format: AudioFormat, bitRate: Int?, frameCount: Int64) -> [UInt8] {
    let rate = format.sampleRateInHz
    let isMPEG1 = rate >= 32_000
    let samplesPerFrame = Int64(isMPEG1 ? 1152 : 576)
    let kilobits = bitRate.map { $0 / 1000 } ?? (isMPEG1 ? 128 : rate >= 16_000 ? 64 : 32)
    guard let rateIndex = Self.bitRates(sampleRateInHz: rate).firstIndex(of: kilobits) else { return [] }
    let family = [44_100, 48_000, 32_000].firstIndex { [$0, $0 / 2, $0 / 4].contains(rate) } ?? 0
    let version: UInt8 = isMPEG1 ? 0b11 : rate >= 16_000 ? 0b10 : 0b00
    let mode: UInt8 = channelCount == 1 ? 0b11 : 0b01
    let sideByteCount = isMPEG1 ? (channelCount == 1 ? 17 : 32) : (channelCount == 1 ? 9 : 17)
    var padding = samplesPerFrame - (frameCount + Self.delay) % samplesPerFrame
    if padding < Self.delay { padding += samplesPerFrame }
    let count = UInt32(clamping: (frameCount + Self.delay + padding) / samplesPerFrame)

    var frame: [UInt8] = [0xFF, 0xE3 | version << 3, UInt8(rateIndex + 1) << 4 | UInt8(family) << 2, mode << 6]
    frame += [UInt8](repeating: 0, count: sideByteCount)
    frame += Array((bitRate == nil ? "Xing" : "Info").utf8) + [0, 0, 0, 1]
    frame += [24, 16, 8, 0].map { UInt8(truncatingIfNeeded: count >> $0) }
    frame += Array("LAME3.100".utf8) + [UInt8](repeating: 0, count: 12)
    frame += [UInt8(Self.delay >> 4), UInt8(Self.delay & 0xF) << 4 | UInt8(padding >> 8), UInt8(padding & 0xFF)]
    let byteCount = (isMPEG1 ? 144_000 : 72_000) * kilobits / rate
    // Where its own tag does not fit into a frame, the library begins with sound.
    guard byteCount >= 4 + sideByteCount + Self.tagByteCount else { return [] }
    return frame + [UInt8](repeating: 0, count: byteCount - frame.count)
  }

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
    let start = info.prefix(Int(count))
    info.removeFirst(start.count)
    ready += start + buffer[start.count..<Int(count)]
  }

  private func failure(_ code: Int32) -> AudioEncodingError {
    AudioEncodingError(reason: "libmp3lame failed (\(code))")
  }
}
