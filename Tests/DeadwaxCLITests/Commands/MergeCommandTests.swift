import Foundation
import LibraryMerging
import Testing
import TestSupport

/// Libraries that were created separately become one.
@Suite(.serialized, .enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct MergeCommandTests {
  private let deadwax: DeadwaxCommand

  init() throws { deadwax = try DeadwaxCommand.called() }

  /// The same command with another library.
  private func with(_ name: String) -> DeadwaxCommand {
    var other = deadwax
    other.library = deadwax.home.appending(name)
    return other
  }

  /// A library of all fixtures except some; that of the command itself is of another scan than the others.
  private func scan(_ library: DeadwaxCommand, without globs: [String] = []) async throws {
    let jobs = library.library == deadwax.library ? ["--jobs", "1"] : []
    try await ScannedMusic.of("audio", "damaged")
      .copyLibrary(to: library.library, globs.flatMap { ["--exclude", $0] } + jobs)
  }

  private func merge(_ arguments: String..., status: Int32 = 0) async throws -> MergeDocument {
    let outcome = try await deadwax.run(["merge", "--json"] + arguments)
    try #require(outcome.status == status, "\(outcome)")
    return try outcome.document()
  }

  /// Halves that share a part, and those that do not.
  @Test(arguments: [true, false]) func `halves that were scanned apart are the whole`(overlap: Bool) async throws {
    let (whole, half) = (with("whole.sqlite"), with("half.sqlite"))
    try await scan(whole)
    try await scan(deadwax, without: overlap ? ["*.flac"] : ["/damaged"])
    try await scan(half, without: overlap ? ["*.mp3", "*.ogg"] : ["/audio"])
    let before = try await LibraryDump(half)
    let document = try await merge(half.library.path)
    #expect(document.libraries.first?.conflicts.isEmpty == true)
    let dump = try await LibraryDump(deadwax)
    let expected = try await LibraryDump(whole)
    #expect(dump == expected, "\(dump.difference(from: expected))")
    #expect(try await LibraryDump(half) == before)
    // Nothing is left to do, and the totals are those of a scan.
    #expect(try await deadwax.run(["scan", "--json"]).document(ScanDocument.self).decoded_files == 0)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    let kept = try #require(document.kept_at.map { URL(filePath: $0) })
    #expect(try await with(kept.lastPathComponent).run(["doctor", "--deep"]).status == 0)
  }

  @Test func `a catalogue has everything but the products that stay in the libraries`() async throws {
    let shard = with("shard.sqlite")
    try await scan(shard)
    _ = try await merge(shard.library.path, "--without-products", "waveform", "spectrogram")
    let kinds = "SELECT kind, count(*) FROM product WHERE kind NOT IN ('waveform', 'spectrogram') GROUP BY kind"
    #expect(try Tool.run("sqlite3", deadwax.library.path, kinds) == Tool.run("sqlite3", shard.library.path, kinds))
    let left = "SELECT count(*) FROM product WHERE kind IN ('waveform', 'spectrogram')"
    #expect(try Tool.run("sqlite3", deadwax.library.path, left) == Data("0\n".utf8))
    // Ids are those of each library.
    let tracks = ["ls", "--json", "--fields", "path,artist,title,album,duration,codec,state", "--sort", "path+"]
    #expect(try await deadwax.must(tracks).text == shard.must(tracks).text)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    // Another merge brings them.
    let document = try await merge(shard.library.path)
    #expect(document.libraries.first?.products.added ?? 0 > 0)
    #expect(try await LibraryDump(deadwax) == LibraryDump(shard))
  }

  @Test func `what cannot be a shard is refused for what it is`() async throws {
    try await scan(deadwax)
    try Data("a letter".utf8).write(to: deadwax.home.appending("letter"))
    try Corpora.writeOldLibrary(to: with("old.sqlite").library)
    for (name, status, reason) in [
      ("nope.sqlite", Int32(64), "nope.sqlite: No such file or directory\n"), ("letter", 5, "not a Deadwax library"),
      ("old.sqlite", 1, "cannot be a shard: made by an older version of the program\n"),
      ("library.sqlite", 64, "this is the library itself"),
    ] {
      let outcome = try await deadwax.run(["shards", "add", name])
      #expect(outcome.status == status && outcome.errorText.contains(reason), "\(outcome)")
      #expect(!outcome.errorText.contains("shards remove"), "\(outcome)")
    }
    #expect(try await deadwax.must(["shards"]).text.isEmpty)
  }

  @Test func `a new library is made of several in one pass, with progress for programs`() async throws {
    let (whole, half) = (with("whole.sqlite"), with("half.sqlite"))
    try await scan(whole)
    try await scan(half, without: ["*.flac"])
    let new = with("new.sqlite")
    let outcome = try await deadwax.run(
      ["merge", "--json", "--json-events", "-o", new.library.path, half.library.path, whole.library.path])
    try #require(outcome.status == 0, "\(outcome)")
    #expect(outcome.errorText.hasPrefix(#"{"event":"progress","command":"merge","path":"#), "\(outcome)")
    let dump = try await LibraryDump(new)
    let expected = try await LibraryDump(whole)
    #expect(dump == expected, "\(dump.difference(from: expected))")
    #expect(try await new.run(["doctor", "--deep"]).status == 0)
    #expect(try await new.run(["scan", "--json"]).document(ScanDocument.self).decoded_files == 0)
    // The library of the command was neither needed nor made.
    #expect(!FileManager.default.fileExists(atPath: deadwax.library.path))
    let taken = try await deadwax.run(["merge", "-o", new.library.path, half.library.path])
    #expect(taken.status == 1 && taken.errorText.hasSuffix("a merge into a new library replaces nothing\n"), "\(taken)")
    #expect(try await LibraryDump(new) == dump)
    let two = try await deadwax.run(["merge", "-o", "x.sqlite", "-L", new.library.path, half.library.path])
    #expect(two.status == 64 && two.errorText.contains("give only one of them"), "\(two)")
    #expect(try await deadwax.run(["merge", "-o", "absent/x.sqlite", half.library.path]).status == 64)
    #expect(try !deadwax.home.names().contains { ["x.sqlite", "absent"].contains($0) })
    #expect(try await deadwax.run(["merge", "-o", "x.sqlite", "--dry-run", half.library.path]).status == 64)
  }

  // Faults: 54
  @Test func `a folder that lies elsewhere here is mapped, and its files are not decoded again`() async throws {
    let (scanned, other) = (try await ScannedMusic.of("audio/Lathe & Lantern"), with("other.sqlite"))
    try await scanned.copyLibrary(to: other.library)
    let (there, here) = (scanned.music, try MusicFolder("audio/Lathe & Lantern"))
    let document = try await merge(other.library.path, "--map", "\(there.path)=\(here.path)")
    #expect(document.kept_at == nil && document.libraries.first?.roots.added == 1)
    #expect(try await volumes(deadwax) == [nil])
    let scan = try await deadwax.run(["scan", "--json"])
    let report = try scan.document(ScanDocument.self)
    #expect(report.new == 0 && report.missing == 0 && report.decoded_files == 0, "\(scan)")
    #expect(try await deadwax.run(["roots"]).text == here.path + "\n")
    // From now on a scan knows which disk it must find there.
    #expect(try await volumes(deadwax) == volumes(other))
  }

  @Test func `what a mapped folder on another disk lacks is missing`() async throws {
    let (scanned, other) = (try await ScannedMusic.of("audio/Lathe & Lantern"), with("other.sqlite"))
    try await scanned.copyLibrary(to: other.library)
    let there = scanned.music
    try Tool.run("sqlite3", other.library.path, "UPDATE file SET device = device + 1")
    let here = deadwax.home.appending("here")
    try Tool.run("cp", "-a", there.path, here.path)
    let gone = try #require(try await LibraryRows(other).paths.first)
    try FileManager.default.removeItem(at: here.appending(path: gone))
    _ = try await merge(other.library.path, "--map", "\(there.path)=\(here.path)")
    let scan = try await deadwax.run(["scan", "--json"])
    let report = try scan.document(ScanDocument.self)
    #expect(report.missing == 1 && report.new == 0 && report.decoded_files == 0, "\(scan)")
  }

  // Faults: 55
  @Test(arguments: ["-a", "-r"])
  func `a mapped folder that lacks much is asked about each time`(option: String) async throws {
    let (scanned, other) = (try await ScannedMusic.of("audio"), with("other.sqlite"))
    try await scanned.copyLibrary(to: other.library)
    let there = scanned.music
    try Tool.run("sqlite3", other.library.path, "UPDATE file SET device = device + 1")
    let here = deadwax.home.appending("here")
    try Tool.run("cp", option, there.path, here.path)
    let gone = try await LibraryRows(other).paths.sorted().prefix(12)
    try #require(gone.count == 12)
    for path in gone { try FileManager.default.removeItem(at: here.appending(path: path)) }
    _ = try await merge(other.library.path, "--map", "\(there.path)=\(here.path)")
    for _ in 0..<2 {
      let scan = try await deadwax.run(["scan"])
      #expect(scan.status == 4 && scan.errorText.contains("12 of 25"), "\(scan)")
    }
  }

  private func volumes(_ library: DeadwaxCommand) async throws -> [String?] {
    try await library.run(["roots", "--json"]).document(RootsDocument.self).roots.map(\.volume)
  }

  // Faults: 112
  @Test func `a merge into an empty library brings back all that was decided`() async throws {
    let other = with("other.sqlite")
    try await scan(other)
    let playlist = deadwax.home.appending("again.m3u8")
    let paths = try await other.run(["ls", "title:Lacquer", "--format", "paths"])
    try Data(("#EXTM3U\n" + paths.text + paths.text).utf8).write(to: playlist)
    for arguments in [
      ["preset", "create", "Warm", "--gain", "-2"], ["preset", "create", "Gone", "--gain", "-1"],
      ["preset", "assign", "Warm", "--artist", "artist:Lathe"], ["preset", "assign", "warm", "title:Lacquer"],
      ["preset", "off", "title:Lead-in"], ["preset", "edit", "warm", "--gain", "-3"], ["preset", "delete", "gone"],
      ["list", "save", "quiet", "lufs:<-20"], ["list", "import", playlist.path, "--name", "again"],
    ] {
      let outcome = try await other.run(arguments)
      #expect(outcome.status == 0, "\(arguments): \(outcome)")
    }
    _ = try await merge(other.library.path)
    for arguments in [
      ["preset", "ls", "--json"], ["preset", "show", "Warm", "--json"], ["preset", "undo", "--list", "--json"],
      ["list", "ls", "--json"], ["ls", "--fields", "path,preset,added", "--format", "json"],
    ] {
      let (mine, theirs) = (try await deadwax.run(arguments), try await other.run(arguments))
      #expect(mine.status == 0 && mine.text == theirs.text, "\(arguments): \(mine) \(theirs)")
    }
    #expect(try await deadwax.run(["preset", "undo"]).text == "undone: save the list again\n")
  }

  @Test func `what disagrees is listed as text and as JSON, and is a problem for --strict only`() async throws {
    let other = with("other.sqlite")
    for (library, gain) in [(deadwax, "-1"), (other, "-2")] {
      try await scan(library)
      _ = try await library.run(["preset", "create", "Warm", "--gain", gain])
    }
    _ = try await deadwax.run(["preset", "assign", "Bass", "title:Lacquer"])
    _ = try await other.run(["preset", "assign", "Warm", "title:Lacquer"])
    let before = try Data(contentsOf: deadwax.library)
    let intoNone = try await with("new.sqlite").run(["merge", other.library.path, "--dry-run"])
    #expect(intoNone.status == 0 && intoNone.text.contains("would be merged"), "\(intoNone)")
    #expect(!FileManager.default.fileExists(atPath: with("new.sqlite").library.path))
    let rehearsed = try await merge(other.library.path, "--dry-run", "--strict", status: 3)
    #expect(rehearsed.dry_run && rehearsed.schema == 1)
    #expect(try Data(contentsOf: deadwax.library) == before)
    let library = try #require(rehearsed.libraries.first)
    #expect(library.conflicts.map(\.of) == ["preset", "assignment"])
    #expect(library.conflicts[0].new_name == "Warm (2)")
    #expect(library.conflicts[1].kept == "Bass" && library.conflicts[1].other == "Warm (2)")

    let outcome = try await deadwax.run(["merge", other.library.path, "--quiet"])
    #expect(outcome.status == 0 && outcome.errorText.isEmpty, "\(outcome)")
    #expect(outcome.text.contains("different preset 'Warm' there, kept as 'Warm (2)'"))
    #expect(outcome.text.contains("'Bass' is kept, 'Warm (2)' there"))
    #expect(try await deadwax.run(["preset", "ls"]).text.contains("Warm (2)"))
  }

  @Test func `a merge that changes nothing leaves no copy`() async throws {
    let other = with("other.sqlite")
    try await scan(deadwax)
    try await scan(other, without: ["*.mp3"])
    let first = try await deadwax.run(["merge", other.library.path])
    #expect(first.status == 0 && first.errorText == "deadwax: nothing was changed\n", "\(first)")
    #expect(try deadwax.home.names().filter { $0.contains(".before-") } == [])
    try #require(try await other.run(["preset", "create", "Warm", "--gain", "-1"]).status == 0)
    let second = try await deadwax.run(["merge", other.library.path])
    #expect(second.status == 0 && !second.errorText.contains("nothing was changed"), "\(second)")
    #expect(try deadwax.home.names().count { $0.contains(".before-") } == 1)
  }

  @Test func `wrong usage, and what is not a library, change nothing`() async throws {
    #expect(try await deadwax.run(["merge"]).status == 64)
    #expect(try await deadwax.run(["merge", "nothing.sqlite"]).status == 64)
    try Data("a letter".utf8).write(to: deadwax.home.appending("letter"))
    #expect(try await deadwax.run(["merge", "letter"]).status == 5)
    #expect(try deadwax.home.names() == ["letter"], "no library is made for nothing")
    let other = with("other.sqlite")
    try await scan(other)
    for map in ["", "x", "a=b", "/a=b", "=/b", "/nowhere=/b"] {
      let outcome = try await deadwax.run(["merge", other.library.path, "--map", map])
      #expect(outcome.status == 64, "\(map): \(outcome)")
    }
    let itself = try await other.run(["merge", other.library.path])
    #expect(itself.status == 64 && itself.errorText.contains("this is the library itself"), "\(itself)")
  }
}
