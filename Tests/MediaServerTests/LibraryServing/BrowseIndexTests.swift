import LibraryTracks
import MediaModel
import Testing
@testable import LibraryServing
@testable import MediaServer

struct BrowseIndexTests {
  private static func entry(
    _ id: Int64, artist: String = "", artists: [String] = [], album: Int64? = 1, genre: String = "", year: Int? = nil,
    added: Int64 = 0, root: Int64 = 1
  ) -> BrowseEntry {
    BrowseEntry(
      fileID: id, rootID: root, artists: artists.isEmpty && !artist.isEmpty ? [artist] : artists, albumID: album,
      genre: genre, year: year, durationInSeconds: 10, addedAt: added)
  }

  /// The albums have the ids 1, 2 and so on, and keys of their ids.
  private static func browseIndex(
    _ albums: [(title: String, artist: String)], _ entries: [BrowseEntry],
    formerKeys: [(key: String, albumID: Int64)] = [], originals: [Int64: Int64] = [:]
  ) -> BrowseIndex {
    var draft = BrowseIndexDraft(
      albums.enumerated().map { index, album in
        Album(
          id: Int64(index + 1), key: "key\(index + 1)",
          knownNames: AlbumNames(artist: album.artist, title: "known \(index + 1)"),
          title: album.title, artist: album.artist, isCompilation: false, year: nil, addedAt: 0, fileCount: 1,
          problemCount: 0,
          editionCount: 1, trackCount: 1, discCount: 1, durationInSeconds: 10)
      }, originals: originals)
    for entry in entries { draft.add(entry) }
    return BrowseIndex(draft, formerKeys: formerKeys)
  }

  @Test func `an album has its songs, their length and the earliest year`() {
    let browseIndex = Self.browseIndex(
      [("Tides", "Nora Vale"), ("Other", "Nora Vale")],
      [
        Self.entry(1, artist: "Nora", year: 2003), Self.entry(5, artist: "Bo", year: 1999), Self.entry(9, album: 2),
        Self.entry(10, album: nil), Self.entry(11, album: 7),
      ])
    #expect(browseIndex.albums.map(\.name) == ["Other", "Tides"])
    #expect(browseIndex.fileIDs(ofAlbum: 1) == [1, 5])
    #expect(browseIndex.albums[1].year == 1999 && browseIndex.albums[1].durationInSeconds == 20)
    #expect(browseIndex.song(ofFile: 5) == 1 && browseIndex.song(ofFile: 4) == nil)
    // Their album is not known yet.
    #expect(browseIndex.song(ofFile: 10) == nil && browseIndex.song(ofFile: 11) == nil)
  }

  @Test func `copies in other editions are songs, but on no list where their originals are`() throws {
    let browseIndex = Self.browseIndex(
      [("Tides", "Nora Vale")],
      [
        Self.entry(1, genre: "Jazz"), Self.entry(2, genre: "Jazz", root: 2), Self.entry(3, genre: "Jazz"),
        Self.entry(4, genre: "Jazz", root: 2),
      ], originals: [2: 1, 3: 4])
    #expect(browseIndex.fileIDs(ofAlbum: 0) == [1, 4] && browseIndex.albums[0].durationInSeconds == 20)
    #expect(browseIndex.song(ofFile: 2) == 1 && browseIndex.albumOfSong == [0, 0, 0, 0] && browseIndex.hasCopies)
    #expect((0..<4).map { browseIndex.isListed($0) } == [true, false, false, true])
    #expect((0..<4).map { browseIndex.isListed($0, inRoot: 1) } == [true, false, true, false])
    #expect((0..<4).map { browseIndex.isListed($0, inRoot: 2) } == [false, true, false, true])
    let thrice = Self.browseIndex(
      [("Tides", "Nora Vale")], [Self.entry(1), Self.entry(2, root: 2), Self.entry(3, root: 2)],
      originals: [2: 1, 3: 1])
    #expect((0..<3).map { thrice.isListed($0, inRoot: 2) } == [false, true, false] && thrice.listedSongCount == 1)
    #expect(
      browseIndex.isAlbum(0, inRoot: 1) && browseIndex.isAlbum(0, inRoot: 2) && !browseIndex.isAlbum(0, inRoot: 3))
    let jazz = browseIndex.genres[try #require(browseIndex.genre(named: "jazz"))]
    #expect(jazz.songs == [0, 1, 2, 3] && jazz.songCount == 2)
  }

