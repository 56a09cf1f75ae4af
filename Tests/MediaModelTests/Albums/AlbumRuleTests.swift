import Base
import Foundation
import MediaModel
import TestSupport
import Testing

/// A collection and the albums that people see in it.
struct AlbumCase: Decodable, CustomTestStringConvertible {
  struct File: Decodable {
    var path: String
    var tags: [String: Values]?
    var state: String?

    func texts(_ name: String) -> [String] { tags?[name]?.texts ?? [] }
    func text(_ name: String) -> String { texts(name).joined(separator: "; ") }
  }

  struct Values: Decodable {
    var texts: [String]

    init(from decoder: any Decoder) throws {
      let container = try decoder.singleValueContainer()
      texts = try (try? container.decode([String].self)) ?? [container.decode(String.self)]
    }
  }

  struct Album: Decodable, Hashable {
    var title: String
    var artist: String
    var files: [Int]
  }

  var name: String
  var files: [File]
  var albums: [Album]
  var without: [Int]?

  var testDescription: String { name }

  static let all: [AlbumCase] = {
    guard let data = try? Data(contentsOf: Corpora.fixtures.appending(path: "albums/cases.json")),
      let cases = try? JSONDecoder().decode([String: [AlbumCase]].self, from: data)
    else { preconditionFailure("fixtures/albums/cases.json cannot be read") }
    return cases.sorted { $0.key < $1.key }.flatMap(\.value)
  }()

  /// The files as the rule gets them, with their indices as ids.
  var albumFiles: [AlbumFile] {
    files.enumerated().map { index, file in
      var result = AlbumFile(id: Int64(index), rootID: 1, folder: AlbumEdition.folder(ofFile: file.path))
      (result.title, result.albumArtist, result.artist) = (
        file.text("ALBUM"), file.text("ALBUMARTIST"), file.text("ARTIST")
      )
      result.artists = file.texts("ARTIST").count > 1 ? file.texts("ARTIST") : []
      result.isCompilation = file.text("COMPILATION") == "1"
      result.release = file.texts("MUSICBRAINZ_ALBUMID").first
      result.releaseGroup = file.texts("MUSICBRAINZ_RELEASEGROUPID").first
      result.releaseType = file.texts("RELEASETYPE").first
      result.name = file.path.split(separator: "/").last.map(String.init) ?? ""
      result.trackTitle = file.text("TITLE")
      (result.disc, result.track) = (Int(file.text("DISCNUMBER")), Int(file.text("TRACKNUMBER")))
      result.isDecoded = file.state == nil || file.state == "ok"
      result.recordingID = result.isDecoded ? Int64(index) : nil
      return result
    }
  }
}

/// The albums of files on all shelves, as whoever stores them puts them together.
private func albums(of files: [AlbumFile]) -> (albums: Set<AlbumCase.Album>, without: Set<Int>) {
  var albums: [AlbumCase.Album] = []
  let shelves = Dictionary(grouping: files, by: \.shelf)
  for (shelf, files) in shelves where shelf.hasPrefix("=") {
    for group in AlbumRule.albums(of: files) {
      albums.append(.init(title: group.title, artist: group.artist, files: group.fileIDs.map(Int.init)))
    }
  }
  var without = Set(files.indices)
  for (shelf, own) in shelves where shelf.hasPrefix("/") {
    let beside = albums.indices.filter { place in albums[place].files.contains { files[$0].folder == own[0].folder } }
    let (ofTheAlbum, groups) = AlbumRule.untagged(own, besideAlbums: Set(beside.map(Int64.init)))
    if let place = beside.first { albums[place].files += ofTheAlbum.map(Int.init) }
    for group in groups where !group.title.isEmpty {
      albums.append(.init(title: group.title, artist: group.artist, files: group.fileIDs.map(Int.init)))
    }
  }
  for place in albums.indices {
    albums[place].files.sort()
    without.subtract(albums[place].files)
  }
  return (Set(albums), without)
}

