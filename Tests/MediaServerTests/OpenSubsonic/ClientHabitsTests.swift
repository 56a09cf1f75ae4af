import Foundation
import TestSupport
import Testing

@testable import LibraryServing
@testable import OpenSubsonic

/// What clients send that is not quite the protocol, and is understood by other servers.
struct ClientHabitsTests {
  private let library: ServedLibrary

  init() async throws { library = try await ServedLibrary(of: .fixtures) }

  private var proof: String { "u=ana&p=\(library.account.password)&v=1.16.1&c=t&f=json" }

  private func songs(_ query: String) async throws -> [String] {
    let found = try await library.call("search3", ["query": query, "songCount": "500"]).subsonic["searchResult3"]
    return ((found as? [String: Any])?["song"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
  }

  @Test(arguments: [
    "/rest/ping.view?", "//rest/ping?", "/rest//ping?", "//rest///ping.view?", "/music/rest/ping?",
    "/a/b/rest/ping.view?", "//music//rest/ping?", "/rest/ping?x=%E9&", "/rest/ping?%E9=%&x=%zz&y=%00&",
    "/rest/%E9/../ping?",
  ])
  func `an address is one of the protocol however it was joined and escaped`(target: String) async throws {
    let answer = try await library.ask(target + proof, as: .stranger)
    #expect(answer.status == 200 && !answer.subsonic.isEmpty, "\(answer.status) \(answer.text.prefix(200))")
    if !target.contains("..") { #expect(answer.subsonic["status"] as? String == "ok") }
  }

  @Test(arguments: [
    "/restaurant?", "/music/rest?", "/music/rest/nothing?", "/album/rest/x?", "/album/rest/two%20Words?",
  ])
  func `an address of the page stays one`(target: String) async throws {
    let answer = try await library.ask(target + proof, as: .stranger)
    #expect(answer.headers["content-type"]?.hasPrefix("text/html") == true)
  }

  @Test func `what is not served is an error of the protocol behind a proxy, too`() async throws {
    for path in ["/rest/createShare", "/music/rest/createShare.view"] {
      #expect(try await library.ask("\(path)?\(proof)", as: .stranger).subsonicCode == 0, "\(path)")
    }
  }

  @Test func `a text in Latin-1 is searched for`() async throws {
    let found = try await library.ask("/rest/search3?query=Mar%E9e&\(proof)", as: .stranger).subsonic["searchResult3"]
    let count = ((found as? [String: Any])?["song"] as? [Any])?.count ?? 0
    #expect(try await songs("Marée").count == count && count > 0)
  }

  @Test(arguments: [
    ("lead*", "lead"), ("Lead-in*", "Lead-in"), ("\"lead\"", "lead"), ("+title:lead*", "lead"),
    ("title:(lead*)", "lead"), ("+artist:lathe* +title:lead*", "lathe lead"), ("lathe AND lead*", "lathe lead"),
    ("any:lead~", "lead"), ("artist:*", ""), ("*", "*"),
  ])
  func `what other search engines understand is found`(query: String, words: String) async throws {
    let found = try await songs(query)
    #expect(try await found == songs(words))
    if query != "*" { #expect(!found.isEmpty) }
  }

  @Test func `numbers may have fractions, and flags be numbers`() async throws {
    let song = try #require(try await songs("Lead-in").first)
    for (method, parameters) in [
      ("createBookmark", [("position", "1009.0")]), ("savePlayQueue", [("position", "9.6e2"), ("current", song)]),
      ("setRating", [("rating", "4.0")]), ("scrobble", [("time", "1700000000000.0"), ("submission", "1")]),
      ("reportPlayback", [("mediaId", song), ("mediaType", "song"), ("positionMs", "12.75"), ("state", "playing")]),
      ("getAlbumList2", [("type", "newest"), ("size", " 5"), ("offset", "+1")]),
    ] as [(String, [(String, String)])] {
      let answer = try await library.call(method, parameters.map { ($0.0, Optional($0.1)) } + [("id", song)])
      #expect(answer.subsonic["status"] as? String == "ok", "\(method): \(answer.text)")
    }
    let bookmarks = try await library.call("getBookmarks").subsonic["bookmarks"] as? [String: Any]
    #expect((bookmarks?["bookmark"] as? [[String: Any]])?.first?["position"] as? Int == 1009)
    let shown = try await library.call("getSong", ["id": song]).subsonic["song"] as? [String: Any]
    #expect(shown?["playCount"] as? Int == 1, "a play that was submitted with 1")
    for text in ["x", "1,5", "0x10", "nan", "inf", "1 2", "--1", ""] {
      let answer = try await library.call("getAlbumList2", ["type": "newest", "size": text])
      #expect(answer.subsonicCode == (text.isEmpty ? nil : 0), "\(text): \(answer.text)")
    }
  }

  @Test func `a playlist is public by true and by 1`() async throws {
    let made = try await library.call("createPlaylist", ["name": "Shared"]).subsonic["playlist"] as? [String: Any]
    let id = try #require(made?["id"] as? String)
    for (text, expected) in [("1", true), ("0", false), ("true", true), ("false", false), ("True", true)] {
      _ = try await library.call("updatePlaylist", ["playlistId": id, "public": text])
      let list = try await library.call("getPlaylist", ["id": id]).subsonic["playlist"] as? [String: Any]
      #expect(list?["public"] as? Bool == expected, "\(text)")
    }
    for text in ["maybe", "2", "truefalse"] {
      let change = try await library.call("updatePlaylist", ["playlistId": id, "public": text])
      #expect(change.subsonicCode == 0, "\(text)")
      #expect(try await library.call("scrobble", ["id": "x", "submission": text]).subsonicCode != nil)
    }
    #expect(try await library.call("updatePlaylist", ["playlistId": id, "public": ""]).subsonicCode == nil)
    let list = try await library.call("getPlaylist", ["id": id]).subsonic["playlist"] as? [String: Any]
    #expect(list?["public"] as? Bool == true, "a flag without a value is none")
  }

  @Test func `a form may name as many songs as a list has`() async throws {
    let song = try #require(try await songs("Lead-in").first)
    let ids = String(repeating: "&id=\(song)", count: 100_000)
    let answer = try await library.ask(
      "/rest/savePlayQueue", "POST", as: .stranger, bytes: Array("\(proof)\(ids)".utf8),
      type: "application/x-www-form-urlencoded")
    #expect(answer.status == 200 && answer.subsonic["status"] as? String == "ok", "\(answer.text)")
    let stranger = try await library.ask(
      "/rest/savePlayQueue", "POST", as: .stranger, bytes: Array("u=ana&p=wrong\(ids)".utf8),
      type: "application/x-www-form-urlencoded")
    #expect(stranger.status == 200 && stranger.text.contains("<error code=\"0\" message=\"the body may have"))
  }

  @Test func `a cover of size 0 is the picture itself`() async throws {
    let song = try #require(try await songs("Lead-in").first)
    let whole = try await library.call("getCoverArt", ["id": song])
    #expect(whole.headers["content-type"]?.hasPrefix("image/") == true)
    #expect(try await library.call("getCoverArt", ["id": song, "size": "0"]).body == whole.body)
  }
}
