import Foundation
import TestSupport
import Testing

/// `tags` as users type it.
struct TagsCommandTests {
  private struct Corrected: Decodable {
    var id: Int
    var path: String
    var field: String
    var values: [String]
    var file_values: [String]
    var state: String
  }

  private struct Found: Decodable {
    var path: String
    var artist: String?
    var genre: String?
    var album: String?
    var year: Int?
  }

  private let deadwax: DeadwaxCommand
  private let music: ScannedMusic

  init() async throws {
    music = try await ScannedMusic.named("two albums, one of them twice") { music in
      let echoes = "audio/Émilie Søndergård/Les Échos"
      try music.add(fixture: "\(echoes)/01 Marée lente.flac", as: "echos/1.flac")
      try music.add(fixture: "\(echoes)/02 Balayage.flac", as: "echos/2.flac")
      try music.add(fixture: "\(echoes)/02 Balayage.flac", as: "copy/2.flac")
      try music.add(fixture: "audio/Public Address/Announcements/01 Test Pressing.mp3", as: "pa/1.mp3")
    }
    deadwax = try await music.library().called
  }

  private func list(_ query: String...) async throws -> [Corrected] {
    try await deadwax.must(["tags", "list", "--jsonl"] + query).lines(Corrected.self)
  }

  private func found(_ query: String) async throws -> [Found] {
    try await deadwax.must(["ls", query, "--format", "jsonl", "--fields", "path,artist,genre,album,year"]).lines(
      Found.self)
  }

  @Test func `corrections count at once, are listed, shown and undone`() async throws {
    let set = try await deadwax.must(["tags", "set", "genre=Drone", "genre=Ambient", "album:échos"])
    #expect(set.text == "genre=Drone genre=Ambient: 3 files changed\n")
    #expect(try await found("genre:=\"Drone\"").count == 3)
    #expect(try await found("genre:=\"Drone; Ambient\"").count == 3)
    let year = try await deadwax.must(["tags", "set", "year=2020-05", "path:=echos/1.flac OR path:echos"])
    #expect(year.text == "year=2020-05: 2 files changed\n", "\(year)")
    #expect(try await found("year:2020").count == 2)
    let listed = try await list()
    #expect(listed.count == 5 && listed.allSatisfy { $0.state == "active" })
    #expect(listed.first { $0.field == "genre" }?.values == ["Drone", "Ambient"])
    #expect(try await list("year:2020", "path:echos/1.flac").map(\.field).sorted() == ["date", "genre"])
    let table = try await deadwax.must(["tags", "list", "path:echos/1.flac"]).text
    #expect(table.contains("IN LIBRARY") && table.contains("Drone; Ambient"))
    let id = try #require(listed.first).id
    let shown = try await deadwax.must(["show", "\(id)"]).text
    #expect(shown.contains("In the file") && shown.contains(", corrected"), "\(shown)")
    let document = try await deadwax.must(["show", "\(id)", "--json"]).text
    #expect(document.contains("\"corrections\"") && document.contains("\"file_values\""))
    #expect(try await deadwax.must(["undo"]).text == "undone: correct date to '2020-05'\n")
    #expect(try await deadwax.must(["undo"]).text == "undone: correct genre to 'Drone', 'Ambient'\n")
    #expect(try await list().isEmpty)
    #expect(try await deadwax.must(["tags"]).errorText.contains("no file differs from the library;"))
    #expect(try await deadwax.must(["tags", "list", "is:conflict"]).errorText.contains("no matching file differs"))
  }

  @Test func `values come and go, and fields are emptied and reverted`() async throws {
    #expect(try await deadwax.must(["tags", "add", "genre=Live", "path:pa/1.mp3"]).text.contains("1 file changed"))
    let again = try await deadwax.must(["tags", "add", "genre=Live", "path:pa/1.mp3"]).text
    #expect(again == "genre=Live: 0 files changed (1 unchanged)\n")
    #expect(try await deadwax.must(["tags", "remove", "genre=Live", "path:pa/1.mp3"]).text.contains("1 file changed"))
    #expect(try await list().isEmpty)
    let planned = try await deadwax.must(["tags", "clear", "artist,year", "--all", "--dry-run"]).text
    #expect(planned == "artist,year cleared: 4 files would change\n", "\(planned)")
    #expect(try await list().isEmpty)
    try await deadwax.must(["tags", "clear", "artist", "--all"])
    #expect(try await found("artist:\"\"").count == 4)
    let missing = try await deadwax.must(["tags", "missing", "artist,title"]).text
    #expect(missing.contains("artist") && missing.hasSuffix("4 files\n"))
    #expect(try await deadwax.must(["tags", "revert", "--all"]).text.contains("4 files changed"))
    #expect(try await found("artist:\"\"").isEmpty)
    #expect(try await deadwax.must(["tags", "missing", "artist"]).text == "no file lacks artist\n")
  }

