import LibraryTracks
import Testing
@testable import LibraryServing
@testable import MediaServer

struct BrowseIndexTests {
  private static func entry(
    _ id: Int64, artist: String = "", album: String = "", albumArtist: String = "", genre: String = "",
    year: Int? = nil, added: Int64 = 0, path: String = "x.flac"
  ) -> BrowseEntry {
    BrowseEntry(
      fileID: id, rootID: 1, artist: artist, album: album, albumArtist: albumArtist, genre: genre, year: year,
      durationInSeconds: 10, addedAt: added, path: path)
  }

  private static func browseIndex(_ entries: [BrowseEntry]) -> BrowseIndex {
    var draft = BrowseIndexDraft()
    for entry in entries { draft.add(entry) }
    return BrowseIndex(draft)
  }

  @Test func `songs of one album artist and album are one album, whatever the case`() {
    let browseIndex = Self.browseIndex([
      Self.entry(1, artist: "Nora", album: "Tides", albumArtist: "Nora Vale", year: 2003),
      Self.entry(5, artist: "Bo", album: "tides", albumArtist: "NORA VALE", year: 1999),
      Self.entry(9, artist: "Nora", album: "Other", albumArtist: "Nora Vale"),
    ])
    #expect(browseIndex.albums.map(\.name) == ["Other", "Tides"])
    #expect(browseIndex.fileIDs(ofAlbum: 1) == [1, 5])
    #expect(browseIndex.albums[1].year == 1999 && browseIndex.albums[1].durationInSeconds == 20)
    #expect(browseIndex.song(ofFile: 5) == 1 && browseIndex.song(ofFile: 4) == nil)
  }

  @Test func `without an album artist the songs of a folder are one album, of its artist or of various`() {
    let browseIndex = Self.browseIndex([
      Self.entry(1, artist: "A", album: "One", path: "a/One/1.flac"),
      Self.entry(2, artist: "A", album: "One", path: "a/One/CD2/1.flac"),
      Self.entry(3, artist: "B", album: "Mix", path: "Mix/1.flac"),
      Self.entry(4, artist: "C", album: "Mix", path: "Mix/2.flac"),
      Self.entry(5, artist: "B", album: "Mix", path: "elsewhere/2.flac"),
    ])
    let names = browseIndex.albums.map { "\(browseIndex.artists[$0.artist].name): \($0.name) \($0.songs.count)" }
    #expect(Set(names) == ["A: One 2", "Various Artists: Mix 2", "B: Mix 1"])
  }

  @Test func `files without tags have a place, too`() {
    let browseIndex = Self.browseIndex([Self.entry(1), Self.entry(2, artist: "A")])
    let names = browseIndex.albums.map { "\(browseIndex.artists[$0.artist].name): \($0.name)" }
    #expect(Set(names) == ["[Unknown Artist]: [Unknown Album]", "A: [Unknown Album]"])
  }

  @Test func `ids follow from names alone`() throws {
    let first = Self.browseIndex([Self.entry(1, artist: "Ö", album: "Über", albumArtist: "Ö")])
    let second = Self.browseIndex([
      Self.entry(1, artist: "X", album: "Y", albumArtist: "X"),
      Self.entry(7, artist: "o", album: "uber", albumArtist: "o"),
    ])
    let place = try #require(second.album(id: first.albums[0].id))
    #expect(second.albums[place].name == "uber")
    #expect(second.artist(id: first.artists[0].id) != nil)
    #expect(second.album(named: "ÜBER", artist: "Ö") == place)
    #expect(Set(second.albums.map(\.id)).count == 2)
  }

  @Test func `articles do not count when artists are sorted`() {
    let browseIndex = Self.browseIndex([
      Self.entry(1, artist: "The Zebras", album: "a"), Self.entry(2, artist: "Los Andes", album: "b"),
      Self.entry(3, artist: "Mole", album: "c"), Self.entry(4, artist: "Theory", album: "d"),
    ])
    #expect(browseIndex.artists.map(\.name) == ["Los Andes", "Mole", "Theory", "The Zebras"])
  }

  @Test func `artists have their albums, and those on which they are guests`() throws {
    let browseIndex = Self.browseIndex([
      Self.entry(1, artist: "A", album: "One", albumArtist: "A"),
      Self.entry(2, artist: "B", album: "One", albumArtist: "A"),
    ])
    let guest = try #require(browseIndex.artist(named: "b"))
    #expect(browseIndex.artists[guest].albums.isEmpty && browseIndex.artists[guest].guestAlbums == [0])
  }

  @Test func `genres count songs and albums, each name once`() throws {
    let browseIndex = Self.browseIndex([
      Self.entry(1, artist: "A", album: "One", genre: "Jazz; Soul"),
      Self.entry(2, artist: "A", album: "One", genre: "jazz"),
      Self.entry(3, artist: "B", album: "Two", genre: "Jazz"),
    ])
    let jazz = browseIndex.genres[try #require(browseIndex.genre(named: "JAZZ"))]
    #expect(jazz.songs == [0, 1, 2] && jazz.albumCount == 2)
    #expect(browseIndex.genres.count == 2)
  }

  @Test func `the newest albums come first`() {
    let browseIndex = Self.browseIndex([
      Self.entry(1, artist: "A", album: "old", added: 10), Self.entry(2, artist: "A", album: "new", added: 30),
      Self.entry(3, artist: "A", album: "middle", added: 20),
    ])
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
