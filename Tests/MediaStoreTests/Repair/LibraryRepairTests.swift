import Base
import Foundation
import GRDB
import LibraryRecovery
import MediaStore
import Testing
import TestSupport

/// What is saved of a damaged library, and that nothing touches the damaged one.
struct LibraryRepairTests {
  private let whole: UserLibrary

  init() throws { whole = try UserLibrary() }

  /// Repairs the library in a folder into `new.sqlite`, whose rows it gives; the damaged one must stay as it is.
  private func repair(_ folder: TemporaryFolder) throws -> (report: RepairReport, rows: TableRows) {
    let before = try folder.bytes(of: UserLibrary.name)
    let names = try folder.names()
    let report = try LibraryRepair.repair(folder.file(UserLibrary.name), to: folder.file("new.sqlite"))
    #expect(try folder.bytes(of: UserLibrary.name) == before)
    #expect(try folder.names() == (names + ["new.sqlite"]).sorted())
    #expect(report.check.isSound, "\(report.check)")
    return (report, try TableRows(folder.file("new.sqlite")))
  }

  @Test func `a sound library comes out as it was`() throws {
    let (report, rows) = try repair(try whole.copy { _ in })
    #expect(rows == whole.rows)
    #expect(report.tables.allSatisfy(\.isWhole) && !report.hadForeignLog)
    #expect(report.userRowCount == UserLibrary.userTables.reduce(0) { $0 + (whole.rows.rows[$1]?.count ?? 0) })
  }

  @Test func `a new library, which has its owner only, comes out as it was`() throws {
    let folder = try TemporaryFolder()
    try MediaStore(at: folder.file(UserLibrary.name), access: .createIfMissing).close()
    let before = try TableRows(folder.file(UserLibrary.name))
    let (report, rows) = try repair(folder)
    #expect(report.rowCount == 1 && rows == before)
  }

  // Faults: 172
  @Test(arguments: [32_768, 65_536])
  func `pages of another size are the reason why nothing is saved, with the way out`(size: Int) throws {
    let folder = try whole.copy { _ in }
    let path = folder.file(UserLibrary.name)
    func change(to size: Int) throws {
      let queue = try DatabaseQueue(path: path.displayString)
      try queue.writeWithoutTransaction { db in
        // The index's own tables are copied as they are; nothing calls its tokenizer.
        try db.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA page_size = \(size); VACUUM")
      }
      try queue.close()
    }
    try change(to: size)
    let error = #expect(throws: StoreError.self) { try LibraryRepair.repair(path, to: folder.file("new.sqlite")) }
    #expect(error?.description.contains("its pages have \(size) bytes") == true)
    #expect(error?.description.contains("PRAGMA page_size = 8192; VACUUM") == true)
    #expect(try folder.names() == [UserLibrary.name])
    try change(to: 8192)
    #expect(try repair(folder).rows == whole.rows)
  }

