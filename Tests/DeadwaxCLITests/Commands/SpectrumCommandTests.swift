import Foundation
import Testing
import TestSupport

/// `spectrum` as documents, pictures and drawings.
struct SpectrumCommandTests {
  /// A second and a half of a sine at -6 dBFS, as 16 bit.
  private static func writeSine(hertz: Double, to music: MusicFolder) throws {
    var wave = Data("RIFF".utf8)
    let samples = (0..<66_150).map { Int16(16_384 * sin(2 * .pi * hertz * Double($0) / 44_100)) }
    func number(_ value: UInt32, _ count: Int) -> Data {
      Data((0..<count).map { UInt8(value >> (8 * UInt32($0)) & 0xFF) })
    }
    wave += number(UInt32(36 + 2 * samples.count), 4) + Data("WAVEfmt ".utf8) + number(16, 4) + number(1, 2)
    wave += number(1, 2) + number(44_100, 4) + number(88_200, 4) + number(2, 2) + number(16, 2)
    wave += Data("data".utf8) + number(UInt32(2 * samples.count), 4)
    for sample in samples { wave += number(UInt32(UInt16(bitPattern: sample)), 2) }
    try wave.write(to: music.url.appending(path: "sine.wav"))
  }

  /// A library of it; the file is only read, unless it is the test's own.
  private func scannedSine(hertz: Double, isOwn: Bool = false) async throws -> (DeadwaxCommand, MusicFolder) {
    let name = isOwn ? UUID().uuidString : "sine of \(hertz) Hz"
    let scanned = try await ScannedMusic.named(name) { try Self.writeSine(hertz: hertz, to: $0) }
    return (try await scanned.library().called, scanned.music)
  }

  @Test(arguments: [250.0, 1000, 8000]) func `a sine is loudest in its own band`(hertz: Double) async throws {
    let (deadwax, music) = try await scannedSine(hertz: hertz)
    let outcome = try await deadwax.run(["spectrum", "\(music.path)/sine.wav", "--format", "json"])
    #expect(outcome.status == 0, "\(outcome)")
    let document = try outcome.document(SpectrumDocument.self)
    #expect(document.schema == 1 && document.sample_rate_hz == 44_100 && document.weighting == "none")
    #expect(document.bands.count == 80)
    let loudest = try #require(document.bands.max { $0.max_db ?? -200 < $1.max_db ?? -200 })
    // Near an edge two bands share the sine.
    #expect(loudest.low_hz * 0.97 <= hertz && hertz <= loudest.high_hz * 1.03)
    #expect(abs(try #require(loudest.max_db) + 6.02) < 3.5)
  }

  @Test func `a spectrogram is four columns a second from the start that was given`() async throws {
    let (deadwax, music) = try await scannedSine(hertz: 1000)
    let outcome = try await deadwax.run(
      [
        "spectrum", "\(music.path)/sine.wav", "--kind", "spectrogram", "-s", "0.5", "-e", "1", "-o", "-", "--format",
        "json",
      ])
    #expect(outcome.status == 0, "\(outcome)")
    let document = try outcome.document(SpectrogramDocument.self)
    #expect(document.columns_per_second == 4 && document.start_seconds == 0.5)
    #expect(document.columns.count == 2 && document.columns.allSatisfy { $0.count == document.bands.count })
    let column = try #require(document.columns.first)
    let loudest = try #require(column.indices.max { column[$0] < column[$1] })
    #expect((900...1100).contains((document.bands[loudest].low_hz * document.bands[loudest].high_hz).squareRoot()))
  }

