import AudioEncoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// What is encoded, other programs read.
struct SoundEncoderTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static func format(_ channelCount: Int, _ rate: Int = 44_100) -> AudioFormat {
    AudioFormat(sampleRateInHz: rate, channelCount: channelCount)
  }

  /// The whole file, encoded in blocks of so many frames.
  private func encode(
    _ samples: [Float], _ kind: SoundFileKind, _ format: AudioFormat, _ form: SampleForm, blockFrameCount: Int = 1000
  ) throws -> (bytes: [UInt8], clippedSampleCount: Int) {
    let encoder = try kind.makeEncoder(
      format, form: form, frameCount: Int64(samples.count / format.channelCount))
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: samples.count, by: blockFrameCount * format.channelCount) {
      let block = Array(samples[start..<min(samples.count, start + blockFrameCount * format.channelCount)])
      bytes += try encoder.encode(block.span)
    }
    let (end, start) = try encoder.finish()
    bytes += end
    bytes.replaceSubrange(0..<start.count, with: start)
    return (bytes, encoder.clippedSampleCount)
  }

  private static func noise(_ count: Int) -> [Float] { Signal.whiteNoise(frameCount: count, rms: 0.3, seed: 9) }

  /// Nearest integers of the upper `bits`, little-endian, by doubles.
  private func integers(_ samples: [Float], bits: Int) -> [UInt8] {
    samples.flatMap { sample -> [UInt8] in
      let scale = Double(1 << (bits - 1))
      let value = Int(min(scale - 1, max(-scale, (Double(sample) * scale).rounded(.toNearestOrEven))))
      return (0..<bits / 8).map { UInt8(truncatingIfNeeded: value >> (8 * $0)) }
    }
  }

  private func floats(_ samples: [Float]) -> [UInt8] {
    samples.flatMap { sample in withUnsafeBytes(of: sample.bitPattern.littleEndian) { Array($0) } }
  }

  @Test(arguments: [(1, SampleForm.int16), (2, .int24), (6, .int16), (2, .float32), (1, .int24), (3, .float32)])
  func `raw samples are the nearest integers, or the floats themselves`(channelCount: Int, form: SampleForm) throws {
    let samples = Self.noise(3001 * channelCount)
    let expected =
      switch form {
      case .int16: integers(samples, bits: 16)
      case .int24: integers(samples, bits: 24)
      case .float32: floats(samples)
      }
    for blockFrameCount in [1, 77, 5000] {
      let isEqual =
        try encode(samples, .raw, Self.format(channelCount), form, blockFrameCount: blockFrameCount).bytes == expected
      #expect(isEqual)
    }
  }

  @Test(
    .enabled(if: Tool.exist("sox", "ffmpeg"), "SoX or ffmpeg is not installed"),
    arguments: [
      (1, SampleForm.int16), (2, .int16), (2, .int24), (1, .int24), (6, .int16), (2, .float32), (8, .float32),
    ])
  func `others find the samples, rate and channels of a WAV file`(channelCount: Int, form: SampleForm) throws {
    let samples = Self.noise(2001 * channelCount)
    try folder.write(try encode(samples, .wav, Self.format(channelCount, 22_050), form).bytes, to: "a.wav")
    let file = folder.appending("a.wav").path
    let rawFormat = form == .float32 ? "f32le" : "s\(8 * form.bytesPerSample)le"
    let raw = try Tool.run("ffmpeg", "-v", "error", "-i", file, "-c:a", "copy", "-f", rawFormat, "-")
    let isEqual = try Array(raw) == encode(samples, .raw, Self.format(channelCount), form).bytes
    #expect(isEqual)
    let shape = try Tool.run("sox", "--info", "-r", file) + Tool.run("sox", "--info", "-c", file)
    #expect(String(decoding: shape, as: UTF8.self) == "22050\n\(channelCount)\n")
  }

  @Test(
    .enabled(if: Tool.exist("ffprobe"), "ffprobe is not installed"), arguments: [(6, "5.1"), (2, "stereo"), (8, "7.1")])
  func `a WAV file of 24 bits says where its loudspeakers are`(channelCount: Int, layout: String) throws {
    try folder.write(
      try encode(Self.noise(100 * channelCount), .wav, Self.format(channelCount), .int24).bytes, to: "a.wav")
    let found = try Tool.run(
      "ffprobe", "-v", "error", "-show_entries", "stream=channel_layout,bits_per_sample", "-of", "csv=p=0",
      folder.appending("a.wav").path)
    #expect(String(decoding: found, as: UTF8.self).contains(layout))
    #expect(String(decoding: found, as: UTF8.self).contains("24"))
  }

  @Test(
    .enabled(if: Tool.exist("flac"), "flac is not installed"),
    arguments: [(1, SampleForm.int16), (2, .int24), (8, .int16)])
  func `flac finds the MD5 and the samples of a FLAC file`(channelCount: Int, form: SampleForm) throws {
    let samples = Self.noise(9001 * channelCount)
    let encoded = try encode(samples, .flac, Self.format(channelCount, 48_000), form).bytes
    try folder.write(encoded, to: "a.flac")
    let file = folder.appending("a.flac").path
    try Tool.run("flac", "--test", "--silent", "--warnings-as-errors", file)
    let raw = Array(
      try Tool.run(
        "flac", "-d", "-c", "-s", "--force-raw-format", "--endian=little", "--sign=signed", file))
    let isEqual = try raw == encode(samples, .raw, Self.format(channelCount), form).bytes
    #expect(isEqual)
    // STREAMINFO: 36 bits of frames from the middle of byte 21 on, then the MD5 of the raw samples.
    let frameCount = encoded[21..<26].reduce(0) { $0 << 8 | UInt64($1) } & 0xF_FFFF_FFFF
    #expect(frameCount == 9001)
    #expect(Array(encoded[26..<42]) == MD5.digest(of: raw))
  }

  @Test func `FLAC refuses floats and nine channels`() {
    #expect(throws: AudioEncodingError.self) { try encode([], .flac, Self.format(2), .float32) }
    #expect(throws: AudioEncodingError.self) { try encode([], .flac, Self.format(9), .int16) }
  }

  @Test func `what is beyond full scale is cut to it and counted`() throws {
    let samples: [Float] = [1, -1, 1.5, -1.5, .infinity, -.infinity, 0.99997, 0]
    let (bytes, count) = try encode(samples, .raw, Self.format(1), .int16)
    let values = stride(from: 0, to: bytes.count, by: 2).map {
      Int16(bitPattern: UInt16(bytes[$0]) | UInt16(bytes[$0 + 1]) << 8)
    }
    #expect(values == [32_767, -32_768, 32_767, -32_768, 32_767, -32_768, 32_767, 0])
    #expect(count == 5)
    #expect(try encode(samples, .raw, Self.format(1), .float32).clippedSampleCount == 0)
    // Not a number traps nowhere, either.
    #expect(try encode([.nan], .raw, Self.format(1), .int24).bytes == [0, 0, 0x80])
  }

  /// The header alone, as the first block brings it.
  private func waveHeader(frameCount: Int64) throws -> [UInt8] {
    let encoder = try SoundFileKind.wav.makeEncoder(Self.format(2), form: .int16, frameCount: frameCount)
    return try encoder.encode([Float]().span)
  }

  private func number(_ bytes: [UInt8], at offset: Int, byteCount: Int) -> Int64 {
    (0..<byteCount).reduce(0) { $0 | Int64(bytes[offset + $1]) << (8 * Int64($1)) }
  }

  @Test func `beyond 4 GiB the file becomes RF64`() throws {
    let small = try waveHeader(frameCount: 1_073_000_000)
    #expect(small.count == 44)
    #expect(number(small, at: 40, byteCount: 4) == 4_292_000_000)
    #expect(number(small, at: 4, byteCount: 4) == 4_292_000_036)
    let large = try waveHeader(frameCount: 2_000_000_000)
    #expect(large.count == 80)
    #expect(large.starts(with: "RF64".utf8) && large[12..<16].elementsEqual("ds64".utf8))
    #expect(number(large, at: 20, byteCount: 8) == 8_000_000_000 + 72)
    #expect(number(large, at: 28, byteCount: 8) == 8_000_000_000)
    #expect(number(large, at: 36, byteCount: 8) == 2_000_000_000)
    #expect(number(large, at: 76, byteCount: 4) == 0xFFFF_FFFF)
  }

  @Test func `the channels of Vorbis go to the places of WAVE`() throws {
    let permutation = try #require(ChannelOrder.permutation(from: .vorbis, channelCount: 6))
    // Left, centre, right, rear left, rear right, low frequencies; two frames.
    let samples: [Float] = [1, 2, 3, 4, 5, 6, 11, 12, 13, 14, 15, 16]
    #expect(ChannelOrder.reordered(samples.span, by: permutation) == [1, 3, 2, 6, 4, 5, 11, 13, 12, 16, 14, 15])
    #expect(ChannelOrder.permutation(from: .standard, channelCount: 6) == nil)
    #expect(ChannelOrder.permutation(from: .vorbis, channelCount: 2) == nil)
    for channelCount in 3...8 {
      guard let permutation = ChannelOrder.permutation(from: .vorbis, channelCount: channelCount) else { continue }
      #expect(permutation.sorted() == Array(0..<channelCount))
    }
  }

  @Test func `FLAC says for which loudspeakers the channels are, where they are unusual`() throws {
    for (mask, isSaid) in [(0xB, true), (0x7, false)] as [(UInt32, Bool)] {
      let format = AudioFormat(sampleRateInHz: 48_000, channelCount: 3, channelMask: mask)
      let bytes = try encode(Self.noise(3000), .flac, format, .int16).bytes
      let comment = Array("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0xB".utf8)
      #expect((Data(bytes).firstRange(of: Data(comment)) != nil) == isSaid)
    }
  }

  @Test func `channels that are for no loudspeakers are written as such`() throws {
    let format = AudioFormat(sampleRateInHz: 48_000, channelCount: 4, channelOrder: .unspecified)
    let wave = try encode(Self.noise(4000), .wav, format, .int16).bytes
    #expect(number(wave, at: 40, byteCount: 4) == 0)
    let quadraphonic = try encode(Self.noise(4000), .wav, AudioFormat(sampleRateInHz: 48_000, channelCount: 4), .int16)
    #expect(number(quadraphonic.bytes, at: 40, byteCount: 4) == 0x33)
    let flac = try encode(Self.noise(4000), .flac, format, .int16).bytes
    #expect(Data(flac).firstRange(of: Data("WAVEFORMATEXTENSIBLE_CHANNEL_MASK=0x0".utf8)) != nil)
  }

  @Test func `lossy formats keep the usual loudspeakers only`() {
    let (usual, unusual) = (
      AudioFormat(sampleRateInHz: 48_000, channelCount: 3, channelMask: 0x7),
      AudioFormat(sampleRateInHz: 48_000, channelCount: 3, channelMask: 0xB)
    )
    for kind in SoundFileKind.allCases {
      #expect(kind.keepsLoudspeakers(of: usual))
      #expect(kind.keepsLoudspeakers(of: unusual) == !kind.isLossy)
    }
  }

  /// The tag that the library makes at the end, as it stands in files, is the oracle.
  @Test(
    arguments: [(44_100, 2), (48_000, 1), (32_000, 2), (24_000, 1), (22_050, 2), (16_000, 1), (11_025, 2), (8000, 1)],
    [Int?.none, 320, 64, 8])
  func `a streamed MP3 says at its start how long it is`(format: (rate: Int, channelCount: Int), limit: Int?) throws {
    for frameCount in [1, 1000, 44_100, 50_003] {
      let samples = Self.noise(frameCount * format.channelCount)
      var lossy = LossyEncoding()
      lossy.bitRate = limit.map { 1000 * SoundFileKind.mp3BitRate(upTo: $0, sampleRateInHz: format.rate) }
      let encoder = try SoundFileKind.mp3.makeEncoder(
        Self.format(format.channelCount, format.rate), form: .int16, frameCount: Int64(frameCount), lossy: lossy)
      var bytes = try encoder.encode(samples.span)
      let (end, start) = try encoder.finish()
      bytes += end
      guard !start.isEmpty else {
        // A frame of 8 kbit/s has no room for the tag.
        #expect(lossy.bitRate.map { $0 < 40_000 } == true && bytes.first == 0xFF)
        continue
      }
      let streamed = Array(bytes.prefix(start.count))
      let tag = try #require(start.firstRange(of: Array((limit == nil ? "Xing" : "Info").utf8))?.lowerBound)
      // The header but for its stereo mode, and the count of frames; the tag of files has more fields before LAME's.
      #expect(streamed.prefix(tag - 1).prefix(3) == start.prefix(tag - 1).prefix(3), "\(frameCount)")
      #expect(streamed[tag..<tag + 4] == start[tag..<tag + 4] && streamed[tag + 7] == 1)
      #expect(streamed[tag + 8..<tag + 12] == start[tag + 8..<tag + 12], "\(frameCount)")
      #expect(streamed[tag + 33..<tag + 36] == start[tag + 141..<tag + 144], "\(frameCount)")
    }
  }

  @Test func `constant bit rates are those of the sample rate`() {
    for (limit, rate, expected) in [
      (320, 44_100, 320), (319, 48_000, 256), (24, 44_100, 32), (320, 22_050, 160), (150, 24_000, 144),
      (320, 8000, 64), (1, 16_000, 8),
    ] {
      #expect(SoundFileKind.mp3BitRate(upTo: limit, sampleRateInHz: rate) == expected)
    }
  }
}
