import Foundation
import Testing
import TestSupport

/// Four tunes of 40 seconds.
private enum SyntheticTunes {
  static let rate = 22_050
  static let all = (0..<4).map { Signal.chords(seconds: 40, sampleRateInHz: rate, channel: 10 * $0) }

  static func bytes(_ samples: [Float]) -> [UInt8] {
    WaveFile.bytes(samples.map { Int16($0 * 20_000) }, sampleRateInHz: rate, channelCount: 1)
  }

  /// As `tune 0.wav` to `tune 3.wav`.
  static func write(to music: MusicFolder) throws {
    for (number, tune) in all.enumerated() { try music.write(bytes(tune), to: "tune \(number).wav") }
  }

  static func part(of tune: Int, from start: Double, seconds: Double) -> [Float] {
    let first = Int(start * Double(rate))
    return Array(all[tune][first..<first + Int(seconds * Double(rate))])
  }

  /// A file that is not in the library, because it is outside its root.
  static func outside(_ folder: TemporaryFolder, _ samples: [Float], _ name: String) throws -> String {
    try folder.write(bytes(samples), to: name)
    return folder.appending(name).path
  }
}

/// `identify`, from a scan to what is printed.
struct IdentifyCommandTests {
  private struct Matches: Decodable {
    struct Match: Decodable {
      var path: String
      var offset_seconds: Double
      var speed: Double
      var confidence: Double
    }

    var schema: Int
    var matches: [Match]
  }

  private struct Timeline: Decodable {
    struct Range: Decodable {
      var path: String
      var start_seconds: Double
      var end_seconds: Double
      var offset_seconds: Double
    }

    var ranges: [Range]
  }

  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    let scanned = try await ScannedMusic.named("four tunes", SyntheticTunes.write)
    (music, deadwax) = (scanned.music, try await scanned.library().called)
  }

  @Test func `an excerpt is named with its place, and the library is not changed`() async throws {
    let clip = try SyntheticTunes.outside(deadwax.home, SyntheticTunes.part(of: 2, from: 12.3, seconds: 10), "clip.wav")
    let before = try Data(contentsOf: deadwax.library)
    let found: Matches = try await deadwax.run(["identify", clip, "--json"]).document()
    #expect(found.schema == 1 && found.matches.count == 1)
    let match = try #require(found.matches.first)
    #expect(match.path == music.file("tune 2.wav").path)
    #expect(abs(match.offset_seconds - 12.3) < 0.1 && abs(match.speed - 1) < 0.01 && match.confidence > 0.5)
    #expect(try Data(contentsOf: deadwax.library) == before)
    let text = try await deadwax.run(["identify", clip]).text
    #expect(text.contains("tune 2") && text.contains("0:12.3"))
  }

  @Test func `a part of a file is looked for`() async throws {
    let mix = try SyntheticTunes.outside(
      deadwax.home,
      SyntheticTunes.part(of: 0, from: 0, seconds: 20) + SyntheticTunes.part(of: 1, from: 10, seconds: 20),
      "mix.wav")
    let found: Matches = try await deadwax.run(["identify", mix, "-s", "25", "-e", "35", "--json"]).document()
    #expect(found.matches.first?.path == music.file("tune 1.wav").path)
    #expect(abs((found.matches.first?.offset_seconds ?? 0) - 15) < 0.1)
  }

  @Test func `what is not in the library gives status 1 and an empty list`() async throws {
    let other = try SyntheticTunes.outside(
      deadwax.home, Signal.chords(seconds: 10, sampleRateInHz: SyntheticTunes.rate, channel: 99), "other.wav")
    let outcome = try await deadwax.run(["identify", other])
    #expect(outcome.status == 1 && outcome.text.isEmpty && outcome.errorText.contains("nothing in the library matches"))
    let document = try await deadwax.run(["identify", other, "--json"])
    #expect(document.status == 1 && document.text.contains("\"matches\""))
  }

  @Test func `a file that is not there, or ends before the part, is wrong usage`() async throws {
    let absent = try await deadwax.run(["identify", "absent.mp3"])
    #expect(absent.status == 64 && absent.errorText == "deadwax: absent.mp3: No such file or directory\n", "\(absent)")
    let short = try await deadwax.run(["identify", music.file("tune 1.wav").path, "-s", "41"])
    #expect(short.status == 64 && short.errorText.hasSuffix("tune 1.wav: ends before --start\n"), "\(short)")
  }

  @Test func `a timeline says what is heard from when to when, as a CUE sheet, too`() async throws {
    let mix = try SyntheticTunes.outside(
      deadwax.home,
      SyntheticTunes.part(of: 3, from: 5, seconds: 30) + SyntheticTunes.part(of: 0, from: 0, seconds: 30), "mix.wav")
    let found: Timeline = try await deadwax.run(["identify", mix, "--timeline", "--json"]).document()
    #expect(found.ranges.map(\.path) == [music.file("tune 3.wav").path, music.file("tune 0.wav").path])
    let (first, second) = (try #require(found.ranges.first), try #require(found.ranges.last))
    #expect(first.start_seconds < 2 && abs(first.end_seconds - 30) < 8)
    #expect(abs(second.start_seconds - 30) < 3 && second.end_seconds > 57)
    #expect(abs(first.offset_seconds - first.start_seconds - 5) < 0.2)
    let sheet = try await deadwax.run(["identify", mix, "--timeline", "--cue"]).text
    #expect(sheet.hasPrefix("FILE \"mix.wav\" WAVE\n  TRACK 01 AUDIO\n    TITLE \"tune 3\"\n"))
  }

  @Test func `a damaged or missing index is made again`() async throws {
    let clip = try SyntheticTunes.outside(deadwax.home, SyntheticTunes.part(of: 1, from: 8, seconds: 10), "clip.wav")
    let folder = deadwax.library.deletingPathExtension().appendingPathExtension("sound")
    for _ in 0..<3 {
      let outcome = try await deadwax.run(["identify", clip])
      #expect(outcome.status == 0 && outcome.text.contains("tune 1"), "\(outcome)")
      for file in try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil) {
        let bytes = try Data(contentsOf: file)
        try bytes.prefix(bytes.count / 2).write(to: file)
      }
    }
    try FileManager.default.removeItem(at: folder)
    #expect(try await deadwax.run(["identify", clip]).text.contains("tune 1"))
  }
}

