import Base
import Foundation
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

/// Files and sounds of other libraries in this one.
struct MergeTests {
  let own: TemporaryLibrary
  let other: TemporaryLibrary

  init() throws {
    own = try TemporaryLibrary()
    other = try TemporaryLibrary()
  }

  func merge(_ options: MergeOptions = MergeOptions(keepsCopy: false)) throws -> MergeReport.Library {
    let report = try own.store.merge([other.path], options: options)
    #expect(try own.store.check(isDeep: true).isSound)
    return try #require(report.libraries.first)
  }

  func extraction(_ number: UInt64, frames: Int64? = 441_000, products: [Product]? = nil) -> Extraction {
    var extraction = Sample.extraction(number, title: "Track \(number)")
    extraction.format?.decodedFrameCount = frames
    if let products { extraction.products = products }
    return extraction
  }

  func apply(_ library: TemporaryLibrary, _ records: [FileRecord]) throws {
    try library.store.scans.apply(records.map { .extracted($0) })
  }

  @Test func `two halves are the whole`() throws {
    let whole = try TemporaryLibrary()
    let records = (1...40).map { number in
      var extraction = extraction(UInt64(number % 30))
      let bytes = Array("picture \(number % 7)".utf8)
      extraction.artwork = [
        Artwork(
          pictureType: 3, mimeType: "image/png", caption: "c", hash: ContentHash(high: 1, low: UInt64(number % 7)),
          bytes: bytes)
      ]
      extraction.notes = number % 3 == 0 ? ["a remark"] : []
      return Sample.record("\(number).flac", extraction)
    }
    try apply(whole, records)
    // Some are in both.
    try apply(own, Array(records[..<25]))
    try apply(other, Array(records[18...]))
    let report = try merge()
    #expect(report.files == MergeCounts(added: 15, same: 7))
    #expect(report.conflicts.isEmpty && report.damaged.isEmpty)
    #expect(try LibraryContents(own.path) == LibraryContents(whole.path))

    let again = try merge()
    #expect(again.files == MergeCounts(same: 22) && again.recordings.added + again.products.added == 0)
    #expect(try LibraryContents(own.path) == LibraryContents(whole.path))
  }

  /// A new table asks how two libraries become one in it, and whether users would lose something.
  @Test func `every table is merged, or left out on purpose`() throws {
    let merged = Set(UserTable.allCases.map(\.rawValue)).union([
      "root", "file", "tag_name", "tag", "artwork", "file_artwork", "audio", "stream", "measures", "product",
      "product_blob", "part", "cue_sheet", "folder_picture", "tempo_key", "album", "former_album", "own_tag",
    ])
    // Kept by triggers, about one machine's runs, or about the file itself.
    let others: Set = [
      "file_tally", "audio_tally", "product_tally", "scan_run", "reanalysis", "forced_run", "forced_recording",
      "log_mark", "album_due", "correction_due",
    ]
    let tables = try DatabaseQueue(path: own.path.displayString).read {
      try Set(
        String.fetchAll(
          $0,
          sql: """
            SELECT name FROM sqlite_schema
             WHERE type = 'table' AND name NOT LIKE 'sqlite_%' AND name <> 'search' AND name NOT LIKE 'search_%'
            """))
    }
    #expect(tables == merged.union(others))
  }

