import Foundation
import Testing
import TestSupport

/// `preset import` and `preset export`, as users type them.
@Suite("Exchange of presets by command")
struct PresetExchangeCommandsTests {
  private static let desk = """
    Preamp: -4.5 dB
    Filter 1: ON LSC Fc 105 Hz Gain 4.5 dB Q 0.70
    Filter 2: ON PK Fc 220 Hz Gain -2.4 dB Q 0.90

    """

  private func write(_ text: String, to name: String, of deadwax: DeadwaxCommand) throws {
    let url = deadwax.home.appending(name)
    try FileManager.default.createDirectory(at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
    try Data(text.utf8).write(to: url)
  }

  @Test func `a file becomes a preset of its name`() async throws {
    let deadwax = try DeadwaxCommand.called()
    try write(Self.desk, to: "Desk ParametricEQ.txt", of: deadwax)
    let outcome = try await deadwax.run(["preset", "import", "Desk ParametricEQ.txt"])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
    #expect(outcome.text == "Desk: gain -4.5 dB, 2 bands (AutoEq ParametricEQ.txt)\n")
    let shown = try await deadwax.run(["preset", "show", "desk", "--json"])
    let document = try shown.document(PresetDocument.self)
    #expect(document.name == "Desk" && document.gain_db == -4.5)
    #expect(document.bands.map(\.frequency_hz) == [105, 220] && document.bands.map(\.q) == [0.7, 0.9])
    // The document is a file of ours.
    let copy = try await deadwax.run(
      ["preset", "import", "-", "--name", "Copy"], standardInput: Data(shown.standardOutput))
    #expect(copy.status == 0 && copy.text.hasPrefix("Copy: gain -4.5 dB, 2 bands (Deadwax JSON)"), "\(copy)")
  }

  @Test func `a second import is refused, replaces when asked, and can be undone`() async throws {
    let deadwax = try DeadwaxCommand.called()
    try write(Self.desk, to: "desk.txt", of: deadwax)
    #expect(try await deadwax.run(["preset", "import", "desk.txt"]).status == 0)
    try write("Preamp: -1 dB\n", to: "desk.txt", of: deadwax)
    let refused = try await deadwax.run(["preset", "import", "desk.txt"])
    #expect(refused.status == 64 && refused.errorText.contains("desk"), "\(refused)")
    #expect(try await deadwax.run(["preset", "import", "desk.txt", "--replace"]).status == 0)
    #expect(try await deadwax.run(["preset", "show", "desk", "--json"]).document(PresetDocument.self).gain_db == -1)
    #expect(try await deadwax.run(["preset", "undo"]).status == 0)
    #expect(try await deadwax.run(["preset", "show", "desk", "--json"]).document(PresetDocument.self).gain_db == -4.5)
  }

  @Test func `included files are found in any case, and notes name them`() async throws {
    let deadwax = try DeadwaxCommand.called()
    try write("Include: Rooms\\STUDY.txt\nCopy: L=R\n", to: "config/config.txt", of: deadwax)
    try write(Self.desk + "Filter: ON XX\nInclude: ../config.txt\n", to: "config/rooms/study.txt", of: deadwax)
    let outcome = try await deadwax.run(["preset", "import", "config/config.txt", "--json", "--strict"])
    #expect(outcome.status == 3, "\(outcome)")
    let report = try outcome.document(PresetImportDocument.self)
    #expect(report.files.map(\.format) == ["apo"] && report.files.first?.presets.first?.bands.count == 2)
    let notes = try #require(report.files.first).notes
    #expect(notes.map(\.line) == [4, 5, 2] && notes.map(\.file) == ["Rooms\\STUDY.txt", "Rooms\\STUDY.txt", nil])
    #expect(notes.map(\.text).joined().contains("includes itself"))
  }

  @Test func `all files are imported, or none`() async throws {
    let deadwax = try DeadwaxCommand.called()
    try write(Self.desk, to: "good.txt", of: deadwax)
    try write("hello\n", to: "bad.txt", of: deadwax)
    let outcome = try await deadwax.run(["preset", "import", "good.txt", "bad.txt", "missing.txt"])
    #expect(outcome.status == 1)
    #expect(outcome.errorText.contains("bad.txt: ") && outcome.errorText.contains("missing.txt: No such file"))
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
    let fixed = try await deadwax.run(["preset", "export", "Voice", "-o", "voice.eqf", "--bands", "3"])
    #expect(fixed.status == 64 && fixed.errorText.contains("--bands"), "\(fixed)")
    for arguments in [["--format", "nosuch"], ["--bands", "0"], ["--name", ""]] {
      #expect(try await deadwax.run(["preset", "import", "good.txt"] + arguments).status == 64)
    }
    let dry = try await deadwax.run(["preset", "import", "good.txt", "--dry-run"])
    #expect(
      dry.status == 0 && dry.text.hasPrefix("good: ") && !FileManager.default.fileExists(atPath: deadwax.library.path))
  }