  @Test func `what the other files of an album say fills what is missing`() async throws {
    try await deadwax.must(["tags", "set", "-q", "album=Tides", "artist=Nora Vale", "genre=Drone", "--all"])
    try await deadwax.must(["tags", "clear", "-q", "albumartist", "--all"])
    let artist = try await deadwax.must(["tags", "missing", "albumartist"]).text
    let line = try #require(artist.split(separator: "\n").first { $0.contains("deadwax tags set") })
    #expect(line.contains("'albumartist=Nora Vale' 'album-id:") && artist.contains("without albumartist"), "\(artist)")
    // As a shell reads it.
    let words = line.split(separator: "'").map(String.init).filter { !$0.trimmingCharacters(in: .whitespaces).isEmpty }
    try await deadwax.must(["tags", "set", words[1], words[2]])
    #expect(try await found("albumartist:=\"Nora Vale\"").count > 1)

    struct Missing: Decodable {
      struct File: Decodable {
        struct Fill: Decodable { var field: String, values: [String], command: String }
        var missing: [String], fills: [Fill]
      }
      var files: [File]
    }
    try await deadwax.must(["tags", "clear", "-q", "genre,title", "path:echos"])
    let missing: Missing = try await deadwax.must(["tags", "missing", "genre,title", "--json"]).document()
    #expect(missing.files.allSatisfy { $0.missing == ["genre", "title"] } && !missing.files.isEmpty)
    #expect(missing.files.flatMap(\.fills).allSatisfy { $0.field == "genre" && $0.values == ["Drone"] }, "\(missing)")
    // Others that differ fill nothing.
    try await deadwax.must(["tags", "set", "-q", "genre=Ambient", "path:pa/1.mp3"])
    try await deadwax.must(["tags", "set", "-q", "artist=Ana B", "path:pa/1.mp3"])
    let none: Missing = try await deadwax.must(["tags", "missing", "genre", "--json"]).document()
    #expect(none.files.flatMap(\.fills).isEmpty, "\(none)")
  }

  @Test func `the command that variants names mends them`() async throws {
    try await deadwax.must(["tags", "set", "genre=it's Drone", "path:echos OR path:copy"])
    try await deadwax.must(["tags", "set", "genre=Its drone", "path:pa/1.mp3"])
    let text = try await deadwax.must(["tags", "variants", "genre"]).text
    let command = "deadwax tags replace genre 'Its drone' 'it'\\''s Drone'"
    #expect(text.contains(command) && text.contains("it's Drone  3") && text.contains("  Its drone  1"), "\(text)")
    let replaced = try await deadwax.must(["tags", "replace", "genre", "Its drone", "it's Drone"]).text
    #expect(replaced == "genre 'Its drone' to 'it's Drone': 1 file changed\n")
    let nothing = try await deadwax.must(["tags", "replace", "genre", "Its drone", "it's Drone"])
    #expect(nothing.text.isEmpty && nothing.errorText.contains("no file has 'Its drone' as genre"))
    #expect(try await deadwax.must(["tags", "variants", "genre"]).errorText.contains("no variants of genre"))
  }

  @Test func `variants are mended together, as one change`() async throws {
    try await deadwax.must(["tags", "set", "genre=DRONE", "genre=ambient", "path:copy"])
    try await deadwax.must(["tags", "set", "genre=Drone", "genre=Ambient", "path:pa/1.mp3"])
    try await deadwax.must(["tags", "set", "album=announcements", "path:copy"])
    let planned = try await deadwax.must(["tags", "variants", "genre", "--mend", "--dry-run"]).text
    #expect(planned == "2 variants of genre: 2 files would change\n", "\(planned)")
    #expect(try await found("genre:=\"DRONE; ambient\"").count == 2)
    let mended = try await deadwax.must(["tags", "variants", "genre", "--mend"]).text
    #expect(mended == "2 variants of genre: 2 files changed\n", "\(mended)")
    #expect(try await found("genre:=\"Drone; Ambient\"").count == 3)
    // Of others an album's title is no variant.
    #expect(try await deadwax.must(["tags", "variants", "album", "--mend"]).errorText.contains("no variants"))
    #expect(try await deadwax.must(["undo"]).text == "undone: correct 2 spellings of genre\n")
    #expect(try await found("genre:=\"DRONE; ambient\"").count == 2)
    #expect(try await deadwax.run(["tags", "variants", "genre", "--dry-run"]).status == 64)
  }

  @Test(arguments: [
    (["set", "gnere=Jazz", "--all"], "gnere"), (["set", "size=1", "--all"], "size"),
    (["set", "track=3/12", "--all"], "track"),
    (["set", "year=soon", "--all"], "date"), (["set", "Jazz", "--all"], "FIELD=VALUE"),
    (["set", "genre=Jazz"], "--all"),
    (["set", "genre=Jazz", "--all", "word"], "--all"), (["set", "genre=", "--all"], "genre"),
    (["set", "year=1999", "year=2000", "--all"], "one value"), (["add", "track=3", "--all"], "one value"),
    (["resolve", "--all"], "--mine"), (["resolve", "--mine", "--files", "--all"], "--mine"),
    (["missing", "gnere"], "gnere"), (["variants", "size"], "size"), (["replace", "genre", "a", ""], "genre"),
    (["set", "rating=80", "--all"], "deadwax rate"), (["clear", "genre"], "--all"),
  ])
  func `what cannot be is refused in a line, with status 64, and nothing changes`(words: [String], part: String)
    async throws
  {
    let outcome = try await deadwax.run(["tags"] + words)
    #expect(outcome.status == 64 && outcome.errorText.contains(part), "\(outcome)")
    #expect(try await list().isEmpty)
  }

  @Test func `a tag that changes after it was corrected waits for a decision, and files are never written`()
    async throws
  {
    let before = try TreeDigest(of: music.music.url)
    try await deadwax.must(["tags", "set", "title=Mended", "mood=calm", "--new", "path:echos/1.flac"])
    #expect(try await found("title:=Mended").count == 1)
    #expect(try TreeDigest(of: music.music.url) == before)
    #expect(try await deadwax.must(["ls", "is:conflict"]).text.isEmpty)
    #expect(try await deadwax.run(["tags", "resolve", "--mine", "is:conflict"]).status == 64)
  }
}
