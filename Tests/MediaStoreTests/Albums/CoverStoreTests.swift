import Base
import Foundation
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import TestSupport
import Testing
import UserData

/// Which picture is the cover of a file and of its album.
struct CoverStoreTests {
  private let library: TemporaryLibrary

  init() throws { library = try TemporaryLibrary() }

  private var store: MediaStore { library.store }

  private func add(
    _ number: UInt64, _ path: String, album: String = "Tides", disc: Int? = nil,
    pictures: [(type: Int, hash: UInt64)] = []
  ) throws {
    var extraction = Sample.extraction(number)
    var tags = ["ALBUM": [album], "ARTIST": ["Nora Vale"], "TITLE": ["\(number)"], "TRACKNUMBER": ["\(number)"]]
    if let disc { tags["DISCNUMBER"] = ["\(disc)"] }
    extraction.tags = Sample.tags(tags)
    extraction.artwork = pictures.map {
      Artwork(
        pictureType: $0.type, mimeType: "image/png", caption: "", hash: Sample.hash($0.hash), bytes: [UInt8($0.hash)])
    }
    try store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  /// Pictures beside files, by path; nil for one that is none.
  private func put(_ pictures: [(path: String, hash: UInt64?)], forgetting ids: [Int64] = []) throws {
    let root = try #require(try store.roots.all().first)
    try store.scans.apply(
      pictures.map { path, hash in
        FolderPicture(
          path: BytePath(path), stamp: Sample.status().stamp,
          contents: hash.map { .picture(Sample.hash($0), mimeType: "image/png") } ?? .unusable(reason: "a test"))
      }, forgetting: ids, inRoot: root.id)
  }

  private func cover(_ path: String) throws -> UInt64? {
    let id = try #require(try library.id(of: path))
    let hash = try store.pictures.covers(ofFiles: [id])[0]
    // Songs say the same.
    #expect(try store.songs.all(in: [id], of: nil).first?.coverHash == hash)
    #expect(
      try store.fileIDs(of: try store.query("has:cover")).contains(id) == (hash != nil), "\(path)")
    return hash?.low
  }

  private func album(_ title: String = "Tides") throws -> Album {
    try #require(try store.albums.all().first { $0.title == title })
  }

  private func albumCover(_ title: String = "Tides") throws -> (UInt64?, CoverSource?) {
    let album = try album(title)
    return (try store.pictures.covers(ofAlbums: [album.id])[0]?.low, album.coverSource)
  }

  @Test func `the folder of the disc comes before that of the album, then tags`() throws {
    try add(1, "Tides/CD1/1.flac", disc: 1, pictures: [(3, 101)])
    try add(2, "Tides/CD2/2.flac", disc: 2, pictures: [(3, 102)])
    #expect(try cover("Tides/CD1/1.flac") == 101 && cover("Tides/CD2/2.flac") == 102)
    #expect(try albumCover() == (101, .tags))
    try put([("Tides/folder.jpg", 50)])
    #expect(try cover("Tides/CD1/1.flac") == 50 && cover("Tides/CD2/2.flac") == 50)
    #expect(try albumCover() == (50, .beside))
    try put([("Tides/CD2/cover.png", 52), ("Tides/CD2/front.jpg", 53)])
    #expect(try cover("Tides/CD1/1.flac") == 50 && cover("Tides/CD2/2.flac") == 52)
    #expect(try albumCover() == (50, .beside))
    try put([("Tides/cover.webp", 51), ("Tides/CD1/album.gif", nil)])
    #expect(try cover("Tides/CD1/1.flac") == 51)
    // It was replaced by something that is none.
    try put([("Tides/cover.webp", nil)])
    #expect(try cover("Tides/CD1/1.flac") == 50)
    let known = try store.scans.folderPictures(inRoot: 1)
    try put([], forgetting: known.map(\.id))
    #expect(try cover("Tides/CD1/1.flac") == 101 && albumCover() == (101, .tags))
    #expect(try library.value("SELECT count(*) FROM album_due") == 0)
  }

