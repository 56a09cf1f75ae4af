import Foundation
import Testing
import TestSupport

/// `render` writes tracks as they sound through their presets; FFmpeg checks what is in the files.
@Suite(.enabled(if: Tool.exist("ffmpeg", "ffprobe"), "ffmpeg is not installed"))
struct RenderCommandTests {
  private static let fixtures = Corpora.fixtures.appending(path: "audio")
  private static let flac16 = "Émilie Søndergård/Les Échos/01 Marée lente.flac"
  private let folder: TemporaryFolder

  init() throws { folder = try TemporaryFolder() }

  private func render(_ arguments: [String]) async throws -> CommandOutcome {
    try await ScannedFixtures.audio.value.called.run(["render"] + arguments)
  }

  private func path(_ name: String) -> String { folder.appending(name).path }

  private func samples(_ path: String, _ format: String) throws -> Data {
    try Tool.run("ffmpeg", "-v", "error", "-i", path, "-map", "0:a", "-f", format, "-c:a", "pcm_\(format)", "-")
  }

  /// Integrated loudness and true peak by FFmpeg's own meter.
  private func levels(_ path: String) throws -> (loudness: Double, truePeak: Double) {
    let text = String(
      decoding: try Tool.run(
        "sh", "-c",
        "ffmpeg -nostats -i \"$0\" -map 0:a -af ebur128=peak=true -f null - 2>&1", path), as: UTF8.self)
    func number(_ name: String) throws -> Double {
      let line = try #require(text.split(separator: "\n").last { $0.contains(name) })
      return try #require(Double(line.split(separator: " ").dropLast().last ?? ""))
    }
    return (try number("I:"), try number("Peak:"))
  }

