import Base
import LibraryMerging
import LibraryQueries
import LibraryRecovery
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing
import TestSupport
import UserData

/// Parts in the library: which ones count, and what users decide about them.
struct PartStoreTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws { library = try TemporaryLibrary() }

  private func extraction(_ number: UInt64, starts: [Int64] = [], title: String = "Album") -> Extraction {
    var extraction = Sample.extraction(number, title: title)
    extraction.parts = PartList(
      starts.enumerated().map { .init(start: $1, tags: PartTags(title: "in \($0 + 1)")) }, from: .textTrack)
    return extraction.withSettledParts
  }

  private func sheet(_ path: String, _ text: String) -> CueSheetFolder.Sheet {
    CueSheetFolder.Sheet(path: BytePath(path), status: Sample.status(), contents: CueSheet(text))
  }

  private static func text(_ file: String) -> String {
    "FILE \"\(file)\" WAVE\nTRACK 01 AUDIO\nTITLE \"beside 1\"\nINDEX 01 00:00:00\nTRACK 02 AUDIO\nINDEX 01 00:04:00"
  }

  private func titles(_ path: String) throws -> [String?] {
    let track = try store.tracks.resolve("/music/\(path)")
    return try store.files.parts(ofFile: track.fileDetails[0].id).map(\.part.tags.title)
  }

  @Test func `a sheet beside a file comes before what is in it, and its end brings that back`() throws {
    try store.scans.apply([.extracted(Sample.record("a.flac", extraction(1, starts: [0, 44_100])))])
    #expect(try titles("a.flac") == ["in 1", "in 2"])
    try store.scans.apply(CueSheetFolder(rootID: 1, sheets: [sheet("a.cue", Self.text("a.wav"))], formerIDs: []))
    #expect(try titles("a.flac") == ["beside 1", nil])
    // Reading the file again does not change that.
    try store.scans.apply([.extracted(Sample.record("a.flac", extraction(1, starts: [0])))])
    #expect(try titles("a.flac") == ["beside 1", nil])
    let known = try store.scans.cueSheets(inRoot: 1)
    #expect(known.map(\.path) == [BytePath("a.cue")])
    try store.scans.apply(CueSheetFolder(rootID: 1, sheets: [], formerIDs: known.map(\.id)))
    #expect(try titles("a.flac") == [] && store.scans.cueSheets(inRoot: 1).isEmpty)
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test(arguments: [
    ("a b.flac", "a b.flac"), ("a b.wav", "a b.flac"), ("A B.WAV", "a b.flac"), ("D:\\rips\\a b.ape", "a b.flac"),
    ("./a b.wav", "a b.flac"), ("CD1\\one.wav", "CD1/one.flac"), ("other.wav", "sheet.flac"), ("ä.wav", "Ä.flac"),
  ])
  func `a FILE line may lie about extension, case and folders`(line: String, file: String) throws {
    for (number, name) in ["a b.flac", "CD1/one.flac", "sheet.flac", "Ä.flac", "z.flac"].enumerated() {
      try store.scans.apply([.extracted(Sample.record(name, extraction(UInt64(number + 1))))])
    }
    let applied = try store.scans.apply(
      CueSheetFolder(rootID: 1, sheets: [sheet("sheet.cue", Self.text(line))], formerIDs: []))
    #expect(applied.described.map(\.file.displayString) == [file] && applied.described.first?.partCount == 2)
    #expect(applied.unmatched.isEmpty)
  }

  @Test func `a sheet means nothing that is not there, and of two sheets the first counts`() throws {
    try store.scans.apply([.extracted(Sample.record("a.flac", extraction(1)))])
    try store.scans.apply([.extracted(Sample.record("below/other.flac", extraction(2)))])
    let applied = try store.scans.apply(
      CueSheetFolder(
        rootID: 1,
        sheets: [
          sheet("0.cue", Self.text("other.flac")), sheet("a.cue", Self.text("a.flac")),
          sheet("b.cue", Self.text("a.flac")),
        ], formerIDs: []))
    #expect(applied.described.map(\.sheet.displayString) == ["a.cue"])
    #expect(applied.unmatched.map(\.sheet.displayString) == ["0.cue"])
  }

  @Test func `a part is named by its number behind an id or a path`() throws {
    try store.scans.apply([
      .extracted(Sample.record("a.flac", extraction(1, starts: [0, 44_100]))),
      .extracted(Sample.record("a.flac#2", extraction(2, title: "A file"))),
      .extracted(Sample.record("b.flac", extraction(3))),
    ])
    let second = try store.tracks.resolve("1#2")
    #expect(second.part?.part.frames == 44_100..<441_000 && second.title == "in 2" && second.recordingID == 1)
    #expect(try store.tracks.resolve("/music/a.flac#1").part?.number == 1)
    // A file of that name comes first.
    #expect(try store.tracks.resolve("/music/a.flac#2").part == nil)
    #expect(throws: TrackError.noPart("/music/a.flac", number: 3, count: 2)) { try store.tracks.resolve("1#3") }
    #expect(throws: TrackError.noPart("/music/b.flac", number: 1, count: 0)) { try store.tracks.resolve("3#1") }
    #expect(throws: TrackError.partOfMany("1#2")) { try store.tracks.query(naming: ["1#2"]) }
  }

  // MARK: - Presets

  private func assign(_ name: String, _ word: String) throws {
    let subjects = try #require(try store.presets.partSubjects(naming: [word]))
    #expect(try store.presets.assign(named: name, to: subjects) == 1)
  }

  private func preset(_ word: String) throws -> String? {
    let track = try store.tracks.resolve(word)
    return try store.presets.resolution(ofRecording: track.recordingID, part: track.part?.part.frames).presetName
  }

  @Test func `a part's preset is preferred to its track's, and an undo takes it away`() throws {
    try store.scans.apply([.extracted(Sample.record("a.flac", extraction(1, starts: [0, 44_100])))])
    _ = try store.presets.assign(named: "Bass", to: [.track(Sample.hash(1), label: "a")])
    try assign("Voice", "1#2")
    #expect(try preset("1#2") == "Voice" && preset("1#1") == "Bass" && preset("1") == "Bass")
    _ = try store.presets.turn(on: false, for: [.track(Sample.hash(1), label: "a")])
    #expect(try preset("1#2") == nil)
    for _ in 0..<2 { _ = try store.journal.undo() }
    #expect(try preset("1#2") == "Bass")
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test func `a part keeps its preset when its recording gets another hash`() throws {
    var former = extraction(1, starts: [0, 44_100])
    former.stream = StreamIdentity(hash: Sample.hash(1), hashVersion: 1, byteCount: 1)
    try store.scans.apply([.extracted(Sample.record("a.flac", former))])
    try assign("Voice", "1#2")
    var now = extraction(1, starts: [0, 44_100])
    now.stream = StreamIdentity(hash: Sample.hash(11), formerHash: Sample.hash(1), byteCount: 1)
    try store.scans.apply([.extracted(Sample.record("moved/b.flac", now))])
    let id = try store.tracks.resolve("/music/moved/b.flac").recordingID
    #expect(try preset("\(id)#2") == "Voice" && preset("\(id)#1") == nil)
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test func `a merge brings parts, the sheets beside them and their presets`() throws {
    let other = try TemporaryLibrary()
    try other.store.scans.apply([.extracted(Sample.record("a.flac", extraction(1, starts: [0, 44_100])))])
    try other.store.scans.apply(CueSheetFolder(rootID: 1, sheets: [sheet("a.cue", Self.text("a.flac"))], formerIDs: []))
    let subjects = try #require(try other.store.presets.partSubjects(naming: ["1#2"]))
    _ = try other.store.presets.assign(named: "Voice", to: subjects)
    _ = try store.presets.assign(named: "Bass", to: [.library])
    _ = try store.merge([other.path], options: MergeOptions(keepsCopy: false))
    #expect(try titles("a.flac") == ["beside 1", nil] && preset("1#2") == "Voice" && preset("1#1") == "Bass")
    #expect(try store.scans.cueSheets(inRoot: 1).map(\.path) == [BytePath("a.cue")])
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test func `queries ask for parts, and a list can have a row for each`() throws {
    try store.scans.apply([
      .extracted(Sample.record("a.flac", extraction(1, starts: [0, 44_100]))),
      .extracted(Sample.record("b.flac", extraction(2))),
    ])
    try assign("Voice", "1#2")
    func count(_ text: String) throws -> Int { try store.count(of: store.query(text)) }
    #expect(
      try count("has:parts") == 1 && count("-has:parts") == 1 && count("parts:2") == 1 && count("parts:\"\"") == 1)
    #expect(try count("part:\"in 2\"") == 1 && count("part:\"in 3\"") == 0)
    let names = ["address", "title", "start", "duration", "preset", "filename"]
    let fields = try names.map { try #require(store.partVocabulary[$0]) }
    var rows: [[FieldValue]] = []
    try store.forEachRow(of: store.query("duration-"), fields: fields, limit: 5, listsParts: true) { values in
      rows.append(values)
    }
    #expect(
      rows == [
        [.text("1#2"), .text("in 2"), .real(1), .real(9), .text("Voice"), .text("a.flac")],
        [.text("1#1"), .text("in 1"), .real(0), .real(1), .none, .text("a.flac")],
      ])
  }
}