struct AlbumRuleTests {
  @Test(arguments: AlbumCase.all)
  func `a collection has the albums that people see in it`(example: AlbumCase) {
    let (found, without) = albums(of: example.albumFiles)
    #expect(found == Set(example.albums.map { .init(title: $0.title, artist: $0.artist, files: $0.files.sorted()) }))
    #expect(without == Set(example.without ?? []))
  }

  @Test func `there are forty cases, twenty of them written without the rule`() throws {
    let data = try Data(contentsOf: Corpora.fixtures.appending(path: "albums/cases.json"))
    let cases = try JSONDecoder().decode([String: [AlbumCase]].self, from: data)
    #expect(cases["written_without_the_rule"]?.count ?? 0 >= 20)
    #expect(AlbumCase.all.count >= 40)
  }

  @Test(arguments: AlbumCase.all)
  func `the order of files makes no difference`(example: AlbumCase) {
    var generator = RepeatableRandom(seed: 7)
    let files = example.albumFiles
    for shelf in Dictionary(grouping: files, by: \.shelf).values {
      #expect(AlbumRule.albums(of: shelf) == AlbumRule.albums(of: shelf.shuffled(using: &generator)))
    }
  }

  @Test func `a choice by hand comes before all that tags say`() {
    var files = ["Tides", "Tides", "Ebb"].enumerated().map { index, title in
      var file = AlbumFile(id: Int64(index), rootID: 1, folder: title)
      (file.title, file.artist, file.trackTitle) = ("Tides", "Nora Vale", "Track \(title) \(index)")
      return file
    }
    #expect(AlbumRule.albums(of: files).map(\.fileIDs) == [[0, 1, 2]])
    files[2].choice = AlbumNames(artist: "Nora Vale", title: "Tides (2)")
    #expect(AlbumRule.albums(of: files).map(\.fileIDs) == [[0, 1], [2]])
    // What comes into the folder later follows.
    var later = AlbumFile(id: 3, rootID: 1, folder: "Ebb")
    (later.title, later.artist) = ("Tides", "Nora Vale")
    #expect(AlbumRule.albums(of: files + [later]).map(\.fileIDs) == [[0, 1], [2, 3]])
  }
}

extension AlbumRuleTests {
  private func file(_ id: Int64, _ artist: String, track: Int?, albumArtist: String = "", folder: String = "Hits")
    -> AlbumFile
  {
    var file = AlbumFile(id: id, rootID: 1, folder: folder)
    (file.title, file.artist, file.albumArtist) = ("Greatest Hits", artist, albumArtist)
    (file.trackTitle, file.track) = ("\(artist) \(id)", track)
    return file
  }

  @Test func `spellings of Various Artists in one folder are one, and what names none follows`() {
    let artists = ["Various Artists", "VA", "Verschiedene", ""]
    let files = artists.enumerated().map { index, name in
      file(Int64(index), "Artist \(index)", track: index + 1, albumArtist: name)
    }
    let albums = AlbumRule.albums(of: files)
    #expect(albums.map(\.fileIDs) == [[0, 1, 2, 3]] && albums[0].artist == AlbumRule.variousArtists)
  }

  @Test func `two artists with all numbers each in one folder have an album each`() {
    let bee = (1...4).map { file(Int64($0), "Queen Bee", track: $0) }
    let abbo = (1...3).map { file(Int64(10 + $0), "ABBO", track: $0) }
    #expect(AlbumRule.albums(of: bee + abbo).map(\.artist) == ["Queen Bee", "ABBO"])
    // A number that is not there, a guest with a track of their own, and a flagged compilation are one album.
    for others in [Array(abbo.dropFirst()), abbo.map { file($0.id, "ABBO", track: nil) }, [file(11, "ABBO", track: 5)]]
    {
      #expect(AlbumRule.albums(of: bee + others).map(\.artist) == [AlbumRule.variousArtists])
    }
    let flagged = (bee + abbo).map { file in
      var file = file
      file.isCompilation = true
      return file
    }
    #expect(AlbumRule.albums(of: flagged).count == 1)
    #expect(AlbumRule.albums(of: bee + bee.map { file($0.id + 20, "Queen Bee", track: $0.track) }).count == 1)
  }
}