  @Test func `a flat preset is the decode, bit for bit, in 24-bit FLAC of a 16-bit source`() async throws {
    let source = Self.fixtures.appending(path: Self.flac16).path
    let outcome = try await render([source, "--preset", "Flat", "--bits", "24", "-o", path("x.flac")])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty && outcome.standardOutput.isEmpty, "\(outcome)")
    let found = try samples(path("x.flac"), "s24le")
    #expect(try found == samples(source, "s24le"))
    #expect(found.count > 1_000_000)
    // Without a preset it is the same, in the source's own bits.
    #expect(try await render([source, "-o", path("y.wav")]).status == 0)
    #expect(try samples(path("y.wav"), "s16le") == samples(source, "s16le"))
    #expect(try folder.names().sorted() == ["x.flac", "y.wav"])
  }

  @Test func `the preset that applies is the one that is assigned`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    func bytes(_ name: String, _ options: [String]) async throws -> Data {
      let outcome = try await deadwax.run(["render", "1", "-o", path(name)] + options)
      #expect(outcome.status == 0, "\(outcome)")
      return try Data(contentsOf: folder.appending(name))
    }
    let plain = try await bytes("plain.flac", [])
    let telephone = try await bytes("telephone.flac", ["--preset", "telephone"])
    #expect(plain != telephone)
    #expect(try await deadwax.run(["preset", "assign", "Telephone", "1"]).status == 0)
    #expect(try await bytes("assigned.flac", []) == telephone)
    #expect(try await bytes("flat.flac", ["--preset", "Flat"]) == plain)
    // A preset's own file works as well.
    let document = try await deadwax.run(["preset", "show", "Telephone", "--json"])
    try document.standardOutput.write(to: folder.appending("t.json"))
    #expect(try await bytes("file.flac", ["--preset", path("t.json")]) == telephone)
  }

  @Test func `pitch keeps the length, rate divides it`() async throws {
    let music = try MusicFolder()
    let sine = Signal.sine(hz: 500, sampleRateInHz: 44_100, frameCount: 3 * 44_100, amplitude: 0.4)
    try music.write(
      WaveFile.bytes(sine.map { Int16($0 * 32_767) }, sampleRateInHz: 44_100, channelCount: 1), to: "sine.wav")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    for (options, name, frequency, frameCount) in [
      (["--pitch", "1200"], "Octave", 1000.0, 132_300), (["--rate", "0.5"], "Half", 250, 264_600),
    ] {
      #expect(try await deadwax.run(["preset", "create", name] + options).status == 0)
      let outcome = try await deadwax.run([
        "render", "1", "--preset", name, "--bits", "float", "-o", path("\(name).wav"),
      ])
      #expect(outcome.status == 0, "\(outcome)")
      let found = try samples(path("\(name).wav"), "f32le").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
      #expect(found.count == frameCount)
      let middle = Array(found[44_100..<88_200])
      let crossings = middle.indices.dropFirst().filter { middle[$0 - 1] < 0 && middle[$0] >= 0 }.map { index in
        Double(index) - Double(middle[index] / (middle[index] - middle[index - 1]))
      }
      let first = try #require(crossings.first)
      let last = try #require(crossings.last)
      let measured = Double(crossings.count - 1) * 44_100 / (last - first)
      #expect(abs(1200 * log2(measured / frequency)) < 1, "\(measured) Hz")
    }
  }

  @Test(arguments: [["--peaks", "limit"], ["--peaks", "headroom"], ["--normalize", "-8"]])
  func `a preset that would clip leaves true peaks at -1 dBTP`(options: [String]) async throws {
    let deadwax = try await ScannedMusic.named("loud chords") { music in
      let chords = Signal.chords(seconds: 6, sampleRateInHz: 44_100)
      let loudest = chords.map { abs($0) }.max() ?? 1
      try music.write(
        WaveFile.bytes(chords.map { Int16($0 / loudest * 32_000) }, sampleRateInHz: 44_100, channelCount: 1),
        to: "loud.wav")
    }.library().called
    _ = try await deadwax.run(["preset", "create", "Loud", "--graphic", "9,9,6,3,3,3,6,9,9,12"])
    for format in ["wav", "flac"] {
      let outcome = try await deadwax.run(["render", "1", "--preset", "Loud", "-o", path("x.\(format)")] + options)
      #expect(outcome.status == 0, "\(outcome)")
      // It cannot be that loud with such peaks, and the command says so.
      #expect(outcome.errorText.contains("LU quieter than requested") == options.contains("--normalize"), "\(outcome)")
      let peak = try levels(path("x.\(format)")).truePeak
      #expect(peak <= -1 && peak > -2.5, "\(peak)")
    }
    let kept = try await deadwax.run(["render", "1", "--preset", "Loud", "--peaks", "keep", "-o", path("kept.wav")])
    #expect(kept.errorText.contains("beyond full scale clipped"))
  }

  @Test(arguments: [[], ["--preset", "Telephone"], ["--start", "2", "--end", "9"]])
  func `normalized is as loud as was asked`(options: [String]) async throws {
    let source = Self.fixtures.appending(path: Self.flac16).path
    for format in ["wav", "flac", "ogg", "opus", "mp3"] {
      let outcome = try await render([source, "--normalize", "-27.5", "-o", path("x.\(format)")] + options)
      #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
      let loudness = try levels(path("x.\(format)")).loudness
      #expect(abs(loudness + 27.5) < (format == "wav" || format == "flac" ? 0.11 : 0.3), "\(format): \(loudness) LUFS")
    }
  }

  @Test func `a query becomes a file for each track, with its tags`() async throws {
    let outcome = try await render([
      "artist:Søndergård", "-o", path("out") + "/", "--format", "opus", "--name", "{stem}", "--preset", "Night",
      "--jobs",
      "2",
    ])
    #expect(outcome.status == 0, "\(outcome)")
    let names = try FileManager.default.contentsOfDirectory(atPath: path("out")).sorted()
    #expect(names.count == 5 && names.allSatisfy { $0.hasSuffix(".opus") })
    let deadwax = try DeadwaxCommand.called()
    #expect(try await deadwax.run(["scan", path("out")]).status == 0)
    let fields = ["--fields", "title,artist,album,track,date,genre", "--format", "tsv"]
    let found = try await deadwax.run(["ls", "track+"] + fields)
    let expected = try await ScannedFixtures.audio.value.called.run(["ls", "artist:Søndergård track+"] + fields)
    #expect(found.text == expected.text)
  }

  // Faults: 137
  @Test func `bands above half the rate are told of, and change nothing that can be heard`() async throws {
    let music = try MusicFolder()
    let sine = Signal.sine(hz: 500, sampleRateInHz: 8000, frameCount: 16_000, amplitude: 0.4)
    try music.write(
      WaveFile.bytes(sine.map { Int16($0 * 32_767) }, sampleRateInHz: 8000, channelCount: 1), to: "low.wav")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    _ = try await deadwax.run(["preset", "create", "High", "--band", "pk 16000 12 bw1"])
    let outcome = try await deadwax.run(["render", "1", "--preset", "High", "--bits", "float", "-o", path("x.wav")])
    #expect(outcome.errorText.hasSuffix("low.wav: 1 band above half the sample rate moved down to it\n"), "\(outcome)")
    let found = try samples(path("x.wav"), "f32le").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(zip(found, sine).dropFirst(100).allSatisfy { abs($0 - $1) < 0.005 })
  }

  @Test(arguments: ["wav", "flac", "ogg", "opus", "mp3"])
  func `a pipe gets the bytes of a file`(format: String) async throws {
    let options = ["title:Lacquer", "--preset", "Bass", "-e", "3"]
    #expect(try await render(options + ["-o", path("x.\(format)")]).status == 0)
    let piped = try await render(options + ["-o", "-", "--format", format])
    #expect(piped.status == 0 && piped.errorText.isEmpty)
    #expect(try piped.standardOutput == Data(contentsOf: folder.appending("x.\(format)")))
  }

  @Test(arguments: ["wav", "ogg", "opus"])
  func `a pipe gets what is ready, and nothing is kept beside it`(format: String) async throws {
    // There is no folder for temporary files.
    let outcome = try await ScannedFixtures.audio.value.called.run(
      ["render", "title:Lacquer", "--preset", "Bass", "-e", "3", "--format", format, "-o", "-"],
      environment: ["TMPDIR": "/no/such/folder"])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty && outcome.standardOutput.count > 10_000, "\(outcome)")
  }

  // Faults: 141
  @Test func `no input is ever written, under whatever name`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3")
    try music.move("02 Lacquer.mp3", to: "a.flac")
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    let track = music.file("a.flac").path
    try FileManager.default.linkItem(atPath: track, toPath: path("hard.flac"))
    try FileManager.default.createSymbolicLink(atPath: path("soft.flac"), withDestinationPath: track)
    let before = try Data(contentsOf: URL(filePath: track))
    for output in [track, path("hard.flac"), path("soft.flac")] {
      let outcome = try await deadwax.run(["render", "1", "--preset", "Bass", "-o", output])
      #expect(outcome.status == 1 && outcome.errorText.contains("is never written"), "\(outcome)")
    }
    let many = try await deadwax.run(["render", "-o", music.path, "--name", "a{missing}", "--preset", "Bass"])
    #expect(many.status == 64)
    let batch = try await deadwax.run(["render", "-o", music.path, "--name", "{stem}", "--preset", "Bass"])
    #expect(batch.status == 1 && batch.errorText.contains("is never written"), "\(batch)")
    #expect(try Data(contentsOf: URL(filePath: track)) == before)
    #expect(try folder.names().sorted() == ["hard.flac", "soft.flac"])
  }

  @Test func `no music of the library is ever written, behind links either`() async throws {
    let music = try MusicFolder("audio/Lathe & Lantern/Run-out Groove/02 Lacquer.mp3")
    try music.add(fixture: "damaged/clean.mp3", as: "song.flac")
    try FileManager.default.createDirectory(at: music.file("deep"), withIntermediateDirectories: false)
    try FileManager.default.createSymbolicLink(at: folder.appending("link"), withDestinationURL: music.file("deep"))
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    let before = try TreeDigest(of: music.url)
    let outcome = try await deadwax.run(["render", "title:Lacquer", "-o", path("link/../song.flac")])
    #expect(outcome.status == 1 && outcome.errorText.contains("is never written"), "\(outcome)")
    #expect(try TreeDigest(of: music.url) == before)
  }

  @Test(arguments: [
    ["--normalize", "loud"], ["--normalize", "3"], ["--bits", "12"], ["--quality", "5"], ["--bitrate", "96"],
    ["--peaks", "some"], ["--preset", "no such preset"], ["--format", "aac"], ["-s", "2", "-e", "1"],
    ["--preset", "/nowhere/x.json"], ["--bits", "float"], ["--format", "mp3", "--bitrate", "400"],
    ["--format", "mp3", "--quality", "-1"], ["--format", "mp3", "--quality", "2", "--bitrate", "128"],
  ])
  func `a mistake is status 64 and writes nothing`(options: [String]) async throws {
    let outcome = try await render(["title:Lacquer", "-o", path("x.flac")] + options)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(try folder.names().isEmpty)
  }

  @Test func `floats stay floats in WAV, beyond full scale, too`() async throws {
    let music = try MusicFolder()
    try Tool.run(
      "ffmpeg", "-v", "error", "-f", "lavfi", "-i", "sine=440:d=2", "-af", "volume=20dB:precision=double", "-c:a",
      "pcm_f32le", music.file("loud.wav").path)
    let deadwax = try DeadwaxCommand.called()
    _ = try await deadwax.run(["scan", music.path])
    let outcome = try await deadwax.run(["render", "1", "--preset", "Flat", "-o", path("x.wav")])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
    #expect(try samples(path("x.wav"), "f32le") == samples(music.file("loud.wav").path, "f32le"))
  }

  @Test(arguments: [
    flac16, "Émilie Søndergård/Les Échos/02 Balayage.flac", "Lathe & Lantern/Run-out Groove/02 Lacquer.mp3",
    "صدى البحر/موجات/01 المد.opus", "Public Address/Announcements/02 Auslaufrille.opus",
  ])
  func `a flat preset gives the samples of a segment`(file: String) async throws {
    let source = Self.fixtures.appending(path: file).path
    for format in ["wav", "flac"] {
      let (whole, part) = (path("whole.\(format)"), path("part.\(format)"))
      #expect(try await render([source, "--preset", "Flat", "-o", whole]).status == 0)
      let deadwax = try await ScannedFixtures.audio.value.called
      #expect(try await deadwax.run(["segment", source, "-o", part]).status == 0)
      let found = try samples(whole, "f32le")
      #expect(try found == samples(part, "f32le") && found.count > 100_000, "\(format)")
      try FileManager.default.removeItem(atPath: whole)
      try FileManager.default.removeItem(atPath: part)
    }
  }

  @Test func `what a lossy source has beyond full scale stays in WAV, and is told of in FLAC`() async throws {
    let (deadwax, music) = (try DeadwaxCommand.called(), try MusicFolder())
    let square = (0..<88_200).map { Int16($0 / 50 % 2 == 0 ? 32_767 : -32_768) }
    try music.write(WaveFile.bytes(square, sampleRateInHz: 44_100, channelCount: 1), to: "square.wav")
    try Tool.run("ffmpeg", "-v", "error", "-i", music.file("square.wav").path, music.file("square.mp3").path)
    try music.remove("square.wav")
    try await deadwax.must(["scan", music.path])
    let wave = try await deadwax.must(["render", "1", "-o", path("x.wav")])
    #expect(wave.errorText.isEmpty, "\(wave)")
    let found = try samples(path("x.wav"), "f32le").withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    #expect(found.contains { abs($0) > 1.01 })
    let flac = try await deadwax.must(["render", "1", "-o", path("x.flac")])
    #expect(flac.errorText.contains("beyond full scale clipped"), "\(flac)")
  }

  @Test func `an MP3 has the tags of its track, and is as long`() async throws {
    let query = ["path:Échos channels:..2 rate:..48k", "--fields", "title,artist,album,track,date,genre,rate,duration"]
    let expected = try await ScannedFixtures.audio.value.called.must(["ls", "--format", "jsonl"] + query)
    #expect(expected.text.split(separator: "\n").count > 1)
    func lines(_ outcome: CommandOutcome) -> [Substring] { outcome.text.split(separator: "\n").sorted() }
    for options in [[], ["--bitrate", "160"], ["--quality", "6.5"]] {
      let deadwax = try DeadwaxCommand.called()
      let outcome = try await render(
        ["path:Échos channels:..2 rate:..48k", "-o", deadwax.home.appending("Échos").path + "/", "--format", "mp3"]
          + options)
      #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
      try await deadwax.must(["scan", deadwax.home.appending("Échos").path])
      // The names of the files, by which they are sorted, are others.
      #expect(lines(try await deadwax.must(["ls", "--format", "jsonl"] + query)) == lines(expected))
    }
  }

  @Test(arguments: ["limit", "headroom"])
  func `a loudness that cannot be had is told`(peaks: String) async throws {
    let source = Self.fixtures.appending(path: Self.flac16).path
    let outcome = try await render(
      [source, "--preset", "Flat", "--normalize", "0", "--peaks", peaks, "-o", path("x.wav")])
    #expect(outcome.status == 0 && outcome.errorText.contains("LU quieter than requested"), "\(outcome)")
    let words = outcome.errorText.split(separator: " ")
    let told = try #require(words.firstIndex(of: "LU").flatMap { Double(words[$0 - 1]) })
    #expect(abs(try levels(path("x.wav")).loudness + told) < 0.2 && told > 1, "\(outcome)")
  }
}
