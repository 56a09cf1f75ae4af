import Base
import Foundation
import LibraryQueries
import LibraryRecovery
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
        pictureType: $0.type, mimeType: "image/png", caption: "", hash: Sample.hash($0.hash),
        bytes: Self.png + [UInt8($0.hash)])
    }
    try store.scans.apply([.extracted(Sample.record(path, extraction))])
  }

  /// Pictures beside files, by path; nil for one that is none.
  private func put(_ pictures: [(path: String, hash: UInt64?)], forgetting ids: [Int64] = []) throws {
    let root = try #require(try store.roots.all().first)
    try store.scans.apply(
      pictures.map { path, hash in
        FolderPicture(
          path: BytePath(path), version: FolderPicture.Version(Sample.status()),
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

  @Test func `a file without a picture has that of its own edition before that of another one`() throws {
    for (folder, first) in [("FLAC", UInt64(1)), ("MP3", 11)] {
      for number in first...first + 2 {
        var extraction = Sample.extraction(number)
        extraction.tags = Sample.tags([
          "ALBUM": ["Tides"], "ARTIST": ["Nora Vale"], "TITLE": ["\(number % 10)"], "TRACKNUMBER": ["\(number % 10)"],
        ])
        if number % 10 == 1 {
          extraction.artwork = [
            Artwork(
              pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(100 + number), bytes: Self.png)
          ]
        }
        try store.scans.apply([.extracted(Sample.record("\(folder)/\(number).flac", extraction))])
      }
    }
    #expect(try album().editionCount == 2)
    #expect(try cover("FLAC/2.flac") == 101 && cover("MP3/12.flac") == 111 && albumCover() == (101, .tags))
    try put([("FLAC/cover.jpg", 50)])
    #expect(try cover("FLAC/2.flac") == 50 && cover("MP3/12.flac") == 111 && albumCover() == (50, .beside))
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
    let chosen = Artwork(
      pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(104), bytes: Self.png + [104])
    try store.albums.chooseCover(chosen, ofAlbum: album())
    #expect(try albumCover() == (104, .chosen) && cover("Tides/1.flac") == 104)
    // Its bytes are no longer in any tags.
    try add(1, "Tides/1.flac", pictures: [(3, 101)])
    #expect(try albumCover() == (104, .chosen))
    let picture = try #require(try store.pictures.picture(Sample.hash(104)))
    #expect(try store.pictures.bytes(of: picture) == Self.png + [104])
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

  private func choose(_ number: UInt64, for title: String = "Tides") throws {
    let picture = Artwork(
      pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(number), bytes: Self.png + [UInt8(number)])
    try store.albums.chooseCover(picture, ofAlbum: album(title))
  }

  private static let png: [UInt8] = [0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A]

  @Test func `one chosen cover replaces another, and each is undone`() throws {
    try add(1, "Tides/1.flac", pictures: [(3, 101)])
    for number: UInt64 in [7, 8, 8, 9] { try choose(number) }
    #expect(try albumCover() == (9, .chosen))
    for expected: UInt64 in [8, 7, 101] {
      _ = try store.journal.undo()
      #expect(try albumCover().0 == expected)
    }
  }

  @Test func `the bytes of a cover that undo can bring back are kept, and nothing is wrong with that`() throws {
    try add(1, "Tides/1.flac", pictures: [(4, 104)])
    try store.albums.chooseCover(
      Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(104), bytes: Self.png),
      ofAlbum: album())
    _ = try store.albums.forgetCover(ofAlbum: album())
    try add(1, "Tides/1.flac")
    #expect(try albumCover() == (nil, nil))
    #expect(try store.check(isDeep: false).artworkWithoutFileCount == 0)
    _ = try store.journal.undo()
    #expect(try albumCover() == (104, .chosen))
    #expect(try store.pictures.picture(Sample.hash(104)) != nil)
  }

  @Test func `a picture that is in several folders is read from any of them`() throws {
    try add(1, "A/1.flac", album: "A")
    try add(2, "B/2.flac", album: "B")
    try put([("A/cover.jpg", 50), ("B/cover.jpg", 50)])
    guard case .files(let files)? = try store.pictures.picture(Sample.hash(50))?.place else {
      Issue.record("no files")
      return
    }
    #expect(files.map(\.path.displayString) == ["A/cover.jpg", "B/cover.jpg"])
  }

  @Test func `a recording on two albums has the cover of each`() throws {
    try add(1, "A/1.flac", album: "A")
    try add(1, "B/1.flac", album: "B")
    try put([("A/cover.jpg", 50)])
    try choose(7, for: "B")
    #expect(try cover("A/1.flac") == 50 && cover("B/1.flac") == 7)
    let second = try #require(try library.id(of: "B/1.flac"))
    #expect(try store.albums.id(ofFile: second) == album("B").id)
    #expect(try store.pictures.cover(ofFile: second)?.hash == Sample.hash(7))
    #expect(try store.albums.firstFile(of: album("B").id) == second)
  }

  @Test(arguments: [("Ebb", "Tides"), ("Tides", "Ebb")])
  func `of two albums that are joined and parted again each has what it had`(first: String, second: String) throws {
    for (number, title) in [(UInt64(1), first), (2, second)] {
      try add(number, "\(title)/\(number).flac", album: title)
      try add(number + 10, "\(title)/\(number + 10).flac", album: title)
    }
    try choose(7, for: first)
    let keys = try [first, second].map { try album($0).key }
    _ = try store.albums.join(albumsOfFiles: store.fileIDs(of: store.query("-is:missing")))
    #expect(try store.albums.all().count == 1)
    _ = try store.journal.undo()
    #expect(try [first, second].map { try album($0).key } == keys)
    #expect(try albumCover(first) == (7, .chosen) && albumCover(second) == (nil, nil))
  }

  @Test(arguments: [nil, ("b", "a"), ("a", "b")] as [(String, String)?])
  func `of two albums of one name that are joined and parted again each has what it had`(
    groups: (first: String, second: String)?
  ) throws {
    for (number, folder, group) in [(UInt64(1), "Pilot (1990)", groups?.first), (2, "Pilot (1993)", groups?.second)] {
      for track in [number, number + 10] {
        var extraction = Sample.extraction(track)
        var tags = [
          "ALBUM": ["Pilot"], "ALBUMARTIST": ["Various Artists"], "ARTIST": ["\(track)"], "TITLE": ["\(track)"],
        ]
        tags["MUSICBRAINZ_RELEASEGROUPID"] = group.map { ["\($0)0000000-0000-4000-8000-000000000000"] }
        if groups == nil { tags["ALBUMARTIST"] = nil }
        extraction.tags = Sample.tags(tags)
        try store.scans.apply([.extracted(Sample.record("\(folder)/\(track).flac", extraction))])
      }
    }
    let scan = try store.scans.begin()
    try store.scans.finish(ScanSummary(), of: scan)
    withExtendedLifetime(scan) {}
    func key(_ path: String) throws -> String {
      let file = try #require(try library.id(of: path))
      let id = try #require(try store.albums.id(ofFile: file))
      return try #require(try store.albums.album(id: id)).key
    }
    let paths = ["Pilot (1990)/1.flac", "Pilot (1993)/2.flac"]
    let keys = try paths.map(key)
    #expect(Set(keys).count == 2)
    for (path, number) in zip(paths, [UInt64(7), 8]) {
      let file = try #require(try library.id(of: path))
      let picture = Artwork(
        pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(number), bytes: Self.png + [UInt8(number)]
      )
      let id = try #require(try store.albums.id(ofFile: file))
      try store.albums.chooseCover(picture, ofAlbum: #require(try store.albums.album(id: id)))
    }
    _ = try store.albums.join(albumsOfFiles: store.fileIDs(of: store.query("-is:missing")))
    #expect(try Set(paths.map(key)).count == 1)
    _ = try store.journal.undo()
    #expect(try paths.map(key) == keys)
    #expect(try paths.map(cover) == [7, 8])
  }

  @Test func `undo does not touch what another album had when two became one`() throws {
    try add(1, "A/1.flac", album: "A")
    for number: UInt64 in [2, 3] { try add(number, "B/\(number).flac", album: "B") }
    try choose(8, for: "B")
    try choose(7, for: "A")
    try add(1, "A/1.flac", album: "B")
    #expect(try albumCover("B") == (8, .chosen))
    #expect(try store.journal.undo().summary.contains("A"))
    #expect(try albumCover("B") == (8, .chosen))
    #expect(try store.journal.undo().summary.contains("B"))
    #expect(try albumCover("B") == (nil, nil))
  }

  @Test func `a picture in tags that no browser shows is no cover`() throws {
    var extraction = Sample.extraction(1)
    extraction.tags = Sample.tags(["ALBUM": ["Tides"], "ARTIST": ["Nora Vale"]])
    extraction.artwork = [
      Artwork(
        pictureType: 3, mimeType: "image/jpeg", caption: "", hash: Sample.hash(1), bytes: Array("<svg/>".utf8)),
      Artwork(pictureType: 4, mimeType: "image/png", caption: "", hash: Sample.hash(2), bytes: Self.png),
    ]
    try store.scans.apply([.extracted(Sample.record("1.flac", extraction))])
    #expect(try cover("1.flac") == 2 && albumCover() == (2, .tags))
    extraction.artwork.removeLast()
    try store.scans.apply([.extracted(Sample.record("1.flac", extraction))])
    #expect(try cover("1.flac") == nil && albumCover() == (nil, nil))
  }

  @Test func `two folders whose names only look alike have covers of their own`() throws {
    func path(_ byte: UInt8, _ name: String) -> BytePath { BytePath([0x41, byte, 0x2F] + Array(name.utf8)) }
    for (number, byte) in [(UInt64(1), UInt8(0xFE)), (2, 0xFF)] {
      var record = Sample.record("x", Sample.extraction(number))
      record.path = path(byte, "\(number).flac")
      record.extraction.tags = Sample.tags(["ALBUM": ["\(number)"], "ARTIST": ["Nora Vale"]])
      try store.scans.apply([.extracted(record)])
    }
    try store.scans.apply(
      [
        FolderPicture(
          path: path(0xFE, "cover.jpg"), version: FolderPicture.Version(Sample.status()),
          contents: .picture(Sample.hash(50), mimeType: "image/png"))
      ], inRoot: 1)
    #expect(try albumCover("1") == (50, .beside) && albumCover("2") == (nil, nil))
  }
}
