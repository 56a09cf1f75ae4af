import Base
import Foundation
import LibraryScanning
import LibraryServing
import LibraryTracks
import MediaModel
import Testing
@testable import MediaServer
import TestSupport
@testable import WebAPI

/// Calls about one folder of several: what the others hold does not come, and does not count.
struct MusicFoldersTests {
  private static let albumCount = 12
  /// Names sort in the order of the numbers, which alternate between the folders.
  private static let ofSecond = stride(from: 1, to: albumCount, by: 2).map { number($0) }

  private let library: ServedLibrary

  init() throws {
    library = try ServedLibrary { store in
      let roots = try ["/music/jazz", "/music/pop"].map { try store.roots.add(BytePath($0), volume: "v1") }
      for number in 0..<Self.albumCount {
        try store.scans.apply([.extracted(Self.record(number, in: roots[number % 2]))])
      }
    }
  }

  private static func number(_ number: Int) -> String { (number < 10 ? "0" : "") + String(number) }

  /// - Parameter album: In the names of its album and artist; the number if nil, no names if empty.
  private static func record(_ number: Int, in root: Root, album: String? = nil) -> FileRecord {
    let name = Self.number(number)
    var tags = [("TITLE", "Song \(name)"), ("GENRE", "Common"), ("DATE", String(2000 + number))]
    if album != "" { tags += [("ARTIST", "Artist \(album ?? name)"), ("ALBUM", "Album \(album ?? name)")] }
    let format = MediaFormat(
      container: .flac, codec: .flac, sampleRateInHz: 44_100, channelCount: 2, bitsPerSample: 16,
      declaredFrameCount: 441_000, decodedFrameCount: 441_000)
    let hash = ContentHash(high: 1, low: UInt64(number))
    return FileRecord(
      rootID: root.id, path: BytePath("\(name)/\(name).flac"),
      status: FileStatus(
        byteCount: Int64(1_000 + number), modificationTimeInNanoseconds: 1, changeTimeInNanoseconds: 1,
        inode: UInt64(number + 1), device: 1),
      extraction: Extraction(
        state: .ok, format: format, stream: StreamIdentity(hash: hash, byteCount: 1), decoded: DecodedStream(),
        tags: Tags(tags.map { Tags.Property(name: $0, values: [$1]) })),
      extractorVersion: 3)
  }

  /// The objects of an answer about the second folder.
  ///
  /// - Parameter path: Where they are, as `albumList2.album`.
  private func found(
    _ path: String, _ method: String, _ parameters: [String: String] = [:], folder: String? = "2"
  ) async throws -> [[String: Any]] {
    let fields = parameters.map { (name: $0.key, value: Optional($0.value)) } + [("musicFolderId", folder)]
    let answer = try await library.call(method, fields)
    #expect(answer.subsonicCode == nil, "\(answer.text)")
    let keys = path.split(separator: ".").map(String.init)
    return (answer.subsonic[keys[0]] as? [String: Any])?[keys[1]] as? [[String: Any]] ?? []
  }

  /// The numbers in the names or titles of objects.
  private func numbers(_ objects: [[String: Any]]) -> [String] {
    objects.map { String((($0["name"] ?? $0["title"]) as? String ?? "").suffix(2)) }
  }

  @Test func `all have a number and a name`() async throws {
    let folders = try await found("musicFolders.musicFolder", "getMusicFolders", folder: nil)
    #expect(folders.map { $0["name"] as? String } == ["jazz", "pop"])
    #expect(folders.map { "\($0["id"] ?? "")" } == ["1", "2"])
  }

  @Test(arguments: ["alphabeticalByName", "alphabeticalByArtist", "newest", "byYear", "byGenre"])
  func `pages of its albums fit together`(type: String) async throws {
    let usual = ["type": type, "fromYear": "1990", "toYear": "2030", "genre": "Common"]
    let all = numbers(
      try await found("albumList2.album", "getAlbumList2", usual.merging(["size": "500"]) { $1 }, folder: nil))
    #expect(all.sorted() == (0..<Self.albumCount).map(Self.number))
    for (method, key) in [("getAlbumList2", "albumList2.album"), ("getAlbumList", "albumList.album")] {
      var pages: [String] = []
      for offset in stride(from: 0, to: 10, by: 2) {
        let page = numbers(try await found(key, method, usual.merging(["size": "2", "offset": "\(offset)"]) { $1 }))
        #expect(page.count == (offset < 6 ? 2 : 0), "\(method) \(offset)")
        pages += page
      }
      #expect(pages == all.filter(Self.ofSecond.contains), "\(method)")
    }
  }

  @Test(arguments: ["", "\"\"", "song", "artist", "album", "common"])
  func `pages of what is found in it fit together`(words: String) async throws {
    for kind in ["artist", "album", "song"] {
      var pages: [String] = []
      for offset in stride(from: 0, to: 10, by: 2) {
        let page = try await found(
          "searchResult3.\(kind)", "search3",
          ["query": words, "\(kind)Count": "2", "\(kind)Offset": "\(offset)"])
        #expect(page.count <= 2)
        pages += numbers(page)
      }
      // Songs are found by all their words, artists and albums by their names.
      let isFound = words.count < 3 || words == kind || kind == "song"
      #expect(pages.sorted() == (isFound ? Self.ofSecond : []), "\(kind) of \(words)")
    }
  }

