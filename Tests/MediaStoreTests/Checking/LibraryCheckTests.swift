import Base
import GRDB
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

/// What a check finds besides what SQLite finds.
struct LibraryCheckTests {
  private let library: TemporaryLibrary

  init() throws {
    library = try TemporaryLibrary()
    try library.store.scans.apply(
      (0..<20).map { .extracted(Sample.record("\($0).flac", Sample.extraction(UInt64($0), title: "Größe \($0)"))) })
    try library.store.presets.create(try PresetStoreTests.preset("Mine"))
    _ = try library.store.presets.assign(
      named: "mine", to: try library.store.presets.subjects(.track, of: try library.store.query("größe")))
  }

  @Test func `nothing is wrong with a library that only this program wrote`() throws {
    let check = try library.store.check(isDeep: true)
    #expect(check.isSound && check.remarks.isEmpty, "\(check)")
    #expect(check.searchProblemCount == 0 && check.damagedProductCount == 0)
  }

  static let changes: [(sql: String, finding: String)] = [
    ("UPDATE audio SET file_count = 9 WHERE id = 3", "wrong count of files"),
    ("UPDATE file_tally SET file_count = file_count + 1", "file_tally"),
    ("UPDATE product_tally SET byte_count = 0", "product_tally"),
    ("DROP INDEX file_by_album", "index file_by_album is missing"),
    ("DROP TRIGGER search_changed", "trigger search_changed is missing"),
    ("ALTER TABLE list ADD COLUMN other TEXT", "table list is not as expected"),
    ("UPDATE file SET last_state = 'ok', audio_id = NULL WHERE id = 2", "ok without a recording"),
    ("UPDATE file SET path_text = 'x' WHERE id = 2", "path and path text"),
    ("UPDATE audio SET state = 'fine' WHERE id = 2", "unknown state"),
    ("UPDATE product SET kind = 'smell' WHERE id = 2", "unknown kind"),
    ("UPDATE product SET byte_count = 7 WHERE id = 2", "length differs"),
    ("INSERT INTO list (name, changed_at) VALUES (CAST(x'4CFF' AS TEXT), 0)", "not UTF-8: 1"),
    ("INSERT INTO attribute (audio_id, name, value) VALUES (1, 'mood', CAST(x'80' AS TEXT))", "not UTF-8: 1"),
    ("UPDATE preset SET document = '{'", "not what was written last"),
    ("UPDATE preset SET name = 'Yours'", "not what was written last"),
    ("DELETE FROM preset_assignment", "the assignment of"),
    ("UPDATE change_row SET after = '{' WHERE position = 1", "cannot be read"),
    ("DELETE FROM change_row WHERE position = 1", "changes that are incomplete"),
  ]

  private static let brokenCorrections = [
    (
      "INSERT INTO correction SELECT 'recording', hash, 'GENRE', 'Jazz', '[]', 0 FROM audio WHERE id = 3",
      "corrections that cannot be read: 1"
    ),
    (
      "INSERT INTO correction SELECT 'recording', hash, 'GENRE', '[1]', '[]', 0 FROM audio WHERE id = 3",
      "corrections that cannot be read: 1"
    ),
    ("INSERT INTO own_tag VALUES (3, 'GENRE', '{', 'active')", "own tags cannot be read: 1"),
    ("INSERT INTO own_tag VALUES (3, 'GENRE', '{}', 'active')", "without its correction: 1"),
  ]

  @Test(arguments: brokenCorrections)
  func `a broken correction is found, and a repair leaves the others`(sql: String, finding: String) throws {
    let mood = try #require(CorrectionField("mood"))
    _ = try library.store.corrections.correct(.set([.init(field: mood, values: ["calm"])]), ofFiles: [1, 3])
    try library.execute(sql)
    let check = try library.store.check(isDeep: true)
    #expect(!check.isSound && check.impossibleRows.contains { $0.contains(finding) }, "\(check)")
    let target = library.folder.file("saved.sqlite")
    let report = try LibraryRepair.repair(library.path, to: target)
    #expect(report.check.isSound, "\(report.check)")
    let saved = try MediaStore(at: target, access: .readOnly, timeout: .seconds(1))
    defer { try? saved.close() }
    #expect(try saved.fileIDs(of: saved.query("mood:=calm")).count == 2)
  }

