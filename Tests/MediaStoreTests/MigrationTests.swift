import Foundation
import GRDB
import MediaModel
import MediaStore
import Testing
import TestSupport

struct MigrationTests {
  private static let dumps =
    (try? FileManager.default.contentsOfDirectory(
      at: Corpora.fixtures.appending(path: "databases"), includingPropertiesForKeys: nil)) ?? []

  /// What a schema is, whatever its text: the columns of each table and view, and the definitions of the rest.
  private static func structure(_ path: BytePath) throws -> [String] {
    try DatabaseQueue(path: path.displayString).read { db in
      let columns = try String.fetchAll(
        db,
        sql: """
          SELECT m.type || ' ' || m.name || ' ' || x.cid || ' ' || x.name || ' ' || x.type || ' ' || x."notnull" || ' '
                 || coalesce(x.dflt_value, '-') || ' ' || x.pk || ' ' || x.hidden
            FROM sqlite_schema AS m JOIN pragma_table_xinfo(m.name) AS x WHERE m.type IN ('table', 'view') ORDER BY 1
          """)
      let indexes = try String.fetchAll(
        db, sql: "SELECT sql FROM sqlite_schema WHERE type IN ('index', 'trigger') AND sql IS NOT NULL ORDER BY name")
      return columns + indexes
    }
  }

  @Test func `there are dumps of older schemas`() { #expect(!Self.dumps.isEmpty) }

  @Test(arguments: dumps) func `an older library, brought up to date, has the structure of a new one`(dump: URL) throws
  {
    let fresh = try TemporaryLibrary()
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    let queue = try DatabaseQueue(path: path.displayString)
    let sql = try String(contentsOf: dump, encoding: .utf8)
    try queue.writeWithoutTransaction { try $0.execute(sql: sql) }
    let before = try queue.read { try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id") }
    try queue.close()

    let store = try MediaStore(at: path, access: .readWrite)
    let ids = try store.knownFiles(inRoot: try #require(store.roots().first).id).compactMap(\.recordingID)
    #expect(ids.count == before.count)
    for id in ids {
      let measures = try #require(try store.measures(ofRecording: id))
      #expect(measures.samplePeakInDBFS != nil)
    }
    try store.close()
    #expect(try Self.structure(path) == Self.structure(fresh.path))
    // As it was, beside it.
    let version = try #require(dump.deletingPathExtension().lastPathComponent.split(separator: "-").last)
    let kept = try DatabaseQueue(path: path.displayString + ".schema-\(version)")
    #expect(try kept.read { try String.fetchOne($0, sql: "PRAGMA user_version") } == String(version))
    #expect(
      try kept.read { try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id") } == before)
    let after = try DatabaseQueue(path: path.displayString).read {
      try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id")
    }
    #expect(after == before)
  }
}
