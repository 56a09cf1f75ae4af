import Foundation
import Testing
import TestSupport

/// Tempo, key and similarity from a scan to what people see.
struct SimilarCommandsTests {
  let deadwax: DeadwaxCommand
  let music: MusicFolder

  /// Bursts at two tempi over a chord of A minor, and noise.
  init() async throws {
    let scanned = try await ScannedMusic.named("two tempi, a chord and noise", Self.write)
    (music, deadwax) = (scanned.music, try await scanned.library().called)
  }

  private static func write(to music: MusicFolder) throws {
    for (name, bpm) in [("slow.wav", 100.0), ("slower.wav", 96), ("fast.wav", 140)] {
      try music.write(
        WaveFile.bytes(Self.samples(bpm: bpm).map { Int16($0 * 20_000) }, sampleRateInHz: 11_025, channelCount: 1),
        to: name)
    }
    let noise = Signal.whiteNoise(frameCount: 11_025 * 20, rms: 0.2).map { Int16($0 * 20_000) }
    try music.write(WaveFile.bytes(noise, sampleRateInHz: 11_025, channelCount: 1), to: "noise.wav")
  }

  private static func samples(bpm: Double) -> [Float] {
    let rate = 11_025
    var samples = [Float](repeating: 0, count: 20 * rate)
    for hz in [110, 220, 261.63, 329.63] {
      let tone = Signal.sine(hz: hz, sampleRateInHz: rate, frameCount: samples.count, amplitude: 0.08)
      for index in samples.indices { samples[index] += tone[index] }
    }
    let burst = Signal.whiteNoise(frameCount: 600, rms: 0.3)
    for beat in 0..<Int(20 * bpm / 60) {
      let start = Int(Double(beat) * 60 / bpm * Double(rate))
      for (index, value) in burst.enumerated() where start + index < samples.count {
        samples[start + index] += value * exp(-Float(index) / 150)
      }
    }
    return samples
  }

  private struct Row: Decodable {
    var filename: String
    var bpm: Double?
    var key: String?
    var camelot: String?
  }

  @Test func `lists and queries know tempo and key`() async throws {
    let rows: [Row] = try await deadwax.run([
      "ls", "--format", "jsonl", "--fields", "filename,bpm,key,camelot", "bpm:98..102", "key:8A",
    ]).lines()
    #expect(rows.map(\.filename) == ["slow.wav"])
    #expect(abs(try #require(rows.first?.bpm) - 100) < 0.2 && rows.first?.camelot == "8A" && rows.first?.key == "Am")
    let text = try await deadwax.run(["show", music.file("fast.wav").path]).text
    #expect(text.contains("BPM measured") && text.contains("Am (Camelot 8A, Open Key 1m)"))
    let moved = try await deadwax.run(["show", "--bpm-range", "60-120", music.file("fast.wav").path]).text
    #expect(moved.contains("70.0"))
    let wrong = try await deadwax.run(["ls", "key:loud"])
    #expect(wrong.status == 64 && wrong.errorText.contains("is not a key"))
  }

  private struct Beats: Decodable {
    var path: String?
    var bpm: Double
    var beats_seconds: [Double]
  }

  @Test func `beats are printed and exported in seconds, in the octave that is asked for`() async throws {
    let slow = music.file("slow.wav").path
    let lines = try await deadwax.run(["show", "--beats", slow]).text.split(separator: "\n").compactMap { Double($0) }
    // 100 bursts a minute for 20 seconds, the first one at the start.
    #expect((31...34).contains(lines.count) && zip(lines, lines.dropFirst()).allSatisfy { abs($1 - $0 - 0.6) < 0.03 })
    #expect(lines.dropFirst(2).dropLast(2).allSatisfy { abs($0 - ($0 / 0.6).rounded() * 0.6) < 0.02 }, "\(lines)")
    let shown: Beats = try await deadwax.run(["show", "--beats", "--json", slow]).document()
    #expect(shown.beats_seconds == lines && abs(shown.bpm - 100) < 0.2)
    let half: Beats = try await deadwax.run(["show", "--beats", "--json", "--bpm-range", "40-80", slow]).document()
    #expect(abs(half.bpm - 50) < 0.1 && abs(half.beats_seconds.count - lines.count / 2) <= 1)
    let exported: [Beats] = try await deadwax.run(["export", "--what", "beats", "filename:slow"]).lines()
    #expect(exported.map(\.beats_seconds).contains(lines) && exported.count == 2)
    let table = try await deadwax.run(["export", "--what", "beats", "--format", "csv", "filename:=slow.wav"]).text
    #expect(table.hasPrefix("path,bpm,beat,seconds\n") && table.split(separator: "\n").count == lines.count + 1)
  }

