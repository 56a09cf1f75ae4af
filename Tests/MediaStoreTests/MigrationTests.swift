import Base
import Foundation
import GRDB
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport

struct MigrationTests {
  /// Of libraries with older schemas.
  static let dumps = Corpora.fixtureFiles(in: "databases")

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

  /// A library as a dump makes it.
  static func makeLibrary(_ dump: URL, at path: BytePath) throws {
    let bytes = try dump.pathExtension == "gz" ? Tool.run("gzip", "-dc", dump.path) : Data(contentsOf: dump)
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.writeWithoutTransaction { try $0.execute(sql: String(decoding: bytes, as: UTF8.self)) }
    try queue.close()
  }

  private static func version(of dump: URL) -> Int? {
    Int(dump.lastPathComponent.split(separator: ".")[0].split(separator: "-").last ?? "")
  }

  /// Every row of the tables that hold what users decided, as far as a schema has them, under today's names. All of it
  /// belongs to the owner.
  ///
  /// - Parameter schema: of the dump; from 13 on it has all columns.
  private static func decisions(_ path: BytePath, of schema: Int) throws -> [String] {
    try DatabaseQueue(path: path.displayString).read { db in
      try UserTable.allCases.filter { $0 != .person }.flatMap { table -> [String] in
        guard let name = try [table.rawValue, "preset_\(table.rawValue)"].first(where: { try db.tableExists($0) })
        else { return [] }
        return try Row.fetchAll(db, sql: "SELECT * FROM \(name)").map { row in
          // Columns that schemas 6, 7 and 13 added.
          var added: [String: Int?] = ["person_id": 1, "start_frame": 0, "end_frame": 0]
          if table == .list { added.merge(["comment": nil, "is_public": 0, "created_at": nil]) { $1 } }
          if table == .playQueue { added.merge(["is_former": 0, "version": 0, "source": nil]) { $1 } }
          for name in ["entries", "edits"] where table == .playQueue && row.hasColumn(name) {
            #expect((row[name] as Data).isEmpty)
            added[name] = .some(nil)
          }
          if schema >= 13 { added = [:] }
          let values = row.filter { !added.keys.contains($0.0) }.map { "\($0.0)=\($0.1)" }
          #expect(
            added.allSatisfy {
              !row.hasColumn($0.key) || ["entries", "edits"].contains($0.key) || row[$0.key] == $0.value
            })
          return "\(table) \(values.sorted())"
        }.sorted()
      }
    }
  }

  // Faults: 100
  @Test func `there is a dump of every older schema`() throws {
    let fresh = try TemporaryLibrary()
    let current = try withExtendedLifetime(fresh) {
      try DatabaseQueue(path: fresh.path.displayString).read { try Int.fetchOne($0, sql: "PRAGMA user_version") }
    }
    #expect(Set(Self.dumps.compactMap(Self.version)).sorted() == Array(1..<(try #require(current))))
  }

  // Faults: 100
  @Test(arguments: dumps) func `an older library, brought up to date, has the structure of a new one`(dump: URL) throws
  {
    let fresh = try TemporaryLibrary()
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    try Self.makeLibrary(dump, at: path)
    let queue = try DatabaseQueue(path: path.displayString)
    let before = try queue.read { try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id") }
    try queue.close()
    let version = try #require(Self.version(of: dump))
    let decisions = try Self.decisions(path, of: version)

    let store = try MediaStore(at: path, access: .readWrite)
    let ids = try store.scans.knownFiles(inRoot: try #require(store.roots.all().first).id).compactMap(\.recordingID)
    #expect(ids.count == before.count)
    for id in ids {
      let measures = try #require(try store.products.measures(ofRecording: id))
      #expect(measures.samplePeakInDBFS != nil)
    }
    try store.close()
    #expect(try Self.structure(path) == Self.structure(fresh.path))
    // As it was, beside it.
    let keptPath = folder.file("old.sqlite.schema-\(version)")
    let kept = try DatabaseQueue(path: keptPath.displayString)
    #expect(try kept.read { try Int.fetchOne($0, sql: "PRAGMA user_version") } == version)
    #expect(
      try kept.read { try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id") } == before)
    let after = try DatabaseQueue(path: path.displayString).read {
      try Row.fetchAll($0, sql: "SELECT id, path, state, title FROM file ORDER BY id")
    }
    #expect(after == before)
    // Of what is decided about albums, that about a part of one becomes that of its tracks, which the journal says.
    let (former, now) = (Set(decisions), Set(try Self.decisions(path, of: version)))
    let gone = former.subtracting(now)
    #expect(gone.allSatisfy { $0.contains(#"scope=\"album\""#) }, "\(gone)")
    let came = now.subtracting(former).filter { !$0.hasPrefix("change") }
    #expect(came.allSatisfy { $0.contains(#"scope=\"album\""#) || $0.contains(#"scope=\"track\""#) }, "\(came)")
    #expect(try Self.decisions(keptPath, of: version) == decisions)
    #expect(version < 3 || !decisions.isEmpty)
    // What searches see, and their index, are those of today, without a file being read.
    try DatabaseQueue(path: path.displayString).write { db in
      for row in try Row.fetchAll(db, sql: "SELECT search_text, search_more FROM file") {
        let texts: [String] = [row[0], row[1]]
        #expect(texts == texts.map(TextFolding.fold))
      }
      try db.execute(sql: "INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    }
  }

  @Test func `a library from before finds what no keyboard has by what one types`() throws {
    let dump = try #require(Self.dumps.first { Self.version(of: $0) == 8 })
    let folder = try TemporaryFolder()
    let path = folder.file("old.sqlite")
    try Self.makeLibrary(dump, at: path)
    let store = try MediaStore(at: path, access: .readWrite)
    // “We’ve Got Tonight” in a file with that apostrophe in its name.
    #expect(try store.songs.fileIDs(containing: ["we've"], from: 0, limit: 10) == [1])
    #expect(try store.songs.fileIDs(containing: ["full"], from: 0, limit: 10) == [2])
  }
}