  @Test func `pictures in one folder count for nobody else`() throws {
    try add(1, "A/1.flac", album: "A")
    try add(2, "A/B/2.flac", album: "B")
    try add(3, "3.flac", album: "C")
    try put([("A/cover.jpg", 50)])
    #expect(try cover("A/1.flac") == 50 && cover("A/B/2.flac") == nil && cover("3.flac") == nil)
    try put([("cover.jpg", 51)])
    #expect(try cover("A/1.flac") == 50 && cover("A/B/2.flac") == nil && cover("3.flac") == 51)
  }

  @Test func `a track without an album has the picture of its folder only if nothing else is there`() throws {
    try add(1, "Downloads/1.flac", album: "")
    try put([("Downloads/cover.jpg", 50)])
    #expect(try cover("Downloads/1.flac") == 50)
    try add(2, "Downloads/2.flac", album: "Tides")
    #expect(try cover("Downloads/1.flac") == nil && cover("Downloads/2.flac") == 50)
  }

  @Test func `a file whose own picture is no front takes the album's`() throws {
    try add(1, "1.flac", pictures: [(4, 104)])
    try add(2, "2.flac", pictures: [(4, 105), (3, 106)])
    try add(3, "3.flac")
    try add(4, "4.flac", album: "", pictures: [(0, 107)])
    #expect(try albumCover() == (106, .tags))
    #expect(try cover("1.flac") == 106 && cover("2.flac") == 106 && cover("3.flac") == 106 && cover("4.flac") == 107)
    try add(2, "2.flac")
    #expect(try albumCover() == (104, .tags))
    #expect(try cover("3.flac") == 104)
  }

  @Test func `files that come after their picture have it, and those that move leave it`() throws {
    try add(9, "elsewhere.flac", album: "Other")
    try put([("Tides/cover.jpg", 50)])
    try add(1, "Tides/1.flac")
    #expect(try cover("Tides/1.flac") == 50 && albumCover() == (50, .beside))
    let id = try #require(try library.id(of: "Tides/1.flac"))
    try store.scans.apply([.moved(fileID: id, rootID: 1, path: BytePath("Away/1.flac"), Sample.status())])
    #expect(try cover("Away/1.flac") == nil && albumCover() == (nil, nil))
  }

  @Test func `what was chosen comes first, stays when its file goes, and is undone`() throws {
    try add(1, "Tides/1.flac", pictures: [(3, 101), (4, 104)])
    try put([("Tides/cover.jpg", 50)])
    let chosen = Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(104), bytes: [104])
    try store.albums.chooseCover(chosen, ofAlbum: album())
    #expect(try albumCover() == (104, .chosen) && cover("Tides/1.flac") == 104)
    // Its bytes are no longer in any tags.
    try add(1, "Tides/1.flac", pictures: [(3, 101)])
    #expect(try albumCover() == (104, .chosen))
    let picture = try #require(try store.pictures.picture(Sample.hash(104)))
    #expect(try store.pictures.bytes(of: picture) == [104])
    // It follows the album.
    try add(1, "Tides/1.flac", album: "Tides (Live)", pictures: [(3, 101)])
    #expect(try albumCover("Tides (Live)") == (104, .chosen))
    _ = try store.journal.undo()
    #expect(try albumCover("Tides (Live)") == (50, .beside))
  }

  @Test func `forgetting lets the files say it again`() throws {
    try add(1, "Tides/1.flac", pictures: [(3, 101)])
    #expect(try store.albums.forgetCover(ofAlbum: album()) == false)
    let chosen = Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(7), bytes: [7])
    try store.albums.chooseCover(chosen, ofAlbum: album())
    #expect(try albumCover() == (7, .chosen))
    #expect(try store.albums.forgetCover(ofAlbum: album()) == true)
    #expect(try albumCover() == (101, .tags))
  }

  @Test func `a root takes its pictures with it into another, and away`() throws {
    try add(1, "Tides/1.flac")
    try put([("Tides/cover.jpg", 50)])
    let (root, taken) = try store.roots.takeOver(in: BytePath("/"), volume: nil, isScanning: false)
    #expect(taken.count == 1)
    let path = try #require(try store.scans.folderPictures(inRoot: root.id).first?.path)
    #expect(path.displayString.hasSuffix("Tides/cover.jpg") && path.displayString.count > 15)
    #expect(try albumCover() == (50, .beside))
    try store.roots.remove(root.id)
    #expect(try library.value("SELECT count(*) FROM folder_picture") == 0)
  }
}
