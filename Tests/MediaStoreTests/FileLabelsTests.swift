import Base
import LibraryDatabase
import LibraryScanning
import MediaModel
import MediaStore
import Testing
@testable import LibraryTracks

struct FileLabelsTests {
  private let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private func add(_ number: UInt64, _ path: String, _ tags: [String: [String]]) throws {
    var extraction = Sample.extraction(number)
    extraction.tags = Sample.tags(tags)
    try library.store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  @Test func `the labels of an album are those of its files in all folders`() throws {
    try add(1, "a/1", ["ALBUM": ["Slow"], "ARTIST": ["Nora Vale"], "TITLE": ["One"], "TRACKNUMBER": ["1/2"]])
    try add(2, "b/CD2/2", ["ALBUM": ["Slow"], "ARTIST": ["Nora Vale"], "DISCNUMBER": ["2/2"], "TRACKNUMBER": ["2"]])
    try add(3, "b/3", ["ALBUM": ["Slower"]])
    try add(4, "b/4", ["TITLE": ["Two"]])
    let album = try #require(try library.store.files.labels(ofFile: 1)?.albumID)
    let labels = try library.store.files.labels(ofAlbum: album)
    #expect(labels.map(\.title) == ["One", nil] && labels.map(\.artist) == ["Nora Vale", "Nora Vale"])
    #expect(labels.map(\.track) == [1, 2] && labels.map(\.trackTotal) == [2, nil])
    #expect(labels.map(\.disc) == [nil, 2] && labels.map(\.discTotal) == [nil, 2])
    #expect(Set(labels.map(\.edition)).count == 2)
    #expect(try library.store.files.labels(ofFile: labels[0].fileID) == labels[0])
    #expect(try library.store.files.labels(ofAlbum: 99).isEmpty && library.store.files.labels(ofFile: 99) == nil)
  }

  @Test func `a file without an album has no edition`() throws {
    try add(1, "a/1", ["TITLE": ["One"], "ALBUM": [""]])
    let labels = try #require(try library.store.files.labels(ofFile: 1))
    #expect(labels.title == "One" && labels.album == nil && labels.edition == nil)
  }

  @Test func `the files of an album are found by their index`() throws {
    let plan = try DatabaseQueue(path: library.path.displayString).read { db in
      for function in DatabaseFunction.all { db.add(function: function) }
      return try Row.fetchAll(db, sql: "EXPLAIN QUERY PLAN " + FileLabels.ofAlbum, arguments: [1])
        .map { try $0.decode(String.self, forColumn: "detail") }.joined(separator: "\n")
    }
    #expect(plan.contains("SEARCH file USING INDEX file_by_album_id (album_id=?)"), "\(plan)")
  }
}
