import AudioDecoding
import Foundation
import MediaModel
import Testing
import TestSupport

/// HE-AAC with spectral band replication, and version 2 with parametric stereo: two files of an encoder that Debian does not
/// have, and what muxers make of them.
///
/// The source has 100,003 frames, of which the first 40,000 are silent.
struct BandReplicationTests {
  private static let frameCount = 100_003
  private static let onset = 40_000

  struct Sound: CustomTestStringConvertible {
    let name: String
    let packetCount: Int
    /// Frames before the source, as the encoder counts them: its own and the 962 of the replication. An independent
    /// decoder (faad) places the source there, too.
    let delay: Int
    /// How a configuration may signal the replication: not at all, behind the core, before it.
    let configurations: [[UInt8]]
    var testDescription: String { name }
    var url: URL { Corpora.fixtures.appending(path: "encoded/\(name)") }

    static let all = [
      Sound(
        name: "onset-he.aac", packetCount: 52, delay: 5058,
        configurations: [[0x13, 0x90], [0x13, 0x90, 0x56, 0xE5, 0xA0], [0x2B, 0x92, 0x08, 0x00]]),
      Sound(
        name: "onset-he-v2.aac", packetCount: 53, delay: 7106,
        configurations: [[0x13, 0x88], [0x13, 0x88, 0x56, 0xE5, 0xA5, 0x48, 0x80], [0xEB, 0x8A, 0x08, 0x00]]),
    ]

    func packets() throws -> [[UInt8]] { ADTSBytes.packets(of: [UInt8](try Data(contentsOf: url))) }
  }

  private let files: SyntheticFiles

  init() throws { files = try SyntheticFiles() }

  @Test(arguments: Sound.all)
  func `a bare stream has the rate and channels of the output, and all frames`(_ sound: Sound) throws {
    let decoded = try DecodedFile(sound.url)
    #expect(decoded.outcome.state == .ok && decoded.outcome.notes == [])
    #expect(decoded.format.sampleRateInHz == 44_100 && decoded.format.channelCount == 2)
    #expect(decoded.frameCount == sound.packetCount * 2048)
    #expect(abs(onset(decoded) - sound.delay - Self.onset) < 16)
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"), arguments: Sound.all)
  func `it sounds as FFmpeg decodes it`(_ sound: Sound) throws {
    #expect(try DecodedFile(sound.url).samples == EncodedMusic().floats(sound.url))
  }

  /// What MP4 says about the recording, and how long that is.
  private func timings(_ sound: Sound) -> [(file: MP4Bytes, frameCount: Int)] {
    let whole = sound.packetCount * 2048
    let end = sound.delay + Self.frameCount
    var base = MP4Bytes()
    base.durations = [(sound.packetCount, 2048)]
    // Ticks of the output, as FFmpeg writes them.
    var exact = base
    exact.durations = [(sound.packetCount - 1, 2048), (1, end - (sound.packetCount - 1) * 2048)]
    exact.edits = [(0, sound.delay)]
    var comment = base
    comment.gaplessComment = MP4Bytes.gaplessComment(
      delay: sound.delay, padding: whole - end, frameCount: Self.frameCount)
    // Ticks of the core, as iTunes writes them: without the delay of the replication.
    let coreDelay = (sound.delay - 962) / 2
    let coreFrameCount = Self.frameCount / 2
    var core = base
    core.timescale = 22_050
    core.durations = [(sound.packetCount, 1024)]
    var edited = core
    edited.edits = [(coreFrameCount, coreDelay)]
    edited.movieTimescale = 22_050
    core.gaplessComment = MP4Bytes.gaplessComment(
      delay: coreDelay, padding: whole / 2 - coreDelay - coreFrameCount, frameCount: coreFrameCount)
    return [
      (exact, Self.frameCount), (comment, Self.frameCount), (core, coreFrameCount * 2), (edited, coreFrameCount * 2),
    ]
  }

  @Test(arguments: Sound.all)
  func `in MP4 the recording is exactly the source, however the replication is signalled`(_ sound: Sound) throws {
    let whole = try DecodedFile(sound.url)
    let hash = try OpenFile(sound.url).identity().hash
    for configuration in sound.configurations {
      for (number, timing) in timings(sound).enumerated() {
        var file = timing.file
        (file.packets, file.configuration) = (try sound.packets(), configuration)
        let decoded = try files.decode(file.bytes)
        let form = Comment(rawValue: "timing \(number), configuration \(configuration)")
        #expect(decoded.outcome.state == .ok && decoded.outcome.notes == [], form)
        #expect(decoded.frameCount == timing.frameCount, form)
        #expect(decoded.mediaFormat.delayFrameCount == sound.delay, form)
        #expect(abs(onset(decoded) - Self.onset) < 16, form)
        let expected = whole.samples[(2 * sound.delay)...].prefix(decoded.samples.count)
        // Signalled replication also runs before the first packet that has it.
        #expect(decoded.samples[20_000...] == expected.dropFirst(20_000), form)
        #expect(try files.identity(file.bytes).hash == hash, form)
      }
    }
  }

  @Test func `a recording that ends with the last packet keeps what the decoder gives`() throws {
    let sound = Sound.all[0]
    var file = MP4Bytes()
    file.packets = try sound.packets()
    file.timescale = 22_050
    file.durations = [(sound.packetCount, 1024)]
    file.edits = [(0, 2048)]
    file.configuration = sound.configurations[0]
    let decoded = try files.decode(file.bytes)
    #expect(decoded.outcome.state == .ok && decoded.frameCount == sound.packetCount * 2048 - sound.delay)
  }

  /// The first frame that is louder than what an encoder spreads before it.
  private func onset(_ decoded: DecodedFile) -> Int {
    stride(from: 0, to: decoded.samples.count, by: 2).first { abs(decoded.samples[$0]) > 0.1 }.map { $0 / 2 } ?? -1
  }
}
