import Base
import GRDB
import LibraryRecovery
import MediaStore
import Testing
import TestSupport

/// Bytes that are no text, in what users decided.
struct RepairedTextTests {
  private let whole: UserLibrary

  init() throws { whole = try UserLibrary(fileCount: 12) }

  private func repair(after damage: String) throws -> (tables: [String: RepairReport.Table], rows: TableRows) {
    let folder = try whole.copy { _ in }
    let damaged = try DatabaseQueue(path: folder.file(UserLibrary.name).displayString)
    try damaged.writeWithoutTransaction { try $0.execute(sql: damage) }
    try damaged.close()
    return try repair(folder)
  }

  private func repair(
    _ folder: TemporaryFolder
  ) throws -> (tables: [String: RepairReport.Table], rows: TableRows) {
    let report = try LibraryRepair.repair(folder.file(UserLibrary.name), to: folder.file("new.sqlite"))
    #expect(report.check.isSound, "\(report.check)")
    return (
      Dictionary(uniqueKeysWithValues: report.tables.map { ($0.name, $0) }), try TableRows(folder.file("new.sqlite"))
    )
  }

  // Faults: 104
  @Test(arguments: [
    ("preset", "UPDATE preset SET name = CAST(x'4DFF6E652033' AS TEXT) WHERE id = 3"),
    // A letter that a combining mark belongs to.
    ("preset", "UPDATE preset SET name = CAST(x'4DFFCC816E652033' AS TEXT) WHERE id = 3"),
    ("preset", "UPDATE preset SET document = '{' WHERE id = 3"),
    ("preset", "UPDATE preset SET name_key = CAST(x'6DFF6E652033' AS TEXT) WHERE id = 3"),
    ("preset", "UPDATE preset SET name_key = 'nine 3' WHERE id = 3"),
    (
      "preset_assignment",
      "UPDATE preset_assignment SET label = CAST(x'FF' || CAST(label AS BLOB) AS TEXT) WHERE preset_id = 4"
    ),
  ])
  func `the journal has the right text of presets and assignments`(table: String, damage: String) throws {
    let (tables, rows) = try repair(after: damage)
    #expect(rows.isEqual(to: whole.rows, in: UserLibrary.userTables))
    let repaired = try #require(tables[table])
    #expect(repaired.rebuiltCount == 1 && repaired.brokenRowCount == 0 && repaired.lostRowCount == 0, "\(repaired)")
  }

  @Test func `an assignment of which nobody can say what it is about gives way to the journal's`() throws {
    let (tables, rows) = try repair(
      after: """
        UPDATE preset_assignment SET scope = 'artist', hash = x'', artist = CAST(x'41FF' AS TEXT) WHERE preset_id = 4
        """)
    #expect(rows.isEqual(to: whole.rows, in: UserLibrary.userTables))
    let repaired = try #require(tables["preset_assignment"])
    #expect(repaired.rebuiltCount == 1 && repaired.brokenRowCount == 0 && repaired.lostRowCount == 0, "\(repaired)")
  }

  @Test func `a name is mended without what the journal says of the rest`() throws {
    let (_, rows) = try repair(
      after: """
        UPDATE preset SET name = CAST(x'4DFF6E652033' AS TEXT), changed_at = 1234567 WHERE id = 3;
        UPDATE preset SET changed_at = 1234567 WHERE id = 4
        """)
    let presets = try #require(rows.rows["preset"])
    #expect(presets.count { $0.contains("Mine 2".databaseValue) && $0.contains(Int64(1_234_567).databaseValue) } == 1)
    #expect(presets.count { $0.contains(Int64(1_234_567).databaseValue) } == 2)
  }

  @Test func `what can be read and is not what was written last is told`() throws {
    let folder = try whole.copy { _ in }
    let damaged = try DatabaseQueue(path: folder.file(UserLibrary.name).displayString)
    try damaged.writeWithoutTransaction { try $0.execute(sql: "UPDATE preset SET changed_at = 1234567 WHERE id = 4") }
    try damaged.close()
    let report = try LibraryRepair.repair(folder.file(UserLibrary.name), to: folder.file("new.sqlite"))
    #expect(report.contradictions == ["preset Mine 3"])
    let undamaged = try whole.copy { _ in }
    let other = try LibraryRepair.repair(undamaged.file(UserLibrary.name), to: undamaged.file("new.sqlite"))
    #expect(other.contradictions.isEmpty)
  }

  @Test func `the index has the right name of a list`() throws {
    let page = try #require(whole.owners.firstIndex(of: "list")) * UserLibrary.pageSize
    let name = try #require(whole.bytes[page..<page + UserLibrary.pageSize].firstRange(of: "picked".utf8))
    let (tables, rows) = try repair(try whole.copy { $0[name.lowerBound + 1] = 0xFF })
    #expect(rows.isEqual(to: whole.rows, in: UserLibrary.userTables))
    #expect(tables["list"]?.rebuiltCount == 1 && tables["list"]?.brokenRowCount == 0)
  }

  // Faults: 104
  @Test func `text that nothing else has is kept, and told`() throws {
    let (tables, rows) = try repair(after: "UPDATE list SET query = CAST(x'6CFF7564' AS TEXT) WHERE name = 'loud'")
    #expect(rows.rows["list"]?.contains { $0.contains("l\u{FFFD}ud".databaseValue) } == true)
    let repaired = try #require(tables["list"])
    #expect(repaired.brokenRowCount == 1 && !repaired.isWhole)
  }
}
