import Base
import GRDB
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

/// Corrections in a library that is scanned again and again.
struct CorrectionStoreTests {
  private let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private var store: MediaStore { library.store }

  private func scan(_ path: String, _ number: UInt64, _ tags: [String: [String]], movedFrom: Int64? = nil) throws {
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(tags)
    try store.scans.apply([.extracted(Sample.record(path, extraction, movedFrom: movedFrom))])
  }

  private func id(_ path: String) throws -> Int64 { try #require(try library.id(of: path)) }

  @discardableResult
  private func set(_ field: String, _ values: String..., of paths: String...) throws -> CorrectionReport {
    try store.corrections.correct(
      .set([.init(field: try #require(CorrectionField(field)), values: values)]), ofFiles: paths.map(id))
  }

  private func tags(_ path: String) throws -> Tags { try store.files.tags(ofFile: id(path)) }

  private func state(_ path: String) throws -> [Correction.State] {
    try store.corrections.files([id(path)]).flatMap(\.fields).map(\.state)
  }

  /// The paths that a query finds.
  private func found(_ text: String) throws -> [String] {
    var paths: [String] = []
    try store.forEachRow(of: store.query(text), fields: [QueryField("filename", .text)]) { values in
      if case .text(let name) = values[0] { paths.append(name) }
    }
    return paths
  }

  @Test func `what is heard is corrected in all copies, an album in one file`() throws {
    try scan("a/1.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Nora"], "ALBUM": ["Tides"], "TRACKNUMBER": ["3/9"]])
    try scan("b/copy.flac", 1, ["TITLE": ["ebb"], "ARTIST": ["Nora"], "ALBUM": ["Best Of"]])
    let report = try set("title", "Ebb and Flow", of: "a/1.flac")
    #expect(report.changedFileCount == 1 && report.correctionCount == 1)
    #expect(try tags("a/1.flac")["TITLE"] == ["Ebb and Flow"] && tags("b/copy.flac")["TITLE"] == ["Ebb and Flow"])
    try set("album", "Tides (Deluxe)", of: "a/1.flac")
    try set("track", "4", of: "a/1.flac")
    #expect(try tags("b/copy.flac")["ALBUM"] == ["Best Of"])
    #expect(try found("title:=\"Ebb and Flow\"") == ["1.flac", "copy.flac"])
    #expect(try found("flow") == ["1.flac", "copy.flac"] && found("title:=ebb").isEmpty)
    #expect(try found("album:deluxe track:4 tracktotal:9") == ["1.flac"])
    #expect(try found("is:corrected") == ["1.flac", "copy.flac"] && found("is:conflict").isEmpty)
    #expect(try store.albums.all().map(\.title).sorted() == ["Best Of", "Tides (Deluxe)"])
    #expect(try store.check(isDeep: true).isSound)
    // A copy that is found later.
    try scan("c/new.flac", 1, ["TITLE": ["Ebb"], "ALBUM": ["Live"]])
    #expect(try tags("c/new.flac")["TITLE"] == ["Ebb and Flow"] && state("c/new.flac") == [.active])
    #expect(try library.value("SELECT count(*) FROM correction_due") == 0)
  }

  @Test func `what was decided about an artist follows corrections, their removal and decisions about conflicts`()
    throws
  {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Old", "Guest"]])
    try store.presets.create(try PresetStoreTests.preset("Warm"))
    _ = try store.presets.assign(
      named: "Warm", to: store.presets.subjects(.artist, of: store.query("title:=Ebb")))
    let recording = try #require(try library.recording(of: "1.flac"))
    func heard() throws -> String? { try store.presets.resolution(ofRecording: recording).presetName }
    #expect(try heard() == "Warm")
    let (artist, file) = (try #require(CorrectionField("artist")), [try id("1.flac")])
    let replaced = try store.corrections.correct(.replace(artist, from: "Old", to: "New"), ofFiles: file)
    #expect(try heard() == "Warm" && replaced.movedDecisionCount == 1)
    #expect(try store.corrections.revert(nil, ofFiles: file).movedDecisionCount == 1)
    #expect(try heard() == "Warm")
    try set("artist", "New", of: "1.flac")
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Third"]])
    #expect(try heard() == "Warm")
    _ = try store.corrections.resolve(.files, ofFiles: file)
    #expect(try tags("1.flac")["ARTIST"] == ["Third"] && heard() == "Warm")
    for _ in 1...4 { _ = try store.journal.undo() }
    #expect(try store.check(isDeep: true).isSound)
  }

  @Test func `a merge brings a correction, and what was decided about the artist follows`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Old"]])
    let other = try TemporaryLibrary()
    var extraction = Sample.extraction(1)
    extraction.tags = Sample.tags(["TITLE": ["Ebb"], "ARTIST": ["Old"]])
    try other.store.scans.apply([.extracted(Sample.record("1.flac", extraction))])
    _ = try other.store.corrections.correct(
      .set([.init(field: try #require(CorrectionField("artist")), values: ["New"])]),
      ofFiles: [try #require(try other.id(of: "1.flac"))])
    try store.presets.create(try PresetStoreTests.preset("Warm"))
    _ = try store.presets.assign(named: "Warm", to: store.presets.subjects(.artist, of: store.query("title:=Ebb")))
    _ = try store.merge([other.path], options: MergeOptions())
    #expect(try tags("1.flac")["ARTIST"] == ["New"])
    let recording = try #require(try library.recording(of: "1.flac"))
    #expect(try store.presets.resolution(ofRecording: recording).presetName == "Warm")
  }

  @Test func `copies that are not named and say something else are counted`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Bjrk"]])
    try scan("copy.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Max"]])
    try scan("same.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Björk"]])
    try scan("other.flac", 2, ["TITLE": ["Flow"], "ARTIST": ["Max"]])
    let artist = try #require(CorrectionField("artist"))
    let report = try store.corrections.correct(
      .replace(artist, from: "Bjrk", to: "Björk"), ofFiles: [id("1.flac")])
    #expect(report.changedFileCount == 1 && report.copyCount == 1)
    #expect(try tags("copy.flac")["ARTIST"] == ["Björk"] && tags("other.flac")["ARTIST"] == ["Max"])
    let album = try set("album", "Tides", of: "1.flac")
    #expect(album.changedFileCount == 1 && album.copyCount == 0)
  }

  @Test func `several values, added and removed ones, and none`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "GENRE": ["Pop; Rock"]])
    let genre = try #require(CorrectionField("genre"))
    let file = [try id("1.flac")]
    func correct(_ edit: CorrectionEdit) throws -> Int {
      try store.corrections.correct(edit, ofFiles: file).changedFileCount
    }
    #expect(try correct(.add([.init(field: genre, values: ["Jazz", "Pop; Rock"])])) == 1)
    #expect(try tags("1.flac")["GENRE"] == ["Pop; Rock", "Jazz"])
    #expect(try correct(.add([.init(field: genre, values: ["Jazz"])])) == 0)
    #expect(try correct(.replace(genre, from: "Jazz", to: "Pop; Rock")) == 1)
    // That is what the file says.
    #expect(try library.value("SELECT count(*) FROM correction") == 0)
    #expect(try correct(.replace(genre, from: "pop; rock", to: "Soul")) == 0)
    #expect(try correct(.remove([.init(field: genre, values: ["Pop; Rock"])])) == 1)
    #expect(try tags("1.flac")["GENRE"] == [] && found("genre:\"\"") == ["1.flac"])
    #expect(try correct(.set([.init(field: genre, values: [])])) == 0)
    #expect(try library.value("SELECT value FROM correction", as: String.self) == "[]")
    #expect(try store.corrections.revert(nil, ofFiles: file).changedFileCount == 1)
    #expect(try tags("1.flac")["GENRE"] == ["Pop; Rock"] && state("1.flac") == [])
    #expect(try library.value("SELECT count(*) FROM own_tag") == 0)
  }