  @Test func `a track without a tempo has no beats`() async throws {
    try music.write(
      WaveFile.bytes([Int16](repeating: 0, count: 110_250), sampleRateInHz: 11_025, channelCount: 1), to: "silence.wav")
    try await deadwax.must(["scan", "-q", music.path])
    let silent = music.file("silence.wav").path
    let outcome = try await deadwax.run(["show", "--beats", silent])
    #expect(outcome.status == 1 && outcome.text.isEmpty && outcome.errorText.contains("has no tempo"))
    let exported = try await deadwax.run(["export", "--what", "beats", "filename:silence"])
    #expect(exported.status == 0 && exported.text.isEmpty && exported.errorText.contains("1 of 1 file without a tempo"))
    #expect(try await deadwax.run(["show", "--beats", "--fingerprint", silent]).status == 64)
  }

  private struct Similar: Decodable {
    struct Track: Decodable {
      var path: String
      var likeness: Double?
    }

    var schema: Int
    var tracks: [Track]
  }

  @Test func `what sounds alike comes first`() async throws {
    let slow = music.file("slow.wav").path
    let found: Similar = try await deadwax.run(["similar", slow, "--json"]).document()
    #expect(found.schema == 1 && found.tracks.count == 3)
    #expect(found.tracks.first?.path == music.file("slower.wav").path)
    #expect(found.tracks.last?.path == music.file("noise.wav").path)
    let lines: [Similar.Track] = try await deadwax.run(["similar", slow, "--jsonl"]).lines()
    #expect(lines.map(\.path) == found.tracks.map(\.path) && lines.allSatisfy { $0.likeness != nil })
    let few = try await deadwax.run(["similar", slow, "--limit", "0"])
    #expect(few.status == 64)
  }

  @Test func `a playlist and a map have every track once`() async throws {
    let (slow, noise) = (music.file("slow.wav").path, music.file("noise.wav").path)
    let found: Similar = try await deadwax.run([
      "playlist", "--from", slow, "--to", noise, "--length", "4", "--json",
    ]).document()
    #expect(found.tracks.first?.path == slow && found.tracks.last?.path == noise)
    #expect(Set(found.tracks.map(\.path)).count == 4)
    let items: [Similar.Track] = try await deadwax.run([
      "playlist", "--from", slow, "--to", noise, "--length", "4", "--jsonl",
    ]).lines()
    #expect(items.map(\.path) == found.tracks.map(\.path))
    let same = try await deadwax.run(["playlist", "--from", slow, "--to", slow])
    #expect(same.status == 64 && same.errorText.contains("--from and --to name the same track"), "\(same)")
    let file = music.file("flow.m3u8")
    let written = try await deadwax.run(["playlist", "--from", slow, "--length", "3", "-o", file.path])
    #expect(written.status == 0, "\(written)")
    let lines = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").filter { !$0.hasPrefix("#") }
    #expect(lines.count == 3 && lines.first == "slow.wav")
    let map: Similar = try await deadwax.run(["map", "--format", "json"]).document()
    #expect(map.tracks.count == 4)
    let picture = try await deadwax.run(["map", "--format", "svg"])
    #expect(picture.status == 0 && picture.text.contains("<svg") && picture.errorText.isEmpty)
    let empty = try await deadwax.run(["map", "--format", "json", "title:=nothing"])
    #expect(empty.status == 0 && empty.errorText.contains("the map is empty") && empty.text.contains("\"tracks\""))
    let nothing = try await deadwax.run(["map", "-o", "empty.png", "title:=nothing"])
    #expect(nothing.status == 0 && nothing.errorText.contains("no picture was written"), "\(nothing)")
    #expect(!FileManager.default.fileExists(atPath: deadwax.home.appending("empty.png").path))
    let wrong = try await deadwax.run(["playlist", "--from", slow, "-o", "flow.doc"])
    #expect(wrong.status == 64 && wrong.errorText.contains("no format is called 'doc'"), "\(wrong)")
  }
}
