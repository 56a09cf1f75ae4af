import Foundation
import Testing
import TestSupport

/// A backup is whole or not there, and never replaces what it should keep.
@Suite(.serialized, .enabled(if: LibraryDump.isPossible, "\(LibraryDump.absence)"))
struct BackupTests {
  let deadwax: DeadwaxCommand
  let music: MusicFolder
  let backup: URL

  init() async throws {
    let scanned = try await ScannedMusic.of("audio/Lathe & Lantern")
    (music, deadwax) = (scanned.music, try await scanned.library().called)
    backup = deadwax.home.appending("kept/library.backup")
    try FileManager.default.createDirectory(
      at: backup.deletingLastPathComponent(), withIntermediateDirectories: true)
    try #require(try await deadwax.run(["preset", "create", "mine", "--gain", "-2"]).status == 0)
    try #require(try await deadwax.run(["preset", "assign", "mine", "title:Lacquer"]).status == 0)
  }

  func names(in folder: URL) throws -> [String] {
    try FileManager.default.contentsOfDirectory(atPath: folder.path).sorted()
  }

  @Test func `a backup says what the library says, and comes back as the library`() async throws {
    let before = try await LibraryDump(deadwax)
    let made = try await deadwax.run(["backup", backup.path])
    #expect(made.status == 0 && made.text.contains("1 preset, 1 assignment"), "\(made)")
    #expect(try await LibraryDump(deadwax.with(backup)) == before)
    #expect(try await deadwax.with(backup).run(["doctor", "--deep"]).status == 0)

    _ = try await deadwax.run(["preset", "delete", "mine", "--force"])
    let restored = try await deadwax.run(["restore", backup.path])
    #expect(restored.status == 0, "\(restored)")
    #expect(try await LibraryDump(deadwax) == before)
    #expect(try await deadwax.run(["preset", "of", "title:Lacquer"]).text.contains("mine"))
    // The previous library stays beside it, unchanged.
    let names = try deadwax.home.names().filter { $0.hasPrefix("library.sqlite") }
    #expect(names.count == 2 && names.contains { $0.hasPrefix("library.sqlite.before-") })
    let kept = deadwax.with(deadwax.home.appending(try #require(names.first { $0 != "library.sqlite" })))
    #expect(!(try await kept.run(["preset", "ls"]).text.contains("mine")))
    #expect(try await deadwax.run(["scan", "--json"]).document(ScanDocument.self).decoded_files == 0)
  }

  // Faults: 111
  @Test func `a library that is lost comes back`() async throws {
    let before = try await LibraryDump(deadwax)
    _ = try await deadwax.run(["backup", backup.path])
    try FileManager.default.removeItem(at: deadwax.library)
    #expect(try await deadwax.run(["restore", backup.path]).status == 0)
    #expect(try await LibraryDump(deadwax) == before)
    #expect(try deadwax.home.names().filter { $0.hasPrefix("library") } == ["library.sqlite"])
  }

  @Test func `older backups move up, as many as are kept`() async throws {
    for number in 1...5 {
      _ = try await deadwax.run(["preset", "create", "p\(number)", "--gain", "-1"])
      #expect(try await deadwax.run(["backup", backup.path, "--keep", "2"]).status == 0)
    }
    let names = try names(in: backup.deletingLastPathComponent())
    #expect(names == ["library.backup", "library.backup.1", "library.backup.2"])
    for (name, newest) in zip(names, [5, 4, 3]) {
      let kept = deadwax.with(backup.deletingLastPathComponent().appending(path: name))
      let text = try await kept.run(["preset", "ls"]).text
      #expect(text.contains("p\(newest)") && !text.contains("p\(newest + 1)"))
    }
  }

  @Test func `the next scan clears away what a killed restoration left`() async throws {
    // No process has such a number.
    let left = deadwax.library.path + ".new-99999999-0"
    try FileManager.default.createDirectory(atPath: left, withIntermediateDirectories: false)
    try FileManager.default.copyItem(atPath: deadwax.library.path, toPath: left + "/new")
    try Data("pages as they were".utf8).write(to: URL(filePath: left + "/new-journal"))
    // A file that only has such a name is somebody's.
    let backup = deadwax.library.path + ".new-2026-11"
    try FileManager.default.copyItem(atPath: deadwax.library.path, toPath: backup)
    let listed = try await deadwax.run(["restore", "--list", "--json"]).document(BackupsDocument.self)
    #expect(listed.backups.count == 1, "\(listed)")
    #expect(try await deadwax.run(["scan"]).status == 0)
    #expect(
      try deadwax.home.names().filter { $0.hasPrefix("library") }.sorted()
        == ["library.sqlite", "library.sqlite.new-2026-11"])
  }

  // Faults: 111
  @Test func `a backup with more presets is not replaced without force`() async throws {
    _ = try await deadwax.run(["backup", backup.path])
    let bytes = try Data(contentsOf: backup)
    _ = try await deadwax.run(["preset", "delete", "mine", "--force"])
    let refused = try await deadwax.run(["backup", backup.path])
    #expect(refused.status == 4 && refused.errorText.contains("0 presets instead of 1"), "\(refused)")
    #expect(try Data(contentsOf: backup) == bytes)
    #expect(try await deadwax.run(["backup", backup.path, "--force"]).status == 0)
    #expect(try await deadwax.run(["backup", backup.path]).status == 0)
  }

  @Test func `what is not a library is not replaced, and the library is not a backup of itself`() async throws {
    try Data("a letter".utf8).write(to: backup)
    #expect(try await deadwax.run(["backup", backup.path]).status == 5)
    #expect(try Data(contentsOf: backup) == Data("a letter".utf8))
    #expect(try await deadwax.run(["backup", deadwax.library.path]).status == 64)
    #expect(try await deadwax.run(["restore", deadwax.library.path]).status == 64)
    #expect(try await deadwax.run(["doctor"]).status == 0)
  }

  // Faults: 111
  @Test func `a damaged or newer backup is refused, and the library stays as it is`() async throws {
    _ = try await deadwax.run(["backup", backup.path])
    let whole = try Data(contentsOf: backup)
    let before = try Data(contentsOf: deadwax.library)
    var cut = whole
    cut.removeLast(whole.count / 2)
    var newer = whole
    newer.replaceSubrange(60..<64, with: [0, 0, 0, 99])
    for bytes in [cut, newer, Data("no library".utf8)] {
      try bytes.write(to: backup)
      let outcome = try await deadwax.run(["restore", backup.path])
      #expect(outcome.status == 5 && !outcome.errorText.contains("***"), "\(outcome)")
      #expect(try Data(contentsOf: deadwax.library) == before)
      #expect(try deadwax.home.names().filter { $0.hasPrefix("library") } == ["library.sqlite"])
    }
  }

  @Test func `neither an export of the library nor a refused backup costs an older backup`() async throws {
    let folder = backup.deletingLastPathComponent().appending(path: "row")
    try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    let newest = folder.appending(path: "library.sqlite")
    for _ in 0..<3 { #expect(try await deadwax.run(["backup", newest.path, "--keep", "2"]).status == 0) }
    let before = try TreeDigest(of: folder)
    try Data("log".utf8).write(to: folder.appending(path: "library.sqlite-wal"))
    #expect(try await deadwax.run(["backup", newest.path, "--keep", "2"]).status == 5)
    try FileManager.default.removeItem(at: folder.appending(path: "library.sqlite-wal"))
    #expect(try TreeDigest(of: folder) == before)

    _ = try await deadwax.run(["preset", "delete", "mine", "--force"])
    let refused = try await deadwax.run(["export", "--what", "library", "-o", folder.path])
    #expect(refused.status == 4 && refused.errorText.contains("instead of"), "\(refused)")
    #expect(try TreeDigest(of: folder) == before)
    #expect(try await deadwax.run(["backup", newest.path, "--keep", "2", "--force"]).status == 0)
    #expect(try await deadwax.run(["export", "--what", "library", "-o", folder.path]).status == 0)
    let older = ["library.sqlite", "library.sqlite.1", "library.sqlite.2"]
    #expect(Set(try names(in: folder)).isSuperset(of: older))
  }

  @Test func `only backups are rotated, and no more than are kept`() async throws {
    let folder = backup.deletingLastPathComponent()
    let notes = folder.appending(path: "library.backup.1")
    #expect(try await deadwax.run(["backup", backup.path]).status == 0)
    try Data("notes".utf8).write(to: notes)
    let refused = try await deadwax.run(["backup", backup.path, "--force"])
    #expect(refused.status == 5 && refused.errorText.contains("library.backup.1"), "\(refused)")
    #expect(try Data(contentsOf: notes) == Data("notes".utf8))
    try FileManager.default.removeItem(at: notes)
    for _ in 0..<3 { #expect(try await deadwax.run(["backup", backup.path, "--keep", "3"]).status == 0) }
    #expect(try names(in: folder).count == 4)
    #expect(try await deadwax.run(["backup", backup.path, "--keep", "1"]).status == 0)
    #expect(try names(in: folder) == ["library.backup", "library.backup.1"])

    // Even with --force no folder and no music is replaced.
    #expect(try await deadwax.run(["backup", folder.path, "--force"]).status == 5)
    let song = music.file(
      try #require(try FileManager.default.subpathsOfDirectory(atPath: music.path).first { $0.contains(".") }))
    let before = try Data(contentsOf: song)
    let onto = try await deadwax.run(["backup", song.path, "--force"])
    #expect(onto.status == 1 && onto.errorText.contains("music"), "\(onto)")
    #expect(try Data(contentsOf: song) == before)
  }

  @Test func `the copy from before a migration is not replaced by one with less of what users decided`() async throws {
    for (number, change) in ["", "DELETE FROM attribute;"].enumerated() {
      try FileManager.default.removeItem(at: deadwax.library)
      try Corpora.writeOldLibrary(to: deadwax.library)
      if !change.isEmpty { try Tool.run("sqlite3", deadwax.library.path, change) }
      let first = try await deadwax.run(["ls"])
      #expect(first.status == 0 && first.errorText.contains("a copy from before the migration is "), "\(first)")
      #expect(try await deadwax.run(["ls"]).errorText.isEmpty)
      let kept = try deadwax.home.names().filter { $0.hasPrefix("library.sqlite.schema-3") }.sorted()
      #expect(kept == ["library.sqlite.schema-3", "library.sqlite.schema-3-2"].prefix(number + 1).map { $0 })
    }
    let first = deadwax.home.appending("library.sqlite.schema-3").path
    #expect(try Tool.run("sqlite3", first, "SELECT count(*) FROM attribute") == Data("1\n".utf8))
  }

  @Test func `a damaged library takes no better backup's place`() async throws {
    #expect(try await deadwax.run(["backup", backup.path]).status == 0)
    let before = try Data(contentsOf: backup)
    try Tool.run("sqlite3", deadwax.library.path, "UPDATE preset SET document = '{'")
    let refused = try await deadwax.run(["backup", backup.path])
    #expect(refused.status == 4 && refused.errorText.contains("the library is damaged: preset mine"), "\(refused)")
    #expect(try Data(contentsOf: backup) == before)
    #expect(!FileManager.default.fileExists(atPath: backup.path + ".1"))
    let forced = try await deadwax.run(["backup", "--force", backup.path])
    #expect(forced.status == 0 && forced.errorText.contains("the library is damaged: preset mine"), "\(forced)")
    #expect(try Data(contentsOf: URL(filePath: backup.path + ".1")) == before)
    let restored = try await deadwax.run(["restore", backup.path])
    #expect(restored.status == 0 && restored.errorText.contains("the library is damaged"), "\(restored)")
  }
}
