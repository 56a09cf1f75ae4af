import Foundation
import Testing
import TestSupport

/// Fingerprints from a scan to `show` and `export`.
struct FingerprintCommandsTests {
  let deadwax: DeadwaxCommand
  let music: MusicFolder
  private var chords: String { music.file("chords, four.wav").path }

  init() async throws {
    let scanned = try await ScannedMusic.named("chords and what is too short", Self.write)
    (music, deadwax) = (scanned.music, try await scanned.library().called)
  }

  /// Ten seconds at the rate at which nothing is resampled, and two that are too short.
  private static func write(to music: MusicFolder) throws {
    for (name, seconds) in [("chords, four.wav", 10.5), ("short.wav", 2)] {
      let samples = Signal.chords(seconds: seconds, sampleRateInHz: 11_025).map { Int16($0 * 20_000) }
      try music.write(WaveFile.bytes(samples, sampleRateInHz: 11_025, channelCount: 1), to: name)
    }
  }

  private func export(_ options: String...) async throws -> CommandOutcome {
    try await deadwax.run(["export", "--what", "fingerprints"] + options)
  }

  @Test(.enabled(if: Tool.exist("fpcalc"), "fpcalc (libchromaprint-tools) is not installed"))
  func `show prints what fpcalc prints`() async throws {
    let expected = try #require(Tool("fpcalc")).run([chords], acceptsFailure: true)
    let shown = try await deadwax.run(["show", "--fingerprint", chords])
    #expect(shown.text == String(decoding: expected, as: UTF8.self))
    #expect(shown.text.hasPrefix("DURATION=10\nFINGERPRINT=AQAA"))
    let raw = try #require(Tool("fpcalc")).run(["-raw", "-json", chords], acceptsFailure: true)
    let words = try JSONDecoder().decode(RawFingerprintRow.self, from: raw).fingerprint
    let exported: [RawFingerprintRow] = try await export("--raw", "--format", "json").lines()
    #expect(exported.map(\.fingerprint) == [words])
  }

  @Test func `show has it in the document and, cut short, in the text`() async throws {
    let printed = try await deadwax.run(["show", "--fingerprint", chords]).text
    let shown: TrackDocument = try await deadwax.run(["show", "--json", chords]).document()
    let acoustID = try #require(shown.acoustid)
    #expect(printed == "DURATION=\(acoustID.duration)\nFINGERPRINT=\(acoustID.fingerprint)\n")
    let text = try await deadwax.run(["show", chords]).text
    #expect(text.contains("AcoustID"))
    #expect(text.contains("\(acoustID.fingerprint.prefix(24))…, 63 words"))
  }

  @Test func `a sound that is too short has none`() async throws {
    let short = music.file("short.wav").path
    let shown: TrackDocument = try await deadwax.run(["show", "--json", short]).document()
    #expect(shown.acoustid == nil)
    let outcome = try await deadwax.run(["show", "--fingerprint", short])
    #expect(outcome.status == 1 && outcome.text.isEmpty && outcome.errorText.contains("no fingerprint"))
    // It is not tried again.
    let again: ScanDocument = try await deadwax.run(["scan", "--deep", "--json", music.path]).document()
    #expect(again.decoded_files == 0)
  }

  @Test func `every format has the path, the duration and the same text`() async throws {
    let outcome = try await export("--format", "json")
    #expect(outcome.errorText.contains("1 of 2 files without a fingerprint"))
    let exported: [FingerprintRow] = try outcome.lines()
    let row = try #require(exported.first)
    #expect(exported.count == 1)
    #expect(row.path == chords && row.duration == 10.5 && row.fingerprint.hasPrefix("AQAA"))
    #expect(outcome.text.contains("\"duration\": 10.50, \"fingerprint\": \""))
    #expect(try await export().text == "FILE=\(chords)\nDURATION=10\nFINGERPRINT=\(row.fingerprint)\n")
    #expect(
      try await export("--format", "csv").text
        == "path,duration,fingerprint\n\"\(chords)\",10.50,\(row.fingerprint)\n")
  }

  @Test func `a blank line parts files, and a query chooses them`() async throws {
    let (deadwax, own) = (try DeadwaxCommand.called(), try MusicFolder())
    for name in ["chords.wav", "copy.wav"] { try own.add(music.file("chords, four.wav"), as: name) }
    try await deadwax.must(["scan", "-q", own.path])
    for (query, separator) in [([], "\n\nFILE="), (["filename:copy"], "FILE=")] {
      let outcome = try await deadwax.must(["export", "--what", "fingerprints"] + query)
      #expect(outcome.text.components(separatedBy: separator).count == 2, "\(outcome)")
    }
    #expect(try await deadwax.must(["export", "--what", "fingerprints", "filename:nothing"]).text.isEmpty)
  }

  @Test func `a file is written whole, its ending says the format, and music is never overwritten`() async throws {
    let file = deadwax.home.appending("prints.json")
    let written = try await export("-o", file.path)
    #expect(written.status == 0 && written.text.isEmpty)
    #expect(try Data(contentsOf: file) == (try await export("--format", "json").standardOutput))
    let before = try TreeDigest(of: music.url)
    let refused = try await export("--format", "text", "-o", chords)
    #expect(refused.status == 1 && refused.errorText.contains("never written"))
    #expect(try await export("--format", "text", "-o", deadwax.library.path).status == 1)
    #expect(try TreeDigest(of: music.url) == before)
  }

  @Test(arguments: [
    ["export"], ["export", "--what", "everything"], ["export", "--what", "playlist", "-o", "x.foo"],
    ["export", "--what", "fingerprints", "--format", "xml"],
    ["show", "--fingerprint", "--json", "1"],
  ])
  func `what cannot be is wrong usage`(arguments: [String]) async throws {
    let outcome = try await deadwax.run(arguments)
    #expect(outcome.status == 64 && outcome.text.isEmpty)
  }

  @Test func `a library without fingerprints gets them from a deep scan`() async throws {
    let deadwax = try await ScannedMusic.named("chords and what is too short", Self.write)
      .library("--product", "waveform").called
    let export = ["export", "--what", "fingerprints"]
    #expect(try await deadwax.must(export).text.isEmpty)
    try await deadwax.must(["scan", "--deep", music.path])
    #expect(try await deadwax.must(export).text.contains("FINGERPRINT=AQAA"))
  }

  @Test func `doctor says whether fingerprints can be made`() async throws {
    #expect(try await deadwax.run(["doctor"]).text.contains("Chromaprint 1."))
  }
}
