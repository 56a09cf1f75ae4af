import Base
import GRDB
import LibraryDatabase
import LibraryScanning
import MediaModel
import MediaStore
import Testing
@testable import LibraryTracks

struct AlbumTracksTests {
  private let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private func add(_ number: UInt64, _ path: String) throws {
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(["ALBUM": ["Tides"], "ARTIST": ["Nora Vale"], "TITLE": [path]])
    try library.store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  @Test func `the tracks of an album are found by its index`() throws {
    let plan = try DatabaseQueue(path: library.path.displayString).read { db in
      try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + Albums.trackSQL, arguments: ["album": 1, "limit": 10])
        .map { try $0.decode(String.self, forColumn: "detail") }.joined(separator: "\n")
    }
    #expect(plan.contains("SEARCH file USING INDEX file_by_album_id (album_id=?)"), "\(plan)")
    #expect(plan.contains("SEARCH audio USING INTEGER PRIMARY KEY"), "\(plan)")
  }

  @Test func `a track has the hash and the length of its recording`() throws {
    try add(7, "a/1.flac")
    let album = try #require(try library.store.albums.all().first)
    let id = try #require(try library.recording(of: "a/1.flac"))
    let expected = AlbumTrack(recordingID: id, hash: Sample.hash(7), durationInSeconds: 10)
    #expect(try library.store.albums.tracks(of: album.id) == [expected])
    #expect(try library.store.albums.track(ofRecording: id) == expected)
    #expect(try library.store.albums.tracks(of: album.id + 1).isEmpty)
    #expect(try library.store.albums.track(ofRecording: id + 1) == nil)
  }

  @Test func `an album is found by its key, and by one that it had`() throws {
    try add(7, "a/1.flac")
    let album = try #require(try library.store.albums.all().first)
    #expect(try library.store.albums.id(ofKey: album.key) == album.id)
    let former = String(repeating: "ab", count: 16)
    try library.execute("INSERT INTO former_album (key, album_id) VALUES (x'\(former)', \(album.id))")
    #expect(try library.store.albums.id(ofKey: former) == album.id)
    #expect(try library.store.albums.id(ofKey: String(repeating: "00", count: 16)) == nil)
    #expect(try library.store.albums.id(ofKey: "none") == nil)
  }

  @Test func `marks change with the products they are of`() throws {
    try add(7, "a/1.flac")
    let id = try #require(try library.recording(of: "a/1.flac"))
    func mark(_ kinds: [ProductKind] = [.waveform]) throws -> String {
      try library.store.products.marks(of: kinds, ofRecordings: [id, id + 1])[0]
    }
    let first = try mark()
    #expect(first.hasPrefix("waveform 1 bits=8 "))
    #expect(try mark([.waveformEnergy]).isEmpty)
    try library.execute("UPDATE product SET made_at = made_at + 1")
    #expect(try mark() != first)
    #expect(try library.store.products.marks(of: [.waveform], ofRecordings: [id, id + 1])[1].isEmpty)
  }
}
