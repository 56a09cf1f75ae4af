import Base
import LibraryQueries
import LibraryScanning
import LibraryTracks
import MediaModel
import MediaStore
import Testing
import TestSupport
import UserData

struct SongTests {
  private let library: TemporaryLibrary
  private var store: MediaStore { library.store }

  init() throws {
    library = try TemporaryLibrary()
    try library.addFiles(1..<11)
  }

  @Test func `texts of songs and of the catalogue are cut, and the tags have all of them`() throws {
    let long = String(repeating: "ä", count: 30_000)
    var extraction = Sample.extraction(20)
    let names = ["TITLE", "ARTIST", "ALBUM", "ALBUMARTIST", "GENRE", "COMPOSER", "ISRC"]
    extraction.tags = Sample.tags(Dictionary(uniqueKeysWithValues: names.map { ($0, [long]) }))
    try store.scans.apply([.extracted(Sample.record("long.flac", extraction))])
    let file = try #require(try library.id(of: "long.flac"))
    let song = try #require(try store.songs.all(in: [file], of: nil).first)
    let cut = Song.cut(long)
    #expect(cut.utf8.count <= Song.largestTextByteCount && cut.last == "…")
    for text in [song.title, song.artist, song.album, song.albumArtist, song.genre, song.composer] {
      #expect(text == cut)
    }
    #expect(song.isrc?.count == 100)
    var entry: BrowseEntry?
    try store.songs.forEachBrowseEntry { if $0.fileID == file { entry = $0 } }
    #expect(entry?.artists == [cut] && entry?.genre == cut)
    let album = try #require(try store.albums.all().first { $0.id == entry?.albumID })
    #expect(album.title.utf8.count <= Song.largestTextByteCount && album.title.hasPrefix("ääää"))
    #expect(album.artist.utf8.count <= Song.largestTextByteCount && album.knownNames.title == album.title)
    #expect(try store.files.tags(ofFile: file)["TITLE"] == [long])
    #expect(try store.tracks.compared([Sample.hash(20)])[0]?.title == cut)
  }

  @Test func `songs come with the places of their ids until no more are wanted`() throws {
    let ids: [Int64] = [0, 3, 99, 1, 3, 2]
    var found: [String] = []
    try store.songs.forEach(in: ids[1...], of: nil) { index, song in
      found.append("\(index): \(song.fileID)")
      return found.count < 3
    }
    #expect(found == ["1: 3", "3: 1", "4: 3"])
  }

  @Test func `files are in the order of discs and tracks`() throws {
    for (path, disc, track) in [("b", "2", "1"), ("c", "1", "2"), ("a", "1", "2"), ("d", nil, "1")] {
      var extraction = Sample.extraction(UInt64(path.utf8.first ?? 0))
      var tags = ["TITLE": [path], "TRACKNUMBER": [track]]
      if let disc { tags["DISCNUMBER"] = [disc] }
      extraction.tags = Sample.tags(tags)
      try store.scans.apply([.extracted(Sample.record("\(path).flac", extraction))])
    }
    let ids = try ["a", "b", "c", "d"].map { try #require(try library.id(of: "\($0).flac")) }
    #expect(try store.songs.fileIDsByTrackNumber(ids + [9_999]) == [ids[3], ids[0], ids[2], ids[1]])
  }

  @Test func `the size of a playlist is that of its present entries`() throws {
    let owner = try store.people.addedID(of: .owner)
    let recordings = try (1...3).map { try #require(try library.recording(of: "f\($0).flac")) }
    let id = try store.lists.add("Repeats", recordingIDs: recordings + recordings, of: owner)
    let playlist = try store.lists.list(id, visibleTo: owner)
    let files = try store.lists.fileIDs(of: playlist)
    let size = try store.lists.size(of: playlist)
    #expect(size.fileCount == 6 && files.count == 6)
    #expect(try size.durationInSeconds == store.duration(ofFiles: files))
    #expect(try store.lists.entryCount(of: id) == 6)
  }

  @Test func `pictures are described without their bytes, which are read in parts`() throws {
    var extraction = Sample.extraction(30)
    let bytes = (0..<5_000).map { UInt8($0 & 255) }
    extraction.artwork = [
      Artwork(pictureType: 3, mimeType: "image/png", caption: "", hash: Sample.hash(7), bytes: bytes)
    ]
    try store.scans.apply([.extracted(Sample.record("cover.flac", extraction))])
    let recording = try #require(try library.recording(of: "cover.flac"))
    let picture = try #require(try store.pictures.all(ofRecording: recording).first)
    #expect(picture.hash == Sample.hash(7) && picture.byteCount == 5_000 && picture.pictureType == 3)
    #expect(try store.pictures.picture(Sample.hash(7))?.mimeType == "image/png")
    #expect(try store.pictures.bytes(inTags: Sample.hash(7), 1_000..<2_000) == Array(bytes[1_000..<2_000]))
    #expect(try store.pictures.bytes(inTags: Sample.hash(7), 4_000..<9_000) == Array(bytes[4_000...]))
    #expect(try store.pictures.bytes(inTags: Sample.hash(8), 0..<10).isEmpty)
    #expect(try store.files.tagsAndArtwork(ofRecording: recording, withArtwork: false).artwork.isEmpty)
  }

  @Test func `the names of presets are those of the presets, in their order`() throws {
    try store.presets.create(try PresetStoreTests.preset("Zebra"))
    try store.presets.create(try PresetStoreTests.preset("alpha"))
    #expect(try store.presets.names() == store.presets.all().map(\.name))
  }
}
