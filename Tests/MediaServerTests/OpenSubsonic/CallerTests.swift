import Foundation
import LibraryScanning
import LibraryTracks
import Testing
@testable import LibraryServing
import TestSupport
@testable import MediaServer

/// Who calls methods of OpenSubsonic, and what is theirs.
struct CallerTests {
  private let library: ServedLibrary

  init() async throws { library = try await ServedLibrary(of: .fixtures) }

  private func song(_ account: Account? = nil) async throws -> String {
    let found = try await library.call("search3", ["query": "", "songCount": "500"], by: account)
    let songs = (found.subsonic["searchResult3"] as? [String: Any])?["song"] as? [[String: Any]]
    return try #require(songs?.first?["id"] as? String)
  }

  /// Songs as parameters of a call.
  private func ids(of titles: [String]) async throws -> [(name: String, value: String?)] {
    var ids: [(name: String, value: String?)] = []
    for title in titles {
      let found = try await library.call("search3", ["query": title, "songCount": "1"]).subsonic["searchResult3"]
      let songs = (found as? [String: Any])?["song"] as? [[String: Any]]
      ids.append(("id", try #require(songs?.first?["id"] as? String)))
    }
    return ids
  }

  @Test func `nobody comes without a password`() async throws {
    let password = library.account.password
    let salted = TestSupport.MD5.digest(of: Array((password + "salt12").utf8))
    let digest = salted.map { String(format: "%02x", $0) }.joined()
    let hexadecimal = password.utf8.map { String(format: "%02x", $0) }.joined()
    for (target, code) in [
      ("ping?c=x", 10), ("ping?u=ana", 10), ("ping?u=ana&p=wrong", 40), ("ping?apiKey=wrong", 44),
      ("ping?u=ana&apiKey=\(password)", 43), ("ping?u=ana&p=\(password)", nil),
      ("ping?u=ana&p=enc:\(hexadecimal)", nil),
      ("ping?u=ana&t=\(digest)&s=salt12", nil), ("ping?u=ana&t=\(digest.uppercased())&s=salt12", nil),
      ("ping?u=ana&t=\(digest)&s=salt13", 40), ("ping?u=ana&t=\(digest)", 10), ("ping?u=ana&p=enc:xyz", 40),
      ("ping?u=ana&p=\(password)&t=\(digest)&s=salt12", 43), ("ping?apiKey=\(password)", nil),
      ("getOpenSubsonicExtensions?c=x", nil),
    ] {
      #expect(try await library.ask("/rest/\(target)&f=json", as: .stranger).subsonicCode == code, "\(target)")
    }
  }

  @Test func `players of other sites may come, without a cookie`() async throws {
    let answer = try await library.call(
      "ping", [], headers: ["Origin": "https://player.example", "Sec-Fetch-Site": "cross-site"])
    #expect(answer.subsonic["status"] as? String == "ok")
    #expect(answer.headers["access-control-allow-origin"] == "*" && answer.headers["set-cookie"] == nil)
  }

  @Test func `a form that is not small is read from somebody who has a password`() async throws {
    let song = try await song()
    let ids = [String](repeating: "id=\(song)", count: 3_000).joined(separator: "&")
    for (start, code) in [("u=ana&p=\(library.account.password)", Int?.none), ("u=ana&p=wrong", 40)] {
      let form = "\(start)&c=t&f=json&\(ids)&current=\(song)"
      let answer = try await library.ask(
        "/rest/savePlayQueue", "POST", as: .stranger, bytes: Array(form.utf8),
        type: "application/x-www-form-urlencoded")
      #expect(answer.status == 200 && answer.subsonicCode == code, "\(answer.text)")
    }
  }

  @Test func `a password may do what its right says`() async throws {
    let (lena, rita) = (try library.password("lena", .listen), try library.password("rita", .rate))
    let song = try await song(lena)
    #expect(try await library.call("star", ["id": song], by: lena).subsonicCode == 50)
    #expect(try await library.call("createPlaylist", ["name": "x"], by: lena).subsonicCode == 50)
    #expect(try await library.call("star", ["id": song], by: rita).subsonic["status"] as? String == "ok")
    #expect(try await library.call("startScan", by: rita).subsonicCode == 50)
    #expect(try await library.call("getUsers", by: rita).subsonicCode == 50)
    #expect(try await library.call("jukeboxControl", ["action": "get"], by: rita).subsonicCode == 50)
    let user = try await library.call("getUser", by: rita).subsonic["user"] as? [String: Any]
    #expect(user?["adminRole"] as? Bool == false && user?["jukeboxRole"] as? Bool == false)
  }

  @Test func `each person has their own`() async throws {
    let (emil, fay) = (try library.password("emil"), try library.password("fay"))
    let song = try await song(emil)
    for (method, parameters) in [("star", [:]), ("setRating", ["rating": "5"]), ("scrobble", [:])]
      as [(String, [String: String])]
    {
      let fields = parameters.map { (name: $0.key, value: Optional($0.value)) } + [("id", song)]
      #expect(try await library.call(method, fields, by: emil).subsonic["status"] as? String == "ok", "\(method)")
    }
    // Microseconds, as if they were milliseconds: some time in the future.
    #expect(try await library.call("scrobble", ["id": song, "time": "1700000000000000"], by: emil).subsonicCode == 0)
    let made = try await library.call("createPlaylist", ["name": "mine", "songId": song], by: emil).subsonic["playlist"]
    let playlist = try #require((made as? [String: Any])?["id"] as? String)
    let own = try #require(try await library.call("getSong", ["id": song], by: emil).subsonic["song"] as? [String: Any])
    #expect(own["starred"] != nil && own["userRating"] as? Int == 5 && own["playCount"] as? Int == 1)
    let seen = try #require(try await library.call("getSong", ["id": song], by: fay).subsonic["song"] as? [String: Any])
    #expect(seen["starred"] == nil && seen["userRating"] == nil && seen["playCount"] as? Int == 0)
    #expect(try await library.call("getPlaylist", ["id": playlist], by: fay).subsonicCode == 70)
    #expect(try await library.call("deletePlaylist", ["id": playlist], by: fay).subsonicCode == 70)
    let published = try await library.call("updatePlaylist", ["playlistId": playlist, "public": "true"], by: emil)
    #expect(published.subsonic["status"] as? String == "ok")
    let public_ = try await library.call("getPlaylist", ["id": playlist], by: fay).subsonic["playlist"]
    #expect((public_ as? [String: Any])?["readonly"] as? Bool == true)
    #expect(
      try await library.call("updatePlaylist", ["playlistId": playlist, "name": "yours"], by: fay).subsonicCode == 70)
  }

  @Test func `each song of a scrobble has the time that stands in its place, else the present`() async throws {
    let titles = ["Lead-in", "Lacquer", "Rain on the Window"]
    let ids = try await ids(of: titles)
    let times = ["1700000200000", "1700000100000"].map { (name: "time", value: Optional($0)) }
    let start = Date.now.addingTimeInterval(-1)
    #expect(try await library.call("scrobble", ids + times).subsonic["status"] as? String == "ok")
    let rows = try await library.ask("/api/v1/plays").document["rows"] as? [[String: Any]] ?? []
    #expect(rows.map { $0["title"] as? String } == [titles[2], titles[0], titles[1]])
    let heard = rows.map { $0["started_at"] as? String ?? "" }
    #expect(heard.dropFirst() == ["2023-11-14T22:16:40Z", "2023-11-14T22:15:00Z"])
    #expect(try Date(heard.first ?? "", strategy: .iso8601) >= start)
  }

  @Test func `the place in a saved queue stays with its song when one before it is gone`() async throws {
    let ids = try await ids(of: ["Lacquer", "Lead-in", "Rain on the Window"])
    let saved = try await library.call("savePlayQueueByIndex", ids + [("currentIndex", "2"), ("position", "500")])
    #expect(saved.subsonic["status"] as? String == "ok", "\(saved.text)")
    let gone = try library.track("title:lacquer")
    try library.server.library.writing { store in
      _ = try store.scans.apply(store.files.all(ofRecording: gone).map { .missing(fileID: $0.id) })
    }
    let byIndex = try await library.call("getPlayQueueByIndex").subsonic["playQueueByIndex"] as? [String: Any]
    #expect((byIndex?["entry"] as? [Any])?.count == 2 && byIndex?["position"] as? Int == 500)
    try #require(byIndex?["currentIndex"] as? Int == 1)
    let queue = try await library.call("getPlayQueue").subsonic["playQueue"] as? [String: Any]
    #expect(queue?["current"] as? String == ids[2].value)
  }

  @Test func `a revoked password stops at once`() async throws {
    let (phone, car) = try library.accounts.change { accounts in
      try (
        accounts.add(user: "gus", purpose: "phone", right: .rate, hearing: .raw, gain: .off, isOwner: false),
        accounts.add(user: "gus", purpose: "car", right: .rate, hearing: .raw, gain: .off, isOwner: false)
      )
    }
    for account in [phone, car] {
      #expect(try await library.call("ping", by: account).subsonic["status"] as? String == "ok")
    }
    _ = try library.accounts.change { $0.remove(user: "gus", purpose: "phone") }
    #expect(try await library.call("ping", by: phone).subsonicCode == 40)
    #expect(try await library.call("ping", by: car).subsonic["status"] as? String == "ok")
  }

  @Test func `a playlist names its owner as that one logs in`() async throws {
    func owner(of id: String, _ account: Account? = nil) async throws -> [String?] {
      let one = try await library.call("getPlaylist", ["id": id], by: account).subsonic["playlist"] as? [String: Any]
      let all = try await library.call("getPlaylists", by: account).subsonic["playlists"] as? [String: Any]
      let listed = (all?["playlist"] as? [[String: Any]])?.first { $0["id"] as? String == id }
      return [one?["owner"] as? String, listed?["owner"] as? String]
    }
    let emil = try library.password("emil")
    // A second name of the same person.
    let boss = try library.accounts.change {
      try $0.add(user: "boss", purpose: "tv", right: .rate, hearing: .raw, gain: .off, isOwner: true)
    }
    for (account, name) in [(Account?.none, "ana"), (emil, "emil"), (boss, "boss")] {
      let made = try await library.call("createPlaylist", ["name": "by \(name)"], by: account).subsonic["playlist"]
      #expect((made as? [String: Any])?["owner"] as? String == name)
      let id = try #require((made as? [String: Any])?["id"] as? String)
      #expect(try await owner(of: id, account) == [name, name])
      let update = try await library.call("updatePlaylist", ["playlistId": id, "public": "true"], by: account)
      #expect(update.subsonic["status"] as? String == "ok", "\(update.text)")
      if name != "emil" {
        let seen = try await owner(of: id, emil)
        #expect(seen == ["ana", "ana"])
        let own = try await owner(of: id, boss)
        #expect(own == ["boss", "boss"])
      } else {
        #expect(try await owner(of: id) == ["emil", "emil"])
      }
    }
  }

  @Test func `the owner is the one who uses the command`() async throws {
    let found = try await library.call("search3", ["query": "Lead-in", "songCount": "1"]).subsonic["searchResult3"]
    let song = try #require(((found as? [String: Any])?["song"] as? [[String: Any]])?.first)
    let id = try #require(song["id"] as? String)
    #expect(try await library.call("setRating", ["id": id, "rating": "4"]).subsonic["status"] as? String == "ok")
    let name = try #require(song["path"] as? String).split(separator: "/").last.map(String.init) ?? ""
    let listed = try await library.command().must(["ls", "filename:=\"\(name)\"", "rating:80", "--format", "paths"])
      .text
    #expect(listed.trimmingCharacters(in: .newlines).hasSuffix(name), "\(listed)")
  }
}
