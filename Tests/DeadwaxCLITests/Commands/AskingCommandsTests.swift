import Foundation
import Testing
import TestSupport

/// Lists in all forms, exports and completions, with the scanned fixtures.
struct AskingCommandsTests {
  func run(_ arguments: String...) async throws -> CommandOutcome {
    try await ScannedFixtures.audio.value.called.run(arguments)
  }

  @Test func `a line of one's own has fields in braces`() async throws {
    let outcome = try await run(
      "ls", "title:Lacquer", "--format-string", "{{{track:02}}} {artist} – {title} [{duration}]")
    #expect(outcome.text == "{02} Lathe & Lantern – Lacquer [0:11]\n")
    let wrong = try await run("ls", "--format-string", "{titel}")
    #expect(wrong.status == 64 && wrong.errorText.contains("--format-string") && wrong.errorText.contains("title"))
  }

  @Test func `files are counted and summed up in groups`() async throws {
    let groups = try await run("ls", "--group-by", "codec", "--count", "--sum", "size", "--format", "jsonl", "codec:o")
      .lines(FieldRow.self)
    let files = try await run("ls", "codec:o", "--format", "jsonl", "--fields", "codec,size").lines(FieldRow.self)
    let expected = Dictionary(grouping: files, by: \.codec).mapValues {
      [$0.count, $0.reduce(0) { $0 + ($1.size ?? 0) }]
    }
    #expect(Dictionary(uniqueKeysWithValues: groups.map { ($0.codec, [$0.count ?? 0, $0.size ?? 0]) }) == expected)
    #expect(try await run("ls", "--count", "--format", "csv").text == "count\n25\n")
    let sorted = try await run("ls", "--group-by", "codec", "--count", "--sort", "count-", "--format", "tsv").text
    let counts = sorted.split(separator: "\n").dropFirst().compactMap {
      $0.split(separator: "\t").last.flatMap { Int($0) }
    }
    #expect(counts == counts.sorted(by: >) && counts.count > 5)
    #expect(try await run("ls", "--sum", "title").status == 64)
    #expect(try await run("ls", "--count", "-0").status == 64)
    #expect(try await run("ls", "-0", "--fields", "title").status == 64)
    #expect(try await run("ls", "--group-by", "artist", "--fields", "title").status == 64)
    #expect(try await run("ls", "--group-by", "artist", "year-").status == 64)
    #expect(try await run("ls", "--count", "--format", "csv", "year-").text == "count\n25\n")
  }