  @Test(arguments: changes) func `what nobody of us wrote is found`(sql: String, finding: String) throws {
    try library.execute("PRAGMA foreign_keys = OFF; \(sql)")
    let check = try library.store.check(isDeep: true)
    let findings =
      check.integrityProblems + check.schemaDifferences + check.impossibleRows + check.journalProblems
    #expect(!check.isSound && findings.contains { $0.contains(finding) }, "\(check)")
  }

  // Faults: 104
  @Test func `each table that is missing is found, and a repair makes a whole library again`() throws {
    let tables = try DatabaseQueue(path: library.path.displayString).read {
      try String.fetchAll(
        $0,
        sql: """
          SELECT name FROM pragma_table_list
           WHERE schema = 'main' AND type <> 'shadow' AND name NOT LIKE 'sqlite_%'
          """)
    }
    #expect(tables.count > 20 && tables.contains("file_tag") && tables.contains("search"))
    for table in tables {
      let damaged = try Self.init()
      let kind = ["search_source", "file_tag", "file_part"].contains(table) ? "view" : "table"
      try DatabaseQueue(path: damaged.library.path.displayString).writeWithoutTransaction {
        try $0.execute(sql: "PRAGMA foreign_keys = OFF; DROP \(kind) \(table)")
      }
      let check = try damaged.library.store.check(isDeep: true)
      #expect(!check.isSound && check.schemaDifferences.contains("\(kind) \(table) is missing"), "\(check)")
      let target = damaged.library.folder.file("saved.sqlite")
      let report = try LibraryRepair.repair(damaged.library.path, to: target)
      #expect(report.check.isSound, "\(table): \(report.check)")
    }
  }

  @Test(arguments: [
    "INSERT INTO search (search, rowid, text) SELECT 'delete', id, text FROM search_source WHERE id = 7",
    "INSERT INTO search (rowid, text) VALUES (3, 'what is not there')",
    "UPDATE file SET search_more = search_more || 'ö' WHERE id = 4",
  ])
  func `a search index that does not fit the texts is found`(sql: String) throws {
    // The trigger that would keep it right is gone for the moment.
    try library.execute("CREATE TABLE kept AS SELECT sql FROM sqlite_schema WHERE name = 'search_changed'")
    let trigger = try #require(try library.value("SELECT sql FROM kept", as: String.self))
    try library.execute("DROP TABLE kept; DROP TRIGGER search_changed; \(sql); \(trigger)")
    let check = try library.store.check(isDeep: true)
    #expect(check.searchProblemCount == 1 && check.schemaDifferences.isEmpty, "\(check)")
  }

  @Test func `what this version cannot read is told, and is no damage`() throws {
    try library.store.lists.save("old", query: "größe")
    try library.execute("UPDATE list SET query = 'smell:rose (' WHERE name = 'old'")
    let check = try library.store.check()
    #expect(check.isSound && check.remarks.count == 1 && check.remarks[0].contains("list old"))
  }

  @Test func `a value of the wrong kind is damage, and never ends the process`() throws {
    // SQLite believes what the schema says when it reads, and checks only what it writes.
    try library.execute(
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(replace(sql, 'STRICT', ''), 'NOT NULL', '')
       WHERE name IN ('file', 'audio');
      PRAGMA writable_schema = RESET
      """)
    try library.execute("UPDATE file SET mtime_ns = NULL, title = x'00' WHERE id = 3")
    try library.execute("UPDATE audio SET state = NULL, statement = x'01' WHERE id = 3")
    #expect(throws: StoreError.self) { try library.store.scans.knownFiles(inRoot: 1) }
    #expect(try !library.store.check(isDeep: true).isSound)
  }
}
