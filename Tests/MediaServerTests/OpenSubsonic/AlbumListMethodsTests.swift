import Foundation
import TestSupport
import Testing

/// Albums and songs in the orders of the specification.
struct AlbumListMethodsTests {
  private let library: MethodLibrary

  init() async throws { library = try await MethodLibrary() }

  private func albums(_ type: String, _ parameters: [(name: String, value: String?)] = []) async throws -> [[String:
    Any]]
  {
    let answer = try await library.served.call("getAlbumList2", [("type", type), ("size", "500")] + parameters)
    #expect(answer.subsonicCode == nil, "\(answer.text)")
    return (answer.subsonic["albumList2"] as? [String: Any])?["album"] as? [[String: Any]] ?? []
  }

  private func names(_ albums: [[String: Any]]) -> [String] { albums.map { $0["name"] as? String ?? "" } }

  @Test func `every order has all albums that belong to it`() async throws {
    let all = names(try await albums("alphabeticalByName"))
    #expect(all.count > 5 && Set(all).count == all.count)
    for type in ["alphabeticalByArtist", "newest", "random"] {
      #expect(names(try await albums(type)).sorted() == all.sorted(), "\(type)")
    }
    let years = try await albums("byYear", [("fromYear", "2019"), ("toYear", "2023")]).compactMap { $0["year"] as? Int }
    #expect(years == years.sorted() && years.first == 2019 && years.last == 2023)
    let reversed = try await albums("byYear", [("fromYear", "2023"), ("toYear", "2019")])
    #expect(reversed.compactMap { $0["year"] as? Int } == years.reversed())
    #expect(names(try await albums("byGenre", [("genre", "Speech")])) == ["Announcements"])
    #expect(try await albums("byGenre", [("genre", "Nothing")]).isEmpty)
    // One has a star, as the library was made.
    #expect(names(try await albums("starred")) == ["Les Échos"])
    for type in ["highest", "frequent", "recent"] { #expect(try await albums(type).isEmpty, "\(type)") }
  }

  @Test func `what was rated and heard comes first`() async throws {
    _ = try await library.served.call("setRating", ["id": library.filled("{album}"), "rating": "3"])
    #expect(names(try await albums("highest")) == ["Les Échos"])
    for (song, time) in [("{song}", "1700000000000"), ("{song}", "1700000100000"), ("{other}", "1700000200000")] {
      _ = try await library.served.call("scrobble", ["id": library.filled(song), "time": time])
    }
    #expect(names(try await albums("frequent")) == ["Les Échos", "Run-out Groove"])
    #expect(names(try await albums("recent")) == ["Run-out Groove", "Les Échos"])
    let top = try await library.served.call("getTopSongs", ["artist": "Émilie Søndergård"]).subsonic["topSongs"]
    let songs = (top as? [String: Any])?["song"] as? [[String: Any]] ?? []
    #expect(songs.map { $0["title"] as? String } == ["Marée lente"])
  }

  @Test func `pages fit together`() async throws {
    let all = names(try await albums("alphabeticalByName"))
    var found: [String] = []
    for offset in stride(from: 0, to: all.count + 2, by: 2) {
      let page = try await library.served.call(
        "getAlbumList2", ["type": "alphabeticalByName", "size": "2", "offset": "\(offset)"])
      let list = (page.subsonic["albumList2"] as? [String: Any])?["album"] as? [[String: Any]] ?? []
      #expect(list.count <= 2)
      found += names(list)
    }
    #expect(found == all)
    let random = try await library.served.call("getRandomSongs", ["size": "3", "genre": "Ambient"])
    let songs = (random.subsonic["randomSongs"] as? [String: Any])?["song"] as? [[String: Any]] ?? []
    #expect(songs.count == 3 && Set(songs.compactMap { $0["id"] as? String }).count == 3)
  }

  @Test func `folders of older clients lead from the root to the songs`() async throws {
    func directory(_ id: String) async throws -> [[String: Any]] {
      let answer = try await library.served.call("getMusicDirectory", ["id": library.filled(id)])
      #expect(answer.subsonicCode == nil, "\(answer.text)")
      return (answer.subsonic["directory"] as? [String: Any])?["child"] as? [[String: Any]] ?? []
    }
    #expect(try await directory("1").contains { $0["isDir"] as? Bool == true })
    let albums = try await directory("{artist}")
    #expect(albums.contains { ($0["title"] ?? $0["name"]) as? String == "Les Échos" && $0["isDir"] as? Bool == true })
    let songs = try await directory("{album}")
    #expect(songs.count == 5 && songs.allSatisfy { $0["isDir"] as? Bool == false })
  }
}
