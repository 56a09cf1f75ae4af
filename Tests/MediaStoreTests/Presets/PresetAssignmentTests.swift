import Base
import GRDB
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import UserData

/// Which preset a track is heard with, whatever becomes of its files.
struct PresetAssignmentTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  /// Three tracks: two of an album, of which one is by a guest, and one without tags.
  init() throws {
    library = try TemporaryLibrary()
    for name in ["Track", "Album", "Artist", "Library"] { try store.presets.create(try PresetStoreTests.preset(name)) }
    try apply("a.flac", 1, ["TITLE": ["One"], "ARTIST": ["Nora Vale"], "ALBUM": ["Tides"]])
    try apply(
      "b.flac", 2,
      ["TITLE": ["Two"], "ARTIST": ["Guest"], "ALBUM": ["Tides"], "ALBUMARTIST": ["Nora Vale"]])
    try apply("other/c.flac", 3, [:])
  }

  private func apply(_ path: String, _ number: UInt64, _ tags: [String: [String]]) throws {
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(tags)
    try store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  private func assign(_ name: String, _ scope: PresetScope, _ query: String = "") throws -> Int {
    try store.presets.assign(named: name, to: try store.presets.subjects(scope, of: try store.query(query)))
  }

  private func applied(_ path: String) throws -> String? {
    let id = try #require(try library.recording(of: path))
    return try store.presets.resolution(ofRecording: id).presetName
  }

  /// The tracks that queries find, as the field `preset` says.
  private func found(_ query: String) throws -> [String] {
    var names: [String] = []
    try store.forEachRow(of: try store.query(query), fields: [QueryField("filename", .text)]) { values in
      if case .text(let name) = values[0] { names.append(name) }
    }
    return names
  }

  @Test func `the most specific assignment applies`() throws {
    #expect(try applied("a.flac") == nil)
    #expect(try assign("library", .library) == 1)
    #expect(try applied("a.flac") == "Library" && applied("other/c.flac") == "Library")
    #expect(try assign("artist", .artist, "title:one") == 1)
    #expect(try applied("a.flac") == "Artist" && applied("b.flac") == "Artist", "of the album artist, too")
    #expect(try assign("album", .album, "title:two") == 1)
    #expect(try applied("a.flac") == "Album" && applied("b.flac") == "Album")
    #expect(try assign("track", .track, "title:two") == 1)
    #expect(try applied("a.flac") == "Album" && applied("b.flac") == "Track" && applied("other/c.flac") == "Library")
    #expect(try assign("track", .track, "title:two") == 0, "nothing changed")
    let chain = try store.presets.resolution(ofRecording: try #require(try library.recording(of: "b.flac")))
    #expect(chain.assignments.map(\.subject.scope) == [.track, .album, .artist, .library])
  }

  @Test func `an album is named as it is called now, and as it was only once it is gone`() throws {
    #expect(try assign("Album", .album, "title:one") == 1)
    func named() throws -> [String] {
      let recording = try #require(try library.recording(of: "a.flac"))
      let assigned = try #require(try store.presets.assignments().first)
      let applied = try #require(try store.presets.resolution(ofRecording: recording).applied)
      return [assigned.shown.description, applied.shown.description]
    }
    #expect(try named() == ["the album 'Tides' by 'Nora Vale'", "the album 'Tides' by 'Nora Vale'"])
    try store.scans.apply(
      [("a.flac", UInt64(1), "One"), ("b.flac", 2, "Two")].map { path, number, title in
        var extraction = Sample.extraction(number)
        extraction.tags = Sample.tags([
          "TITLE": [title], "ARTIST": ["N. Vale"], "ALBUM": ["Tides II"], "ALBUMARTIST": ["N. Vale"],
        ])
        return .extracted(Sample.record(path, extraction))
      })
    #expect(try named() == ["the album 'Tides II' by 'N. Vale'", "the album 'Tides II' by 'N. Vale'"])
    // What was assigned stays what it is.
    #expect(try store.presets.assignments().first?.subject == .album("Tides", artist: "Nora Vale"))
    #expect(try assign("Track", .album, "title:one") == 1)
    #expect(try store.journal.changes()[0].summary == "assign Track to the album 'Tides II' by 'N. Vale'")
    for path in ["a.flac", "b.flac"] {
      try store.scans.apply([.missing(fileID: try #require(try library.id(of: path)))])
    }
    let gone = try #require(try store.presets.assignments().first)
    #expect(gone.shown.description == "the album 'Tides' by 'Nora Vale'")
  }

  @Test func `queries find by the preset that applies`() throws {
    _ = try assign("Library", .library)
    _ = try assign("Album", .album, "title:one")
    _ = try assign("flat", .track, "title:two")
    #expect(try found("preset:album") == ["a.flac"])
    #expect(try found("preset:=Flat") == ["b.flac"])
    #expect(try found("preset:=~LIBRARY") == ["c.flac"])
    #expect(try found("preset:none") == [])
    _ = try store.presets.turn(on: false, for: [.library])
    #expect(try found("preset:none") == ["a.flac", "b.flac", "c.flac"] && found("preset:\"\"").count == 3)
  }

  @Test func `a switch silences what is below it and forgets nothing`() throws {
    _ = try assign("Album", .album, "title:one")
    let album = try store.presets.subjects(.album, of: try store.query("title:one"))
    let track = try store.presets.subjects(.track, of: try store.query("title:two"))
    _ = try assign("Track", .track, "title:two")
    #expect(try store.presets.turn(on: false, for: track) == 1)
    #expect(try applied("a.flac") == "Album" && applied("b.flac") == nil)
    #expect(try store.presets.turn(on: false, for: album) == 1)
    #expect(try store.presets.turn(on: true, for: track) == 1)
    #expect(try applied("b.flac") == nil)
    let resolution = try store.presets.resolution(ofRecording: try #require(try library.recording(of: "b.flac")))
    #expect(resolution.silenced?.subject.scope == .album)
    #expect(try store.presets.turn(on: true, for: album) == 1)
    #expect(try applied("a.flac") == "Album" && applied("b.flac") == "Track")
    // A switch without a preset leaves nothing behind.
    #expect(try store.presets.turn(on: false, for: [.library]) == 1)
    #expect(try store.presets.turn(on: true, for: [.library]) == 1)
    #expect(try store.presets.assignments().count == 2)
  }

  @Test func `moving, renaming and retagging keep a track's preset`() throws {
    _ = try assign("Track", .track, "title:one")
    let file = try #require(try library.id(of: "a.flac"))
    try store.scans.apply([
      .moved(fileID: file, rootID: library.root.id, path: BytePath("x/y.flac"), Sample.status(5))
    ])
    #expect(try applied("x/y.flac") == "Track")
    try apply("x/y.flac", 1, ["TITLE": ["Other"], "ARTIST": ["Other"]])
    #expect(try applied("x/y.flac") == "Track")
  }

  @Test func `pruning keeps a track's preset for its return`() throws {
    _ = try assign("Track", .track, "title:one")
    try store.scans.apply([.missing(fileID: try #require(try library.id(of: "a.flac")))])
    let missing = try store.missingFiles.all(in: try store.query("title:one"))
    let expected = try store.missingFiles.pruneReport(missing, includingOrphans: false)
    #expect(expected.fileCount == 1 && expected.recordingCount == 1 && expected.keptAssignmentCount == 1)
    #expect(try store.missingFiles.prune(missing, includingOrphans: false) == expected)
    #expect(try library.recording(of: "a.flac") == nil)
    #expect(try library.value("SELECT count(*) FROM audio", as: Int.self) == 2)
    #expect(try library.value("SELECT count(*) FROM measures", as: Int.self) == 2)
    #expect(try library.value("SELECT count(*) FROM product_blob", as: Int.self) == 2)
    try apply("back/again.flac", 1, [:])
    #expect(try applied("back/again.flac") == "Track")
  }

  @Test func `deleting a preset that is assigned must be meant`() throws {
    _ = try assign("Track", .track)
    #expect(throws: StoreError.presetInUse("Track", count: 3)) { try store.presets.delete(named: "track") }
    try store.presets.delete(named: "track", evenIfAssigned: true)
    #expect(try store.presets.assignments().isEmpty && applied("a.flac") == nil)
  }

  @Test func `renaming a preset keeps its assignments`() throws {
    _ = try assign("Track", .track)
    try store.presets.rename(named: "Track", to: try PresetName("New"))
    #expect(try applied("other/c.flac") == "New")
  }
}