  // Faults: 104
  @Test(arguments: [false, true])
  func `without any one page, what users decided is there, except for what stood only on it`(isNoise: Bool) throws {
    var random = RepeatableRandom(seed: 11)
    for page in whole.pages where !isNoise || page % 4 == 0 {
      let folder = try whole.copy { bytes in
        for offset in page * UserLibrary.pageSize..<(page + 1) * UserLibrary.pageSize {
          bytes[offset] = isNoise ? UInt8.random(in: 0...255, using: &random) : 0
        }
      }
      let (report, rows) = try repair(folder)
      // These are in the journal and in an index, too.
      let doubled = ["preset", "preset_assignment", "list_entry"]
      #expect(rows.isEqual(to: whole.rows, in: doubled), "page \(page + 1) of \(whole.owners[page])")
      let owner = whole.owners[page]
      if !UserLibrary.userTables.contains(owner) {
        #expect(rows.isEqual(to: whole.rows, in: UserLibrary.userTables), "page \(page + 1) of \(owner)")
      }
      let lost = rows.lossCount(of: whole.rows, in: Array(whole.rows.rows.keys))
      if owner.hasPrefix("sqlite_autoindex") || owner == "sqlite_schema" || owner.hasPrefix("search") {
        #expect(lost == 0, "page \(page + 1) of \(owner)")
      }
      if lost > 0 { #expect(report.tables.contains { !$0.isWhole }, "page \(page + 1) of \(owner)") }
    }
  }

  // Faults: 104
  @Test func `a flipped byte anywhere is found, or changes hardly a row`() throws {
    var random = RepeatableRandom(seed: 12)
    for page in whole.pages {
      let offset = page * UserLibrary.pageSize + Int.random(in: 0..<UserLibrary.pageSize, using: &random)
      let bit = UInt8(1 << Int.random(in: 0..<8, using: &random))
      let folder = try whole.copy { $0[offset] ^= bit }
      let isFound = try isFound(folder)
      let (_, rows) = try repair(folder)
      // One row, and those that are nothing without it.
      let journal = ["change", "change_row"]
      let lost = rows.lossCount(of: whole.rows, in: UserLibrary.userTables.filter { !journal.contains($0) })
      #expect(lost <= 4, "byte \(offset) of \(whole.owners[page])")
      // A change that lacks a row cannot be undone; the largest is a list with 60 entries.
      #expect(rows.lossCount(of: whole.rows, in: journal) <= 62, "byte \(offset) of \(whole.owners[page])")
      if !isFound {
        let changed = rows.lossCount(of: whole.rows, in: Array(whole.rows.rows.keys))
        #expect(changed <= 4, "byte \(offset) of \(whole.owners[page])")
      }
    }
  }

  /// Whether opening or a deep check finds a library damaged.
  private func isFound(_ folder: TemporaryFolder) throws -> Bool {
    do {
      let store = try MediaStore(at: folder.file(UserLibrary.name), access: .readOnly)
      defer { try? store.close() }
      return try !store.check(isDeep: true).isSound
    } catch {
      return true
    }
  }

  // Faults: 104
  @Test func `a library that ends early gives all rows of the pages that are left`() throws {
    let needed = UserLibrary.userTables + ["audio"]
    let last = try #require(whole.owners.lastIndex { needed.contains($0) })
    for count in Array(stride(from: 12, to: whole.pageCount, by: 9)) + [last + 1] {
      let folder = try whole.copy { $0.removeLast($0.count - count * UserLibrary.pageSize) }
      let (report, rows) = try repair(folder)
      #expect(report.tables.contains { !$0.isWhole } || count > last)
      if count > last { #expect(rows.isEqual(to: whole.rows, in: UserLibrary.userTables), "\(count) pages") }
    }
  }

  @Test func `a damaged product is left out, and its sound is kept`() throws {
    let start = try #require(whole.bytes.firstRange(of: [UInt8](repeating: 7, count: 500)))
    let (report, rows) = try repair(try whole.copy { $0[start.lowerBound + 100] ^= 1 })
    #expect(rows.lossCount(of: whole.rows, in: ["product"]) == 1)
    #expect(rows.lossCount(of: whole.rows, in: ["audio", "measures", "file"] + UserLibrary.userTables) == 0)
    #expect(report.tables.first { $0.name == "product_blob" }?.lostRowCount == 1)
  }

  @Test func `the header may say anything`() throws {
    for offset in stride(from: 0, to: 100, by: 4).map({ $0 + $0 / 4 % 4 }) {
      let (_, rows) = try repair(try whole.copy { $0[offset] ^= 0xFF })
      #expect(rows == whole.rows, "byte \(offset)")
    }
  }

  @Test func `deleted rows do not come back`() throws {
    try whole.library.folder.write(whole.bytes, to: UserLibrary.name)
    try whole.library.execute("DELETE FROM attribute; DELETE FROM file WHERE id > 5")
    // As the next transaction leaves it, which looks for the albums of what is left.
    let store = try MediaStore(at: whole.library.path, access: .readWrite)
    try store.write(.durable) { try AlbumWriter.settle($0) }
    try store.close()
    let expected = try TableRows(whole.library.path)
    let folder = try TemporaryFolder()
    try folder.write(try whole.library.folder.bytes(of: UserLibrary.name), to: UserLibrary.name)
    let found = try repair(folder).rows
    // No id is used again, so links and clients never find another album, list or preset.
    #expect(expected.rows["sqlite_sequence"]?.isEmpty == false)
    for table in expected.rows.keys { #expect(found.rows[table] == expected.rows[table], "\(table)") }
  }

  private static let dumps = Corpora.fixtureFiles(in: "databases")

  @Test(arguments: dumps) func `an older library is repaired and brought up to date`(dump: URL) throws {
    let folder = try TemporaryFolder()
    let queue = try DatabaseQueue(path: folder.file(UserLibrary.name).displayString)
    let text = try dump.pathExtension == "gz" ? Tool.run("gzip", "-dc", dump.path) : Data(contentsOf: dump)
    try queue.writeWithoutTransaction { try $0.execute(sql: String(decoding: text, as: UTF8.self)) }
    let expected = try queue.read { try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id") }
    // The pages of an index, which lead to no row.
    let root = try queue.read {
      try Int.fetchOne($0, sql: "SELECT rootpage FROM sqlite_schema WHERE name = 'file_by_audio'")
    }
    try queue.close()
    var bytes = try folder.bytes(of: UserLibrary.name)
    let start = try (#require(root) - 1) * UserLibrary.pageSize
    bytes.replaceSubrange(
      start..<start + UserLibrary.pageSize, with: Array(repeating: 0xA5, count: UserLibrary.pageSize))
    try folder.write(bytes, to: UserLibrary.name)
    let report = try repair(folder).report
    let found = try DatabaseQueue(path: folder.file("new.sqlite").displayString).read {
      try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id")
    }
    #expect(found == expected && !found.isEmpty)
    #expect(report.tables.first { $0.name == "file" }?.isWhole == true)
  }

  @Test func `nothing that exists is replaced, and what is not a library is refused`() throws {
    let folder = try whole.copy { _ in }
    try folder.write([1, 2, 3], to: "new.sqlite")
    #expect(throws: StoreError.self) {
      try LibraryRepair.repair(folder.file(UserLibrary.name), to: folder.file("new.sqlite"))
    }
    #expect(try folder.bytes(of: "new.sqlite") == [1, 2, 3])
    let other = try TemporaryFolder()
    let queue = try DatabaseQueue(path: other.file("other.sqlite").displayString)
    try queue.write {
      try $0.execute(
        sql: "CREATE TABLE list (id INTEGER PRIMARY KEY, a, b, c); INSERT INTO list VALUES (1, 'a', 'b', 3)")
    }
    try queue.close()
    try other.write(Array("not a database".utf8), to: "text.sqlite")
    try other.write([], to: "empty.sqlite")
    for name in ["other.sqlite", "text.sqlite", "empty.sqlite", "none.sqlite"] {
      #expect(throws: StoreError.self, "\(name)") {
        try LibraryRepair.repair(other.file(name), to: other.file("new.sqlite"))
      }
    }
    #expect(try other.names() == ["empty.sqlite", "other.sqlite", "text.sqlite"])
    let newer = try whole.copy { _ in }
    let newerQueue = try DatabaseQueue(path: newer.file(UserLibrary.name).displayString)
    try newerQueue.writeWithoutTransaction {
      try $0.execute(sql: "PRAGMA journal_mode = DELETE; PRAGMA user_version = 99; CREATE TABLE later (a)")
    }
    try newerQueue.close()
    do {
      _ = try LibraryRepair.repair(newer.file(UserLibrary.name), to: newer.file("new.sqlite"))
      Issue.record("not refused")
    } catch {
      guard case .newerSchema(_, found: 99, supported: _) = error else {
        Issue.record("\(error)")
        return
      }
    }
  }
}
