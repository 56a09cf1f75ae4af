import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import UserData

/// Artists whom files call otherwise than before: what was decided about them follows.
struct RenamedArtistsTests {
  private let shelf: Shelf

  init() throws {
    shelf = try Shelf()
    for number in 1...3 { try write(number, ["Norah Vale"]) }
    try shelf.finish()
    try shelf.store.presets.create(try PresetStoreTests.preset("Warm"))
    _ = try shelf.store.presets.assign(named: "Warm", to: [.artist("Norah Vale")])
    try shelf.store.attributes.setOpinion(
      .rating, to: "80", ofRecordings: [], groups: [.artist("Norah Vale")], by: Person.ownerID)
  }

  private func write(_ number: Int, _ artists: [String]) throws {
    var extraction = Sample.extraction(UInt64(number))
    extraction.tags = Sample.tags(["ALBUM": ["Tides"], "TITLE": ["Song \(number)"], "ARTIST": artists])
    try shelf.store.scans.apply([.extracted(Sample.record("Tides/\(number).flac", extraction))])
  }

  /// Whose preset and whose rating there is.
  private func decided() throws -> [String] {
    let presets = try shelf.store.presets.assignments().map { "preset of \($0.subject)" }
    let ratings = try shelf.store.attributes.ofGroups(by: Person.ownerID).map { "\($0.name) of \($0.group)" }
    return presets + ratings
  }

  private func isDecided(_ name: String) throws -> Bool {
    let decided = try decided()
    return decided.count == 2 && decided.allSatisfy { $0.contains(name) }
  }

