import Base
import GRDB
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

/// Presets that only one person hears, and what everybody else hears meanwhile.
struct OwnPresetTests {
  private static let ana = Listener.person(key: Array(1...16), name: "ana")
  private static let ben = Listener.person(key: Array(2...17), name: "ben")
  private static let track = PresetSubject.track(Sample.hash(1), label: "One")
  private static let album = PresetSubject.album("Tides", artist: "Nora Vale")
  private static let artist = PresetSubject.artist("Nora Vale")

  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws { library = try Self.library() }

  /// A track of an album, and presets with the names of levels.
  private static func library() throws -> TemporaryLibrary {
    let library = try TemporaryLibrary()
    for name in ["Track", "Album", "Artist", "Library"] {
      try library.store.presets.create(try PresetStoreTests.preset(name))
    }
    var extraction = Sample.extraction(1)
    extraction.tags = Sample.tags(["TITLE": ["One"], "ARTIST": ["Nora Vale"], "ALBUM": ["Tides"]])
    try library.store.scans.apply([.extracted(Sample.record("a.flac", extraction))])
    return library
  }

  private func heard(by listener: Listener, in store: MediaStore? = nil) throws -> String? {
    try (store ?? self.store).presets.resolution(ofRecording: 1, for: listener).presetName
  }

  @Test func `what is assigned for a person is heard by that person alone`() throws {
    #expect(try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana) == 1)
    #expect(try heard(by: Self.ana) == "Track")
    #expect(try heard(by: Self.ben) == nil && heard(by: .owner) == nil)
    _ = try store.presets.assign(named: "Album", to: [Self.track])
    #expect(try heard(by: Self.ana) == "Track")
    #expect(try heard(by: Self.ben) == "Album" && heard(by: .owner) == "Album")
    #expect(try store.presets.unassign(of: [Self.track], for: Self.ana) == 1)
    #expect(try heard(by: Self.ana) == "Album")
  }

  @Test func `the least of a person's own comes before all of the library's`() throws {
    _ = try store.presets.assign(named: "Track", to: [Self.track])
    _ = try store.presets.assign(named: "Library", to: [.library], for: Self.ana)
    #expect(try heard(by: Self.ana) == "Library")
    _ = try store.presets.assign(named: "Artist", to: [Self.artist], for: Self.ana)
    _ = try store.presets.assign(named: "Album", to: [Self.album], for: Self.ana)
    #expect(try heard(by: Self.ana) == "Album")
    let assignments = try store.presets.resolution(ofRecording: 1, for: Self.ana).assignments
    #expect(assignments.map(\.subject.scope) == [.album, .artist, .library, .track])
    #expect(assignments.map(\.person) == ["ana", "ana", "ana", nil])
  }

  @Test func `a switch is that of a person, or everybody's`() throws {
    _ = try store.presets.assign(named: "Library", to: [.library])
    #expect(try store.presets.turn(on: false, for: [Self.album], heardBy: Self.ana) == 1)
    #expect(try heard(by: Self.ana) == nil && heard(by: Self.ben) == "Library")
    _ = try store.presets.turn(on: true, for: [Self.album], heardBy: Self.ana)
    _ = try store.presets.turn(on: false, for: [.library])
    #expect(try heard(by: Self.ana) == nil && heard(by: Self.ben) == nil)
    _ = try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana)
    #expect(try heard(by: Self.ana) == "Track", "the library's switch does not silence what is one's own")
  }

  @Test func `queries and counts of the library ask for what everybody hears`() throws {
    _ = try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana)
    #expect(try store.count(of: store.query("preset:none")) == 1)
    #expect(try store.count(of: store.query("preset:track")) == 0)
  }

  @Test func `undo takes back what was assigned for one person, and the library stays sound`() throws {
    _ = try store.presets.assign(named: "Album", to: [Self.track])
    _ = try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana)
    #expect(try store.check(isDeep: true).isSound)
    #expect(try store.journal.undo().summary == "assign Track to the track 'One' for ana")
    #expect(try heard(by: Self.ana) == "Album")
    _ = try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana)
    try store.presets.delete(named: "Track", evenIfAssigned: true)
    #expect(try heard(by: Self.ana) == "Album")
    _ = try store.journal.undo()
    #expect(try heard(by: Self.ana) == "Track")
    try library.execute("DELETE FROM preset_assignment WHERE person_id <> 1")
    #expect(try !store.check(isDeep: true).isSound)
  }

  /// - Parameter isEmpty: Whether the library that gets the other one has decisions and persons of its own.
  @Test(arguments: [true, false]) func `a merge keeps the presets of both people`(isEmpty: Bool) throws {
    let target = isEmpty ? try TemporaryLibrary() : try Self.library()
    // So that the ids of persons differ.
    _ = try target.store.people.addedID(of: .person(key: Array(3...18), name: "cleo"))
    _ = try target.store.people.addedID(of: Self.ben)
    if !isEmpty { _ = try target.store.presets.assign(named: "Album", to: [Self.track], for: Self.ben) }
    _ = try store.presets.assign(named: "Artist", to: [Self.track])
    _ = try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana)
    _ = try target.store.merge([library.path], options: MergeOptions(keepsCopy: false))
    #expect(try heard(by: Self.ana, in: target.store) == "Track")
    #expect(try heard(by: Self.ben, in: target.store) == (isEmpty ? "Artist" : "Album"))
    #expect(try heard(by: .owner, in: target.store) == "Artist")
    #expect(try target.store.check(isDeep: true).isSound)
  }

  @Test func `a repair brings them back from the journal`() throws {
    _ = try store.presets.assign(named: "Album", to: [Self.track])
    _ = try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana)
    try store.close()
    try library.execute(
      "UPDATE preset_assignment SET label = CAST(x'FF' || CAST(label AS BLOB) AS TEXT) WHERE person_id <> 1")
    let path = library.folder.file("repaired.sqlite")
    let report = try LibraryRepair.repair(library.path, to: path)
    #expect(report.check.isSound)
    #expect(report.tables.first { $0.name == "preset_assignment" }?.rebuiltCount == 1)
    let repaired = try MediaStore(at: path, access: .readWrite)
    #expect(try heard(by: Self.ana, in: repaired) == "Track" && heard(by: Self.ben, in: repaired) == "Album")
    try repaired.close()
  }

  @Test func `when two recordings become one, each person keeps their own`() throws {
    let new = Sample.hash(9)
    _ = try store.presets.assign(named: "Album", to: [.track(new, label: "One")])
    _ = try store.presets.assign(named: "Track", to: [Self.track], for: Self.ana)
    let orphan = try #require(try store.decisions.orphans().first { $0.hash == new })
    _ = try store.decisions.reattach(orphan, to: 1, label: "One", replacing: false)
    #expect(try heard(by: Self.ana) == "Track" && heard(by: Self.ben) == "Album")
  }
}