  @Test func `a dry run counts and writes nothing`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"]])
    let genre = try #require(CorrectionField("genre"))
    let edit = CorrectionEdit.set([.init(field: genre, values: ["Jazz"])])
    let planned = try store.corrections.correct(edit, ofFiles: [id("1.flac")], isDryRun: true)
    #expect(planned.changedFileCount == 1 && planned.correctionCount == 1)
    #expect(try library.value("SELECT count(*) FROM correction") == 0 && store.journal.changes().isEmpty)
    #expect(try store.corrections.correct(edit, ofFiles: [id("1.flac")]) == planned)
  }

  @Test func `a dry run says what moves with artists and albums as the run does`() throws {
    for (title, first) in [("Ebb", 1), ("Tides", 4)] {
      for number in first..<first + 3 {
        try scan(
          "\(title)/\(number).flac", UInt64(number),
          ["TITLE": ["T\(number)"], "ARTIST": ["Nora"], "ALBUM": [title], "TRACKNUMBER": ["\(number)"]])
      }
    }
    let groups: [TrackGroup] =
      try [.artist("Nora")]
      + store.albums.all().map { .album($0.knownNames.title, artist: $0.knownNames.artist) }
    let opinions: [(Opinion, String)] = [(.rating, "80"), (.rating, "60"), (.starred, "2026-01-02T03:04:05Z")]
    for ((opinion, value), group) in zip(opinions, groups) {
      try store.attributes.setOpinion(opinion, to: value, ofRecordings: [], groups: [group], by: Person.ownerID)
    }
    let all = try store.fileIDs(of: store.query("track+"))
    let changes = try store.journal.changes().count
    // The artist's rating gets a new name, and what was said of one of the albums goes to the other.
    let settings: [CorrectionEdit.Setting] = [
      .init(field: try #require(CorrectionField("artist")), values: ["Nora Vale"]),
      .init(field: try #require(CorrectionField("album")), values: ["Tides"]),
    ]
    let rehearsed = try store.corrections.correct(.set(settings), ofFiles: all, isDryRun: true)
    #expect(try store.albums.all().map(\.title) == ["Ebb", "Tides"] && store.journal.changes().count == changes)
    #expect(try Set(store.attributes.ofGroups(by: Person.ownerID).map(\.group)) == Set(groups))
    let report = try store.corrections.correct(.set(settings), ofFiles: all)
    #expect(report == rehearsed && report.movedDecisionCount == 2, "\(report) \(rehearsed)")
    #expect(try store.albums.all().map(\.title) == ["Tides"])
    let reverted = try store.corrections.revert(nil, ofFiles: all, isDryRun: true)
    #expect(try reverted == store.corrections.revert(nil, ofFiles: all) && reverted.movedDecisionCount == 2)
    #expect(try Set(store.attributes.ofGroups(by: Person.ownerID).map(\.group)) == Set(groups))
  }

  @Test func `an album artist that is missing is the album's, and needed where tracks have guests`() throws {
    func add(_ folder: String, _ artists: [String], _ first: Int) throws {
      for (place, artist) in artists.enumerated() {
        try scan(
          "\(folder)/\(place).flac", UInt64(first + place),
          ["TITLE": ["\(folder) \(place)"], "ARTIST": [artist], "ALBUM": [folder.replacing("2", with: "")]])
      }
    }
    try add("Guests", ["Zed feat. Ana", "Zed", "Zed"], 1)
    try add("Plain", ["Bo", "Bo"], 11)
    try add("Mixed", ["Bo", "Ana"], 21)
    try add("Hits", ["Bo", "Ana", "Zed"], 31)
    try add("Hits2", ["Cy", "Di", "Ed"], 41)
    let field = try #require(CorrectionField("albumartist"))
    var told: [String: [String]] = [:]
    for album in try store.albums.all() {
      guard let fill = try store.corrections.fill(of: field, inAlbum: album.id) else { continue }
      told[fill.albumTitle] = fill.values + [fill.isNeeded ? "needed" : "tidy"]
    }
    // Two albums called Hits would become one.
    #expect(
      told == [
        "Guests": ["Zed", "needed"], "Plain": ["Bo", "tidy"], "Mixed": ["Various Artists", "needed"],
      ])
  }

  @Test func `a changed tag is a conflict until somebody decides`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "GENRE": ["Pop"]])
    try set("genre", "Jazz", of: "1.flac")
    #expect(try state("1.flac") == [.active])
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "GENRE": ["Rock"]])
    #expect(try state("1.flac") == [.conflict] && tags("1.flac")["GENRE"] == ["Jazz"])
    #expect(try found("is:conflict") == ["1.flac"] && found("genre:rock").isEmpty)
    let file = [try id("1.flac")]
    #expect(try store.corrections.resolve(.mine, ofFiles: file).changedFileCount == 1)
    #expect(try state("1.flac") == [.active] && tags("1.flac")["GENRE"] == ["Jazz"])
    #expect(try store.corrections.resolve(.files, ofFiles: file).changedFileCount == 0)
    // The file is what it was corrected to by now, which stays a correction.
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "GENRE": ["Jazz"]])
    #expect(try state("1.flac") == [.satisfied])
    try scan("1.flac", 1, ["TITLE": ["Ebb"]])
    #expect(try state("1.flac") == [.conflict])
    #expect(try store.corrections.resolve(.files, ofFiles: file).changedFileCount == 1)
    #expect(try tags("1.flac")["GENRE"] == [] && state("1.flac") == [])
    _ = try store.journal.undo()
    #expect(try tags("1.flac")["GENRE"] == ["Jazz"] && state("1.flac") == [.conflict])
    // What is said again after the file changed is a decision about what it says now.
    try set("genre", "Jazz", of: "1.flac")
    #expect(try state("1.flac") == [.active])
  }

  @Test func `a moved file keeps its corrections, and one that is gone gets them back`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "ALBUM": ["Tides"]])
    try set("album", "Ebbs", of: "1.flac")
    try set("title", "Flow", of: "1.flac")
    try store.scans.apply([.moved(fileID: id("1.flac"), rootID: 1, path: BytePath("new/2.flac"), Sample.status(2))])
    #expect(try tags("new/2.flac")["ALBUM"] == ["Ebbs"] && found("album:ebbs title:flow") == ["2.flac"])
    try scan("old/3.flac", 1, ["TITLE": ["Ebb"], "ALBUM": ["Tides"]], movedFrom: id("new/2.flac"))
    #expect(try tags("old/3.flac")["ALBUM"] == ["Ebbs"])
    // Without its row, the album is forgotten with the key, the title stays with the sound.
    try library.execute("DELETE FROM file")
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "ALBUM": ["Tides"]])
    #expect(try tags("1.flac")["TITLE"] == ["Flow"] && tags("1.flac")["ALBUM"] == ["Tides"])
  }

  @Test func `a file that holds another recording now has that one's corrections`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"]])
    try scan("2.flac", 2, ["TITLE": ["Flood"]])
    try set("title", "Ebb!", of: "1.flac")
    try set("title", "Flood!", of: "2.flac")
    try scan("1.flac", 2, ["TITLE": ["Ebb"]])
    #expect(try tags("1.flac")["TITLE"] == ["Flood!"] && state("1.flac") == [.conflict])
    try scan("1.flac", 3, ["TITLE": ["Ebb"]])
    #expect(try tags("1.flac")["TITLE"] == ["Ebb"] && state("1.flac") == [])
  }

  @Test func `columns follow, and what is not concerned is not written`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "BPM": ["90"], "DATE": ["1999"]])
    try set("bpm", "120", of: "1.flac")
    try set("key", "Am", of: "1.flac")
    try set("year", "2001-05", of: "1.flac")
    #expect(try found("bpm:120 key:8A date:2001-05 year:2001") == ["1.flac"])
    try library.execute(
      "CREATE TABLE seen (n INTEGER); CREATE TRIGGER watch AFTER UPDATE OF title, album ON file BEGIN INSERT INTO seen VALUES (1); END"
    )
    defer { try? library.execute("DROP TRIGGER watch; DROP TABLE seen") }
    // The store refuses foreign triggers, so the writer is called alone.
    try DatabaseQueue(path: library.path.displayString).write { db in
      try db.execute(sql: "UPDATE correction SET value = '[\"121\"]' WHERE field = 'BPM'")
      try CorrectionWriter.settle(db)
      #expect(try Int.fetchOne(db, sql: "SELECT count(*) FROM seen") == 0)
      #expect(try Double.fetchOne(db, sql: "SELECT bpm FROM file") == 121)
    }
  }

  @Test func `what was decided about an artist follows to a name that all files have, and undo takes both back`() throws
  {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "ARTIST": ["Norah Vale"]])
    try scan("2.flac", 2, ["TITLE": ["Flood"], "ARTIST": ["Norah Vale"]])
    _ = try store.presets.assign(named: "Bass", to: [.artist("Norah Vale")])
    func named() throws -> [String] { try store.presets.assignments().map { "\($0.subject)" } }
    let before = try named()
    #expect(try set("artist", "Nora Vale", of: "1.flac").movedDecisionCount == 0)
    #expect(try named() == before)
    #expect(try set("artist", "Nora Vale", of: "2.flac").movedDecisionCount == 1)
    #expect(try named() != before && named()[0].contains("Nora Vale"))
    _ = try store.journal.undo()
    #expect(try named() == before && tags("2.flac")["ARTIST"] == ["Norah Vale"])
  }

  @Test func `an album keeps what was decided about it when its title is corrected`() throws {
    for number in 1...3 {
      try scan(
        "Tidse/\(number).flac", UInt64(number), ["TITLE": ["T\(number)"], "ARTIST": ["Nora"], "ALBUM": ["Tidse"]])
    }
    let album = try #require(try store.albums.all().first)
    _ = try store.presets.assign(named: "Bass", to: [.album(album.knownNames.title, artist: album.knownNames.artist)])
    try set("album", "Tides", of: "Tidse/1.flac", "Tidse/2.flac", "Tidse/3.flac")
    let corrected = try #require(try store.albums.all().first)
    #expect(corrected.title == "Tides" && corrected.id == album.id && corrected.knownNames == album.knownNames)
  }

  @Test func `of two recordings that are one the later correction counts, and undo leads to the other`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "GENRE": ["Pop"]])
    try scan("2.flac", 2, ["TITLE": ["Ebb"], "GENRE": ["Rock"]])
    try set("genre", "Jazz", of: "1.flac")
    try set("genre", "Soul", of: "2.flac")
    try set("mood", "calm", of: "1.flac")
    try library.execute("UPDATE correction SET corrected_at = 10 WHERE value = '[\"Jazz\"]'")
    // Both streams decode to the same samples.
    for (path, number, genre) in [("1.flac", UInt64(1), "Pop"), ("2.flac", 2, "Rock")] {
      var extraction = Sample.extraction(number)
      extraction.tags = Sample.tags(["TITLE": ["Ebb"], "GENRE": [genre]])
      extraction.decoded = DecodedStream(sampleHash: Sample.hash(99))
      try store.scans.apply([.extracted(Sample.record(path, extraction))])
    }
    #expect(try library.recording(of: "1.flac") == library.recording(of: "2.flac"))
    for path in ["1.flac", "2.flac"] {
      #expect(try tags(path)["GENRE"] == ["Soul"] && tags(path)["MOOD"] == ["calm"])
      #expect(try state(path) == [.active, .active])
    }
    _ = try store.journal.undo()
    #expect(try tags("1.flac")["GENRE"] == ["Jazz"] && tags("2.flac")["GENRE"] == ["Jazz"])
  }

  @Test func `damaged rows count for nothing, and scans go on`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "GENRE": ["Pop"]])
    try set("genre", "Jazz", of: "1.flac")
    try library.execute("UPDATE correction SET value = '[1'")
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "GENRE": ["Pop"]])
    #expect(try tags("1.flac")["GENRE"] == ["Pop"])
  }

  @Test func `variants are found with their numbers`() throws {
    for (number, genre) in ["Post-Rock", "Post-Rock", "post rock", "Jazz"].enumerated() {
      try scan(
        "\(number).flac", UInt64(number),
        ["TITLE": ["T"], "GENRE": [genre], "ALBUM": ["X\(number % 2)"], "ARTIST": ["N"]])
    }
    let genre = try #require(CorrectionField("genre"))
    let groups = try store.corrections.variants(of: genre)
    #expect(groups.map(\.common) == [ValueVariants.Value("Post-Rock", fileCount: 2)])
    #expect(groups[0].others == [ValueVariants.Value("post rock", fileCount: 1)])
    let ids = try store.corrections.files(with: "post rock", in: genre)
    _ = try store.corrections.correct(.replace(genre, from: "post rock", to: "Post-Rock"), ofFiles: ids)
    #expect(try store.corrections.variants(of: genre).isEmpty && found("genre:=\"Post-Rock\"").count == 3)
  }

  @Test func `fields that are no tags are refused, with the names that may be meant`() throws {
    try scan("1.flac", 1, ["TITLE": ["Ebb"], "MY OWN": ["x"]])
    let corrections = store.corrections
    #expect(try corrections.field(named: "My Own").name == "MY OWN")
    #expect(try corrections.field(named: "year").name == "DATE" && corrections.field(named: "lyrics").name == "LYRICS")
    #expect(throws: CorrectionFieldError.notATag("size")) { try corrections.field(named: "size") }
    #expect(throws: CorrectionFieldError.notATag("rating")) { try corrections.field(named: "rating") }
    #expect(throws: CorrectionFieldError.invalid("a=b")) { try corrections.field(named: "a=b") }
    #expect(throws: CorrectionFieldError.unknown("gnere", near: ["genre"])) { try corrections.field(named: "gnere") }
    #expect(try corrections.field(named: "gnere", allowsNew: true).name == "GNERE")
  }
}