  @Test(arguments: [250.0, 1000, 8000])
  func `a sine is loudest in its own band of any others`(hertz: Double) async throws {
    let (deadwax, music) = try await scannedSine(hertz: hertz)
    let outcome = try await deadwax.run([
      "spectrum", "\(music.path)/sine.wav", "--format", "json", "--bands", "10", "--from", "22.3", "--to", "22800",
    ])
    #expect(outcome.status == 0, "\(outcome)")
    let document = try outcome.document(SpectrumDocument.self)
    #expect(document.bands.count == 10)
    let loudest = try #require(document.bands.max { $0.max_db ?? -200 < $1.max_db ?? -200 })
    #expect(loudest.low_hz <= hertz && hertz <= loudest.high_hz)
    #expect(abs(try #require(loudest.mean_db) + 6.02) < 1)
  }

  @Test func `bands that the stored bins cannot tell apart are decoded, or said to be coarser`() async throws {
    let (deadwax, music) = try await scannedSine(hertz: 50, isOwn: true)
    let low = ["spectrum", "1", "--from", "20", "--bands", "40", "--format", "json"]
    let outcome = try await deadwax.run(low)
    #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
    let bands = try outcome.document(SpectrumDocument.self).bands
    let loudest = try #require(bands.max { $0.mean_db ?? -200 < $1.mean_db ?? -200 })
    #expect(loudest.low_hz <= 50 && 50 <= loudest.high_hz)
    try FileManager.default.removeItem(at: music.url.appending(path: "sine.wav"))
    let stored = try await deadwax.run(low)
    #expect(stored.status == 0 && stored.errorText.contains("sine.wav"), "\(stored)")
    #expect(stored.errorText.contains("shown at the stored resolution"))
  }

