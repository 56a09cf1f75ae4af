import Foundation
import Testing
import TestSupport

/// Extreme recordings: with hardly a sample, with samples that are no numbers, or with only a part of the file.
@Suite(.enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct ExtremeSoundsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder()
  }

  private func scan() async throws {
    let outcome = try await deadwax.run(["scan", music.path])
    try #require(outcome.status == 0, "\(outcome)")
  }

  private func waveform(_ name: String) async throws -> WaveformDocument {
    try await deadwax.run(["waveform", music.file(name).path, "-o", "-", "--format", "json"]).document()
  }

  private func show(_ name: String) async throws -> TrackDocument {
    try await deadwax.run(["show", "--json", music.file(name).path]).document()
  }

  // Faults: 5
  @Test func `the waveform and the length of a file that ends early are those of what is there`() async throws {
    try music.add(fixture: "damaged/truncated.wav", as: "a.wav")
    try await scan()
    let track = try await show("a.wav")
    // 16 bit, mono.
    let byteCount = try Data(contentsOf: music.file("a.wav")).count - 44
    let frameCount = byteCount / 2
    #expect(track.format.decoded_frames == Int64(frameCount))
    let rate = try #require(track.format.sample_rate_hz)
    #expect(track.format.duration_seconds == Double(frameCount) / Double(rate))
    let waveform = try await waveform("a.wav")
    #expect(waveform.length == (frameCount + 255) / 256)
    #expect(waveform.data.suffix(4).contains { $0 != 0 })
  }

  // Faults: 12
  @Test func `the part before a change of parameters is analysed, and the place is named`() async throws {
    let block = FLACBytes.framesPerBlock
    let bytes = FLACBytes.constant(
      frameCount: 5 * block, sampleRateInHz: 8000, value: { Int16($0 + 1) * 1000 }, rateCode: { $0 < 3 ? 0 : 9 })
    try music.write(bytes, to: "a.flac")
    try await scan()
    let track = try await show("a.flac")
    #expect(track.format.decoded_frames == Int64(3 * block))
    #expect(track.format.duration_seconds == Double(3 * block) / 8000)
    #expect(try await waveform("a.flac").length == (3 * block + 255) / 256)
    let problem = try #require(try await deadwax.run(["problems", "--jsonl"]).lines(ProblemRow.self).first)
    #expect(problem.state == "damaged")
    #expect(problem.reason == "parameters change at frame \(3 * block) (to 44100 Hz, 1 channel, 16 bits)")
    #expect(problem.position_seconds == Double(3 * block) / 8000)
  }

  /// One sample, one frame of MPEG audio, ten milliseconds.
  private static let short: [String: (bytes: [UInt8], frameCount: Int)] = [
    "one.wav": (WaveFile.bytes([8000], sampleRateInHz: 8000, channelCount: 1), 1),
    "one.flac": (FLACBytes.constant(frameCount: 1, sampleRateInHz: 44_100, value: { _ in 8000 }), 1),
    "frame.mp3": (MPEGBytes.silentFrames(1), MPEGBytes.samplesPerFrame),
    "xing.mp3": (MPEGBytes.xingFrame(frameCount: 1) + MPEGBytes.silentFrames(1), MPEGBytes.samplesPerFrame),
    "ten.wav": (WaveFile.bytes((0..<882).map { Int16($0 * 30) }, sampleRateInHz: 44_100, channelCount: 2), 441),
  ]

  // Faults: 18
  @Test(arguments: short.keys.sorted())
  func `a sound of no length to speak of has at least one point, and no loudness`(_ name: String) async throws {
    let (bytes, frameCount) = try #require(Self.short[name])
    try music.write(bytes, to: name)
    try await scan()
    let track = try await show(name)
    #expect(track.format.decoded_frames == Int64(frameCount))
    let waveform = try await waveform(name)
    #expect(waveform.length == (frameCount + 255) / 256)
    #expect(waveform.data.count == 2 * waveform.length)
    #expect(track.state == "ok")
    #expect(track.measures.loudness_lufs == nil)
    for arguments in [["show"], ["spectrum"], ["waveform"]] {
      let outcome = try await deadwax.run(arguments + [music.file(name).path])
      #expect(outcome.status == 0, "\(outcome)")
      #expect(!outcome.text.lowercased().contains("nan"))
      #expect(!outcome.text.lowercased().contains("inf"))
    }
  }

  /// Half a second of a tone, with what is not a number, or nearly none, every seventh sample.
  private static let poisons: [String: [Float]] = [
    "not numbers": [.nan, .signalingNaN, .infinity, -.infinity], "huge": [1e38, -1e38, .greatestFiniteMagnitude],
    "tiny": [.leastNonzeroMagnitude, -.leastNonzeroMagnitude, 0x1p-133],
    "all": [.nan, .infinity, 3e38, -3e38, 0x1p-149, 0],
  ]

  // Faults: 15
  @Test(arguments: poisons.keys.sorted())
  func `every number that is said of a sound without numbers is one`(_ what: String) async throws {
    let poison = try #require(Self.poisons[what])
    var samples = Signal.sine(hz: 440, sampleRateInHz: 8000, frameCount: 16_000, amplitude: 0.5)
    for (number, index) in stride(from: 0, to: samples.count, by: 7).enumerated() {
      samples[index] = poison[number % poison.count]
    }
    try music.write(ChunkBytes.wav(floats: samples), to: "a.wav")
    try await scan()
    let track = try await show("a.wav")
    #expect(track.state == "ok")
    #expect(track.measures.nonfinite_samples ?? 0 == samples.count { !$0.isFinite })
    #expect(track.measures.sample_peak_dbfs?.isFinite == true)
    #expect(track.measures.rms_dbfs?.isFinite == true)

    let path = music.file("a.wav").path
    for arguments in [
      ["show", "--json", path], ["waveform", path, "-o", "-", "--format", "json"],
      ["spectrum", path, "-o", "-", "--format", "json"],
      ["ls", "--format", "json", "--fields", "lufs,truepeak,peak,rms,dc,duration"],
    ] {
      let outcome = try await deadwax.run(arguments)
      #expect(outcome.status == 0, "\(outcome)")
      // This refuses NaN and infinities, which JSON does not have.
      #expect(throws: Never.self) { try JSONSerialization.jsonObject(with: outcome.standardOutput) }
    }
    // The library itself: whatever column of measures there is.
    let columns = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/sqlite3"),
      ["file:\(deadwax.library.path)?immutable=1", ".mode line", "SELECT * FROM measures"])
    #expect(columns.text.contains("="))
    #expect(!columns.text.lowercased().contains("inf"))
    #expect(!columns.text.lowercased().contains("nan"))
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }

  // Faults: 16
  @Test func `chunks that come twice are damage and never crash a worker, in whatever container`() async throws {
    let users = try await deadwax.decide()
    let data = ChunkBytes.chunk("data", (0..<4000).flatMap { littleEndian(Int16(truncatingIfNeeded: $0 &* 7919)) })
    let format = ChunkBytes.chunk("fmt ", ChunkBytes.format())
    let other = ChunkBytes.chunk("fmt ", ChunkBytes.format(channelCount: 6, sampleRateInHz: 48_000))
    try music.write(ChunkBytes.riff(format, data), to: "a.wav")
    try music.write(ChunkBytes.riff(format, other, data), to: "b.wav")
    try music.write(ChunkBytes.riff(data, format), to: "c.wav")
    let long = ChunkBytes.rf64Header(dataByteCount: 8000, format: ChunkBytes.format())
    // libsndfile, which reads the texts of RF64 and CAF, is known to stumble over a second map of channels.
    try music.write(long.dropLast(8) + other + long.suffix(8) + data.dropFirst(8) + other, to: "d.rf64")
    func chunk(_ name: String, _ body: [UInt8]) -> [UInt8] { Array(name.utf8) + bigEndian(Int64(body.count)) + body }
    let map = chunk("chan", bigEndian(UInt32(100 << 16 | 1)) + bigEndian(UInt32(0)) + bigEndian(UInt32(0)))
    let wideMap = chunk("chan", bigEndian(UInt32(0)) + bigEndian(UInt32(0)) + bigEndian(UInt32(0xFF_FFFF)))
    let description =
      bigEndian((8000.0).bitPattern) + Array("lpcm".utf8)
      + [2, 2, 1, 1, 16].flatMap { bigEndian(UInt32($0)) }
    let start = Array("caff".utf8) + [0, 1, 0, 0] + chunk("desc", description) + map + wideMap + map
    try music.write(start + chunk("data", [0, 0, 0, 0] + data.dropFirst(8).reversed()), to: "e.caf")
    try await scan()
    let rows = try await LibraryRows(deadwax)
    #expect(rows["a.wav"]?.state == "ok")
    #expect(rows["b.wav"]?.state == "damaged")
    #expect(rows["c.wav"]?.state == "damaged")
    #expect(rows["d.rf64"]?.state == "damaged")
    #expect(rows["e.caf"]?.state == "ok")
    #expect(Set(["a.wav", "b.wav", "c.wav", "d.rf64"].map { rows[$0]?.audio_id }).count == 1)
    try await Invariants(music.url).check(deadwax, users: users)
  }
}
