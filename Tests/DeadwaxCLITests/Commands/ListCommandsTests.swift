import Foundation
import Testing
import TestSupport

/// Lists, ratings and attributes as users type them.
struct ListCommandsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    let scanned = try await ScannedMusic.named("slow.flac and sweep.flac") { music in
      let echoes = "audio/Émilie Søndergård/Les Échos"
      try music.add(fixture: "\(echoes)/01 Marée lente.flac", as: "slow.flac")
      try music.add(fixture: "\(echoes)/02 Balayage.flac", as: "sweep.flac")
    }
    (music, deadwax) = (scanned.music, try await scanned.library().called)
  }

  private func names(_ query: String) async throws -> [String] {
    try await deadwax.must(["ls", query, "--fields", "filename", "--format", "tsv"]).text
      .split(separator: "\n").dropFirst().map(String.init)
  }

  @Test func `a list is made, shown in its order, changed and undone`() async throws {
    #expect(try await deadwax.must(["list", "create", "two", "filename-"]).text == "two: 2 tracks\n")
    #expect(try await deadwax.must(["list", "add", "two", "filename:sweep"]).text == "two: 1 track added\n")
    #expect(try await names("list:two") == ["sweep.flac", "slow.flac", "sweep.flac"])
    let shown = try await deadwax.must(["list", "show", "two", "--jsonl"]).text.split(separator: "\n")
    #expect(shown.count == 3 && shown[1].contains("slow.flac"))
    #expect(try await deadwax.must(["list", "remove", "two", "filename:sweep"]).text == "two: 2 entries removed\n")
    try await deadwax.must(["list", "rename", "two", "one"])
    #expect(try await names("list:one") == ["slow.flac"])
    #expect(try await deadwax.must(["undo"]).text == "undone: rename the list two to one\n")
    try await deadwax.must(["preset", "undo"])
    #expect(try await names("list:two") == ["sweep.flac", "slow.flac", "sweep.flac"])
    let playlist = try await deadwax.must(["export", "--what", "playlist", "list:two"]).text
    #expect(playlist.split(separator: "\n").count { $0.hasSuffix("sweep.flac") } == 2)
    #expect(try await deadwax.run(["ls", "list:three"]).status == 64)
    #expect(try await deadwax.run(["list", "create", "two"]).status == 64)
  }

  @Test func `a list of a query takes no tracks`() async throws {
    try await deadwax.must(["list", "save", "slow ones", "filename:slow"])
    #expect(try await names("list:\"slow ones\"") == ["slow.flac"])
    let refused = try await deadwax.run(["list", "add", "slow ones", "--all"])
    #expect(refused.status == 64 && refused.errorText.contains("is a query"), "\(refused)")
  }

  @Test func `a rating of stars is found as 0 to 100`() async throws {
    #expect(try await deadwax.must(["rate", "4", "--stars", "filename:slow"]).text == "rated 80: 1 track\n")
    #expect(try await deadwax.must(["rate", "80", "--all"]).text == "rated 80: 1 track (1 already was)\n")
    #expect(try await names("rating:>=80 filename+") == ["slow.flac", "sweep.flac"])
    #expect(try await deadwax.must(["rate", "none", "filename:sweep"]).text == "unrated: 1 track\n")
    #expect(try await names("rating:80") == ["slow.flac"])
    for arguments in [
      ["rate", "101", "--all"], ["rate", "6", "--stars", "--all"], ["rate", "x", "--all"], ["rate", "5"],
    ] {
      #expect(try await deadwax.run(arguments).status == 64, "\(arguments)")
    }
    #expect(try await deadwax.run(["rate", "5", "filename:nothing"]).status == 64)
  }

  @Test func `stars are rounded to a whole rating, and an undo takes them back`() async throws {
    let deadwax = try await ScannedMusic.of("damaged/clean.mp3").library().called
    for (stars, rating) in [("0", 0), ("1.15", 23), ("2.3", 46), ("4.1", 82), ("5", 100), ("4.5", 90), ("4.99", 100)] {
      let outcome = try await deadwax.must(["rate", stars, "--stars", "1"])
      #expect(outcome.text == "rated \(rating): 1 track\n", "\(stars): \(outcome)")
    }
    #expect(try await deadwax.run(["rate", "5.1", "--stars", "1"]).status == 64)
    try await deadwax.must(["undo"])
    #expect(try await deadwax.must(["ls", "rating:90", "--fields", "id", "--format", "tsv"]).text == "id\n1\n")
  }

  @Test func `attributes of one's own are set, listed and removed`() async throws {
    try await deadwax.must(["attribute", "set", "Mood=calm = slow", "filename:slow"])
    #expect(try await names("mood:=\"calm = slow\"") == ["slow.flac"])
    #expect(try await deadwax.must(["attribute", "ls"]).text.contains("mood"))
    #expect(try await deadwax.must(["attribute", "ls", "filename:slow"]).text.contains("calm = slow"))
    #expect(try await deadwax.must(["attribute", "remove", "mood", "--all"]).text == "mood removed: 1 track\n")
    #expect(try await deadwax.run(["attribute", "set", "lufs=1", "--all"]).errorText.contains("field"))
    #expect(try await deadwax.run(["attribute", "set", "mood", "--all"]).status == 64)
    let refused = try await deadwax.run(["attribute", "set", "mood=", "--all"])
    #expect(refused.status == 64 && refused.errorText.contains("an attribute's value"), "\(refused)")
  }

  @Test func `an import says which rule found what, also bare file names`() async throws {
    let folder = try TemporaryFolder()
    let lines = ["#EXTM3U", "sweep.flac", music.path + "/slow.flac", "nothing.flac"]
    try folder.write(Data(lines.joined(separator: "\n").utf8), to: "some.m3u8")
    let outcome = try await deadwax.must(["list", "import", folder.appending("some.m3u8").path])
    #expect(outcome.text == "some: 2 of 3 entries found: 1 by path, 1 by file name\n")
    #expect(outcome.errorText.contains("not found: nothing"))
    #expect(try await names("list:some") == ["sweep.flac", "slow.flac"])
  }

  @Test(.enabled(if: Tool.exist("sqlite3"), "sqlite3 is not installed"))
  func `what beets has and is decided here already is listed, not taken`() async throws {
    let deadwax = try await ScannedMusic.of("damaged/one-sample.wav").library().called
    let path = try await deadwax.must(["ls", "--format", "paths"]).text.trimmingCharacters(in: .newlines)
    let beets = deadwax.home.appending("beets.db").path
    try Tool.run(
      "sqlite3", beets,
      """
      CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB);
      CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
      INSERT INTO items VALUES (1, CAST('\(path)' AS BLOB));
      INSERT INTO item_attributes (entity_id, key, value) VALUES (1, 'rating', '4'), (1, 'mood', 'calm');
      """)
    try await deadwax.must(["rate", "60", "1"])
    for options in [["--dry-run"], []] {
      let outcome = try await deadwax.run(["import", "--beets", beets] + options)
      #expect(
        outcome.text == "1 of 1 item found, 1 attribute, 0 older dates, 1 different, not imported\n")
      #expect(outcome.errorText.contains("\(path): rating '60' is kept, '4' in beets\n"), "\(outcome)")
      #expect(outcome.errorText.contains("--rating-scale 5 treats them as stars"), "\(outcome)")
      #expect(
        try await deadwax.must(["ls", "--fields", "rating,mood", "--format", "tsv"]).text.hasSuffix(
          options.isEmpty ? "60\tcalm\n" : "60\t\n"))
    }
    let scaled = try await deadwax.run(["import", "--beets", beets, "--rating-scale", "5", "--json"])
    let documents = try JSONSerialization.jsonObject(with: scaled.standardOutput) as? [String: Any]
    let different = try #require(documents?["different"] as? [[String: String]])
    #expect(different == [["path": path, "name": "rating", "kept": "60", "beets": "80"]])
    #expect(scaled.errorText.contains("--rating-scale") == false, "\(scaled)")
    #expect(try await deadwax.run(["import", "--beets", beets, "--rating-scale", "0"]).status == 64)
  }
}
