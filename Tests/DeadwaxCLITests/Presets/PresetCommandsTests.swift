import Foundation
import Testing
import TestSupport

/// `deadwax preset` as users type it.
struct PresetCommandsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    let scanned = try await ScannedMusic.of("audio/Lathe & Lantern")
    (music, deadwax) = (scanned.music, try await scanned.library().called)
  }

  private func preset(_ arguments: String...) async throws -> CommandOutcome {
    try await deadwax.run(["preset"] + arguments)
  }

  private func applied(_ track: String) async throws -> AppliedPresetDocument {
    try await preset("of", track, "--json").document(AppliedPresetDocument.self)
  }

  @Test func `a graphic preset has ten bands an octave apart, and the headroom that its sum asks for`() async throws {
    let outcome = try await preset("create", "Warm", "--graphic", "3,2,1,0,0,0,-1,-1,0,1", "--gain", "auto", "--json")
    #expect(outcome.status == 0, "\(outcome)")
    let document = try outcome.document(PresetDocument.self)
    #expect(document.schema == 1 && document.name == "Warm")
    #expect(document.bands.map(\.gain_db) == [3, 2, 1, 0, 0, 0, -1, -1, 0, 1])
    let centres = (0..<10).map { (octave: Int) -> Double in 31.25 * Double(1 << octave) }
    #expect(document.bands.map(\.frequency_hz) == centres)
    // The first slider, and a little of its neighbours.
    #expect((-4.0 ... -3.0).contains(document.gain_db))
    #expect(try await preset("show", "warm", "--json").standardOutput == outcome.standardOutput)
  }

  @Test func `the presets of a query's tracks become a file each`() async throws {
    let created = try await preset("create", "Warm", "--band", "pk 220 -2.4 q0.9")
    let assigned = try await preset("assign", "Warm", "title:Lacquer")
    #expect(created.status == 0 && assigned.status == 0)
    let folder = music.path + "-presets"
    defer { try? FileManager.default.removeItem(atPath: folder) }
    let outcome = try await deadwax.run([
      "export", "--what", "presets", "--format", "apo", "--name", "{title}", "-o", folder,
    ])
    #expect(outcome.status == 0, "\(outcome)")
    #expect(try FileManager.default.contentsOfDirectory(atPath: folder) == ["Lacquer.txt"])
    let text = try String(contentsOfFile: folder + "/Lacquer.txt", encoding: .utf8)
    #expect(text.contains("PK Fc 220 Hz Gain -2.4 dB Q 0.9"))
  }

  @Test func `what a format cannot say of a track's preset is named`() async throws {
    #expect(try await preset("create", "Wide", "--reverb", "plate:20").status == 0)
    #expect(try await preset("assign", "Wide", "title:Lacquer").status == 0)
    let folder = deadwax.home.appending("presets").path
    let outcome = try await deadwax.run(["export", "--what", "presets", "--format", "apo", "-o", folder])
    #expect(outcome.status == 0 && outcome.errorText.contains("Lathe & Lantern - Lacquer.txt: "), "\(outcome)")
  }

  private static let wrongUses: [[String]] = [
    ["show", "nope"], ["create", "Flat"], ["create", ""], ["create", "../x", "--gain", "12dB"],
    ["create", "x", "--gain", "NaN"], ["create", "x", "--gain", "24.5"], ["create", "x", "--gain", "1e308"],
    ["create", "x", "--band", "pk 100 inf"], ["create", "x", "--band", "pk 0 3"],
    ["create", "x", "--graphic", "1,2,3"], ["create", "x", "--graphic", "13,0,0,0,0,0,0,0,0,0"],
    ["create", "x", "--reverb", "cave:10"], ["create", "x", "--rate", "5"], ["create", "x", "--pitch", "-2401"],
    ["create", "a\u{7}b"], ["create", "none"], ["create", "x", "--for", "1"], ["delete", "flat"], ["edit", "flat"],
    ["edit", "flat", "--gain", "-1"], ["rename", "flat", "x"], ["assign", "nope", "--all"], ["assign", "flat"],
    ["assign", "flat", "artist:nobody"], ["assign", "flat", "artst:x"], ["assign", "flat", "--default", "x"],
    ["of", "99"], ["plot", "nope"], ["plot", "flat", "-o", "x.gif"],
    ["undo", "--limit", "2"],
  ]

  private static let failures: [[String]] = [
    ["undo"], ["plot", "1"],
  ]

  // Faults: 136
  @Test func `mistakes have their status, one line, and change nothing`() async throws {
    for (list, status) in [(Self.wrongUses, Int32(64)), (Self.failures, 1)] {
      for arguments in list {
        let outcome = try await deadwax.run(["preset"] + arguments)
        #expect(outcome.status == status, "\(arguments): \(outcome)")
        #expect(outcome.text.isEmpty && outcome.errorText.hasPrefix("deadwax: "), "\(arguments): \(outcome)")
        #expect(!outcome.errorText.contains("\u{7}"))
      }
    }
    #expect(try await preset("undo", "--list").text.isEmpty)
  }

  @Test func `the most specific assignment applies, and a switch silences it`() async throws {
    #expect(try await preset("assign", "Flat", "--default").status == 0)
    #expect(try await preset("assign", "Bass", "--artist", "title:lacquer").status == 0)
    #expect(try await preset("assign", "Voice", "--album", "title:lacquer").status == 0)
    #expect(
      try await preset("assign", "Treble", "title:lacquer").text
        == "Treble assigned to the track 'Lathe & Lantern - Lacquer'\n")
    #expect(try await applied("title:lacquer").preset == "Treble")
    #expect(try await preset("unassign", "title:lacquer").status == 0)
    #expect(try await applied("title:lacquer").from == "album")
    #expect(try await preset("unassign", "--album", "title:lacquer").status == 0)
    #expect(try await applied("title:lacquer").preset == "Bass")
    #expect(try await preset("off", "title:lacquer").status == 0)
    #expect(try await applied("title:lacquer").switched_off == "track")
    let none = try await deadwax.run(["ls", "preset:none", "--format", "jsonl", "--fields", "title,preset"])
    #expect(none.text == "{\"title\":\"Lacquer\",\"preset\":null}\n")
    #expect(try await preset("on", "title:lacquer").status == 0)
    let bass = try await deadwax.run(["ls", "preset:bass", "--format", "jsonl", "--fields", "id"])
    #expect(bass.text.split(separator: "\n").count == 4)
    let show = try await deadwax.run(["show", "title:lacquer", "--json"])
    #expect(try show.document(TrackDocument.self).preset == "Bass")
    #expect(try await preset("undo").text.contains("undone: switch on"))
    #expect(try await applied("title:lacquer").preset == nil)
  }

  @Test func `a number is a track, and a path is one`() async throws {
    let path = try #require(
      try await deadwax.run(["ls", "title:lacquer", "--format", "paths"]).text.split(separator: "\n").first)
    #expect(try await preset("assign", "Voice", String(path)).status == 0)
    let id = try await deadwax.run(["ls", "title:lacquer", "--format", "csv", "--fields", "id"])
    let number = try #require(id.text.split(whereSeparator: \.isNewline).last)
    #expect(try await applied(String(number)).preset == "Voice")
    #expect(try await preset("assign", "Bass", String(number)).status == 0)
    let found = try await deadwax.run(["ls", "preset:=Bass", "--format", "paths"])
    #expect(found.text == path + "\n")
    let others = try await deadwax.run(["ls", "title:=Lacquer", "--format", "paths"]).text
    let other = try await deadwax.run(["ls", "^title:=Lacquer", "--format", "paths", "--limit", "1"]).text.dropLast()
    #expect(try await preset("assign", "Treble", String(number), String(other)).text == "Treble assigned to 2 tracks\n")
    let treble = try await deadwax.run(["ls", "preset:=Treble", "--format", "paths"]).text
    let wanted: String = others + other
    #expect(Set(treble.split(separator: "\n")) == Set(wanted.split(separator: "\n")))
  }

  @Test func `the gain of a track's preset knows its true peak`() async throws {
    let outcome = try await preset("create", "x", "--band", "pk 1000 6", "--gain", "auto", "--for", "title:lacquer")
    // Lacquer's true peak is below -8 dBTP: a boost of 6 dB needs no headroom.
    #expect(outcome.text == "x: 1 band\n", "\(outcome)")
  }

  @Test func `an edit changes what it names`() async throws {
    _ = try await preset("create", "x", "--band", "pk 1000 6", "--band", "hp 30", "--pitch", "100")
    let edit = try await preset("edit", "x", "--remove-band", "1", "--add-band", "ls 90 2", "--gain", "-2")
    #expect(edit.text == "x: gain -2 dB, 2 bands, pitch 100 cents\n", "\(edit)")
    let show = try await preset("show", "x").text
    #expect(show.contains("band   1  ls 90 2\n") && show.contains("band   2  pk 1000 6 q1.41"))
    #expect(try await preset("edit", "x", "--remove-band", "3").status == 64)
  }

  @Test func `a rate that keeps the pitch is made up for once, however often it is given`() async throws {
    for (arguments, pitch, rate) in [
      (["create", "x", "--rate", "0.5", "--keep-pitch"], 1200.0, 0.5),
      (["edit", "x", "--rate", "0.5", "--keep-pitch"], 1200, 0.5),
      (["edit", "x", "--rate", "2", "--keep-pitch"], -1200, 2),
      (["edit", "x", "--rate", "2", "--keep-pitch", "--pitch", "100"], -1100, 2),
      (["edit", "x", "--rate", "4"], -1100, 4),
      (["edit", "x", "--pitch", "0"], 0, 4), (["edit", "x", "--rate", "1", "--keep-pitch"], 0, 1),
    ] {
      let document = try await deadwax.run(["preset"] + arguments + ["--json"]).document(PresetDocument.self)
      #expect(abs(document.pitch_cents - pitch) < 0.01 && document.rate == rate, "\(arguments): \(document)")
    }
  }

  @Test func `a plot is a picture of the format that its name says`() async throws {
    _ = try await preset("assign", "Loudness", "--all")
    for (name, head) in [("a.png", "\u{89}PNG"), ("a.svg", "<?xml"), ("a.pdf", "%PDF-")] {
      let outcome = try await preset("plot", "title:lacquer", "-o", name)
      #expect(outcome.status == 0, "\(outcome)")
      let bytes = try Data(contentsOf: deadwax.home.appending(name))
      #expect(bytes.starts(with: head.unicodeScalars.map { UInt8($0.value) }))
    }
    let drawn = try await preset("plot", "Loudness", "-w", "60", "-h", "8").text.split(separator: "\n")
    #expect(drawn.count == 9)
    #expect(try await preset("plot", "Loudness", "-o", deadwax.library.path, "--format", "png").status != 0)
    #expect(try await deadwax.run(["doctor"]).status == 0)
  }

  // Faults: 139
  @Test func `escape sequences in names of presets and tracks do not reach the terminal`() async throws {
    #expect(try await preset("create", "a\u{1B}[31mb").status == 64)
    #expect(try await preset("create", "a\u{202E}b").status == 0)
    #expect(try await !preset("ls").text.contains("\u{202E}"))
  }
}