  @Test func `what was decided follows when all files have the same new name, and undo takes it back`() throws {
    let before = try decided()
    #expect(try isDecided("Norah Vale"), "\(before)")
    for number in 1...3 { try write(number, ["Nora Vale"]) }
    try shelf.finish()
    #expect(try isDecided("Nora Vale"))
    #expect(
      try shelf.store.journal.changes()[0].summary == "follow artists that files have renamed: Norah Vale to Nora Vale")
    _ = try shelf.store.journal.undo()
    #expect(try decided() == before)
  }

  @Test func `it follows after the last file, whichever scan finds that`() throws {
    for number in 1...3 {
      try write(number, ["Nora Vale"])
      try shelf.finish()
      #expect(try isDecided(number < 3 ? "Norah Vale" : "Nora Vale"), "\(number)")
    }
    #expect(try shelf.store.journal.changes().count == 4)
  }

  @Test func `two new names are no answer, nor is none`() throws {
    let before = try decided()
    for (number, name) in [(1, "Nora Vale"), (2, "Nora Vale"), (3, "Bo")] { try write(number, [name]) }
    try shelf.finish()
    #expect(try decided() == before)
    for number in 1...3 { try write(number, ["Norah Vale"]) }
    try shelf.finish()
    for number in 1...3 { try write(number, []) }
    try shelf.finish()
    #expect(try decided() == before)
  }

  @Test func `a name among others is followed in its place`() throws {
    for number in 1...3 { try write(number, number == 2 ? ["Bo", "Norah Vale"] : ["Norah Vale"]) }
    try shelf.finish()
    for number in 1...3 { try write(number, number == 2 ? ["Bo", "Nora Vale"] : ["Nora Vale"]) }
    try shelf.finish()
    #expect(try isDecided("Nora Vale"))
    // With another number of values it cannot be told.
    for number in 1...3 { try write(number, ["N. Vale", "Guest"]) }
    try shelf.finish()
    #expect(try isDecided("Nora Vale"))
  }

  @Test func `a file that is missing does not hold the former name`() throws {
    let id = try #require(try shelf.library.id(of: "Tides/3.flac"))
    try shelf.store.scans.apply([.missing(fileID: id)])
    for number in 1...2 { try write(number, ["Nora Vale"]) }
    try shelf.finish()
    #expect(try isDecided("Nora Vale"))
  }

  @Test func `what is decided about the new name stays`() throws {
    _ = try shelf.store.presets.assign(named: "Bass", to: [.artist("Nora Vale")])
    for number in 1...3 { try write(number, ["Nora Vale"]) }
    try shelf.finish()
    let recording = try #require(try shelf.library.recording(of: "Tides/1.flac"))
    #expect(try shelf.store.presets.resolution(ofRecording: recording).presetName == "Bass")
    #expect(try shelf.store.attributes.ofGroups(by: Person.ownerID).map(\.group) == [.artist("Nora Vale")])
  }

  @Test func `a corrected file names whom people said`() throws {
    let field = try #require(CorrectionField("artist"))
    let files = try shelf.store.fileIDs(of: shelf.store.query("track+"))
    _ = try shelf.store.corrections.correct(.set([.init(field: field, values: ["Norah Vale!"])]), ofFiles: files)
    #expect(try isDecided("Norah Vale!"))
    for number in 1...3 { try write(number, ["Nora Vale"]) }
    try shelf.finish()
    #expect(try isDecided("Norah Vale!"))
  }

  @Test func `an artist of ARTISTS is followed, in tags and in corrections`() throws {
    func tag(_ number: Int, _ name: String) throws {
      var extraction = Sample.extraction(UInt64(number))
      extraction.tags = Sample.tags([
        "ALBUM": ["Tides"], "TITLE": ["Song \(number)"], "ARTIST": ["\(name) with Bo"], "ARTISTS": [name, "Bo"],
      ])
      try shelf.store.scans.apply([.extracted(Sample.record("Tides/\(number).flac", extraction))])
    }
    for number in 1...3 { try tag(number, "Norah Vale") }
    try shelf.finish()
    for number in 1...3 { try tag(number, "Nora Vale") }
    try shelf.finish()
    #expect(try isDecided("Nora Vale"))
    let field = try #require(CorrectionField("artists"))
    let files = try shelf.store.fileIDs(of: shelf.store.query("track+"))
    let edit = CorrectionEdit.set([.init(field: field, values: ["N. Vale", "Bo"])])
    let rehearsed = try shelf.store.corrections.correct(edit, ofFiles: files, isDryRun: true)
    #expect(try isDecided("Nora Vale"))
    let report = try shelf.store.corrections.correct(edit, ofFiles: files)
    #expect(report == rehearsed && report.movedDecisionCount == 2)
    #expect(try isDecided("N. Vale"))
    _ = try shelf.store.journal.undo()
    #expect(try isDecided("Nora Vale"))
  }

  @Test func `another spelling in files is the artist who was decided about, and holds the name`() throws {
    for number in 1...3 { try write(number, number == 1 ? ["NORAH VALE"] : ["Norah Vale"]) }
    try shelf.finish()
    for number in 2...3 { try write(number, ["Nora Vale"]) }
    try shelf.finish()
    #expect(try isDecided("Norah Vale"), "a file has the name in capitals")
    try write(1, ["Nora Vale"])
    try shelf.finish()
    #expect(try isDecided("Nora Vale"))
    // Where only the spelling changes, it follows that.
    for number in 1...3 { try write(number, ["nora vale"]) }
    try shelf.finish()
    #expect(try isDecided("nora vale"))
  }

  @Test func `an artist is followed in names that a separator parts`() throws {
    try shelf.store.attributes.setArtistSeparators([" with "])
    for number in 1...3 { try write(number, ["Bo with Norah Vale"]) }
    try shelf.finish()
    for number in 1...3 { try write(number, ["Bo with Nora Vale"]) }
    try shelf.finish()
    #expect(try decided().filter { $0.contains("artist(\"Nora Vale\")") || $0.contains("'Nora Vale'") }.count == 2)
  }

  @Test func `two new names in one correction are no answer`() throws {
    let before = try decided()
    let field = try #require(CorrectionField("artist"))
    let files = try shelf.store.fileIDs(of: shelf.store.query("track+"))
    let edits = zip(files, ["Nora Vale", "Nora Vale", "Bo"]).map { file, name in
      (edit: CorrectionEdit.set([.init(field: field, values: [name])]), fileIDs: [file])
    }
    let report = try shelf.store.corrections.correct(edits, "correct three artists")
    #expect(try decided() == before && report.movedDecisionCount == 0)
  }
}
