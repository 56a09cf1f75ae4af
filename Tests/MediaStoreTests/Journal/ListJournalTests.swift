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

/// `undo` walks back lists and attributes, one command at a time.
struct ListJournalTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try store.scans.apply((1...5).map { .extracted(Sample.record("\($0).flac", Sample.extraction(UInt64($0)))) })
  }

  private func ids(_ numbers: Int...) throws -> [Int64] {
    try numbers.map { try #require(try library.recording(of: "\($0).flac")) }
  }

  /// The files of a list, in its order.
  private func tracks(_ name: String) throws -> [String] {
    let files = try store.lists.fileIDs(of: store.lists.list(named: name))
    return try files.map {
      try #require(try library.value("SELECT path_text FROM file WHERE id = \($0)", as: String.self))
    }
  }

  private static func state(_ library: TemporaryLibrary) throws -> [String] {
    try DatabaseQueue(path: library.path.displayString).read { db in
      try ["list", "list_entry", "attribute"].flatMap { table in
        try Row.fetchAll(db, sql: "SELECT * FROM \(table)").map { "\(table) \($0)" }.sorted()
      }
    }
  }

  @Test(arguments: 1...6) func `any row of changes is undone to the start`(seed: UInt64) throws {
    var random = RepeatableRandom(seed: seed)
    func name() -> String { ["A", "B", "c", "é"].randomElement(using: &random) ?? "A" }
    func some() throws -> [Int64] {
      try (0..<Int.random(in: 0...6, using: &random)).flatMap { _ in try ids(Int.random(in: 1...5, using: &random)) }
    }
    var states = [try Self.state(library)]
    var changeCount = 0
    for _ in 0..<80 {
      do {
        switch Int.random(in: 0..<8, using: &random) {
        case 0: try store.lists.save(name(), query: "year-", replaces: Bool.random(using: &random))
        case 1: try store.lists.save(name(), recordingIDs: try some())
        case 2, 3: _ = try store.lists.add(to: name(), recordingIDs: try some())
        case 4: _ = try store.lists.remove(from: name(), recordingIDs: try some())
        case 5: try store.lists.rename(name(), to: name())
        case 6: try store.lists.delete(name())
        default:
          let value = ["20", "100", nil].randomElement(using: &random) ?? nil
          _ = try store.attributes.set("rating", to: value, ofRecordings: try some())
        }
      } catch is StoreError {
        // A name that is not there, or taken.
      }
      let count = try store.journal.changes(limit: 1000).count
      if count > changeCount { states.append(try Self.state(library)) }
      changeCount = count
    }
    #expect(states.count > 20)
    #expect(try store.check(isDeep: true).isSound)
    for expected in states.dropLast().reversed() {
      _ = try store.journal.undo()
      #expect(try Self.state(library) == expected)
    }
    #expect(throws: StoreError.nothingToUndo) { try store.journal.undo() }
  }

  @Test func `a list keeps its order and the same track twice`() throws {
    try store.lists.save("Evening", recordingIDs: try ids(3, 1))
    #expect(try store.lists.add(to: "evening", recordingIDs: try ids(2, 3)) == 2)
    #expect(try tracks("Evening") == ["3.flac", "1.flac", "2.flac", "3.flac"])
    #expect(try store.lists.remove(from: "evening", recordingIDs: try ids(3, 5)) == 2)
    #expect(try store.lists.add(to: "evening", recordingIDs: try ids(4)) == 1)
    #expect(try tracks("Evening") == ["1.flac", "2.flac", "4.flac"])
    _ = try store.journal.undo()
    _ = try store.journal.undo()
    #expect(try tracks("Evening") == ["3.flac", "1.flac", "2.flac", "3.flac"])
  }

  @Test func `tracks are not added to a query, and a taken name is refused`() throws {
    try store.lists.save("all", query: "year-")
    try store.lists.save("some", recordingIDs: try ids(1))
    #expect(throws: StoreError.listIsQuery("all")) { try store.lists.add(to: "ALL", recordingIDs: try ids(1)) }
    #expect(throws: StoreError.listExists("Some")) { try store.lists.rename("all", to: "Some") }
    #expect(throws: StoreError.noSuchList("none")) { try store.lists.remove(from: "none", recordingIDs: []) }
  }

  @Test func `an undo finds a recording that got another hash, and tells what it cannot restore`() throws {
    let (first, second) = (try ids(1)[0], try ids(2)[0])
    _ = try store.attributes.set("Rating", to: "80", ofRecordings: [first, second])
    try store.lists.save("two", recordingIDs: [first, second])
    _ = try store.lists.remove(from: "two", recordingIDs: [first, second])
    _ = try store.attributes.set("rating", to: nil, ofRecordings: [first, second])
    let new = Sample.hash(77).description
    try library.execute(
      """
      INSERT INTO former_hash (hash, current, is_key) SELECT hash, x'\(new)', 1 FROM audio WHERE id = \(first);
      UPDATE audio SET hash = x'\(new)' WHERE id = \(first);
      DELETE FROM file WHERE audio_id = \(second);
      DELETE FROM audio WHERE id = \(second)
      """)
    #expect(try store.journal.undo().lostRowCount == 1)
    #expect(try store.journal.undo().lostRowCount == 1)
    #expect(try store.attributes.all(ofRecording: first).map(\.values) == [["80"]])
    #expect(try tracks("two") == ["1.flac"])
  }

  @Test(arguments: ["", "lufs", "a b", "a:b", "2x", "ä\u{1B}"])
  func `a name that no query could ask for is refused`(name: String) throws {
    #expect(throws: StoreError.self) { try store.attributes.set(name, to: "1", ofRecordings: try ids(1)) }
  }

  @Test(arguments: ["", "500", "-1", "good", "nan"])
  func `a rating that is not 0 to 100 is refused`(value: String) throws {
    #expect(throws: StoreError.self) { try store.attributes.set("Rating", to: value, ofRecordings: try ids(1)) }
    #expect(try store.attributes.uses() == [])
  }

  @Test func `what is imported from beets is one change`() throws {
    let path = library.folder.file("beets.db")
    let queue = try DatabaseQueue(path: path.displayString)
    try queue.write { db in
      try db.execute(
        sql: """
          CREATE TABLE items (id INTEGER PRIMARY KEY, path BLOB);
          CREATE TABLE item_attributes (id INTEGER PRIMARY KEY, entity_id INTEGER, key TEXT, value TEXT);
          INSERT INTO items VALUES (1, CAST('/music/1.flac' AS BLOB)), (2, CAST('/music/2.flac' AS BLOB));
          INSERT INTO item_attributes (entity_id, key, value) VALUES (1, 'rating', '5'), (2, 'mood', 'calm');
          """)
    }
    try queue.close()
    _ = try store.attributes.set("rating", to: "20", ofRecordings: try ids(1))
    _ = try store.attributes.importBeets(try BeetsLibrary(at: path), folder: nil)
    #expect(try store.attributes.uses().map(\.name) == ["mood", "rating"])
    #expect(try store.journal.undo().summary == "import 1 attribute from beets")
    #expect(try store.attributes.uses().map(\.name) == ["rating"])
    #expect(try store.count(of: store.query("rating:20")) == 1)
  }
}
