import Foundation
import Testing
import TestSupport

/// `segment` gives the same samples as a whole decode by other programs.
struct SegmentCommandTests {
  private static let fixtures = Corpora.fixtures.appending(path: "audio")
  private static let flac = "Émilie Søndergård/Les Échos/02 Balayage.flac"

  private func segment(_ arguments: [String]) async throws -> CommandOutcome {
    try await ScannedFixtures.audio.value.called.run(["segment"] + arguments)
  }

  /// Raw samples of a range, through standard output.
  private func raw(_ file: String, _ arguments: [String]) async throws -> Data {
    let outcome = try await segment(
      [Self.fixtures.appending(path: file).path, "-o", "-", "--format", "raw"] + arguments)
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
    return outcome.standardOutput
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"))
  func `of two files with one sound, the one that states the encoder's delay is decoded`() async throws {
    let (deadwax, music) = (try DeadwaxCommand.called(), try MusicFolder())
    try music.add(fixture: "audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3", as: "b.mp3")
    let first = music.file("a.mp3").path
    try Tool.run(
      "ffmpeg", "-v", "error", "-i", music.file("b.mp3").path, "-map", "0:a", "-c", "copy", "-write_xing", "0", first)
    try #require(try await deadwax.run(["scan", music.path]).status == 0)
    #expect(try await deadwax.run(["ls", "is:duplicate-file", "--count", "--format", "csv"]).text == "count\n2\n")
    func raw(_ track: String, _ part: String...) async throws -> Data {
      let outcome = try await deadwax.run(["segment", track, "-o", "-", "--format", "raw"] + part)
      #expect(outcome.status == 0, "\(outcome)")
      return outcome.standardOutput
    }
    let part = try await raw(music.file("b.mp3").path, "-s", "0.5", "-e", "1")
    let end = try await raw(music.file("b.mp3").path, "-s", "1")
    let second = try await raw(first, "-s", "1", "-e", "2")
    #expect(!part.isEmpty && !second.isEmpty && end.starts(with: second))
    #expect(try await raw("1", "-s", "0.5", "-e", "1") == part)
    #expect(try await raw(first, "-s", "0.5", "-e", "1") == part)
    // The other file is trimmed as this one stated.
    try music.remove("b.mp3")
    #expect(try await raw("1", "-s", "0.5", "-e", "1") == part)
    #expect(try await raw(first, "-s", "1") == end)
  }

  @Test(
    .enabled(if: Tool.exist("flac"), "flac is not installed"),
    arguments: [(0.0, 0.5), (1.234567, 2.5), (4.0, 4.00003), (9.0, 10.4)])
  func `a range of a FLAC file is what flac decodes there`(start: Double, end: Double) async throws {
    let found = try await raw(Self.flac, ["-s", "\(start)", "-e", "\(end)", "--bits", "24"])
    let reference = try Tool.run(
      "flac", "-d", "-c", "-s", "--force-raw-format", "--endian=little", "--sign=signed",
      "--skip=\(Int(start * 48_000))", "--until=\(Int(end * 48_000))", Self.fixtures.appending(path: Self.flac).path)
    #expect(found == reference)
    #expect(found.count == (Int(end * 48_000) - Int(start * 48_000)) * 3)
  }

  @Test(arguments: [
    "Lathe & Lantern/Run-out Groove/01 Lead-in.mp3", "Lathe & Lantern/Run-out Groove/02 Lacquer.mp3",
    "Lathe & Lantern/Run-out Groove/04 Broadcast Copy.mp2", "星屑電機/夜の配線/02 配線図.ogg",
    "صدى البحر/موجات/02 الجزر.opus", "Public Address/Announcements/02 Auslaufrille.opus",
    "Émilie Søndergård/Les Échos/05 Marée haute.oga", "The Locked Grooves/Thirty-Three and a Third/07 Core.caf",
  ])
  func `parts are bytes of the whole`(file: String) async throws {
    let track = try #require(ExpectedFile.audio.first { $0.path == "audio/" + file })
    let rate = try #require(track.sampleRateInHz)
    let whole = try await raw(file, [])
    let frameByteCount = try #require(track.channelCount) * 4
    let duration = Double(whole.count / frameByteCount) / Double(rate)
    for (start, end) in [(0.3, 0.9), (duration / 2, duration / 2 + 0.4), (duration - 0.2, duration)] {
      let part = try await raw(file, ["-s", "\(start)", "-e", "\(end)"])
      let first = Int(start * Double(rate)) * frameByteCount
      let last = Int(end * Double(rate)) * frameByteCount
      #expect(part == whole[first..<last], "\(start) to \(end)")
    }
  }

  @Test(.enabled(if: Tool.exist("ffmpeg"), "ffmpeg is not installed"), arguments: ["wav", "flac"])
  func `a file holds the samples that ffmpeg decodes of a lossless source`(pathExtension: String) async throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("part.\(pathExtension)").path
    let outcome = try await segment([
      Self.fixtures.appending(path: Self.flac).path, "-s", "1", "-e", "2.5", "-o", file,
    ])
    #expect(outcome.status == 0 && outcome.standardOutput.isEmpty && outcome.errorText.isEmpty, "\(outcome)")
    let decode = ["-v", "error", "-f", "s24le", "-c:a", "pcm_s24le", "-"]
    let found = try Tool.run("ffmpeg", arguments: ["-i", file] + decode)
    let reference = try Tool.run(
      "ffmpeg",
      arguments: [
        "-i", Self.fixtures.appending(path: Self.flac).path, "-af", "atrim=start_sample=48000:end_sample=120000",
      ] + decode)
    #expect(found == reference && found.count == 72_000 * 3)
  }

