import Foundation
import Testing
import TestSupport

/// `tags write`, `tags undo`, `artwork embed`, `artwork remove` and `roots protect`: what they say.
struct WritingCommandsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand.called()
    music = try MusicFolder("damaged/clean.mp3", "formats/Every Connector/03 Lemo.mka")
    try await deadwax.must(["scan", "-q", music.path])
    try await deadwax.must(["waveform", "clean", "-o", "cover.png", "-w", "400", "-h", "300"])
  }

  private struct Written: Decodable {
    struct File: Decodable {
      struct Change: Decodable { var field: String, old, new: [String] }
      struct Refusal: Decodable { var code, reason: String }
      struct Unwritten: Decodable { var field, code, reason: String }
      var path: String
      var written: Bool
      var changes: [Change]
      var unwritten: [Unwritten]
      var refusal: Refusal?
    }
    var schema: Int
    var done: Bool
    var change: Int?
    var files: [File]
  }

  @Test func `a preview writes nothing, and says what would change or why not`() async throws {
    let before = try TreeDigest(of: music.url)
    let arguments = ["artwork", "embed", "--all", "--file", "cover.png", "--json"]
    let preview: Written = try await deadwax.must(arguments).document()
    #expect(!preview.done && preview.change == nil && preview.files.count == 2)
    #expect(preview.files.map { $0.refusal?.code } == ["format", nil])
    #expect(preview.files[1].changes.map(\.field) == ["cover"] && !preview.files[1].written)
    #expect(try TreeDigest(of: music.url) == before)
    #expect(try await deadwax.run(arguments + ["--strict"]).status == 3)

    let written: Written = try await deadwax.must(arguments + ["--yes"]).document()
    #expect(written.done && written.change == 1 && written.files.filter(\.written).count == 1)
    #expect(try TreeDigest(of: music.url) != before)
    #expect(try await deadwax.must(["ls", "has:artwork", "--count", "--format", "csv"]).text == "count\n1\n")
    let removed = try await deadwax.must(["artwork", "remove", "--all", "--yes"])
    #expect(
      removed.text.contains("cover: image/png") && removed.errorText.contains("wrote covers of 1 file"), "\(removed)")
    #expect(try await deadwax.must(["tags", "undo", "--list"]).text.contains("remove covers from 1 file"))
    // The one before is not the file's latest.
    let early = try await deadwax.run(["tags", "undo", "1"])
    #expect(early.status == 1 && early.text.isEmpty)
    #expect(early.errorText.contains("change 2 wrote it after that"), "\(early)")
    for _ in 0..<2 { try await deadwax.must(["tags", "undo"]) }
    #expect(try TreeDigest(of: music.url).entries.mapValues(\.content) == before.entries.mapValues(\.content))
    #expect(try await deadwax.run(["tags", "undo"]).status == 1)
  }

  @Test func `fields that a file has no place for are named, and the others are written`() async throws {
    try await deadwax.must(["tags", "set", "-q", "title=Ebb", "lyrics=a", "lyrics=b", "clean"])
    let preview = try await deadwax.must(["tags", "write", "clean"])
    #expect(preview.text.contains("title: ") && !preview.text.contains("lyrics"), "\(preview)")
    let line = "clean.mp3: lyrics stays in the library only: LYRICS: ID3v2 has only one lyrics text [value]"
    #expect(preview.errorText.contains(line), "\(preview)")
    #expect(preview.errorText.contains("would write tags of 1 file; 1 field of them only in the library; add --yes"))
    let written: Written = try await deadwax.must(["tags", "write", "clean", "--yes", "--json"]).document()
    #expect(written.files.map(\.written) == [true] && written.files[0].unwritten.map(\.field) == ["lyrics"])
    #expect(written.files[0].changes.map(\.field) == ["title"])
    // What is left is refused alone from now on, and the correction counts as before.
    let again: Written = try await deadwax.must(["tags", "write", "clean", "--yes", "--json"]).document()
    #expect(again.files.map { $0.refusal?.code } == ["value"])
    #expect(try await deadwax.run(["tags", "write", "clean", "--strict"]).status == 3)
    #expect(try await deadwax.must(["show", "clean"]).text.contains("Ebb"))
    try await deadwax.must(["tags", "undo"])
    #expect(try await deadwax.run(["tags", "write", "clean", "--yes", "--strict"]).status == 3)
  }

  @Test func `nothing is written into a protected folder, and nothing by accident`() async throws {
    try await deadwax.must(["roots", "protect", music.path])
    #expect(try await deadwax.must(["roots"]).text == "\(music.path)  (protected)\n")
    let outcome = try await deadwax.run(["artwork", "embed", "--all", "--file", "cover.png", "--yes"])
    #expect(
      outcome.status == 1 && outcome.errorText.contains("[protected]") && outcome.errorText.contains("2 files not"),
      "\(outcome)")
    try await deadwax.must(["roots", "protect", music.path, "--off"])
    #expect(try await deadwax.must(["roots"]).text == music.path + "\n")
    for arguments in [
      ["tags", "write", "--yes"], ["artwork", "embed", "--yes"], ["artwork", "remove", "--all", "clean"],
    ] {
      #expect(try await deadwax.run(arguments).status == 64, "\(arguments)")
    }
    #expect(try await deadwax.run(["tags", "write", "--replaygain", "title:nothing"]).status == 64)
    #expect(try await deadwax.must(["tags", "write", "--all", "--yes"]).errorText.contains("nothing to write"))
  }

  @Test func `what it takes to undo can be forgotten`() async throws {
    try await deadwax.must(["artwork", "embed", "clean", "--file", "cover.png", "--yes"])
    let bytes = try Data(contentsOf: music.file("clean.mp3"))
    #expect(try await deadwax.must(["tags", "undo", "--forget", "1"]).text == "forgot 1 change\n")
    #expect(try await deadwax.run(["tags", "undo"]).status == 1)
    #expect(try Data(contentsOf: music.file("clean.mp3")) == bytes)
  }

  @Test func `undo of the library goes on if it is told to leave files alone`() async throws {
    try await deadwax.must(["rate", "80", "clean"])
    try await deadwax.must(["artwork", "embed", "clean", "--file", "cover.png", "--yes"])
    #expect(try await deadwax.run(["undo"]).status == 1)
    try await deadwax.must(["undo", "--keep-files"])
    // What was decided after the files were written can be undone as ever.
    try await deadwax.must(["rate", "60", "clean"])
    #expect(try await deadwax.must(["undo"]).text.contains("undone"))
  }
}
