import Base
import GRDB
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TestSupport
import UserData

/// A library with something in every table that users fill, to be damaged.
struct UserLibrary {
  static let name = "library.sqlite"
  let library: TemporaryLibrary
  /// The closed library.
  let bytes: [UInt8]
  let rows: TableRows
  /// The table or index of each page, from the first.
  let owners: [String]

  static let pageSize = 8192
  static let userTables = UserTable.allCases.map(\.rawValue)

  init(fileCount: Int = 60) throws {
    library = try TemporaryLibrary()
    let store = library.store
    try store.scans.apply(
      (0..<fileCount).map { number in
        var extraction = Sample.extraction(UInt64(number), title: "Tide \(number)")
        extraction.products.append(
          Product(kind: .spectrogram, version: 2, parameters: "", bytes: Array(repeating: UInt8(number), count: 9_000)))
        return .extracted(Sample.record("album \(number / 10)/\(number).flac", extraction))
      })
    for number in 0..<12 {
      try store.presets.create(try PresetStoreTests.preset("Mine \(number)"))
      let subjects = try store.presets.subjects(.track, of: try store.query("title:=\"Tide \(number)\""))
      _ = try store.presets.assign(named: "mine \(number)", to: subjects)
    }
    _ = try store.journal.undo()
    try store.lists.save("loud", query: "lufs:>-12")
    try store.lists.save("picked", recordingIDs: Array(1...Int64(fileCount)))
    try library.execute(
      "INSERT INTO attribute (audio_id, name, value) SELECT id, 'rating', CAST(id % 5 AS TEXT) FROM audio")
    try library.execute(
      """
      INSERT INTO former_hash (hash, current, is_key) SELECT CAST(substr(hash, 2) || x'01' AS BLOB), hash, 1 FROM audio
      """)
    try library.execute(
      "INSERT INTO play (hash, started_at, seconds, is_finished) SELECT hash, 1000 + id, 60, id % 2 FROM audio")
    for number in 0..<40 {
      try library.execute(
        "INSERT INTO group_attribute VALUES ('album', 'Nora Vale', 'Tides \(number)', 'starred', 1, '2026-01-02T03:04:05Z')"
      )
    }
    let files = try store.fileIDs(of: store.query("id:1..12"))
    _ = try store.corrections.correct(
      .set(["genre", "album", "mood"].compactMap { CorrectionField($0) }.map { .init(field: $0, values: ["Mended"]) }),
      ofFiles: files)
    try store.plays.saveQueue([(1, files.first)], place: 0, positionInMilliseconds: 1500, by: "phone", of: 1)
    let change = try store.fileChanges.begin("write tags of 12 files")
    for number in 0..<12 {
      let hash = ContentHash(high: 7, low: UInt64(number))
      _ = try store.fileChanges.plan(
        [
          PlannedFileChange(
            key: Array(repeating: UInt8(number), count: 16), path: BytePath("/music/\(number).flac"),
            temporary: BytePath(".deadwax-\(number).tmp"), oldHash: hash, newHash: hash, undo: [1, 2, 3],
            pictures: [hash])
        ], in: change)
    }
    try library.execute("UPDATE file_change_part SET state = 'done', temporary = NULL")
    try store.close()
    bytes = try library.folder.bytes(of: Self.name)
    rows = try TableRows(library.path)
    let count = bytes.count / Self.pageSize
    owners = try DatabaseQueue(path: library.path.displayString).read { db in
      var owners = Array(repeating: "", count: count)
      for row in try Row.fetchAll(db, sql: "SELECT pageno, name FROM dbstat") {
        owners[row[0] as Int - 1] = row[1]
      }
      return owners
    }
    try library.folder.write(bytes, to: Self.name)
  }

  var pageCount: Int { owners.count }

  /// All pages but most of those with nothing but bytes of products, from 0.
  var pages: [Int] { owners.indices.filter { owners[$0] != "product_blob" || $0 % 16 == 0 } }

  /// Puts a changed copy alone into a folder.
  func copy(_ change: (inout [UInt8]) -> Void) throws -> TemporaryFolder {
    var copy = bytes
    change(&copy)
    let folder = try TemporaryFolder()
    try folder.write(copy, to: Self.name)
    return folder
  }
}

/// The rows of each table, by name; those behind the search index, and the mark of the file, are left out.
struct TableRows: Equatable {
  let rows: [String: Set<[DatabaseValue]>]

  init(_ path: BytePath) throws {
    rows = try DatabaseQueue(path: path.displayString).read { db in
      let names = try String.fetchAll(
        db,
        sql: """
          SELECT name FROM pragma_table_list
           WHERE schema = 'main' AND type = 'table' AND name NOT IN ('sqlite_schema', 'log_mark')
          """)
      return try Dictionary(
        uniqueKeysWithValues: names.map { name in
          (name, Set(try Row.fetchAll(db, sql: "SELECT * FROM \(name)").map { Array($0.databaseValues) }))
        })
    }
  }

  func isEqual(to other: TableRows, in tables: [String]) -> Bool { tables.allSatisfy { rows[$0] == other.rows[$0] } }

  /// How many rows of another this lacks, of some tables.
  func lossCount(of other: TableRows, in tables: [String]) -> Int {
    tables.reduce(0) { $0 + (other.rows[$1] ?? []).subtracting(rows[$1] ?? []).count }
  }
}