struct AlbumEditionsTests {
  @Test func `which of two equal copies is the first edition follows from their paths`() {
    func copies(_ ids: [Int64]) -> [EditionTrack] {
      zip(ids, ["a", "b"]).map { id, folder in
        EditionTrack(
          fileID: id, path: "\(folder)/1.flac", folder: folder == "a" ? 1 : 2, codec: "flac", isLossless: true, disc: 1,
          track: 1, title: "One", durationInSeconds: 60)
      }
    }
    #expect(AlbumEditions.editions(of: copies([1, 2])).map { $0.map(\.path) } == [["a/1.flac"], ["b/1.flac"]])
    #expect(AlbumEditions.editions(of: copies([2, 1])).map { $0.map(\.path) } == [["a/1.flac"], ["b/1.flac"]])
  }
}

struct AlbumTitleTests {
  @Test(arguments: [
    ("The Wall (Disc 2)", "The Wall", 2), ("The Wall [CD1]", "The Wall", 1), ("The Wall - Disc One", "The Wall", 1),
    ("The Wall, CD 2", "The Wall", 2), ("The Wall (disc 3 of 4)", "The Wall", 3),
    ("The Wall (Disc 2: Live)", "The Wall", 2),
    ("Box: Disc 12", "Box", 12),
  ])
  func `a disc at the end of a title is no part of it`(title: String, bare: String, number: Int) {
    #expect(AlbumTitle.withoutDisc(title) == bare)
    #expect(AlbumTitle.disc(title) == number)
  }

  @Test(arguments: [
    "CD1", "Disco 2000", "Discovery", "The Disc 1 Sessions", "Vol. 2", "Discipline", "ABCD 1", "Compact Disc",
    "Disc Jockey",
    "CD 1999",
  ])
  func `other titles stay as they are`(title: String) {
    #expect(AlbumTitle.withoutDisc(title) == title)
    #expect(AlbumTitle.disc(title) == nil)
  }

  @Test(arguments: [
    "(Remastered)", "(2009 Remaster)", "[Deluxe Edition]", "- Remastered 2011", "(50th Anniversary Edition)",
    "(Super Deluxe)",
    "[FLAC 24bit 96kHz]", "(Mono)", "(Bonus Track Version)", "(Japanese Edition)", "(Remastered) [Deluxe Edition]",
    "(Explicit)",
  ])
  func `remarks about an edition are no part of a title`(remark: String) {
    #expect(AlbumTitle.withoutEdition("Abbey Road \(remark)") == "Abbey Road")
  }

  @Test(arguments: [
    "(Live)", "(Demos)", "(Instrumental)", "(Taylor's Version)", "- Live in Japan", "(Remixes)", "(Acoustic)",
    "(Vol. 2)", "(1989)",
    "[The Complete Sessions]",
  ])
  func `other remarks name another album`(remark: String) {
    #expect(AlbumTitle.withoutEdition("Abbey Road \(remark)") == "Abbey Road \(remark)")
  }
}

struct NameKeyTests {
  @Test(arguments: [
    ("The Beatles", "beatles"), ("Sgt. Pepper’s", "SGT PEPPERS"), ("Simon & Garfunkel", "simon and garfunkel"),
    ("R.E.M.", "REM"),
    ("Sigur Rós", "sigur ros"), ("AC/DC", "AC DC"), ("  Tides ", "tides"), ("Ｔｉｄｅｓ", "Tides"),
  ])
  func `spellings of one name have one key`(left: String, right: String) {
    #expect(NameKey.key(left) == NameKey.key(right))
  }

  @Test(arguments: [
    ("!!!", "???"), ("+", "÷"), ("The The", "The"), ("Ana", "Anna"), ("東京", "京都"), ("", "a"), ("&", "+"),
  ])
  func `other names have other keys`(left: String, right: String) {
    #expect(NameKey.key(left) != NameKey.key(right))
  }
}