  @Test func `a curve is fitted, and the error is said`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let points = (0..<127).map { index -> String in
      let frequency = (20 * pow(1.0563, Double(index))).rounded(.down)
      let gain = -6 + 4 * exp(-pow(log2(frequency / 80), 2)) - 5 * exp(-pow(log2(frequency / 3_000) / 0.4, 2))
      return "\(Int(frequency)) \((gain * 10).rounded() / 10)"
    }
    try write("GraphicEQ: \(points.joined(separator: "; "))\n", to: "Phones GraphicEQ.txt", of: deadwax)
    let outcome = try await deadwax.run(["preset", "import", "Phones GraphicEQ.txt", "--bands", "6"])
    #expect(outcome.status == 0 && outcome.text.hasPrefix("Phones: "), "\(outcome)")
    #expect(outcome.errorText.contains("line 1: GraphicEQ: a curve of 127 points became"))
    let words = outcome.errorText.split(separator: " ")
    let place = try #require(words.firstIndex(of: "most"))
    #expect(try #require(Double(words[place + 1])) < 1)
  }

  @Test(arguments: [
    ("Desk.eqf", "eqf"), ("winamp.q1", "q1"), ("eq.preset", "eq-preset"), ("Desk.preset", "audacious"),
    ("vlcrc", "vlc"),
    ("Desk.json", "json"), ("desk.conf", "pipewire"), ("desk.cfg", "rockbox"), ("config.txt", "apo"),
    ("Desk ParametricEQ.txt", "autoeq-parametric"), ("Desk GraphicEQ.txt", "autoeq-graphic"),
    ("Desk FixedBandEQ.txt", "autoeq-fixed"),
  ])
  func `a preset goes into a file of every format and back`(file: String, format: String) async throws {
    let deadwax = try DeadwaxCommand.called()
    try write(Self.desk, to: "Desk.txt", of: deadwax)
    #expect(try await deadwax.run(["preset", "import", "Desk.txt"]).status == 0)
    let export = try await deadwax.run(["preset", "export", "desk", "-o", file])
    #expect(export.status == 0 && export.text.isEmpty, "\(export)")
    let piped = try await deadwax.run(["preset", "export", "desk", "-o", "-", "--format", format, "-q"])
    #expect(piped.standardOutput == (try Data(contentsOf: deadwax.home.appending(file))) && piped.errorText.isEmpty)
    let again = try await deadwax.run(["preset", "import", file, "--name", "Again", "--json"])
    #expect(again.status == 0, "\(again)")
    let report = try again.document(PresetImportDocument.self)
    #expect(report.files.first?.presets.first?.name == "Again")
  }

  @Test func `a library takes several presets, and what is lost is named`() async throws {
    let deadwax = try DeadwaxCommand.called()
    try write(Self.desk, to: "One.txt", of: deadwax)
    try write(Self.desk + "Filter: ON HP Fc 30 Hz\n", to: "Two.txt", of: deadwax)
    #expect(try await deadwax.run(["preset", "import", "One.txt", "Two.txt"]).status == 0)
    let export = try await deadwax.run(["preset", "export", "One", "Two", "-o", "winamp.q1"])
    #expect(export.status == 0 && export.errorText.contains("winamp.q1: the curve is at most"), "\(export)")
    #expect(try Data(contentsOf: deadwax.home.appending("winamp.q1")).count == 31 + 2 * 268)
    let few = try await deadwax.run(["preset", "export", "Two", "-o", "x.cfg", "--strict"])
    #expect(few.status == 3 && few.errorText.contains("the high-pass at 30 Hz cannot be written"), "\(few)")
    #expect(try await deadwax.run(["preset", "export", "One", "Two", "-o", "x.eqf"]).status == 64)
    #expect(try await deadwax.run(["preset", "export", "One", "-o", "x.unknown"]).status == 64)
    #expect(try await deadwax.run(["preset", "export", "Nosuch", "-o", "x.eqf"]).status == 64)
    // The library itself is never written over.
    #expect(
      try await deadwax.run(["preset", "export", "One", "-o", deadwax.library.path, "--format", "apo"]).status == 1)
  }

  @Test func `what a file says does nothing to a terminal`() async throws {
    let deadwax = try DeadwaxCommand.called()
    let hostile = "Preamp: -1 dB\nX\u{1B}[2J: 3\nFilter: ON \u{1B}]0;x\u{7} Fc\n"
    // With a filter the rest is noted, without any it is refused.
    for (text, status) in [(hostile + "Filter: ON PK Fc 100 Hz Gain 1 dB Q 1\n", Int32(0)), (hostile, 1)] {
      try write(text, to: "a\u{1B}[31m.txt", of: deadwax)
      let outcome = try await deadwax.run(["preset", "import", "a\u{1B}[31m.txt"])
      #expect(outcome.status == status && !outcome.errorText.isEmpty, "\(outcome)")
      #expect(!(outcome.text + outcome.errorText).contains { $0 == "\u{1B}" || $0 == "\u{7}" })
    }
  }
}
