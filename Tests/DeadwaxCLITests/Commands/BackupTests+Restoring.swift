import Foundation
import Testing
import TestSupport

/// What can be restored, and from where.
extension BackupTests {
  // Faults: 111
  @Test func `restore lists the copies that there are, the newest first, and changes none`() async throws {
    let folder = backup.deletingLastPathComponent()
    for number in 1...3 {
      _ = try await deadwax.run(["preset", "create", "p\(number)", "--gain", "-1"])
      #expect(try await deadwax.run(["backup", backup.path, "--keep", "2"]).status == 0)
    }
    try Data("a letter".utf8).write(to: folder.appending(path: "library.backup.txt"))
    // Two years old, and half of it is gone.
    let older = folder.appending(path: "library.backup.7")
    try FileManager.default.copyItem(at: backup, to: older)
    let whole = try Data(contentsOf: older)
    try whole.prefix(whole.count / 2).write(to: older)
    try FileManager.default.setAttributes(
      [.modificationDate: Date(timeIntervalSinceNow: -6e7)], ofItemAtPath: older.path)
    let before = try names(in: folder).map { try Data(contentsOf: folder.appending(path: $0)) }

    let listed = try await deadwax.run(["restore", "--list", "--json", backup.path]).document(BackupsDocument.self)
      .backups
    #expect(Set(listed.prefix(3).map(\.path)) == Set(["", ".1", ".2"].map { backup.path + $0 }))
    #expect(listed.prefix(3).allSatisfy { $0.problem == nil && $0.files == 4 })
    #expect(listed.first { $0.path == backup.path }?.presets == 4)
    #expect(listed.first { $0.path == backup.path + ".2" }?.presets == 2)
    #expect(listed.last?.path == older.path && listed.last?.problem != nil && listed.count == 4)
    // A folder: what is a library by its first bytes.
    let inFolder = try await deadwax.run(["restore", "--list", "--json", folder.path]).document(BackupsDocument.self)
    #expect(inFolder.backups == listed)
    #expect(try names(in: folder).map { try Data(contentsOf: folder.appending(path: $0)) } == before)

    // Beside the library lies what it was before it was restored.
    let none = try await deadwax.run(["restore", "--list"])
    #expect(none.status == 0 && none.text.isEmpty && none.errorText.contains("no copies"), "\(none)")
    #expect(try await deadwax.run(["restore", backup.path + ".1"]).status == 0)
    let beside = try await deadwax.run(["restore", "--list", "--json"]).document(BackupsDocument.self).backups
    #expect(beside.count == 1 && beside.first?.presets == 4)
    #expect(try await deadwax.run(["restore", try #require(beside.first).path]).status == 0)
    #expect(try await deadwax.run(["preset", "ls"]).text.contains("p3"))

    #expect(try await deadwax.run(["restore"]).status == 64)
    #expect(try await deadwax.run(["restore", "--list", folder.appending(path: "nothing").path]).status == 64)
  }

  // Faults: 111
  @Test func `listing copies leaves one of an older version as it is`() async throws {
    let older = backup.deletingLastPathComponent().appending(path: "old.sqlite")
    try Corpora.writeOldLibrary(to: older)
    let bytes = try Data(contentsOf: older)
    let listed = try await deadwax.run(["restore", "--list", "--json", older.path]).document(BackupsDocument.self)
      .backups
    #expect(listed.count == 1 && listed.first?.schema_version == 3 && listed.first?.problem == nil, "\(listed)")
    #expect(try Data(contentsOf: older) == bytes)
    #expect(try names(in: older.deletingLastPathComponent()) == ["old.sqlite"])
  }

  @Test func `a library of an older version is kept as it was when a backup takes its place`() async throws {
    try #require(try await deadwax.run(["backup", backup.path]).status == 0)
    let older = backup.deletingLastPathComponent().appending(path: "old.sqlite")
    try Corpora.writeOldLibrary(to: older)
    let bytes = try Data(contentsOf: older)
    let restored = try await deadwax.with(older).run(["restore", backup.path])
    #expect(restored.status == 0, "\(restored)")
    let names = try names(in: older.deletingLastPathComponent()).filter { $0.hasPrefix("old.sqlite") }
    try #require(names.count == 2 && names[1].hasPrefix("old.sqlite.before-"), "\(names)")
    #expect(try Data(contentsOf: older.deletingLastPathComponent().appending(path: names[1])) == bytes)
    #expect(try await deadwax.with(older).run(["doctor"]).status == 0)
  }

  @Test func `a library that cannot be opened stays with its logs, and so do logs without a library`() async throws {
    #expect(try await deadwax.run(["backup", backup.path]).status == 0)
    let logs = ["-journal", "-wal"]
    for isThere in [true, false] {
      let before = try Set(deadwax.home.names())
      if isThere {
        try Data("no library".utf8).write(to: deadwax.library)
      } else {
        try FileManager.default.removeItem(at: deadwax.library)
      }
      for log in logs { try Data(log.utf8).write(to: URL(filePath: deadwax.library.path + log)) }
      let restored = try await deadwax.run(["restore", backup.path])
      #expect(restored.status == 0, "\(restored)")
      #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
      let kept = try Set(deadwax.home.names()).subtracting(before).filter { $0.hasPrefix("library.sqlite.before-") }
      #expect(kept.count == (isThere ? 3 : 2), "\(kept)")
      for log in logs {
        let name = try #require(kept.first { $0.hasSuffix(log) })
        #expect(try Data(contentsOf: deadwax.home.appending(name)) == Data(log.utf8))
      }
    }
  }

  @Test func `a backup with a damaged waveform is restored, and says so`() async throws {
    let sql = "UPDATE product_blob SET bytes = zeroblob(length(bytes)) WHERE product_id = (SELECT min(id) FROM product)"
    try Tool.run("sqlite3", deadwax.library.path, sql)
    let made = try await deadwax.run(["backup", backup.path])
    #expect(made.status == 0 && made.errorText.contains("1 stored product is damaged"), "\(made)")
    let restored = try await deadwax.run(["restore", backup.path])
    #expect(restored.status == 0 && restored.errorText.contains("1 stored product is damaged"), "\(restored)")
    #expect(try await deadwax.run(["scan", "--deep"]).status == 0)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
  }

  @Test func `a backup of an older version is restored and replaced without being changed`() async throws {
    let older = backup.deletingLastPathComponent().appending(path: "old.sqlite")
    try Corpora.writeOldLibrary(to: older)
    let bytes = try Data(contentsOf: older)
    let refused = try await deadwax.run(["backup", older.path])
    #expect(refused.status == 4, "\(refused)")
    #expect(try await deadwax.run(["restore", older.path]).status == 0)
    #expect(try await deadwax.run(["doctor", "--deep"]).status == 0)
    #expect(try Data(contentsOf: older) == bytes)
    #expect(try names(in: older.deletingLastPathComponent()) == ["old.sqlite"])
  }

  @Test func `a backup is restored on a machine that has no folder for libraries yet`() async throws {
    #expect(try await deadwax.run(["backup", backup.path]).status == 0)
    let other = deadwax.with(deadwax.home.appending("new/machine/library.sqlite"))
    #expect(try await other.run(["restore", backup.path]).status == 0)
    #expect(try await LibraryDump(other) == LibraryDump(deadwax))
    let missing = try await deadwax.run(["restore", backup.path + ".none"])
    #expect(missing.status == 64 && missing.errorText.contains("No such file"), "\(missing)")
    #expect(!missing.errorText.contains("scan FOLDER"))
  }
}
