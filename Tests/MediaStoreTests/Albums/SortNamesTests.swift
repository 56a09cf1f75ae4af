import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import QueryLanguage
import Testing

/// Artists and albums are in the order of ARTISTSORT, ALBUMARTISTSORT and ALBUMSORT where tags have these.
struct SortNamesTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws { library = try TemporaryLibrary() }

  private func add(_ number: UInt64, _ album: String, _ artist: String, _ more: [String: String] = [:]) throws {
    var extraction = Sample.extraction(number)
    let tags = ["ALBUM": album, "ALBUMARTIST": artist, "ARTIST": artist, "TITLE": "\(number)"]
    extraction.tags = Sample.tags(tags.merging(more) { $1 }.mapValues { [$0] })
    try store.scans.apply([.extracted(Sample.record("\(number).flac", extraction))])
  }

  /// What the end of a scan does.
  private func finish() throws {
    let scan = try store.scans.begin()
    try store.scans.finish(ScanSummary(), of: scan)
    withExtendedLifetime(scan) {}
  }

  private func artists() throws -> [String] { try store.albums.artists(of: .everything).map(\.name) }
  private func albums(_ order: AlbumOrder = .artist) throws -> [String] {
    try store.albums.all(of: .everything, orderedBy: order).albums.map(\.title)
  }

  @Test func `without sort names the order is that of names`() throws {
    try add(1, "Tides", "Nora Vale")
    try add(2, "Ebb", "The Bos")
    try finish()
    #expect(try artists() == ["The Bos", "Nora Vale"])
    #expect(try library.value("SELECT sort_key FROM album ORDER BY id LIMIT 1") == "nora vale\u{1}tides")
  }

  @Test func `all albums of an artist are where most of them say`() throws {
    try add(1, "Tides", "Nora Vale", ["ALBUMARTISTSORT": "Vale, Nora"])
    try add(2, "Ebb", "Nora Vale", ["ARTISTSORT": "Vale, Nora"])
    try add(3, "Shore", "Nora Vale", ["ALBUMARTISTSORT": "Nora"])
    try add(4, "Wave", "nora vale")
    try add(5, "Sun", "Sol")
    try add(6, "Moon", "Zed")
    try finish()
    #expect(try artists() == ["Sol", "Nora Vale", "Zed"])
    #expect(try store.albums.artists(of: .everything).map(\.sortName) == [nil, "Vale, Nora", nil])
    #expect(try albums() == ["Sun", "Ebb", "Shore", "Tides", "Wave", "Moon"])
    // If none of them says so any more, they go back.
    for (number, album) in [(1, "Tides"), (2, "Ebb"), (3, "Shore")] { try add(UInt64(number), album, "Nora Vale") }
    try finish()
    #expect(try artists() == ["Nora Vale", "Sol", "Zed"])
    #expect(try albums() == ["Ebb", "Shore", "Tides", "Wave", "Sun", "Moon"])
    #expect(
      try library.value(
        "SELECT count(*) FROM album WHERE length(sort_key) - length(replace(sort_key, char(1), '')) > 1") == 0)
  }

  @Test func `of equally common sort names the first one counts, in any order of files`() throws {
    for number in [2, 1] as [UInt64] {
      try add(number, "A\(number)", "Nora Vale", ["ALBUMARTISTSORT": number == 1 ? "Zz" : "Aa"])
    }
    try add(3, "Mm", "Mo")
    try finish()
    #expect(try artists() == ["Nora Vale", "Mo"])
  }

  @Test func `titles are in the order of ALBUMSORT`() throws {
    try add(1, "1999", "A", ["ALBUMSORT": "Nineteen Ninety-Nine"])
    try add(2, "Alpha", "A")
    try add(3, "Zulu", "A")
    try finish()
    #expect(try albums() == ["Alpha", "1999", "Zulu"])
    #expect(try albums(.album) == ["Alpha", "1999", "Zulu"])
    #expect(try store.albums.all().map(\.titleSort) == [nil, "Nineteen Ninety-Nine", nil])
  }

  @Test func `albums of several artists have no sort name of one of them`() throws {
    try add(1, "Hits", "Various Artists", ["ALBUMARTISTSORT": "Aaa"])
    try add(2, "Tides", "Nora Vale")
    try finish()
    #expect(try artists() == ["Nora Vale", "Various Artists"])
  }
}