  @Test(.enabled(if: Tool.exist("flac"), "flac is not installed"))
  func `FLAC through a pipe is the FLAC of a file, with its checksum`() async throws {
    let folder = try TemporaryFolder()
    let file = folder.appending("part.flac")
    let range = ["title:Lacquer", "-s", "0.5", "-e", "1.5"]
    #expect(try await segment(range + ["-o", file.path]).status == 0)
    let piped = try await segment(range + ["-o", "-", "--format", "flac"])
    #expect(try Data(contentsOf: file) == piped.standardOutput)
    try Tool.run("flac", "--test", "--silent", "--warnings-as-errors", file.path)
    #expect(try folder.names() == ["part.flac"])
  }

  @Test func `an end beyond the track's is cut off, with one line`() async throws {
    let file = Self.fixtures.appending(path: Self.flac).path
    let range = [file, "-s", "10", "-e", "99", "-o", "-", "--format", "raw", "--bits", "16"]
    let outcome = try await segment(range)
    #expect(outcome.status == 0)
    #expect(outcome.errorText == "deadwax: the track ends at 10.4 s; so does the segment\n")
    #expect(outcome.standardOutput.count == 19_200 * 2)
    #expect(try await segment(range + ["-q"]).errorText.isEmpty)
  }

  @Test func `times are seconds or as clocks show them`() async throws {
    let options = ["title:Lacquer", "-o", "-", "--format", "raw"]
    let plain = try await segment(options + ["-s", "1.5", "-e", "2"])
    #expect(plain.status == 0 && !plain.standardOutput.isEmpty)
    for range in [["-s", "0:01.5", "-e", "0:00:02"], ["-s1.5s", "-e0m2s"]] {
      #expect(try await segment(options + range).standardOutput == plain.standardOutput, "\(range)")
    }
  }

  @Test func `what the cache did is said on request`() async throws {
    let options = ["title:Lacquer", "-o", "-", "--format", "wav"]
    let outcome = try await segment(options + ["-v"])
    #expect(outcome.errorText.contains("cache: 0 hits, "))
    // A cache without room decodes anyway.
    let narrow = try await ScannedFixtures.audio.value.called.run(
      ["segment"] + options, environment: ["DEADWAX_CACHE_SIZE": "0"])
    #expect(narrow.standardOutput == outcome.standardOutput && narrow.status == 0)
  }

  @Test func `a damaged file is read by counting`() async throws {
    let deadwax = try await ScannedFixtures.damaged.value.called
    let file = Corpora.fixtures.appending(path: "damaged/one-bit-changed.flac").path
    func raw(_ arguments: [String]) async throws -> Data {
      try await deadwax.run(["segment", file, "-o", "-", "--format", "raw"] + arguments).standardOutput
    }
    let whole = try await raw([])
    #expect(whole.count == 30_976 * 4)
    #expect(try await raw(["-s", "1.5", "-e", "1.75"]) == whole[24_000 * 4..<28_000 * 4])
  }

  @Test(arguments: [
    ["-s", "2", "-e", "1"], ["-s", "-1"], ["-s", "nan"], ["-e", "0"], ["-s", "1", "-e", "1.000001"], ["-s", "9999"],
    ["--bits", "12"], ["--format", "mp3"], ["--cache-size", "many"], ["--format", "flac", "--bits", "float"],
  ])
  func `a mistake is status 64 and writes nothing`(options: [String]) async throws {
    let folder = try TemporaryFolder()
    let outcome = try await segment(["title:Lacquer", "-o", folder.appending("x.wav").path] + options)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(try folder.names().isEmpty)
  }

  @Test func `without a file there is nothing to do`() async throws {
    #expect(try await segment(["title:Lacquer", "-s", "1"]).status == 64)
    let badSize = try await ScannedFixtures.audio.value.called.run(
      ["segment", "title:Lacquer", "-o", "-", "--format", "raw"], environment: ["DEADWAX_CACHE_SIZE": "lots"])
    #expect(badSize.status == 64)
  }

  @Test func `a file that has changed since the scan is no segment, and leaves none`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    let track = music.file("02 Lacquer.mp3")
    let bytes = try Data(contentsOf: track)
    let folder = try TemporaryFolder()
    let output = ["-o", folder.appending("x.wav").path]
    // Half of it, something else, nothing.
    for content in [bytes.prefix(bytes.count / 2), Data("text".utf8), nil] {
      if let content { try content.write(to: track) } else { try FileManager.default.removeItem(at: track) }
      let outcome = try await deadwax.run(["segment", track.path] + output)
      #expect(outcome.status == 1, "\(outcome)")
      #expect(outcome.errorText.split(separator: "\n").count == 1)
      #expect(try folder.names().isEmpty)
    }
  }

  @Test func `neither the track nor a full disk is written to`() async throws {
    let track = Self.fixtures.appending(path: Self.flac).path
    let before = try Data(contentsOf: URL(filePath: track))
    let onto = try await segment([track, "-o", track])
    #expect(onto.status == 1 && onto.errorText.contains("is never written"))
    #expect(try Data(contentsOf: URL(filePath: track)) == before)
    for format in ["wav", "flac", "raw"] {
      let full = try await segment([track, "-o", "/dev/full", "--format", format])
      #expect(full.status == 1 && full.errorText.hasSuffix("No space left on device\n"), "\(full)")
    }
  }
}
