import Base
import GRDB
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

/// `undo` walks back presets, one command at a time.
struct PresetJournalTests {
  /// Presets and assignments, row for row.
  private static func state(_ library: TemporaryLibrary) throws -> [String] {
    let queue = try DatabaseQueue(path: library.path.displayString)
    return try queue.read { db in
      try Row.fetchAll(db, sql: "SELECT * FROM preset ORDER BY id").map(\.description)
        + Row.fetchAll(db, sql: "SELECT * FROM preset_assignment ORDER BY 1, 2, 3, 4, person_id").map(\.description)
    }
  }

  @Test(arguments: 1...6) func `any row of changes is undone to the start`(seed: UInt64) throws {
    let library = try TemporaryLibrary()
    let store = library.store
    try store.scans.apply((1...4).map { .extracted(Sample.record("\($0).flac", Sample.extraction($0))) })
    var random = RepeatableRandom(seed: seed)
    func name() -> String { ["A", "B", "c", "Flat", "é"].randomElement(using: &random) ?? "A" }
    func subjects() throws -> [PresetSubject] {
      let scope = PresetScope.allCases.randomElement(using: &random) ?? .track
      let query = ["", "id:1", "id:2..3"].randomElement(using: &random) ?? ""
      let found = try store.presets.subjects(scope, of: try store.query(query))
      return found.isEmpty ? [.artist("Nora Vale")] : found
    }
    func listener() -> Listener { Bool.random(using: &random) ? .owner : .person(key: Array(1...16), name: "ana") }
    var states = [try Self.state(library)]
    var changeCount = 0
    for _ in 0..<60 {
      do {
        switch Int.random(in: 0..<9, using: &random) {
        case 0, 1: try store.presets.create(try PresetStoreTests.preset(name()))
        case 2: try store.presets.rename(named: name(), to: try PresetName(name()))
        case 3: try store.presets.delete(named: name(), evenIfAssigned: Bool.random(using: &random))
        case 4:
          let gain = Double.random(in: -10...0, using: &random)
          _ = try store.presets.edit(named: name()) { _ in try PresetStoreTests.preset("x", gain: gain).chain }
        case 5, 6: _ = try store.presets.assign(named: name(), to: try subjects(), for: listener())
        case 7: _ = try store.presets.unassign(of: try subjects(), for: listener())
        default: _ = try store.presets.turn(on: Bool.random(using: &random), for: try subjects(), heardBy: listener())
        }
      } catch is StoreError {
        // A name that is not there, or taken.
      }
      let count = try store.journal.changes(limit: 1000).count
      if count > changeCount { states.append(try Self.state(library)) }
      changeCount = count
    }
    #expect(states.count > 10)
    for expected in states.dropLast().reversed() {
      _ = try store.journal.undo()
      #expect(try Self.state(library) == expected)
    }
    #expect(throws: StoreError.nothingToUndo) { try store.journal.undo() }
    #expect(try store.journal.changes(limit: 1000).allSatisfy { $0.undoneAt != nil })
  }

  @Test func `what is done after an undo is undone first`() throws {
    let library = try TemporaryLibrary()
    try library.store.presets.create(try PresetStoreTests.preset("A"))
    try library.store.presets.create(try PresetStoreTests.preset("B"))
    #expect(try library.store.journal.undo().summary == "create B")
    try library.store.presets.create(try PresetStoreTests.preset("C"))
    #expect(try library.store.journal.undo().summary == "create C")
    #expect(try library.store.journal.undo().summary == "create A")
    #expect(try library.store.presets.all().allSatisfy(\.isBuiltIn))
  }
}
