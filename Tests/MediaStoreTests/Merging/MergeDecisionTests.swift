import Base
import GRDB
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import Testing
import TestSupport
import UserData

/// What users decided in two libraries: nothing of it is lost, and nothing of this one changes.
struct MergeDecisionTests {
  private let own: TemporaryLibrary
  private let other: TemporaryLibrary

  /// Both know the sounds 1 to 3.
  init() throws {
    own = try TemporaryLibrary()
    other = try TemporaryLibrary()
    for library in [own, other] {
      try library.store.scans.apply(
        (1...3).map { .extracted(Sample.record("\($0).flac", Sample.extraction(UInt64($0), title: "Track \($0)"))) })
    }
  }

  @discardableResult
  private func merge() throws -> MergeReport.Library {
    let report = try own.store.merge([other.path], options: MergeOptions(keepsCopy: false))
    #expect(try own.store.check(isDeep: true).isSound)
    return try #require(report.libraries.first)
  }

  private func subject(_ number: UInt64) -> PresetSubject { .track(Sample.hash(number), label: "Track \(number)") }

  private func create(_ name: String, gain: Double, in library: TemporaryLibrary) throws {
    try library.store.presets.create(try PresetStoreTests.preset(name, gain: gain))
  }

  private func gain(_ name: String) throws -> Double? {
    try own.store.presets.preset(named: name).preset().chain.equalizer.gain
  }

  private func assigned(_ subject: PresetSubject) throws -> String? {
    try own.store.presets.assignments().first { $0.subject == subject }?.presetName
  }

  // MARK: - Presets

  // Faults: 112
  @Test func `a library without presets gets them as they are, with their journal`() throws {
    try create("Gone", gain: -1, in: other)
    try create("Warm", gain: -2, in: other)
    _ = try other.store.presets.assign(named: "warm", to: [subject(1), .library])
    _ = try other.store.presets.assign(named: "Bass", to: [.artist("Nora Vale")])
    try create("Last", gain: -3, in: other)
    try other.store.presets.delete(named: "last")
    let report = try merge()
    #expect(report.presets.added == 2 && report.assignments.added == 3 && report.changes.added == 6)
    for table in ["preset", "preset_assignment", "change", "change_row"] {
      #expect(try Self.rows(table, own) == Self.rows(table, other), "\(table)")
    }
    // The journal means presets by their ids, also those that are gone.
    try create("New", gain: -4, in: own)
    try create("New", gain: -4, in: other)
    #expect(try Self.rows("preset", own).map { $0["id"] as Int64 } == Self.rows("preset", other).map { $0["id"] })
    for _ in 0..<2 { _ = try own.store.journal.undo() }
    #expect(try gain("last") == -3)
  }

  private static func rows(_ table: String, _ library: TemporaryLibrary) throws -> [Row] {
    try DatabaseQueue(path: library.path.displayString).read {
      try Row.fetchAll($0, sql: "SELECT * FROM \(table) ORDER BY 1, 2, 3, 4")
    }
  }

  @Test func `two presets of one name are both kept, and what is assigned follows`() throws {
    try create("Warm", gain: -1, in: own)
    try create("same", gain: -5, in: own)
    try create("warm", gain: -2, in: other)
    try create("Same", gain: -5, in: other)
    try create("Mine", gain: -6, in: other)
    _ = try own.store.presets.assign(named: "Warm", to: [subject(1)])
    _ = try other.store.presets.assign(named: "warm", to: [subject(2)])
    _ = try other.store.presets.assign(named: "Same", to: [.album("Tides", artist: "Nora Vale")])
    _ = try other.store.presets.assign(named: "Mine", to: [subject(3)])
    let report = try merge()
    #expect(report.conflicts == [.preset("warm", newName: "warm (2)")])
    #expect(report.presets.added == 1 && report.presets.same == 1 && report.presets.different == 1)
    #expect(try gain("Warm") == -1 && gain("warm (2)") == -2 && gain("Mine") == -6)
    #expect(try assigned(subject(1)) == "Warm")
    #expect(try assigned(subject(2)) == "warm (2)")
    #expect(try assigned(subject(3)) == "Mine")
    #expect(try assigned(.album("Tides", artist: "Nora Vale")) == "same")

    let again = try merge()
    #expect(again.presets.same == 3 && again.presets.added + again.presets.different == 0 && again.conflicts.isEmpty)
    #expect(again.assignments.same == 3 && again.changes.added == 0)
  }