  // Faults: 116
  @Test func `paths come from standard input, and one that is unknown is told with its number`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let known = try await deadwax.must(["ls", "-0", "codec:flac"]).standardOutput
    let outcome = try await deadwax.run(
      ["ls", "--stdin0", "--format", "csv", "--fields", "codec"], standardInput: known + Data("/nothing\0".utf8))
    #expect(outcome.text == "codec\n" + String(repeating: "flac\n", count: 5), "\(outcome)")
    #expect(outcome.errorText.contains("path 6: /nothing: not in the library"), "\(outcome)")
    var many = Data()
    for number in 0..<100_000 { many += Data("/music/\(number)\0".utf8) }
    let none = try await deadwax.run(["ls", "--stdin0", "--format", "paths"], standardInput: many)
    #expect(none.text.isEmpty && none.errorText.split(separator: "\n").count == 100_000, "\(none)")
    let count = try await deadwax.run(["ls", "--stdin0", "--count", "--format", "csv"], standardInput: many)
    #expect(count.status == 64 && count.errorText.contains("--count cannot be used with"), "\(count)")
  }

  /// Commands that take a query.
  private static let asking = [
    ["ls"], ["ls", "--format", "json"], ["export", "--what", "tracks"], ["export", "--what", "playlist"],
    ["export", "--what", "waveforms", "-o", "w/"], ["problems"], ["prune"], ["duplicates"],
    ["map", "--format", "json"],
  ]

  @Test(arguments: asking)
  func `a number alone is a word, and how to name a track is told`(command: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called.copy()
    let name = try await deadwax.must(["ls", "--format-string", "{artist} - {title}", "id:17"]).text
      .trimmingCharacters(in: .newlines)
    let found = try await deadwax.run(command + ["17"])
    #expect(found.status == 0, "\(found)")
    #expect(found.errorText.contains("deadwax: 17 is searched as text; id:17 is the track '\(name)'\n"), "\(found)")
    #expect(try await !deadwax.run(command + ["-q", "17"]).errorText.contains("id:17"))
    for query in ["id:17", "1234567", "take 17"] {
      #expect(try await !deadwax.run(command + [query]).errorText.contains("is searched as text"), "\(query)")
    }
    let help = try await deadwax.must([command[0], "--help"]).text
    #expect(help.contains("id:17"))
  }

  @Test(arguments: asking + [["reanalyze", "--dry-run"]])
  func `a query that finds nothing is no failure, and is told unless quiet`(command: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called.copy()
    let outcome = try await deadwax.run(command + ["title:=nothing"])
    #expect(outcome.status == 0 && outcome.errorText.contains("deadwax: nothing found"), "\(outcome)")
    let quiet = try await deadwax.run(command + ["-q", "title:=nothing"])
    #expect(quiet.status == 0 && quiet.errorText.isEmpty, "\(quiet)")
    #expect(try !deadwax.home.names().contains("w"))
  }

  @Test(arguments: [
    ["list", "ls"], ["attribute", "ls"], ["attribute", "ls", "1"], ["shards"], ["undo", "--list"],
    ["preset", "orphans"],
    ["preset", "ls", "--assignments"], ["serve", "user", "ls"], ["restore", "--list"], ["duplicates", "ext:opus"],
  ])
  func `a list of nothing says so, but not to programs`(command: [String]) async throws {
    let deadwax = try await ScannedFixtures.audio.value.called.copy()
    let outcome = try await deadwax.run(command)
    #expect(outcome.status == 0 && outcome.text.isEmpty, "\(outcome)")
    #expect(outcome.errorText.hasPrefix("deadwax: ") && outcome.errorText.split(separator: "\n").count == 1)
    #expect(try await deadwax.run(command + ["-q"]).errorText.isEmpty)
    let document = try await deadwax.run(command + ["--json"])
    #expect(document.errorText.isEmpty && document.text.hasPrefix("{"), "\(document)")
  }

  @Test func `a query of several numbers is told, too`() async throws {
    #expect(try await run("ls", "17", "3").errorText.contains("'id:17 , id:3' are tracks"))
    #expect(try await run("ls", "--count", "--format", "csv", "id:17 , id:3").text == "count\n2\n")
  }

  // Faults: 113, 114
  @Test(arguments: [
    ["ls", "--limit", "1e400"], ["ls", "--limit", "NaN"], ["ls", "--limit", "-0x1"], ["ls", "--limit", "0x10"],
    ["ls", "--limit", "٣"], ["ls", "--limit", ""], ["ls", "--limit", "1000000000000000000000000000000"],
    ["ls", "--limit", "5 "],
  ])
  func `a number that is none is status 64 with option and range`(arguments: [String]) async throws {
    let outcome = try await ScannedFixtures.audio.value.called.run(arguments)
    #expect(outcome.status == 64 && outcome.errorText.contains("--limit") && outcome.errorText.contains("Usage:"))
    #expect(outcome.errorText.contains("from 0 to") || arguments[2].hasPrefix("-"), "\(outcome.errorText)")
  }

  // Faults: 143, 145, 146
  @Test(arguments: [
    ("'; DROP TABLE file; --", 0), ("\"unbalanced", 64), ("(a", 64), ("a)", 64), ("NEAR(a b)", 64),
    ("\"NEAR(a b)\"", 0), ("a* -zq", 0), ("a* OR b*", 0),
    ("\"\\\"\" OR '", 0), ("year:abc", 64), ("duration:>NaN", 64), ("year:2000..1990", 64), ("title::[", 64),
    ("title::(a+)+$", 0), ("title::(a*)*b", 0), ("band(5)>1", 64), ("is:nothing", 64), ("🎵 ‮abc", 0),
  ])
  func `a query is literal or a mistake with its column, and never a message of SQLite`(
    query: String, status: Int32
  ) async throws {
    let outcome = try await run("ls", "--", query)
    #expect(outcome.status == status, "\(outcome)")
    if status != 0 { #expect(outcome.errorText.contains("query, column "), "\(outcome.errorText)") }
    #expect(!outcome.errorText.lowercased().contains("sql") && !outcome.errorText.contains("fts5"))
  }

  // Faults: 144
  @Test(arguments: [
    String(repeating: "(", count: 10_000), String(repeating: "x", count: 1 << 17) + " ",
    Array(repeating: "x", count: 10_000).joined(separator: " OR "),
  ])
  func `a query without measure is refused`(query: String) async throws {
    let outcome = try await run("ls", String(query.prefix(100_000)))
    #expect(outcome.status == 64 && outcome.errorText.utf8.count < 400)
  }

  // Faults: 147
  @Test func `text is found in any form of Unicode, in any script, by any part`() async throws {
    for word in ["E\u{301}MILIE", "sondergard", "星屑", "屑", "配線", "البحر", "ondergå", "re-lente"] {
      let outcome = try await run("ls", "--format", "paths", "--", word == "re-lente" ? "maree lente" : word)
      #expect(!outcome.text.isEmpty, "\(word)")
    }
  }

  // Faults: 148
  @Test func `a sort with ties and without values is the same on every page`() async throws {
    let whole = try await run("ls", "--sort", "year-", "--format", "csv", "--fields", "year,filename").text
    for limit in [1, 7, 20] {
      let page = try await run(
        "ls", "--sort", "year-", "--limit", "\(limit)", "--format", "csv", "--fields", "year,filename")
      #expect(whole.hasPrefix(page.text) && page.text.split(separator: "\n").count == limit + 1)
    }
  }

  // MARK: - Exports

  @Test(.enabled(if: Tool.exist("python3"), "python3 is not installed"))
  func `CSV, JSON lines and XML are read by others`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called.copy()
    for arguments in [
      ["tracks", "-o", "t.csv"], ["tags", "--format", "jsonl", "-o", "t.jsonl"],
      ["playlist", "--format", "rekordbox", "-o", "r.xml"], ["playlist", "-o", "p.xspf"],
    ] { try await deadwax.must(["export", "--what"] + arguments) }
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/python3"),
      [
        "-c",
        """
        import csv, json, sys, xml.dom.minidom
        rows = list(csv.reader(open(sys.argv[1] + "/t.csv", newline="", encoding="utf-8")))
        tags = [json.loads(line) for line in open(sys.argv[1] + "/t.jsonl", encoding="utf-8")]
        tracks = xml.dom.minidom.parse(sys.argv[1] + "/r.xml").getElementsByTagName("TRACK")
        entries = xml.dom.minidom.parse(sys.argv[1] + "/p.xspf").getElementsByTagName("track")
        print(len(rows), len({len(row) for row in rows}), len(tags), len(tracks), len(entries))
        """, deadwax.home.url.path,
      ])
    #expect(outcome.status == 0 && outcome.text == "26 1 25 50 25\n", "\(outcome)")
  }

  @Test func `a library's bundle can be asked like the library`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called.copy()
    let bundle = deadwax.home.appending("bundle")
    try await deadwax.must(["export", "--what", "library", "-o", "bundle"])
    let names = try FileManager.default.contentsOfDirectory(atPath: bundle.path).sorted()
    #expect(names == ["library.sqlite", "tags.jsonl", "tracks.jsonl"])
    let outcome = try await deadwax.run(["ls", "--count", "--format", "csv", "-L", "bundle/library.sqlite"])
    #expect(outcome.text == "count\n25\n", "\(outcome)")
  }

  @Test func `waveforms and spectra of a query become files of a folder`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called.copy()
    try await deadwax.must(["export", "--what", "waveforms", "-o", "w", "artist:lathe"])
    try await deadwax.must(["export", "--what", "spectra", "--format", "csv", "-o", "s/", "artist:lathe"])
    try await deadwax.must(["waveform", "title:Lacquer", "-o", "l.dat"])
    let track = try Data(contentsOf: deadwax.home.appending("w/Lathe & Lantern - Lacquer.dat"))
    #expect(try Data(contentsOf: deadwax.home.appending("l.dat")) == track)
    let counts = try ["w", "s"].map {
      try FileManager.default.contentsOfDirectory(atPath: deadwax.home.appending($0).path).count
    }
    #expect(counts == [6, 6])
  }

  // MARK: - Help

  private static let shells = ["bash", "zsh", "fish"]

  @Test(arguments: shells)
  func `completions have every option`(shell name: String) async throws {
    let script = try await run("completions", name)
    #expect(script.status == 0 && script.text.contains("format-string"))
  }

  @Test(
    .enabled(if: shells.allSatisfy { Tool.exist($0) }, "bash, zsh or fish is not installed"), arguments: shells)
  func `completions load without a word`(shell name: String) async throws {
    let prefix = name == "zsh" ? "autoload -U compinit; compinit -u; " : ""
    let deadwax = try DeadwaxCommand.called()
    try await deadwax.must(["completions", name]).standardOutput.write(to: deadwax.home.appending("c"))
    let outcome = try await deadwax.run(
      executable: URL(filePath: "/usr/bin/env"), [name, "-c", prefix + #"source "$HOME/c""#])
    #expect(outcome.status == 0 && outcome.text.isEmpty && outcome.errorText.isEmpty, "\(outcome)")
  }

  @Test(.enabled(if: Tool.exist("bash"), "bash is not installed"))
  func `help completes the names of commands`() async throws {
    let deadwax = try DeadwaxCommand.called()
    try await deadwax.must(["completions", "bash"]).standardOutput.write(to: deadwax.home.appending("c"))
    let outcome = try await deadwax.shell(
      """
      source c; COMP_WORDS=(deadwax help pre); COMP_CWORD=2; COMP_LINE='deadwax help pre'
      COMP_POINT=${#COMP_LINE}; _deadwax deadwax pre help; echo "${COMPREPLY[@]}"
      """)
    #expect(outcome.text == "preset\n", "\(outcome)")
    for name in ["zsh", "fish"] {
      let topics = try await run("completions", name).text.split(separator: "\n").filter {
        $0.contains("scan watch reanalyze status")
      }
      #expect(topics.count == 1, "\(name)")
    }
  }

  /// What the script of bash asks.
  private func complete(_ words: String, _ deadwax: DeadwaxCommand) async throws -> CommandOutcome {
    try await deadwax.run(
      ["---completion"] + words.split(separator: " ").map(String.init), environment: ["SAP_SHELL": "bash"])
  }

  @Test func `completions know fields and presets`() async throws {
    let deadwax = try await ScannedFixtures.audio.value.called
    let fields = try await complete("ls -- --fields 3 9 deadwax ls --fields title,lu", deadwax)
    #expect(fields.text.contains("title,lufs"), "\(fields)")
    let presets = try await complete("preset show -- name 3 0 deadwax preset show V", deadwax)
    #expect(presets.text.contains("Voice"), "\(presets)")
  }

  @Test(.enabled(if: Tool.exist("sqlite3"), "the sqlite3 shell is not installed"))
  func `completions do not bring an older library up to date`() async throws {
    let deadwax = try DeadwaxCommand.called()
    try Corpora.writeOldLibrary(to: deadwax.library)
    let bytes = try Data(contentsOf: deadwax.library)
    let presets = try await complete("preset show -- name 3 0 deadwax preset show V", deadwax)
    #expect(presets.status == 0 && presets.text.contains("Voice") && presets.errorText.isEmpty, "\(presets)")
    #expect(try Data(contentsOf: deadwax.library) == bytes)
    #expect(try deadwax.home.names().filter { $0.hasPrefix("library") } == ["library.sqlite"])
  }
}
