import AudioEncoding
import Dispatch
import Foundation
import MediaModel
import Synchronization
import Testing
import TestSupport

/// Tags, pictures and lengths of what is encoded, as FFmpeg and the codecs' own programs read them.
@Suite(.enabled(if: Tool.exist("ffmpeg", "ffprobe"), "ffmpeg is not installed"))
struct TaggedSoundTests {
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private static let picture: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0,
    0, 0,
    0, 0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x60, 0, 0, 0, 2, 0, 1, 0x48,
    0xAF,
    0xA4, 0x71, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
  ]

  @Test func `what describes the old sound is not carried over`() {
    let names = [
      "TITLE", "COMMENT", "COMMENT:ITUNSMPB", "COMMENT:ITUNNORM", "COMMENT:MINE", "MP3GAIN_UNDO", "R128_TRACK_GAIN",
      "REPLAYGAIN_ALBUM_PEAK", "LOUDNESS_INTEGRATED", "ACOUSTID_FINGERPRINT", "ACOUSTID_ID", "length",
      "WAVEFORMATEXTENSIBLE_CHANNEL_MASK",
    ]
    let tags = SoundTags(carriedOver: Tags(names.map { .init(name: $0, values: ["x"]) }), artwork: [])
    #expect(Set(tags.tags.properties.map(\.name)) == ["TITLE", "COMMENT", "COMMENT:MINE", "ACOUSTID_ID"])
  }

  @Test func `tempo and key are not carried over to what is faster or higher`() throws {
    let tags = Tags(["BPM", "INITIALKEY", "TITLE"].map { .init(name: $0, values: ["x"]) })
    func names(_ chain: EffectChain) -> Set<String> {
      Set(SoundTags(carriedOver: tags, artwork: [], through: chain).tags.properties.map(\.name))
    }
    #expect(names(.neutral) == ["BPM", "INITIALKEY", "TITLE"])
    #expect(try names(EffectChain(pitch: 100)) == ["BPM", "TITLE"])
    #expect(try names(EffectChain(rate: 1.5)) == ["TITLE"])
  }

  @Test func `a picture that FLAC has no room for is left out, and the file is whole`() throws {
    func picture(_ byteCount: Int) -> Artwork {
      Artwork(
        pictureType: 3, mimeType: "image/png", caption: "ä", hash: ContentHash(high: 1, low: 2),
        bytes: [UInt8](repeating: 1, count: byteCount))
    }
    // What stands before the picture counts, too.
    let largest = picture((1 << 24) - 4096 - 36 - 9 - 2)
    let tooLarge = picture(largest.bytes.count + 1)
    #expect(SoundFileKind.flac.holds(largest) && !SoundFileKind.flac.holds(tooLarge))
    #expect(SoundFileKind.allCases.filter { $0.holds(tooLarge) }.count == SoundFileKind.allCases.count - 1)
    let samples = Signal.whiteNoise(frameCount: 4_800, rms: 0.1)
    let format = AudioFormat(sampleRateInHz: 48_000, channelCount: 1)
    for (artwork, isThere) in [(largest, true), (tooLarge, false)] {
      let bytes = try write(samples, .flac, format, tags: SoundTags(carriedOver: Tags([]), artwork: [artwork]))
      #expect((bytes.count > 16_000_000) == isThere)
    }
  }

  /// In new processes, because TagLib makes its tables with the first tag; without a lock one of twelve ended here.
  @Test(arguments: 0..<40)
  func `the first tags of a process are made on several threads`(_: Int) async {
    await #expect(processExitsWith: .success) {
      let threadCount = 4
      let ready = Atomic(0)
      let end = DispatchGroup()
      for _ in 0..<threadCount {
        end.enter()
        Thread.detachNewThread {
          ready.add(1, ordering: .acquiringAndReleasing)
          while ready.load(ordering: .acquiring) < threadCount {}
          for _ in 0..<3 {
            let encoder = try? SoundFileKind.mp3.makeEncoder(
              AudioFormat(sampleRateInHz: 44_100, channelCount: 1), form: .int16, frameCount: 0, tags: Self.tags)
            precondition(encoder != nil)
          }
          end.leave()
        }
      }
      // A table that is filled twice may also send TagLib in circles.
      precondition(end.wait(timeout: .now() + 60) == .success)
    }
  }

  private static var tags: SoundTags {
    SoundTags(
      carriedOver: Tags([
        .init(name: "TITLE", values: ["Überall = 星"]), .init(name: "ARTIST", values: ["One", "Two"]),
        .init(name: "MOOD X", values: ["quiet"]), .init(name: "REPLAYGAIN_TRACK_GAIN", values: ["-3 dB"]),
        .init(name: "ENCODING", values: ["somebody's encoder"]),
      ]),
      artwork: [
        Artwork(
          pictureType: 3, mimeType: "image/png", caption: "Vorn", hash: ContentHash(high: 1, low: 2), bytes: picture)
      ])
  }

  private func write(
    _ samples: [Float], _ kind: SoundFileKind, _ format: AudioFormat, tags: SoundTags, blockFrameCount: Int = 1000
  ) throws -> [UInt8] {
    let encoder = try kind.makeEncoder(
      format, form: .int16, frameCount: Int64(samples.count / format.channelCount), tags: tags)
    var bytes: [UInt8] = []
    for start in stride(from: 0, to: samples.count, by: blockFrameCount * format.channelCount) {
      let block = Array(samples[start..<min(samples.count, start + blockFrameCount * format.channelCount)])
      bytes += try encoder.encode(block.span)
    }
    let (end, start) = try encoder.finish()
    bytes += end
    bytes.replaceSubrange(0..<start.count, with: start)
    return bytes
  }

  private func file(_ bytes: [UInt8], _ kind: SoundFileKind) throws -> String {
    let url = folder.appending("x.\(kind.rawValue)")
    try Data(bytes).write(to: url)
    return url.path
  }

  @Test(arguments: [SoundFileKind.wav, .flac, .ogg, .opus, .mp3])
  func `FFmpeg reads the tags and the picture`(kind: SoundFileKind) throws {
    let samples = Signal.whiteNoise(frameCount: 2 * 24_000, rms: 0.1)
    let path = try file(
      write(samples, kind, AudioFormat(sampleRateInHz: 48_000, channelCount: 2), tags: Self.tags), kind)
    let probe = try Tool.run(
      "ffprobe", "-v", "error", "-of", "json", "-show_entries", "format_tags:stream_tags:stream=codec_name", path)
    let text = String(decoding: probe, as: UTF8.self)
    #expect(text.contains("\"Überall = 星\""))
    #expect(text.contains("One"))
    #expect(text.uppercased().contains("\"MOOD X\": \"QUIET\""))
    #expect(text.contains("\"codec_name\": \"png\""))
    #expect(!text.uppercased().contains("REPLAYGAIN") && !text.contains("somebody's"))
    let picture = folder.appending("picture.png").path
    try Tool.run("ffmpeg", "-v", "error", "-i", path, "-an", "-c:v", "copy", picture)
    #expect(try [UInt8](Data(contentsOf: URL(filePath: picture))) == Self.picture)
  }

  @Test(arguments: [SoundFileKind.ogg, .opus], [1, 2, 6])
  func `as many frames are decoded as were encoded, in their channels`(kind: SoundFileKind, channelCount: Int) throws {
    for frameCount in [1, 100, 960, 48_123] {
      // A tone of its own for each channel; the low frequencies' channel, which codecs cut off early, has the lowest.
      let tones = [440.0, 660, 990, 60, 1320, 1760].prefix(channelCount)
      let samples = Signal.interleave(
        tones.map { Signal.sine(hz: $0, sampleRateInHz: 48_000, frameCount: frameCount, amplitude: 0.3) })
      let format = AudioFormat(sampleRateInHz: 48_000, channelCount: channelCount)
      let path = try file(write(samples, kind, format, tags: .none), kind)
      let decoded = try Tool.run("ffmpeg", "-v", "error", "-i", path, "-f", "f32le", "-c:a", "pcm_f32le", "-")
      if kind == .opus || frameCount > 10_000 {
        #expect(decoded.count == samples.count * 4, "\(frameCount) frames")
      }
      // FFmpeg cannot tell where the sound of one page begins.
      if kind == .ogg, Tool.exist("oggdec") {
        let raw = try Tool.run("oggdec", "-Q", "-R", "-o", "-", path)
        #expect(raw.count == samples.count * 2, "\(frameCount) frames")
      }
      guard frameCount == 48_123 else { continue }
      let found = decoded.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      for (channel, hz) in tones.enumerated() {
        // What the channel has of its tone, against what it has in all.
        var (real, imaginary, power) = (0.0, 0.0, 0.0)
        for frame in 4800..<43_200 {
          let sample = Double(found[frame * channelCount + channel])
          let angle = 2 * Double.pi * hz * Double(frame) / 48_000
          real += sample * cos(angle)
          imaginary += sample * sin(angle)
          power += sample * sample
        }
        let part = 2 * (real * real + imaginary * imaginary) / 38_400 / max(power, 1e-9)
        #expect(part > 0.9, "channel \(channel): \(part)")
      }
    }
  }

  @Test(arguments: [SoundFileKind.wav, .flac, .ogg, .opus, .mp3])
  func `equal input gives equal files, wherever it is cut`(kind: SoundFileKind) throws {
    let samples = Signal.whiteNoise(frameCount: 2 * 10_000, rms: 0.1)
    let format = AudioFormat(sampleRateInHz: 48_000, channelCount: 2)
    let whole = try write(samples, kind, format, tags: Self.tags, blockFrameCount: 10_000)
    #expect(try write(samples, kind, format, tags: Self.tags, blockFrameCount: 333) == whole)
  }

  @Test(.enabled(if: Tool.exist("flac", "oggdec", "opusdec"), "flac, vorbis-tools or opus-tools is not installed"))
  func `the codecs' own programs find nothing wrong`() throws {
    let samples = Signal.whiteNoise(frameCount: 2 * 30_000, rms: 0.1)
    let format = AudioFormat(sampleRateInHz: 48_000, channelCount: 2)
    var big = Self.tags
    // Longer than a page, and than all its segments.
    big.artwork[0].bytes += [UInt8](repeating: 7, count: 200_000)
    try Tool.run(
      "flac", "--test", "--silent", "--warnings-as-errors", file(write(samples, .flac, format, tags: big), .flac))
    let out = folder.appending("decoded.wav").path
    try Tool.run("oggdec", "-Q", "-o", out, file(write(samples, .ogg, format, tags: big), .ogg))
    try Tool.run("opusdec", "--quiet", file(write(samples, .opus, format, tags: big), .opus), out)
  }

  @Test(
    .enabled(if: Tool.exist("lame"), "lame is not installed"),
    arguments: [(1, 44_100), (2, 44_100), (2, 22_050), (1, 8000)], [nil, 64_000])
  func `an MP3 states its delay, so that as many frames are decoded as were encoded`(
    shape: (channelCount: Int, rate: Int), bitRate: Int?
  ) throws {
    for frameCount in [1, 1152, 30_001] {
      let samples = Signal.whiteNoise(frameCount: frameCount * shape.channelCount, rms: 0.1)
      let format = AudioFormat(sampleRateInHz: shape.rate, channelCount: shape.channelCount)
      let encoder = try SoundFileKind.mp3.makeEncoder(
        format, form: .float32, frameCount: Int64(frameCount), tags: Self.tags, lossy: LossyEncoding(bitRate: bitRate))
      var bytes = try encoder.encode(samples.span)
      let (end, start) = try encoder.finish()
      bytes += end
      bytes.replaceSubrange(0..<start.count, with: start)
      // LAME's own decoder trims what its tag says.
      let wave = folder.appending("x.wav").path
      try Tool.run("lame", "--quiet", "--decode", file(bytes, .mp3), wave)
      let decoded = try Tool.run("ffmpeg", "-v", "error", "-i", wave, "-f", "s16le", "-")
      #expect(decoded.count == samples.count * 2, "\(frameCount) frames")
    }
  }

  @Test func `MP3 has its own rates, and refuses what is between its bit rates`() {
    let rates = [8000, 9000, 44_100, 48_000, 88_200, 96_000, 192_000, 176_400, 7000]
    #expect(
      rates.map(SoundFileKind.mp3.sampleRate) == [
        8000, 11_025, 44_100, 48_000, 44_100, 48_000, 48_000, 44_100, 8000,
      ])
    func encoder(_ rate: Int, _ channelCount: Int, bitRate: Int?) throws -> any SoundEncoder {
      try SoundFileKind.mp3.makeEncoder(
        AudioFormat(sampleRateInHz: rate, channelCount: channelCount), form: .float32, frameCount: 1,
        lossy: LossyEncoding(bitRate: bitRate))
    }
    #expect(throws: AudioEncodingError.self) { try encoder(96_000, 2, bitRate: nil) }
    #expect(throws: AudioEncodingError.self) { try encoder(44_100, 3, bitRate: nil) }
    let refusal = #expect(throws: AudioEncodingError.self) { try encoder(44_100, 2, bitRate: 100_000) }
    #expect(refusal?.reason == "MP3 at 44100 Hz does not support 100 kbit/s; the nearest is 96")
    #expect(throws: AudioEncodingError.self) { try encoder(44_100, 2, bitRate: 128_500) }
  }

  @Test func `what a format cannot hold is refused`() {
    #expect(throws: AudioEncodingError.self) {
      try SoundFileKind.opus.makeEncoder(
        AudioFormat(sampleRateInHz: 44_100, channelCount: 2), form: .float32, frameCount: 1)
    }
    #expect(throws: AudioEncodingError.self) {
      try SoundFileKind.opus.makeEncoder(
        AudioFormat(sampleRateInHz: 48_000, channelCount: 9), form: .float32, frameCount: 1)
    }
    #expect(throws: AudioEncodingError.self) {
      try SoundFileKind.ogg.makeEncoder(
        AudioFormat(sampleRateInHz: 384_000, channelCount: 2), form: .float32, frameCount: 1)
    }
  }

  @Test func `FLAC gets pictures of a kind that it allows once, or as an icon only, as others`() throws {
    var icon = Self.picture
    icon.replaceSubrange(16..<24, with: [0, 0, 0, 32, 0, 0, 0, 32])
    let tags = SoundTags(
      carriedOver: Tags([]),
      artwork: [(1, Self.picture), (1, icon), (1, icon), (2, Self.picture), (2, Self.picture), (3, Self.picture)].map {
        Artwork(pictureType: $0, mimeType: "image/png", caption: "", hash: ContentHash(high: 1, low: 2), bytes: $1)
      })
    let samples = Signal.whiteNoise(frameCount: 4_800, rms: 0.1)
    let bytes = Data(try write(samples, .flac, AudioFormat(sampleRateInHz: 48_000, channelCount: 1), tags: tags))
    var types: [UInt8] = []
    var rest = bytes.startIndex..<bytes.endIndex
    while let type = bytes.range(of: Data("image/png".utf8), in: rest) {
      // Before it are the kind and the length of this text, in 32 bits each.
      types.append(bytes[type.lowerBound - 5])
      rest = type.upperBound..<bytes.endIndex
    }
    #expect(types == [0, 1, 0, 2, 0, 3])
  }
}