  @Test func `left and right are two spectra, in every form`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    for format in ["json", "csv", "png", "svg", "pdf"] {
      let outcome = try await deadwax.run(["spectrum", "title:Lacquer", "--split-channels", "--format", format])
      #expect(outcome.status == 0 && !outcome.standardOutput.isEmpty, "\(outcome)")
    }
    let drawing = try await deadwax.run(["spectrum", "title:Lacquer", "--split-channels", "-w", "60", "-h", "3"])
    let lines = drawing.text.split(separator: "\n")
    #expect(lines.count == 10 && lines[0] == "left" && lines[5] == "right")
  }

  @Test func `a folder takes a spectrum for each track`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let folder = try TemporaryFolder()
    let outcome = try await deadwax.run([
      "spectrum", "artist:Lathe", "-o", folder.url.path, "--kind", "spectrogram", "--format", "svg", "--name", "{stem}",
    ])
    #expect(outcome.status == 0 && outcome.standardOutput.isEmpty && outcome.standardError.isEmpty, "\(outcome)")
    #expect(try folder.names().contains("02 Lacquer.svg"))
  }

  @Test(arguments: [
    [], ["--weighting", "a"], ["--theme", "light", "--frequency", "linear"], ["--range", "-90..-10"],
    ["--kind", "spectrogram", "--color-map", "ocean", "--smooth", "--smooth-time", "0.5", "--frequency", "linear"],
    ["--smooth", "--bands", "31", "--from", "20", "--to", "20000"], ["--kind", "spectrogram"],
    ["--kind", "spectrogram", "-e", "1"],
  ])
  func `a picture has the size that was asked for`(options: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let outcome = try await deadwax.run(
      ["spectrum", "title:Lacquer", "-o", "-", "--format", "png", "-w", "300", "-h", "120"] + options)
    #expect(outcome.status == 0, "\(outcome)")
    #expect(Array(outcome.standardOutput[16..<24]) == [0, 0, 1, 44, 0, 0, 0, 120])
  }

  @Test(arguments: [250.0, 1000, 8000])
  func `a spectrogram of single hops is decoded, and only what is asked for`(hertz: Double) async throws {
    let (deadwax, music) = try await scannedSine(hertz: hertz)
    let outcome = try await deadwax.run([
      "spectrum", "\(music.path)/sine.wav", "--kind", "spectrogram", "-s", "0.5", "-e", "0.6", "-z", "100", "--bands",
      "10", "--from", "22.3", "--to", "22800", "--format", "json", "-v",
    ])
    #expect(outcome.status == 0 && outcome.errorText.contains("cache: 0 hits, 1 miss"), "\(outcome)")
    let document = try outcome.document(SpectrogramDocument.self)
    #expect(document.columns_per_second == 441 && document.start_seconds == 0.5 && document.columns.count == 45)
    for column in document.columns {
      let loudest = try #require(column.indices.max { column[$0] < column[$1] })
      #expect(document.bands[loudest].low_hz <= hertz && hertz <= document.bands[loudest].high_hz)
      #expect(abs(column[loudest] + 6.02) < 0.5)
    }
  }

  @Test func `where the audio is gone a part is drawn as it is stored, and what is finer is an error`() async throws {
    let (deadwax, music) = try await scannedSine(hertz: 1000, isOwn: true)
    try FileManager.default.removeItem(at: music.url.appending(path: "sine.wav"))
    let part = ["spectrum", "1", "--kind", "spectrogram", "-s", "0.2", "-e", "0.9", "--format", "svg"]
    let drawn = try await deadwax.run(part)
    #expect(drawn.status == 0 && drawn.text.hasPrefix("<?xml"), "\(drawn)")
    #expect(drawn.errorText.contains("shown at the stored resolution"))
    let finer = try await deadwax.run(part + ["-z", "100"])
    #expect(finer.status == 1 && finer.standardOutput.isEmpty && finer.errorText.contains("sine.wav"), "\(finer)")
  }

  @Test func `the average of a part is that of the part, in any bands, of both channels`() async throws {
    let (deadwax, music) = try await scannedSine(hertz: 1000)
    let outcome = try await deadwax.run([
      "spectrum", "\(music.path)/sine.wav", "-s", "0.5", "-e", "1", "--bands", "300", "--from", "900", "--to", "1100",
      "--format", "json",
    ])
    #expect(outcome.status == 0 && outcome.standardError.isEmpty, "\(outcome)")
    let bands = try outcome.document(SpectrumDocument.self).bands
    #expect(bands.count == 300)
    let loudest = try #require(bands.max { $0.mean_db ?? -200 < $1.mean_db ?? -200 })
    #expect(abs(loudest.low_hz - 1000) < 3)

    let fixtures = try await ScannedFixtures.audio.value.called
    let split = try await fixtures.run([
      "spectrum", "title:Lacquer", "--split-channels", "--bands", "31", "--from", "20", "--to", "20000", "--format",
      "csv",
    ])
    #expect(split.status == 0 && split.text.split(separator: "\n").count == 32, "\(split)")
    #expect(split.text.hasPrefix("low_hz,high_hz,left_mean_db"))
  }

  @Test(arguments: [
    ["--kind", "loud"], ["--weighting", "z"], ["-s", "1000"], ["-s", "1e400", "--kind", "spectrogram"],
    ["-s", "2", "-e", "1", "--kind", "spectrogram"], ["-w", "0"], ["-h", "40000"], ["--format", "dat"],
    ["--bands", "0"], ["--bands", "9999"], ["--from", "-1"], ["--from", "200", "--to", "100"],
    ["-z", "64"], ["--window", "512"], ["--kind", "spectrogram", "--window", "1000"],
    ["--kind", "spectrogram", "-z", "64", "--pixels-per-second", "10"], ["--kind", "spectrogram", "-s", "1000"],
    ["--kind", "spectrogram", "--split-channels"], ["--kind", "spectrogram", "--from", "19000"],
    ["--smooth-time", "0.5"], ["--kind", "spectrogram", "--smooth-time", "2"], ["--range", "-10..-90"],
    ["--range", "80"], ["--frequency", "mel"], ["--theme", "pink"], ["--compression", "x"],
  ])
  func `a mistake is status 64`(options: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let outcome = try await deadwax.run(["spectrum", "title:Lacquer"] + options)
    #expect(outcome.status == 64, "\(outcome)")
    #expect(outcome.standardOutput.isEmpty)
  }
}