  @Test func `a merge that is stopped is completed by the next one`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("b.flac", extraction(2))])
    try other.store.presets.create(try PresetStoreTests.preset("Warm"))
    var steps: [MergeStep] = []
    let options = MergeOptions(keepsCopy: false)
    // The first question comes before the other library is checked; then come those before the sounds, the folders, the
    // files and what was decided.
    for count in 1...5 {
      steps = []
      let report = try own.store.merge(
        [other.path], options: options,
        goesOn: { step in
          steps.append(step)
          return steps.count < count
        })
      #expect(report.isInterrupted && report.libraries.isEmpty)
      #expect(try own.files() == ["a.flac: ok"] + (count > 4 ? ["b.flac: ok"] : []))
      #expect(try own.store.check(isDeep: true).orphanCount == ((3...4).contains(count) ? 1 : 0))
      // The third merge adds the sounds, the fifth the files; the fourth finds the sounds already there.
      #expect(report.isChanged == [3, 5].contains(count))
      #expect(try own.store.presets.all().allSatisfy(\.isBuiltIn))
    }
    #expect(steps.map(\.doneCount) == [0, 0, 1, 1, 1] && steps.map(\.totalCount) == [nil, 1, 1, 1, 1])
    #expect(steps.map(\.doneFileCount) == [0, 0, 0, 0, 1])
    #expect(try merge().presets == MergeCounts(added: 1))
    #expect(try own.files() == ["a.flac: ok", "b.flac: ok"])
  }

  @Test func `a search finds what was merged`() throws {
    try apply(other, [Sample.record("a.flac", extraction(77))])
    _ = try merge()
    try own.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
    let query = try own.store.query("track 77")
    var found = 0
    try own.store.forEachRow(of: query, fields: MediaStore.fields.filter { $0.name == "path" }) { _ in found += 1 }
    #expect(found == 1)
  }

  @Test func `another sound at the same path is listed, and this library's stays`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("a.flac", extraction(2)), Sample.record("b.flac", extraction(2))])
    let report = try merge()
    #expect(report.files == MergeCounts(added: 1, different: 1))
    #expect(
      report.conflicts == [.file(BytePath("/music/a.flac"), kept: Sample.hash(1), other: Sample.hash(2))])
    #expect(try own.value("SELECT title FROM file WHERE path_text = 'a.flac'") == "Track 1")
    #expect(try own.recording(of: "b.flac") != own.recording(of: "a.flac"))
  }

  @Test(arguments: [true, false])
  func `a file that could be read there only is known then, if it is the same`(isSame: Bool) throws {
    try apply(
      own,
      [
        Sample.record(
          "a.flac", Extraction(state: .unreadable, problem: Problem(code: "permission", reason: "not allowed")))
      ])
    var record = Sample.record("a.flac", extraction(1))
    if !isSame { record.status.byteCount += 1 }
    try apply(other, [record])
    let before = try own.id(of: "a.flac")
    let report = try merge()
    #expect(report.files == (isSame ? MergeCounts(replaced: 1) : MergeCounts(different: 1)))
    #expect(try own.files() == [isSame ? "a.flac: ok" : "a.flac: unreadable"])
    #expect(try own.id(of: "a.flac") == before)
    #expect((try own.recording(of: "a.flac") != nil) == isSame)
  }

  @Test func `a file that is there stays there, wherever else it is missing`() throws {
    try apply(
      own, [Sample.record("a.flac", Extraction(state: .crashed, problem: Problem(code: "signal", reason: "9")))])
    var record = Sample.record("a.flac", extraction(1))
    record.status.changeTimeInNanoseconds += 77
    try apply(other, [record])
    try other.store.scans.apply([.missing(fileID: try #require(try other.id(of: "a.flac")))])
    let identity = "SELECT ctime_ns || ' ' || inode || ' ' || device FROM file"
    let before: String? = try own.value(identity)
    #expect(try merge().files == MergeCounts(replaced: 1))
    #expect(try own.files() == ["a.flac: ok"])
    #expect(try own.value(identity) == before)
  }

  @Test func `states, missing files and the earlier date come along`() throws {
    try apply(own, [Sample.record("both.flac", extraction(1))])
    try apply(other, [Sample.record("both.flac", extraction(1)), Sample.record("gone.flac", extraction(2))])
    try other.store.scans.apply([.missing(fileID: try #require(try other.id(of: "gone.flac")))])
    try other.execute("UPDATE file SET added_at = 1000; UPDATE audio SET added_at = 1000")
    _ = try merge()
    #expect(try own.files() == ["both.flac: ok", "gone.flac: missing"])
    #expect(try own.value("SELECT max(added_at) FROM file") == 1000)
    #expect(try own.value("SELECT max(added_at) FROM audio") == 1000)
  }

  // MARK: - Folders

  @Test func `a folder of another machine is the one that a mapping names`() throws {
    let root = try other.store.roots.add(BytePath("/home/x/Tunes=/new"), volume: "v9")
    try apply(own, [Sample.record("rock/a.flac", extraction(1))])
    try apply(
      other,
      [
        Sample.record("a.flac", extraction(1), rootID: root.id),
        Sample.record("b.flac", extraction(2), rootID: root.id),
        Sample.record("c.flac", extraction(3)),
      ])
    let mappings = [
      PathMapping(from: BytePath("/home/x"), to: BytePath("/elsewhere")),
      PathMapping(from: BytePath("/home/x/Tunes=/new/"), to: BytePath("/music/rock/")),
    ]
    let report = try merge(MergeOptions(mappings: mappings, keepsCopy: false))
    #expect(report.roots == MergeCounts(same: 2))
    #expect(report.files == MergeCounts(added: 2, same: 1))
    #expect(try own.files() == ["c.flac: ok", "rock/a.flac: ok", "rock/b.flac: ok"])
    #expect(try own.value("SELECT path_text FROM file WHERE title = 'Track 2'") == "rock/b.flac")
    #expect(try own.value("SELECT search_more FROM file WHERE title = 'Track 2'") == "rock/b.flac")
  }

  @Test func `a mapping that concerns no folder is refused`() throws {
    #expect(throws: StoreError.noSuchRoot("/musik")) {
      try own.store.merge(
        [other.path], options: MergeOptions(mappings: [PathMapping(from: BytePath("/musik"), to: BytePath("/m"))]))
    }
  }

  @Test func `a folder that holds others takes them in`() throws {
    let store = own.store
    try store.roots.relocate(own.root.id, to: BytePath("/music/rock/new"))
    let jazz = try store.roots.add(BytePath("/music/jazz"), volume: nil)
    try apply(
      own, [Sample.record("a.flac", extraction(1)), Sample.record("b.flac", extraction(2), rootID: jazz.id)])
    try apply(
      other, [Sample.record("rock/new/a.flac", extraction(1)), Sample.record("rock/c.flac", extraction(3))])
    let report = try merge()
    #expect(report.files == MergeCounts(added: 1, same: 1))
    #expect(try store.roots.all().map(\.path) == [BytePath("/music")])
    let root = try #require(try store.roots.all().first)
    #expect(
      try store.scans.knownFiles(inRoot: root.id).map(\.path.displayString) == [
        "jazz/b.flac", "rock/c.flac", "rock/new/a.flac",
      ])
    #expect(
      try own.value("SELECT path_text || search_more FROM file WHERE title = 'Track 1'")
        == "rock/new/a.flacrock/new/a.flac")
    try own.execute("INSERT INTO search (search, rank) VALUES ('integrity-check', 1)")
  }

  // MARK: - Products

  private static let recipe = ProductRecipe.current(.waveform)

  /// Versions here and there, and whether the other one is taken.
  @Test(arguments: [
    (recipe.version, recipe.version, false), (recipe.version + 1, recipe.version, true),
    (recipe.version, recipe.version + 1, false), (recipe.version + 1, recipe.version + 2, true),
    (recipe.version + 2, recipe.version + 1, false),
  ]) func `the better product is taken, with its version and bytes`(
    own ownVersion: Int, other otherVersion: Int, isTaken: Bool
  ) throws {
    func product(_ version: Int, _ byte: UInt8) -> Product {
      Product(kind: .waveform, version: version, parameters: Self.recipe.parameters, bytes: [byte, 9])
    }
    try apply(own, [Sample.record("a.flac", extraction(1, products: [product(ownVersion, 1)]))])
    try apply(other, [Sample.record("a.flac", extraction(1, products: [product(otherVersion, 2)]))])
    let report = try merge()
    let stored = try own.store.products.product(.waveform, ofRecording: try #require(try own.recording(of: "a.flac")))
    #expect(stored == (isTaken ? product(otherVersion, 2) : product(ownVersion, 1)))
    #expect(report.products.replaced == (isTaken ? 1 : 0))
  }

  @Test func `measures go as a whole, with their version`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("a.flac", extraction(1))])
    try own.execute("UPDATE measures SET version = 1, rms_dbfs = -1, crest_db = -1")
    try other.execute("UPDATE measures SET rms_dbfs = -2, crest_db = NULL")
    _ = try merge()
    let current = ProductRecipe.current(.measures).version
    #expect(
      try own.value("SELECT version || ' ' || rms_dbfs || ' ' || coalesce(crest_db, '-') FROM measures")
        == "\(current) -2.0 -")
  }

  @Test func `products of two decodings are not mixed`() throws {
    let product = Product(kind: .loudness, version: 9, parameters: "", bytes: [1])
    try apply(own, [Sample.record("a.flac", extraction(1))])
    try apply(other, [Sample.record("a.flac", extraction(1, frames: 440_999, products: [product]))])
    let before = try LibraryContents(own.path)
    let report = try merge()
    #expect(report.conflicts == [.recording(Sample.hash(1))])
    #expect(try LibraryContents(own.path) == before)
  }

  @Test func `a sound that was decoded there only gets its format and products`() throws {
    try apply(own, [Sample.record("a.flac", extraction(1, frames: nil, products: []))])
    try own.execute("DELETE FROM measures")
    try apply(other, [Sample.record("a.flac", extraction(1))])
    let report = try merge()
    #expect(report.recordings == MergeCounts(replaced: 1))
    #expect(try LibraryContents(own.path) == LibraryContents(other.path))
  }

  @Test(arguments: [
    "UPDATE product_blob SET bytes = x'01020302'", "DELETE FROM product_blob",
  ]) func `a damaged product is not taken, but named`(damage: String) throws {
    try apply(other, [Sample.record("a.flac", extraction(1))])
    try other.execute(damage)
    let report = try merge()
    #expect(report.damaged == [.init(recording: Sample.hash(1), kind: "waveform")])
    #expect(try own.value("SELECT count(*) FROM product") == 0)
    #expect(try own.files() == ["a.flac: ok"])
  }
}
