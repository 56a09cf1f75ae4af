import Base
import LibraryDatabase
import LibraryQueries
import LibraryScanning
import MediaModel
import MediaStore
import QueryLanguage
import Testing
@testable import LibraryTracks

struct AlbumLoudnessTests {
  private let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  /// A recording whose blocks are all equally loud.
  private func extraction(
    _ number: UInt64, _ tags: [String: [String]], loudness: Double, blockCount: Int = 100, truePeak: Double? = nil,
    version: Int = ProductRecipe.current(.loudness).version
  ) -> Extraction {
    var blocks = GatingHistogram()
    for _ in 0..<blockCount { blocks.insert(energy: LoudnessScale.energy(ofLoudness: loudness)) }
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(tags)
    extraction.measures = Measures(integratedLoudnessInLUFS: loudness, truePeakInDBTP: truePeak)
    extraction.products = [
      Product(
        kind: .loudness, version: version, parameters: ProductRecipe.current(.loudness).parameters, bytes: blocks.blob)
    ]
    return extraction
  }

  private func add(_ path: String, _ extraction: Extraction) throws {
    try library.store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  private func album(of path: String) throws -> AlbumLoudness? {
    try library.store.tracks.detail(ofRecording: try #require(try library.recording(of: path)))?.album
  }

  private let slow = ["ALBUM": ["Slow"], "ARTIST": ["Nora Vale"]]

  @Test func `the blocks of all tracks make up the loudness of an album`() throws {
    try add("1", extraction(1, slow, loudness: -10, blockCount: 300, truePeak: -0.5))
    try add("2", extraction(2, slow, loudness: -15, blockCount: 600, truePeak: 0.25))
    let album = try #require(try album(of: "1"))
    #expect(album.trackCount == 2 && album.measuredTrackCount == 2 && album.truePeakInDBTP == 0.25)
    // A third of the energy of -10 LUFS and two thirds of that of -15.
    #expect(abs(try #require(album.loudnessInLUFS) + 12.643) < 0.001)
    #expect(abs(try #require(album.replayGainInDB) + 5.357) < 0.001)
    #expect(try self.album(of: "2") == album)
  }

  @Test func `the album artist makes the album, else the artist`() throws {
    let mixed = ["ALBUM": ["Mixed"], "ALBUMARTIST": ["Various"]]
    try add("1", extraction(1, mixed.merging(["ARTIST": ["A"]]) { $1 }, loudness: -10))
    try add("2", extraction(2, mixed.merging(["ARTIST": ["B"]]) { $1 }, loudness: -10))
    try add("x/3", extraction(3, ["ALBUM": ["Mixed"], "ARTIST": ["A"]], loudness: -20))
    // The artist of one track is the album artist of another.
    try add("4", extraction(4, ["ALBUM": ["Mixed"], "ARTIST": ["Various"]], loudness: -10))
    #expect(try album(of: "1")?.trackCount == 3)
    #expect(try album(of: "x/3")?.trackCount == 1)
  }

  @Test func `the parts of a compilation are one album, whatever their artists`() throws {
    let mixed = ["ALBUM": ["Mixed"], "COMPILATION": ["1"]]
    try add("1", extraction(1, mixed.merging(["ARTIST": ["A"]]) { $1 }, loudness: -10))
    try add("2", extraction(2, mixed.merging(["ARTIST": ["B"]]) { $1 }, loudness: -10))
    try add("x/3", extraction(3, ["ALBUM": ["Mixed"], "ARTIST": ["A"], "COMPILATION": ["0"]], loudness: -20))
    try add("y/4", extraction(4, mixed.merging(["ALBUMARTIST": ["C"]]) { $1 }, loudness: -20))
    #expect(try album(of: "2")?.trackCount == 2)
    #expect(try album(of: "x/3")?.trackCount == 1)
    #expect(try album(of: "y/4")?.trackCount == 1)
  }

  @Test func `the same album in three codecs is three editions, each with its own loudness`() throws {
    for (number, codec, loudness) in [(1, Codec.flac, -10.0), (2, .mp3, -12), (3, .vorbis, -14)] {
      for track in 0..<2 {
        var extraction = extraction(
          UInt64(10 * number + track), slow, loudness: loudness, truePeak: Double(-number))
        extraction.format?.codec = codec
        try add("Slow \(codec.rawValue)/\(track)", extraction)
      }
    }
    let albums = try ["flac", "mp3", "vorbis"].map { try #require(try album(of: "Slow \($0)/1")) }
    #expect(albums.map(\.trackCount) == [2, 2, 2] && albums.map(\.truePeakInDBTP) == [-1, -2, -3])
    for (album, loudness) in zip(albums, [-10.0, -12, -14]) {
      #expect(abs(try #require(album.loudnessInLUFS) - loudness) < 0.05)
    }
    var groups: [[FieldValue]] = []
    let key = try #require(QueryGrouping.Key(QueryField("editionname", .text), by: nil))
    let grouping = QueryGrouping(by: [key], hasCount: true, measures: [])
    try library.store.forEachGroup(of: .everything, grouping) { groups.append($0.values) }
    #expect(
      groups == [
        [.text("/music/Slow flac [flac]"), .integer(2)], [.text("/music/Slow mp3 [mp3]"), .integer(2)],
        [.text("/music/Slow vorbis [vorbis]"), .integer(2)],
      ])
    #expect(try library.store.count(of: library.store.query("editionname:mp3")) == 2)
    #expect(
      try library.store.files.loudness(of: .everything).map { $0.album?.truePeakInDBTP } == [-1, -1, -2, -2, -3, -3])
  }

  @Test func `one folder with two codecs has two editions`() throws {
    try add("Slow/1", extraction(1, slow, loudness: -10))
    var other = extraction(2, slow, loudness: -20)
    other.format?.codec = .mp3
    try add("Slow/2", other)
    #expect(try album(of: "Slow/1")?.trackCount == 1)
  }

  @Test func `the folders of two discs are one edition`() throws {
    try add("Slow/CD1/1", extraction(1, slow, loudness: -10))
    try add("Slow/Disc 2/1", extraction(2, slow, loudness: -10))
    try add("Other/1", extraction(3, slow, loudness: -10))
    #expect(try album(of: "Slow/CD1/1")?.trackCount == 2)
    #expect(try album(of: "Slow/Disc 2/1")?.trackCount == 2)
    #expect(try album(of: "Other/1")?.trackCount == 1)
  }

  @Test func `a recording counts once, however many files hold it`() throws {
    try add("1", extraction(1, slow, loudness: -10))
    try add("copy of 1", extraction(1, slow, loudness: -10))
    try add("2", extraction(2, slow, loudness: -10))
    #expect(try album(of: "1")?.trackCount == 2)
  }

  @Test func `without an album there is none`() throws {
    try add("1", extraction(1, ["ARTIST": ["Nora Vale"]], loudness: -10))
    try add("2", extraction(2, ["ARTIST": ["Nora Vale"]], loudness: -10))
    #expect(try album(of: "1") == nil)
  }

  @Test func `a track of another version or with damaged bytes is not measured`() throws {
    try add("1", extraction(1, slow, loudness: -10))
    try add("2", extraction(2, slow, loudness: -20, version: 0))
    try add("3", extraction(3, slow, loudness: -30))
    let damaged = try #require(try library.recording(of: "3"))
    try library.execute(
      "UPDATE product_blob SET bytes = x'00' WHERE product_id = (SELECT id FROM product WHERE audio_id = \(damaged))")
    let album = try #require(try album(of: "1"))
    #expect(album.trackCount == 3 && album.measuredTrackCount == 1)
    #expect(abs(try #require(album.loudnessInLUFS) + 10) < 1e-6)
  }

  @Test func `a missing track does not count, except for the one that is shown`() throws {
    try add("1", extraction(1, slow, loudness: -10))
    try add("2", extraction(2, slow, loudness: -20))
    try library.execute("UPDATE file SET missing_since = 1 WHERE path_text = '2'")
    #expect(try album(of: "1")?.trackCount == 1)
    #expect(try album(of: "2")?.trackCount == 2)
  }

  @Test func `a silent track is measured and has no loudness`() throws {
    try add("1", extraction(1, slow, loudness: -10, blockCount: 0))
    #expect(
      try album(of: "1")
        == AlbumLoudness(trackCount: 1, measuredTrackCount: 1, loudnessInLUFS: nil, truePeakInDBTP: nil))
  }

  @Test func `the files of an album are found by their index`() throws {
    let plan = try DatabaseQueue(path: library.path.displayString).read { db in
      for function in DatabaseFunction.all { db.add(function: function) }
      return try Row.fetchAll(
        db, sql: "EXPLAIN QUERY PLAN " + AlbumLoudness.albumTracks, arguments: ["file": 1, "kind": "loudness"]
      ).map { try $0.decode(String.self, forColumn: "detail") }.joined(separator: "\n")
    }
    #expect(plan.contains("SEARCH other USING INDEX file_by_album_id (album_id=?)"), "\(plan)")
    #expect(!plan.contains("SCAN product") && !plan.contains("SCAN measures"), "\(plan)")
  }
}
