import Foundation
import Testing
import TestSupport

/// Tracks of a CUE sheet beside a file, as users see them. The file has ten seconds of sound at 44.1 kHz.
struct PartCommandsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  private static let sheet = """
    PERFORMER "Lathe & Lantern"
    TITLE "Run-out Groove"
    FILE "ALBUM.flac" WAVE
      TRACK 01 AUDIO
        TITLE "Lead-in"
        INDEX 01 00:00:00
      TRACK 02 AUDIO
        TITLE "Lacquer"
        PERFORMER "Nora Vale"
        INDEX 00 00:03:00
        INDEX 01 00:04:37
    """
  /// Frame 4 s and 37 75ths of a second.
  private static let second = (4 * 75 + 37) * 588

  init() async throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder()
    let samples = (0..<441_000).map { Int16(truncatingIfNeeded: ($0 &* 7919) % 9001) }
    try music.write(WaveFile.bytes(samples, sampleRateInHz: 44_100, channelCount: 1), to: "album.wav")
    try music.write(Self.sheet.utf8, to: "album.cue")
    try await deadwax.must(["scan", music.path])
  }

  private func text(_ arguments: String...) async throws -> String { try await deadwax.must(arguments).text }

  private func raw(_ arguments: String...) async throws -> Data {
    try await deadwax.must(["segment", "-o", "-", "--format", "raw"] + arguments).standardOutput
  }

  private func parts() async throws -> String {
    try await text("ls", "--parts", "--fields", "address,start,duration,artist,title", "--format", "tsv")
  }

  @Test func `a list has a row for each part, and queries ask for them`() async throws {
    let rows = try await parts().split(separator: "\n").map { $0.split(separator: "\t").map(String.init) }
    #expect(rows.map { $0[0] } == ["address", "1#1", "1#2"])
    #expect(rows.map { $0[3] } == ["artist", "Lathe & Lantern", "Nora Vale"])
    #expect(rows.map { $0[4] } == ["title", "Lead-in", "Lacquer"])
    let starts = rows.dropFirst().compactMap { Double($0[1]) }
    #expect(starts.count == 2 && starts[0] == 0 && abs(starts[1] - Double(Self.second) / 44_100) < 0.001)
    #expect(try await text("ls", "part:lacquer", "--count", "--format", "tsv") == "count\n1\n")
    #expect(try await text("ls", "part:locked", "--count", "--format", "tsv") == "count\n0\n")
    #expect(try await deadwax.run(["ls", "--parts", "--count"]).status == 64)
  }

  @Test func `a part is decoded to the sample, and its times count from its start`() async throws {
    let whole = try await raw("1")
    #expect(try await raw("1#1") == whole.prefix(4 * Self.second))
    #expect(try await raw("1#2") == whole.suffix(whole.count - 4 * Self.second))
    let inside = try await raw("1#2", "-s", "1", "-e", "2")
    #expect(inside == whole.dropFirst(4 * (Self.second + 44_100)).prefix(4 * 44_100))
    let path = music.file("album.wav").path
    #expect(try await raw(path + "#1", "-s", "4") == whole.dropFirst(4 * 176_400).prefix(4 * (Self.second - 176_400)))
    let missing = try await deadwax.run(["segment", "1#3", "-o", "-", "--format", "raw"])
    #expect(missing.status != 0 && missing.errorText.contains("no part 3; it has 2"), "\(missing)")
  }

  @Test func `a changed sheet changes the parts without decoding, and one that is gone takes them along`() async throws
  {
    let changed = Self.sheet.replacing("Lacquer", with: "Shellac").replacing("00:04:37", with: "00:05:00")
    try music.write(changed.utf8, to: "album.cue")
    let again = try await deadwax.must(["scan", music.path, "--json"]).text
    #expect(again.contains("\"decoded_files\": 0") || again.contains("\"decoded_files\":0"), "\(again)")
    let list = try await parts()
    #expect(list.contains("Shellac") && list.contains("\t5"), "\(list)")
    try music.remove("album.cue")
    try await deadwax.must(["scan", music.path])
    #expect(try await parts().split(separator: "\n").count == 1)
    #expect(try await text("ls", "--count", "--format", "tsv") == "count\n1\n")
  }

  @Test func `parts are found again after file and sheet were moved and renamed`() async throws {
    try await deadwax.must(["preset", "assign", "Voice", "1#2"])
    try FileManager.default.createDirectory(at: music.file("new"), withIntermediateDirectories: true)
    try music.move("album.wav", to: "new/other.wav")
    try music.move("album.cue", to: "new/other.cue")
    try await deadwax.must(["scan", music.path])
    #expect(
      try await text("preset", "of", music.file("new/other.wav").path + "#2").hasPrefix("Voice: assigned to the part"))
    #expect(try await text("preset", "of", "1").hasPrefix("none"))
    #expect(
      try await text("ls", "--parts", "--fields", "part,preset", "--format", "tsv") == "part\tpreset\n1\t\n2\tVoice\n")
    try await deadwax.must(["preset", "undo"])
    #expect(try await text("preset", "of", "1#2").hasPrefix("none"))
    #expect(try await deadwax.run(["doctor"]).status == 0)
  }

  @Test func `each part becomes a file with its own tags`() async throws {
    let folder = music.file("tracks").path
    try await deadwax.must([
      "render", "1", "--parts", "-o", folder + "/", "--format", "flac", "--name", "{track:02} {title}",
    ])
    #expect(
      try FileManager.default.contentsOfDirectory(atPath: folder).sorted() == ["01 Lead-in.flac", "02 Lacquer.flac"])
    let tags = try await text(
      "ls", folder + "/02 Lacquer.flac", "--fields", "track,artist,title", "--format", "tsv")
    #expect(tags == "track\tartist\ttitle\n2\tNora Vale\tLacquer\n")
    #expect(try await raw(folder + "/02 Lacquer.flac") == raw("1#2"))
  }

  @Test func `show and waveform take a part for a track`() async throws {
    let shown = try await text("show", "1#2")
    #expect(shown.contains("1#2  Nora Vale - Lacquer") && shown.contains("frames \(Self.second) to 441000"), "\(shown)")
    let document = try await text("show", "1#2", "--json")
    #expect(document.contains("\"start_frame\"") && document.contains("\"rms_dbfs\""))
    #expect(try await text("show", "1").contains("a CUE sheet next to the file"))
    let csv = try await text("waveform", "1#2", "-o", "-", "--format", "txt", "-z", "256")
    #expect(csv.split(separator: "\n").count == (441_000 - Self.second + 255) / 256)
  }

  @Test func `a sheet that is exported describes the same parts`() async throws {
    let file = music.file("again.cue").path
    try await deadwax.must(["export", "--what", "cue", "-o", file])
    let written = try String(contentsOfFile: file, encoding: .utf8)
    #expect(written.contains("FILE \"album.wav\" WAVE") && written.contains("INDEX 01 00:04:37"), "\(written)")
    let before = try await parts()
    try music.remove("album.cue")
    try await deadwax.must(["scan", music.path])
    #expect(try await parts() == before)
  }

  @Test func `a hostile sheet ends no scan`() async throws {
    var sheet = "FILE \"album.wav\" WAVE\n"
    for number in 0..<20_000 {
      sheet += "TRACK 01 AUDIO\nINDEX 01 \(number / 60):\(number % 60):00\nINDEX 01 -1:00:00\n"
    }
    try music.write(sheet.utf8, to: "album.cue")
    try await deadwax.must(["scan", music.path])
    // Ten seconds of sound have ten of them; what lies behind the end is left out.
    #expect(try await parts().split(separator: "\n").count == 11)
    try music.write((0..<50_000).map { _ in UInt8.random(in: 0...255) }, to: "album.cue")
    try await deadwax.must(["scan", music.path])
    #expect(try await text("ls", "--count", "--format", "tsv") == "count\n1\n")
  }

  @Test func `a file outside of a library has the parts of the sheet beside it`() async throws {
    let elsewhere = try DeadwaxCommand.called()
    let rows = try await elsewhere.must(
      ["ls", "\(music.path)/album.wav", "--parts", "--fields", "title,start", "--format", "tsv"]
    ).text
    let own = try await text("ls", "--parts", "--fields", "title,start", "--format", "tsv")
    #expect(rows == own && rows.contains("Lacquer"))
  }

  @Test func `a line of a sheet that is no place is a warning of the scan, with its number`() async throws {
    try music.write(Self.sheet.replacing("00:04:37", with: "soon").utf8, to: "album.cue")
    let scan = try await deadwax.run(["scan", music.path])
    #expect(scan.errorText.contains("album.cue: line 11: \"soon\" is not a time"), "\(scan.errorText)")
  }
}