/// `duplicates`, and `identify` in a library that grows, from a scan to what is printed.
struct SoundCommandsTests {
  private struct Groups: Decodable {
    struct File: Decodable {
      var path: String
      var keep: Bool
      var reason: String?
      var identical: Bool
    }

    struct Group: Decodable {
      var kind: String
      var offset_seconds: Double?
      var files: [File]
    }

    var groups: [Group]
  }

  let deadwax: DeadwaxCommand
  let music: MusicFolder
  private let tunes = SyntheticTunes.all

  init() throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder()
    try SyntheticTunes.write(to: music)
  }

  private func write(_ samples: [Float], to name: String) throws {
    try music.write(SyntheticTunes.bytes(samples), to: name)
  }

  private func scan() async throws { try await deadwax.must(["scan", "-q", music.path]) }

  @Test func `tracks that came after the first search are found`() async throws {
    try await scan()
    let clip = try SyntheticTunes.outside(deadwax.home, SyntheticTunes.part(of: 1, from: 8, seconds: 10), "clip.wav")
    #expect(try await deadwax.run(["identify", clip]).status == 0)
    let tune = Signal.chords(seconds: 30, sampleRateInHz: SyntheticTunes.rate, channel: 70)
    try write(tune, to: "late.wav")
    try await scan()
    let late = try SyntheticTunes.outside(deadwax.home, Array(tune[110_250..<330_750]), "late clip.wav")
    #expect(try await deadwax.run(["identify", late]).text.contains("late"))
  }

  @Test func `duplicates groups copies of other levels, and keeps the better one`() async throws {
    try write([Float](repeating: 0, count: 10_000) + tunes[1].map { $0 * 0.3 }, to: "quiet copy.wav")
    try await scan()
    let found: Groups = try await deadwax.run(["duplicates", "--json"]).document()
    let copies = try #require(found.groups.first { $0.kind == "same-recording" })
    #expect(Set(copies.files.map(\.path)) == [music.file("tune 1.wav").path, music.file("quiet copy.wav").path])
    #expect(copies.files.filter(\.keep).count == 1)
    #expect(found.groups.count == 1)
    let filtered: Groups = try await deadwax.run(["duplicates", "--json", "filename:quiet"]).document()
    #expect(filtered.groups.map(\.kind) == ["same-recording"])
  }

  @Test func `of equal copies the one is kept that is not called a copy`() async throws {
    for name in ["air (1).wav", "air - Copy.wav", "air.wav"] { try write(tunes[1], to: name) }
    try FileManager.default.removeItem(at: music.file("tune 1.wav"))
    try await scan()
    let found: Groups = try await deadwax.run(["duplicates", "--json"]).document()
    #expect(found.groups.first?.files.first { $0.keep }?.path == music.file("air.wav").path)
    let script = deadwax.home.appending("remove.sh")
    try await deadwax.must(["duplicates", "--script", script.path])
    try Tool.run("sh", script.path)
    #expect(FileManager.default.fileExists(atPath: music.file("air.wav").path))
    #expect(!FileManager.default.fileExists(atPath: music.file("air (1).wav").path))
  }

  @Test func `a part is shown with the copy that is kept, once for all copies of the whole`() async throws {
    for (number, gain) in [Float(0.9), 0.7, 0.5].enumerated() {
      try write(tunes[1].map { $0 * gain }, to: "copy \(number).wav")
    }
    try write(SyntheticTunes.part(of: 1, from: 10, seconds: 12), to: "part.wav")
    try await scan()
    let found: Groups = try await deadwax.run(["duplicates", "--json"]).document()
    #expect(found.groups.map(\.kind) == ["same-recording", "contained"])
    let (copies, pair) = (try #require(found.groups.first), try #require(found.groups.last))
    #expect(copies.files.count == 4 && pair.files.map(\.path).last == music.file("part.wav").path)
    #expect(pair.files.first?.path == copies.files.first { $0.keep }?.path)
    #expect(pair.files.count == 2 && abs((pair.offset_seconds ?? 0) - 10) < 0.1)
    // A query that finds only a copy finds the pair of its recording, too.
    let filtered: Groups = try await deadwax.run(["duplicates", "--json", "filename:copy"]).document()
    #expect(filtered.groups.count == 2)
  }

  @Test func `the script would remove the copy, and running duplicates removes nothing`() async throws {
    try write(tunes[1].map { $0 * 0.5 }, to: "it's a copy.wav")
    try await scan()
    let script = deadwax.home.appending("remove.sh")
    let list = deadwax.home.appending("copies.m3u8")
    let outcome = try await deadwax.run(["duplicates", "--script", script.path, "--playlist", list.path])
    #expect(outcome.status == 0 && outcome.errorText.contains("nothing was removed"), "\(outcome)")
    let (one, other) = (music.file("tune 1.wav").path, music.file("it's a copy.wav").path)
    #expect(FileManager.default.fileExists(atPath: one) && FileManager.default.fileExists(atPath: other))
    #expect(try String(contentsOf: list, encoding: .utf8).contains(".wav"))
    try Tool.run("sh", script.path)
    #expect(FileManager.default.fileExists(atPath: one) != FileManager.default.fileExists(atPath: other))
  }

  @Test func `copies are written as a playlist as export writes them`() async throws {
    for name in ["a.mp3", "b.mp3"] {
      try music.add(fixture: "audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3", as: name)
    }
    try await scan()
    for ending in ["m3u8", "xspf", "xml"] {
      let (found, exported) = (music.file("found.\(ending)"), music.file("exported.\(ending)"))
      try await deadwax.must(["duplicates", "--playlist", found.path])
      try await deadwax.must(["export", "--what", "playlist", "filename:=b.mp3", "-o", exported.path])
      let text = try String(contentsOf: found, encoding: .utf8)
      #expect(text.contains("Lacquer") && text.contains("Lathe &"), "\(text)")
      #expect(
        try text.replacing("found", with: "exported") == String(contentsOf: exported, encoding: .utf8), "\(text)")
    }
    let unknown = try await deadwax.run(["duplicates", "--playlist", "copies.doc"])
    #expect(unknown.status == 64 && unknown.errorText.contains("no format is called 'doc'"), "\(unknown)")
  }

  /// Opus reaches 20 kHz at any bit rate, so that its edge says nothing about what it was made from.
  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `a copy of few bits in another lossy codec does not replace its source`() async throws {
    let source = music.file("tune 1.wav")
    try Tool.run("ffmpeg", "-v", "error", "-i", source.path, "-b:a", "160k", music.file("source.mp3").path)
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", music.file("source.mp3").path, "-c:a", "libopus", "-b:a", "32k",
      music.file("copy.opus").path)
    try FileManager.default.removeItem(at: source)
    try await scan()
    let script = try await deadwax.run(["duplicates", "--script", "-"])
    #expect(script.text.contains("copy.opus' for '") && !script.text.contains("source.mp3' for '"), "\(script)")
  }

  /// A copy does not reach higher than what it was made from.
  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `a file whose edge is higher than that of another lossy codec is kept`() async throws {
    let source = music.file("tune 1.wav")
    let vorbis = music.file("source.ogg")
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", source.path, "-filter_complex",
      "anoisesrc=amplitude=0.05:seed=1:duration=600[n];[0][n]amix=normalize=0:duration=first", "-c:a", "libvorbis",
      "-q:a", "6", vorbis.path)
    // Its path comes first, and it has more than half of the bits.
    try Tool.run("ffmpeg", "-v", "error", "-i", vorbis.path, "-b:a", "128k", music.file("copy.mp3").path)
    try FileManager.default.removeItem(at: source)
    try await scan()
    let script = try await deadwax.run(["duplicates", "--script", "-"])
    #expect(script.text.contains("copy.mp3' for '") && !script.text.contains("source.ogg' for '"), "\(script)")
  }

  // Faults: 195
  /// Its noise reaches all heights, which is no sound of the source.
  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `a copy of eight bits never replaces its source`() async throws {
    let source = music.file("tune 1.wav")
    try Tool.run("ffmpeg", "-v", "error", "-i", source.path, "-c:a", "pcm_u8", music.file("eight.wav").path)
    try await scan()
    let script = try await deadwax.run(["duplicates", "--script", "-"])
    #expect(script.text.contains("eight.wav' for '") && !script.text.contains("tune 1.wav' for '"), "\(script)")
  }

  // Faults: 195
  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `copies with other numbers of channels do not replace each other, those with as many do`() async throws {
    let source = music.file("tune 1.wav")
    // Each file has another level, so that none is a second file of one recording.
    let copies = [("a mono.flac", 1, 0.9), ("b mono.wav", 1, 0.6), ("c stereo.wav", 2, 0.8), ("d six.flac", 6, 0.7)]
    for (name, channels, gain) in copies {
      try Tool.run(
        "ffmpeg", "-v", "error", "-i", source.path, "-af", "volume=\(gain)", "-ac", "\(channels)",
        music.file(name).path)
    }
    try FileManager.default.removeItem(at: source)
    try await scan()
    let found: Groups = try await deadwax.run(["duplicates", "--json"]).document()
    let group = try #require(found.groups.first { $0.kind == "same-recording" })
    #expect(group.files.count == 4 && group.files.first { $0.keep }?.path == music.file("d six.flac").path)
    let script = try await deadwax.run(["duplicates", "--script", "-"])
    let removals = script.text.split(separator: "\n").filter { $0.hasPrefix("remove '") }
    #expect(removals.count == 1 && removals.first?.contains("mono") == true, "\(script)")
    #expect(removals.allSatisfy { !$0.contains("stereo") && !$0.contains("six") }, "\(script)")
  }

  @Test func `a sound that cannot be decoded lacks no landmarks`() async throws {
    // A WAV file of a codec that no library here reads.
    let codec: [UInt8] = [0x20, 0, 1, 0, 0x22, 0x56, 0, 0, 0x22, 0x56, 0, 0, 1, 0, 8, 0]
    let data = [UInt8](repeating: 0x55, count: 4_000)
    try music.write(
      Array("RIFF".utf8) + [0xC4, 0x0F, 0, 0] + Array("WAVEfmt ".utf8) + [16, 0, 0, 0] + codec + Array("data".utf8)
        + [0xA0, 0x0F, 0, 0] + data, to: "unknown.wav")
    try await scan()
    #expect(try await deadwax.must(["ls", "state:unsupported", "--format", "paths"]).text.contains("unknown.wav"))
    let outcome = try await deadwax.run(["duplicates"])
    #expect(outcome.status == 0 && !outcome.errorText.contains("landmarks"), "\(outcome)")
    // Without their files, they could not be made of the others either.
    let bare = deadwax.with(deadwax.home.appending("bare.sqlite"))
    try await bare.must(["scan", music.path, "--product", "waveform"])
    let lacking = try await bare.must(["duplicates"])
    #expect(lacking.errorText.contains("without landmarks; `deadwax reanalyze --missing --product landmarks` makes"))
    try await bare.must(["roots", "remove", music.path])
    let gone = try await bare.must(["duplicates"])
    #expect(!gone.errorText.contains("landmarks"), "\(gone)")
  }

  @Test func `another master stays out of the script`() async throws {
    // Treble is added, and peaks are pressed.
    var last: Float = 0
    let master = tunes[1].map { sample in
      defer { last = sample }
      return max(-0.2, min(0.2, sample + 2 * (sample - last)))
    }
    try write(master, to: "master.wav")
    try await scan()
    let found: Groups = try await deadwax.run(["duplicates", "--json"]).document()
    #expect(!found.groups.isEmpty)
    let script = try await deadwax.run(["duplicates", "--script", "-"])
    #expect(!script.text.contains("' for '"), "\(script)")
  }
}
