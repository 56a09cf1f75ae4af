import GRDB
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaStore
import Testing
import TestSupport

/// Write-ahead logs that killed processes left, beside their own library and beside another.
struct ForeignLogTests {
  /// What a process leaves that is killed after it stored some files: the library, and its log beside it.
  private func killed(_ fileCount: Int, offset: Int) throws -> (file: [UInt8], log: [UInt8]) {
    let library = try TemporaryLibrary()
    try library.store.scans.apply(
      (0..<fileCount).map { number in
        .extracted(Sample.record("f\(offset + number).flac", Sample.extraction(UInt64(offset + number))))
      })
    return (try library.folder.bytes(of: "library.sqlite"), try library.folder.bytes(of: "library.sqlite-wal"))
  }

  private func folder(_ file: [UInt8], _ log: [UInt8]) throws -> TemporaryFolder {
    let folder = try TemporaryFolder()
    try folder.write(file, to: "l.sqlite")
    try folder.write(log, to: "l.sqlite-wal")
    return folder
  }

  // Faults: 104
  @Test func `the library's own log is applied, whatever lies there as shared memory`() throws {
    let (file, log) = try killed(30, offset: 0)
    let folder = try folder(file, log)
    var random = RepeatableRandom(seed: 3)
    try folder.write((0..<32_768).map { _ in UInt8.random(in: 0...255, using: &random) }, to: "l.sqlite-shm")
    let report = try LibraryRepair.repair(folder.file("l.sqlite"), to: folder.file("new.sqlite"))
    #expect(report.tables.first { $0.name == "file" }?.rowCount == 30)
    #expect(report.tables.allSatisfy(\.isWhole) && report.check.isSound)
    #expect(try folder.bytes(of: "l.sqlite") == file)
    #expect(try folder.bytes(of: "l.sqlite-wal") == log)
    let store = try MediaStore(at: folder.file("l.sqlite"), access: .readOnly)
    #expect(try store.scans.knownFiles(inRoot: 1).count == 30)
    #expect(try store.check(isDeep: true).isSound)
    try store.close()
  }

  // Faults: 104, 178
  @Test(arguments: [1, 2, 3, 30, 400], LibraryOpeningTests.accesses)
  func `the log of another library is set aside, and nothing of it is applied`(
    count: Int, access: MediaStore.Access
  ) throws {
    let whole = try UserLibrary(fileCount: 25)
    let (_, log) = try killed(count, offset: 5000)
    let folder = try folder(whole.bytes, log)
    let store = try MediaStore(at: folder.file("l.sqlite"), access: access)
    #expect(try store.scans.knownFiles(inRoot: 1).count == 25)
    #expect(store.warnings.count == 1 && store.warnings[0].contains("l.sqlite-wal.foreign-"))
    #expect(try store.check(isDeep: true).isSound)
    try store.close()
    #expect(try folder.bytes(of: "l.sqlite") == whole.bytes)
    #expect(try folder.names().count == 2)
    let kept = try #require(try folder.names().first { $0.hasPrefix("l.sqlite-wal.foreign-") })
    #expect(try folder.bytes(of: kept) == log)
  }

  // Faults: 104, 178
  @Test(arguments: [3, 400]) func `a repair ignores the log of another library`(count: Int) throws {
    let whole = try UserLibrary()
    let (_, log) = try killed(count, offset: 5000)
    let folder = try folder(whole.bytes, log)
    let report = try LibraryRepair.repair(folder.file("l.sqlite"), to: folder.file("new.sqlite"))
    #expect(report.hadForeignLog && report.check.isSound)
    #expect(try TableRows(folder.file("new.sqlite")) == whole.rows)
    #expect(try folder.bytes(of: "l.sqlite-wal") == log)
  }

  @Test func `a log that is damaged counts up to its last whole transaction`() throws {
    let (file, log) = try killed(30, offset: 0)
    for offset in stride(from: 0, to: log.count, by: 40_009) {
      var damaged = log
      damaged[offset] ^= 0x10
      let folder = try folder(file, damaged)
      let report = try LibraryRepair.repair(folder.file("l.sqlite"), to: folder.file("new.sqlite"))
      #expect(report.check.isSound)
      // As SQLite itself sees it.
      let store = try MediaStore(at: folder.file("l.sqlite"), access: .readOnly)
      let rows = try store.roots.all().isEmpty ? 0 : try store.scans.knownFiles(inRoot: 1).count
      try store.close()
      #expect(report.tables.first { $0.name == "file" }?.rowCount == rows)
    }
  }
}
