import Base
import LibraryDatabase
import LibraryTracks
import MediaStore
import Testing
@testable import LibraryScanning

struct KnownFilesTests {
  private let library: TemporaryLibrary
  private static let paths = [
    "a", "a!", "a/1", "a/b/2", "a/b!c", "a/b0", "a0", "a0/3", "aa/4", "b", "é/5", "/", "0",
  ]

  init() throws {
    library = try TemporaryLibrary()
    try library.store.scans.apply(Self.paths.map { .extracted(Sample.record($0)) })
  }

  private func names(below folder: BytePath) throws -> [String] {
    try library.store.scans.knownFiles(inRoot: library.root.id, below: folder).map(\.path.displayString)
  }

  /// The steps of SQLite's plan.
  private func plan(below folder: BytePath) throws -> [String] {
    let (sql, arguments) = Scans.knownFiles(inRoot: library.root.id, below: folder)
    return try library.store.read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + sql, arguments: arguments).map { try $0["detail"] }
    }
  }

  @Test(arguments: ["", "a", "a/b", "a0", "b", "é", "nowhere"])
  func `the files below a folder are those whose paths say so, in order`(folder: String) throws {
    let folder = BytePath(folder)
    let expected = Self.paths.map { BytePath($0) }.filter { $0.isBelowOrEqual(to: folder) }.sorted()
    #expect(try names(below: folder) == expected.map(\.displayString))
  }

  @Test func `a folder whose name ends in the last byte there is has files`() throws {
    let folder = BytePath([0x61, 0xFF])
    var record = Sample.record("")
    record.path = folder.appending(BytePath("x"))
    try library.store.scans.apply([.extracted(record)])
    #expect(try library.store.scans.knownFiles(inRoot: library.root.id, below: folder).map(\.path) == [record.path])
  }

  @Test func `a folder of a root is found by the index, without the rest of the root`() throws {
    let plan = try self.plan(below: BytePath("a"))
    let step = "SEARCH file USING INDEX sqlite_autoindex_file_1 (root_id=? AND path>? AND path<?)"
    #expect(plan == [step])
    let whole = try self.plan(below: BytePath(""))
    #expect(whole == ["SEARCH file USING INDEX sqlite_autoindex_file_1 (root_id=?)"])
  }
}