  @Test func `files without tags have a place, too`() {
    let browseIndex = Self.browseIndex([("", ""), ("", "A")], [Self.entry(1), Self.entry(2, artist: "A", album: 2)])
    let names = browseIndex.albums.map { "\(browseIndex.artists[$0.artists[0]].name): \($0.name)" }
    #expect(Set(names) == ["[Unknown Artist]: [Unknown Album]", "A: [Unknown Album]"])
  }

  @Test func `an album is found by its key, by former keys and by the names that decisions have`() throws {
    let browseIndex = Self.browseIndex(
      [("Tides", "Nora Vale"), ("Ebb", "Nora Vale")], [Self.entry(1), Self.entry(2, album: 2)],
      formerKeys: [("old", 2), ("key1", 2), ("gone", 9)])
    let tides = try #require(browseIndex.album(id: "al-key1"))
    let ebb = try #require(browseIndex.album(id: "al-key2"))
    #expect(browseIndex.albums[tides].name == "Tides" && browseIndex.album(id: "al-old") == ebb)
    #expect(browseIndex.album(id: "al-gone") == nil)
    #expect(browseIndex.album(AlbumNames(artist: "Nora Vale", title: "known 2")) == ebb)
    #expect(browseIndex.album(AlbumNames(artist: "Nora Vale", title: "Tides")) == nil)
  }

  @Test func `ids of artists follow from names alone`() throws {
    let first = Self.browseIndex([("Über", "Ö")], [Self.entry(1)])
    let second = Self.browseIndex([("Y", "X"), ("uber", "o")], [Self.entry(1), Self.entry(7, album: 2)])
    #expect(second.artist(id: first.artists[0].id) != nil)
  }

  @Test func `articles do not count when artists are sorted`() {
    let names = ["The Zebras", "Los Andes", "Mole", "Theory"]
    let browseIndex = Self.browseIndex(
      names.map { ("a", $0) }, (1...4).map { Self.entry($0, artist: names[Int($0) - 1], album: $0) })
    #expect(browseIndex.artists.map(\.name) == ["Los Andes", "Mole", "Theory", "The Zebras"])
  }

  @Test func `artists have their albums, and those on which they are guests`() throws {
    let browseIndex = Self.browseIndex([("One", "A")], [Self.entry(1, artist: "A"), Self.entry(2, artist: "B")])
    let guest = try #require(browseIndex.artist(named: "b"))
    #expect(browseIndex.artists[guest].albums.isEmpty && browseIndex.artists[guest].guestAlbums == [0])
  }

  @Test func `each of several artists has the song and the album`() throws {
    let browseIndex = Self.browseIndex(
      [("Duets", "Ana B")],
      [Self.entry(1, artists: ["Ana B", "Carl C"]), Self.entry(2, artists: ["Ana B"]), Self.entry(3)])
    let ana = try #require(browseIndex.artist(named: "ana b"))
    let carl = try #require(browseIndex.artist(named: "Carl C"))
    #expect(browseIndex.artists(ofSong: 0) == [ana, carl] && browseIndex.artists(ofSong: 1) == [ana])
    #expect(browseIndex.artists(ofSong: 2) == [ana])
    #expect(browseIndex.artists[carl].guestAlbums == [0] && browseIndex.artists[ana].guestAlbums.isEmpty)
  }

  @Test func `genres count songs and albums, each name once`() throws {
    let browseIndex = Self.browseIndex(
      [("One", "A"), ("Two", "B")],
      [
        Self.entry(1, artist: "A", genre: "Jazz; Soul"), Self.entry(2, artist: "A", genre: "jazz"),
        Self.entry(3, artist: "B", album: 2, genre: "Jazz"),
      ])
    let jazz = browseIndex.genres[try #require(browseIndex.genre(named: "JAZZ"))]
    #expect(jazz.songs == [0, 1, 2] && jazz.albumCount == 2)
    #expect(browseIndex.genres.count == 2)
  }

  @Test func `the newest albums come first`() {
    let browseIndex = Self.browseIndex(
      [("old", "A"), ("new", "A"), ("middle", "A")],
      [Self.entry(1, added: 10), Self.entry(2, album: 2, added: 30), Self.entry(3, album: 3, added: 20)])
    #expect(browseIndex.newestAlbums.map { browseIndex.albums[Int($0)].name } == ["new", "middle", "old"])
  }

  @Test func `names are found by every word, those that begin with it first`() {
    let names = FoldedNames(["slow tide", "tide", "high tides", "wave", "tide slow"])
    #expect(names.places(containing: ["tide"]) == [1, 4, 0, 2])
    #expect(names.places(containing: ["slow", "tide"]) == [0, 4])
    #expect(names.places(containing: ["tidewave"]) == [])
    #expect(names.places(containing: ["wavetide"]) == [])
  }
}