  @Test func `songs of a genre, songs and albums by chance, and artists are its own`() async throws {
    var songs: [String] = []
    for offset in stride(from: 0, to: 8, by: 2) {
      songs += numbers(
        try await found(
          "songsByGenre.song", "getSongsByGenre", ["genre": "common", "count": "2", "offset": "\(offset)"]))
    }
    #expect(songs.sorted() == Self.ofSecond)
    for genre in [[:], ["genre": "Common"]] {
      let random = try await found("randomSongs.song", "getRandomSongs", ["size": "500"].merging(genre) { $1 })
      #expect(numbers(random).sorted() == Self.ofSecond)
    }
    let years = ["fromYear": "2003", "toYear": "2006", "size": "500"]
    #expect(numbers(try await found("randomSongs.song", "getRandomSongs", years)).sorted() == ["03", "05"])
    let albums = try await found("albumList2.album", "getAlbumList2", ["type": "random", "size": "2"])
    #expect(albums.count == 2 && Set(numbers(albums)).isSubset(of: Self.ofSecond))
    for (method, key) in [("getArtists", "artists.index"), ("getIndexes", "indexes.index")] {
      let artists = try await found(key, method).flatMap { $0["artist"] as? [[String: Any]] ?? [] }
      #expect(numbers(artists) == Self.ofSecond, "\(method)")
    }
  }

  @Test func `an album with songs in both is in both, and so is its artist`() async throws {
    try library.server.library.writing { store in
      let roots = try store.roots.all()
      // Nobody wrote anything about the others, whose album has no name.
      for number in 20..<24 {
        try store.scans.apply([.extracted(Self.record(number, in: roots[number % 2], album: number < 22 ? "xx" : ""))])
      }
    }
    for folder in ["1", "2"] {
      let every = (0..<Self.albumCount).map(Self.number)
      let own = every.filter { Self.ofSecond.contains($0) == (folder == "2") }
      let albums = (own + ["xx", "m]"]).sorted()
      let artists = (own + ["xx", "t]"]).sorted()
      func shown(_ objects: [[String: Any]]) -> [String] { numbers(objects).sorted() }
      for method in ["getAlbumList2", "getAlbumList"] {
        for type in ["alphabeticalByName", "alphabeticalByArtist", "newest", "byYear", "byGenre", "random"] {
          let parameters = ["type": type, "fromYear": "1", "toYear": "3000", "genre": "Common", "size": "500"]
          let found = try await self.found(
            method == "getAlbumList" ? "albumList.album" : "albumList2.album", method, parameters, folder: folder)
          #expect(shown(found) == albums, "\(method) \(type) \(folder)")
        }
      }
      for (method, key) in [("getArtists", "artists.index"), ("getIndexes", "indexes.index")] {
        let found = try await self.found(key, method, folder: folder).flatMap { $0["artist"] as? [[String: Any]] ?? [] }
        #expect(shown(found) == artists, "\(method) \(folder)")
      }
      for kind in ["artist", "album"] {
        let found = try await self.found("searchResult3.\(kind)", "search3", ["query": ""], folder: folder)
        #expect(shown(found) == (kind == "artist" ? artists : albums), "\(kind) \(folder)")
      }
      let directory = try await library.call("getMusicDirectory", ["id": folder]).subsonic["directory"]
      let children = (directory as? [String: Any])?["child"] as? [[String: Any]] ?? []
      #expect(shown(children) == artists)
    }
    let all = try await found("searchResult3.artist", "search3", ["query": "", "artistCount": "500"], folder: nil)
    #expect(try await library.call("star", all.map { ("artistId", $0["id"] as? String) }).subsonicCode == nil)
    for name in ["starred", "starred2"] {
      let found = try await self.found("\(name).artist", name == "starred" ? "getStarred" : "getStarred2")
      #expect(found.count == Self.ofSecond.count + 2, "\(name)")
    }
  }

  @Test func `of what has a star only its own comes`() async throws {
    for (path, key) in [("searchResult3.album", "albumId"), ("searchResult3.song", "id")] {
      let all = try await found(path, "search3", ["query": "", "albumCount": "500", "songCount": "500"], folder: nil)
      let ids = all.map { (name: key, value: $0["id"] as? String) }
      #expect(ids.count == Self.albumCount)
      #expect(try await library.call("star", ids).subsonicCode == nil)
    }
    for (method, name) in [("getStarred2", "starred2"), ("getStarred", "starred")] {
      for kind in ["album", "song"] {
        #expect(numbers(try await found("\(name).\(kind)", method)).sorted() == Self.ofSecond, "\(method) \(kind)")
        #expect(try await found("\(name).\(kind)", method, folder: nil).count == Self.albumCount)
      }
    }
    let pages = try await (
      found("albumList2.album", "getAlbumList2", ["type": "starred", "size": "4"]),
      found("albumList2.album", "getAlbumList2", ["type": "starred", "size": "4", "offset": "4"])
    )
    #expect(numbers(pages.0 + pages.1).sorted() == Self.ofSecond && pages.1.count == 2)
  }
}