  @Test func `where both assign, this library's stays and both are named`() throws {
    try create("Here", gain: -1, in: own)
    try create("There", gain: -2, in: other)
    _ = try own.store.presets.assign(named: "Here", to: [subject(1), .library])
    _ = try other.store.presets.assign(named: "There", to: [subject(1), subject(2)])
    _ = try other.store.presets.assign(named: "Bass", to: [.library])
    _ = try own.store.presets.turn(on: false, for: [subject(2)])
    let report = try merge()
    #expect(
      Set(report.conflicts) == [
        .assignment(subject(1), kept: "Here", other: "There"), .assignment(subject(2), kept: "off", other: "There"),
        .assignment(.library, kept: "Here", other: "Bass"),
      ])
    #expect(try assigned(subject(1)) == "Here")
    #expect(try own.store.presets.assignments().first { $0.subject == subject(2) }?.isOn == false)
  }

  @Test func `one undo takes back all that was added, and nothing else`() throws {
    try create("Here", gain: -1, in: own)
    _ = try own.store.presets.assign(named: "Here", to: [subject(1)])
    try create("here", gain: -2, in: other)
    _ = try other.store.presets.assign(named: "here", to: [subject(2), .artist("Nora Vale")])
    let before = try ["preset", "preset_assignment"].map { try Self.rows($0, own) }
    let report = try merge()
    // What was done there is in the journal, but is not undone here.
    #expect(report.changes.added == 2)
    let summaries = try own.store.journal.changes().map { "\($0.summary): \($0.undoneAt == nil)" }
    #expect(summaries.first == "merge \(other.path.displayString): true")
    #expect(summaries.contains("assign here to 2 tracks: false") || summaries.contains("create here: false"))
    _ = try own.store.journal.undo()
    #expect(try ["preset", "preset_assignment"].map { try Self.rows($0, own) } == before)
    #expect(try own.store.journal.undo().summary.hasPrefix("assign Here"))
  }

  @Test func `what was done twice in one second is in the journal twice, however often it is merged`() throws {
    func switchTwice() throws {
      for isOn in [false, true, false, true] { _ = try other.store.presets.turn(on: isOn, for: [.library]) }
      try other.execute("UPDATE change SET made_at = 1")
    }
    try switchTwice()
    #expect(try merge().changes == MergeCounts(added: 4))
    #expect(try merge().changes == MergeCounts(same: 4))
    try switchTwice()
    #expect(try merge().changes == MergeCounts(added: 4, same: 4))
  }

  @Test func `a preset whose name has come to belong to the program hides none`() throws {
    try create("Here", gain: -1, in: own)
    _ = try own.store.presets.assign(named: "Bass", to: [subject(1)])
    try create("Other", gain: -2, in: other)
    try other.execute("UPDATE preset SET name = 'Bass', name_key = 'bass'; DELETE FROM change")
    #expect(try merge().conflicts == [.preset("Bass", newName: "Bass (2)")])
    #expect(try own.store.presets.preset(named: "Bass").isBuiltIn)
    #expect(try gain("bass (2)") == -2)
  }

  @Test func `the longest name still gets its number`() throws {
    let name = String(repeating: "ä", count: 200)
    try create(name, gain: -1, in: own)
    try create(name, gain: -2, in: other)
    try merge()
    #expect(try gain(name) == -1)
    #expect(try gain(String(repeating: "ä", count: 196) + " (2)") == -2)
  }

  // Faults: 112
  @Test func `a preset that this version cannot read comes along`() throws {
    try create("Here", gain: -1, in: own)
    try create("Future", gain: -2, in: other)
    let document = #"{"schema":99,"name":"Future","unknown":[1,2]}"#
    try other.execute("UPDATE preset SET document = '\(document)'; DELETE FROM change")
    try merge()
    #expect(try own.value("SELECT document FROM preset WHERE name = 'Future'") == document)
  }

  // MARK: - Lists and attributes

  @Test func `lists come along, and those of one name are both kept`() throws {
    func ids(_ library: TemporaryLibrary, _ numbers: [Int]) throws -> [Int64] {
      try numbers.map { try #require(try library.recording(of: "\($0).flac")) }
    }
    try own.store.lists.save("Loud", query: "lufs:>-9")
    try own.store.lists.save("set", recordingIDs: try ids(own, [1, 2]))
    try own.store.lists.save("Both", recordingIDs: try ids(own, [3, 1, 3]))
    try other.store.lists.save("loud", query: "lufs:>-8")
    try other.store.lists.save("Set", recordingIDs: try ids(other, [2, 1]))
    try other.store.lists.save("Both", recordingIDs: try ids(other, [3, 1, 3]))
    try other.store.lists.save("New", recordingIDs: try ids(other, [2, 2]))
    let before = try LibraryContents(own.path).lines(of: "list")
    let report = try merge()
    #expect(report.conflicts == [.list("loud", newName: "loud (2)"), .list("Set", newName: "Set (2)")])
    #expect(report.lists.added == 1 && report.lists.same == 1 && report.lists.different == 2)
    let after = try LibraryContents(own.path).lines(of: "list")
    #expect(Set(after).isSuperset(of: before) && after.count == 6)
    #expect(try own.store.lists.list(named: "loud (2)").query == "lufs:>-8")
    #expect(try own.store.lists.list(named: "new").entryCount == 2)
    #expect(try merge().lists.same == 4)
  }

  @Test func `lists of one name are known by it, however its accents are encoded`() throws {
    try own.store.lists.save("\u{C9}t\u{E9}", query: "tide")
    try own.store.lists.save("Na\u{EF}ve", query: "year:1999")
    try other.store.lists.save("e\u{301}te\u{301}", query: "tide")
    try other.store.lists.save("nai\u{308}ve", query: "year:2001")
    let report = try merge()
    #expect(report.lists.same == 1 && report.lists.different == 1 && report.lists.added == 0)
    #expect(report.conflicts == [.list("nai\u{308}ve", newName: "nai\u{308}ve (2)")])
    #expect(try own.store.lists.all().count == 3)
    #expect(try own.store.lists.list(named: "NA\u{CF}VE (2)").query == "year:2001")
  }

  @Test func `attributes come along, and where both have one both are named`() throws {
    let attributes = "INSERT INTO attribute (audio_id, name, value) SELECT id, ?1, ?2 FROM audio WHERE hash = "
    func set(_ name: String, _ value: String, _ number: Int, _ library: TemporaryLibrary) throws {
      try DatabaseQueue(path: library.path.displayString).write {
        try $0.execute(
          sql: attributes + "(SELECT hash FROM audio WHERE id = ?3)",
          arguments: [name, value, try library.recording(of: "\(number).flac")])
      }
    }
    try set("rating", "5", 1, own)
    try set("mood", "calm", 2, own)
    try set("rating", "3", 1, other)
    try set("mood", "calm", 2, other)
    try set("rating", "4", 3, other)
    let report = try merge()
    #expect(report.attributes.added == 1 && report.attributes.same == 1 && report.attributes.different == 1)
    #expect(
      report.conflicts == [
        .attribute("rating", of: Sample.hash(1), label: "Nora Vale - Track 1", kept: "5", other: "3")
      ])
    #expect(try LibraryContents(own.path).lines(of: "attribute").count == 3)
  }

  @Test func `what is said of a sound that no file holds comes along`() throws {
    try other.execute("INSERT INTO attribute (audio_id, name, value) SELECT id, 'rating', '5' FROM audio")
    try other.store.roots.remove(other.root.id)
    try merge()
    #expect(try own.value("SELECT count(*) FROM attribute") == 3)
  }
}
