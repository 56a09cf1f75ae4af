import Base
import Foundation
import GRDB
import LibraryMerging
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

// Faults: 152
/// Libraries with definitions that this program never made.
struct ForeignSchemaTests {
  /// What a stranger can put into a library, and how it is called.
  static let changes: [(sql: String, finding: String)] = [
    (
      "CREATE TRIGGER keep AFTER INSERT ON preset_assignment BEGIN DELETE FROM preset_assignment; END",
      "trigger keep is not part of Deadwax"
    ),
    (
      "CREATE TRIGGER walk AFTER INSERT ON scan_run BEGIN UPDATE root SET path = CAST('/etc' AS BLOB); END",
      "trigger walk is not part of Deadwax"
    ),
    ("CREATE VIEW other AS SELECT * FROM file", "view other is not part of Deadwax"),
    ("CREATE TABLE other (a)", "table other is not part of Deadwax"),
    ("CREATE VIRTUAL TABLE other USING fts5 (a)", "table other is not part of Deadwax"),
    ("CREATE INDEX other ON file (lower(title))", "index other is not part of Deadwax"),
    ("CREATE UNIQUE INDEX other ON file (title)", "index other is not part of Deadwax"),
    ("ALTER TABLE preset ADD COLUMN other TEXT GENERATED ALWAYS AS (name) VIRTUAL", "table preset is not as expected"),
    ("ALTER TABLE list ADD COLUMN other TEXT", "table list is not as expected"),
    (
      """
      DROP TRIGGER search_added;
      CREATE TRIGGER search_added AFTER INSERT ON file BEGIN DELETE FROM preset; END
      """, "trigger search_added is not as expected"
    ),
    (
      """
      DROP VIEW file_tag;
      CREATE VIEW file_tag AS SELECT id AS file_id, path AS name, 0 AS position, '' AS value FROM file
      """, "view file_tag is not as expected"
    ),
    (
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'NOT NULL UNIQUE,', 'NOT NULL UNIQUE ON CONFLICT IGNORE,')
       WHERE name = 'preset';
      PRAGMA writable_schema = RESET
      """, "table preset is not as expected"
    ),
    (
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'REFERENCES preset (id)', 'REFERENCES preset (id) ON UPDATE CASCADE')
       WHERE name = 'preset_assignment';
      PRAGMA writable_schema = RESET
      """, "table preset_assignment is not as expected"
    ),
  ]

  private static func change(_ path: BytePath, _ sql: String) throws {
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.writeWithoutTransaction { db in
      db.add(function: DatabaseFunction("fold", argumentCount: 1, pure: true) { $0[0] })
      try db.execute(sql: sql)
    }
    try queue.close()
  }

  private func requireCorrupt(_ finding: String, _ body: () throws -> Void) {
    let error = #expect(throws: StoreError.self, performing: body)
    guard case .corrupt(_, let reason) = error else {
      Issue.record("\(String(describing: error))")
      return
    }
    #expect(reason.contains(finding), "\(reason)")
  }

  @Test(arguments: changes)
  func `nothing is written to such a library, and every command says why`(sql: String, finding: String) throws {
    let library = try UserLibrary(fileCount: 10)
    let (folder, path) = (library.library.folder, library.library.path)
    try Self.change(path, sql)
    let before = try TableRows(path)
    let store = try MediaStore(at: path, access: .readWrite)
    requireCorrupt(finding) { _ = try store.roots.add(BytePath("/more"), volume: nil) }
    requireCorrupt(finding) { try store.presets.create(try PresetStoreTests.preset("More")) }
    let check = try store.check()
    #expect(!check.isSound && check.schemaDifferences.contains { $0.contains(finding) }, "\(check)")
    // A backup keeps what is there, and says what it is.
    let backup = folder.file("backup")
    let report = try store.backUp(to: backup, keeping: nil, replacesMore: false)
    #expect(report.problems.contains { $0.description.contains(finding) }, "\(report)")
    try store.close()
    #expect(try TableRows(path) == before)

    let own = try TemporaryLibrary()
    _ = try own.store.roots.add(BytePath("/own"), volume: nil)
    requireCorrupt(finding) { _ = try own.store.merge([path], options: MergeOptions()) }
    try own.store.close()
    let rows = try TableRows(own.path)
    requireCorrupt(finding) { _ = try LibraryRestoring.restore(backup, to: own.path) }
    #expect(try TableRows(own.path) == rows)

    let saved = try LibraryRepair.repair(path, to: folder.file("saved.sqlite"))
    #expect(saved.check.isSound, "\(saved.check)")
    #expect(try TableRows(folder.file("saved.sqlite")).isEqual(to: library.rows, in: UserLibrary.userTables))
    let mended = try MediaStore(at: folder.file("saved.sqlite"), access: .readWrite)
    try mended.presets.create(try PresetStoreTests.preset("More"))
    try mended.close()
  }

  @Test func `what is added while a store is open is found before the next write`() throws {
    let library = try TemporaryLibrary()
    _ = try library.store.roots.add(BytePath("/more"), volume: nil)
    try library.execute("CREATE TRIGGER walk AFTER INSERT ON root BEGIN DELETE FROM root; END")
    requireCorrupt("trigger walk") { _ = try library.store.roots.add(BytePath("/other"), volume: nil) }
    try library.execute("DROP TRIGGER walk")
    _ = try library.store.roots.add(BytePath("/other"), volume: nil)
    #expect(try library.store.roots.all().count == 3)
  }

  @Test(arguments: MigrationTests.dumps)
  func `an older library with a trigger of a stranger is not migrated, and a repair drops it`(dump: URL) throws {
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    try MigrationTests.makeLibrary(dump, at: path)
    try Self.change(
      path,
      """
      CREATE TRIGGER walk AFTER UPDATE ON file BEGIN UPDATE root SET path = CAST('/etc' AS BLOB); END;
      CREATE TABLE other (a); CREATE INDEX other_by_a ON other (a)
      """)
    let bytes = try folder.bytes(of: "old.sqlite")
    for access in LibraryOpeningTests.accesses {
      requireCorrupt("is not part of Deadwax") { try MediaStore(at: path, access: access).close() }
    }
    #expect(try folder.names() == ["old.sqlite"])
    requireCorrupt("is not part of Deadwax") { _ = try LibraryRestoring.restore(path, to: folder.file("new.sqlite")) }
    #expect(try folder.names() == ["old.sqlite"])
    #expect(try folder.bytes(of: "old.sqlite") == bytes)
    #expect(try LibraryRepair.repair(path, to: folder.file("saved.sqlite")).check.isSound)
  }

  @Test(arguments: MigrationTests.dumps)
  func `constraints of a stranger in an older library are found after its migration, which is undone`(dump: URL) throws
  {
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    try MigrationTests.makeLibrary(dump, at: path)
    try Self.change(
      path,
      """
      PRAGMA writable_schema = ON;
      UPDATE sqlite_schema SET sql = replace(sql, 'UNIQUE (root_id, path)', 'UNIQUE (root_id, path) ON CONFLICT IGNORE')
       WHERE name = 'file';
      PRAGMA writable_schema = RESET
      """)
    let rows = try TableRows(path)
    requireCorrupt("table file is not as expected") { try MediaStore(at: path, access: .readWrite).close() }
    #expect(try TableRows(path) == rows)
  }

  // Faults: 171
  /// As `sqlite3 … .dump` into a database of the other encoding makes it: paths would be cut between other bytes.
  @Test func `nothing is written to a library whose text is UTF-16`() throws {
    let folder = try TemporaryFolder()
    let path = folder.file("l.sqlite")
    try MediaStore(at: path, access: .createIfMissing).close()
    let original = try DatabaseQueue(path: path.displayString)
    let (version, application, schema) = try original.read { db in
      try (
        Int.fetchOne(db, sql: "PRAGMA user_version") ?? 0, Int.fetchOne(db, sql: "PRAGMA application_id") ?? 0,
        String.fetchAll(
          db,
          sql: """
            SELECT sql FROM sqlite_schema
             WHERE sql IS NOT NULL AND name NOT LIKE 'sqlite%' AND name NOT GLOB 'search_[dic][aod]*'
             ORDER BY rowid
            """)
      )
    }
    try original.close()
    let other = folder.file("other.sqlite")
    let queue = try DatabaseQueue(path: other.displayString)
    try queue.writeWithoutTransaction { db in
      try db.execute(sql: "PRAGMA encoding = 'UTF-16le'; PRAGMA page_size = 8192; PRAGMA journal_mode = WAL")
      for sql in schema { try db.execute(sql: sql) }
      try db.execute(sql: "PRAGMA user_version = \(version); PRAGMA application_id = \(application)")
    }
    try queue.close()
    let store = try MediaStore(at: other, access: .readWrite)
    requireCorrupt("encoding of text is not as expected") {
      _ = try store.roots.add(BytePath("/more"), volume: nil)
    }
    #expect(try store.check().schemaDifferences == ["encoding of text is not as expected"])
    try store.close()
    requireCorrupt("encoding of text") { _ = try LibraryRestoring.restore(other, to: path) }
  }

  @Test func `statistics that a person let SQLite collect do no harm`() throws {
    let library = try UserLibrary(fileCount: 10).library
    try Self.change(library.path, "ANALYZE")
    let store = try MediaStore(at: library.path, access: .readWrite)
    #expect(try store.check(isDeep: true).isSound)
    _ = try store.roots.add(BytePath("/more"), volume: nil)
    try store.close()
  }

  @Test func `SQLite refuses statements that write to the schema`() throws {
    let library = try TemporaryLibrary()
    try library.store.write(.batch) { db in
      try db.execute(sql: "PRAGMA writable_schema = ON")
      defer { try? db.execute(sql: "PRAGMA writable_schema = OFF") }
      for sql in ["UPDATE sqlite_schema SET sql = sql", "UPDATE search_data SET block = block"] {
        #expect(throws: (any Error).self) { try db.execute(sql: sql) }
      }
    }
  }
}
