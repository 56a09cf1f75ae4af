import Foundation
import LibraryQueries
import LibraryScanning
import LibraryTracks
import Testing
@testable import LibraryServing
import TestSupport
@testable import MediaServer

/// What is decided through the API, as the commands see it.
struct UserDataRoutesTests {
  private let library: ServedLibrary
  private let deadwax: DeadwaxCommand
  private let id: Int64

  init() async throws {
    library = try await ServedLibrary(of: .fixtures)
    deadwax = try library.command()
    id = try library.track("filename:=\"01 Lead-in.mp3\"")
  }

  @Test func `what was heard is merged, and the merge says so`() async throws {
    for second in 0..<3 {
      let play = "{\"track\": \(id), \"started_at\": \"2026-01-01T00:00:0\(second)Z\", \"seconds\": 3}"
      #expect(try await library.ask("/api/v1/plays", "POST", body: play).status == 201)
      // Sent again, as by a client that got no answer.
      #expect(try await library.ask("/api/v1/plays", "POST", body: play).document["plays"] as? Int == second + 1)
    }
    library.server.library.close()
    let other = deadwax.with(deadwax.home.appending("other.sqlite"))
    try await other.must(["scan", "-q", ScannedMusic.fixtures.music.path])
    #expect(try await other.must(["merge", deadwax.library.path]).text.contains("  plays           3 new"))
    let again: MergeDocument = try await other.must(["merge", "--json", deadwax.library.path]).document()
    #expect(again.libraries.first?.plays.same == 3)
    #expect(try await other.must(["ls", "plays:3"]).text.isEmpty == false)
  }

  @Test func `what will be heard is not noted, but a clock may be some hours ahead`() async throws {
    for (hours, status) in [(-1, 201), (20, 201), (30, 422), (24 * 366 * 8000, 422)] {
      let time = Date.now.addingTimeInterval(3600 * Double(hours)).formatted(.iso8601)
      let play = "{\"track\": \(id), \"started_at\": \"\(time)\", \"seconds\": 3}"
      #expect(try await library.ask("/api/v1/plays", "POST", body: play).status == status, "\(time)")
    }
    #expect(try await deadwax.must(["ls", "plays:2"]).text.isEmpty == false)
  }

  @Test func `rows of a result are rated at once, and undone at once`() async throws {
    let page = try await library.ask("/api/v1/tracks?q=rate:44100&sort=title-&limit=500")
    let rows = try #require(page.document["rows"] as? [[String: Any]])
    let revision = try #require(page.document["revision"] as? String)
    let wanted = Set((rows[0..<3] + rows[5..<6]).compactMap { $0["id"] as? Int })
    let body = """
      {"q": "rate:44100", "sort": "title-", "rows": [[0, 3], [5, 6]], "revision": "\(revision)", "name": "rating",
       "value": 60}
      """
    let answer = try await library.ask("/api/v1/attributes", "POST", body: body)
    #expect(answer.status == 200 && answer.document["tracks"] as? Int == wanted.count, "\(answer.text)")
    func rated() async throws -> Set<Int> {
      let answer = try await library.ask("/api/v1/tracks?q=rating:60&limit=500")
      return Set((answer.document["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int })
    }
    #expect(try await rated() == wanted)
    // Those of a result that is not known any more could be others.
    let unknown = body.replacingOccurrences(of: revision, with: "of another day")
    #expect(try await library.ask("/api/v1/attributes", "POST", body: unknown).status == 409)
    #expect(try await library.ask("/api/v1/undo", "POST", body: "{}").status == 200)
    #expect(try await rated().isEmpty)
  }

  @Test func `a preset goes to all that a query finds, and away again`() async throws {
    let body = #"{"q": "title:lacquer", "preset": "Bass"}"#
    let answer = try await library.ask("/api/v1/presets/assign", "POST", body: body)
    #expect(answer.status == 200, "\(answer.text)")
    let tracks = try #require(answer.document["tracks"] as? Int)
    #expect(tracks > 0 && answer.document["changed"] as? Int == tracks)
    #expect(try await deadwax.must(["ls", "preset:Bass", "title:lacquer"]).text.isEmpty == false)
    let again = try await library.ask("/api/v1/presets/assign", "POST", body: body)
    #expect(again.document["changed"] as? Int == 0)
    let gone = try await library.ask(
      "/api/v1/presets/assign", "POST", body: #"{"q": "title:lacquer", "preset": null}"#)
    #expect(gone.document["changed"] as? Int == tracks)
    #expect(try await deadwax.must(["ls", "preset:Bass"]).text.isEmpty)
  }

  @Test func `a playlist of the page is one that the page imports`() async throws {
    for format in ["m3u8", "m3u", "xspf", "jspf", "pls"] {
      let query = "filename:=\\\"01 Lead-in.mp3\\\", title:lacquer"
      let file = try await library.ask(
        "/api/v1/playlists", "POST", body: "{\"q\": \"\(query)\", \"format\": \"\(format)\", \"title\": \"Both\"}")
      #expect(file.status == 200 && file.headers["content-disposition"]?.contains("Both.\(format)") == true)
      let document = try JSONSerialization.data(withJSONObject: ["file": "Both.\(format)", "text": file.text])
      let made = try await library.ask(
        "/api/v1/lists/import", "POST", body: String(decoding: document, as: UTF8.self))
      #expect(made.status == 201 && made.document["not_found"] as? [String] == [], "\(format): \(made.text)")
      #expect(made.document["entries"] as? Int == made.document["found"] as? Int)
    }
    let lists = try await library.ask("/api/v1/lists").document["lists"] as? [[String: Any]] ?? []
    #expect(lists.compactMap { $0["name"] as? String }.sorted() == ["Both", "Both 2", "Both 3", "Both 4", "Both 5"])
    let text = #"{"file": "mine.m3u8", "text": "01 Lead-in.mp3\nLost/Never there.mp3\n"}"#
    let partly = try await library.ask("/api/v1/lists/import", "POST", body: text)
    #expect(partly.document["found"] as? Int == 1)
    #expect(partly.document["not_found"] as? [String] == ["Never there.mp3"])
  }

  @Test func `who writes is told between which revisions`() async throws {
    func revision() async throws -> String? {
      try await library.ask("/api/v1/status").document["revision"] as? String
    }
    let before = try #require(try await revision())
    let answer = try await library.ask("/api/v1/tracks/\(id)/rating", "PUT", body: #"{"rating": 40}"#)
    let after = try #require(try await revision())
    #expect(answer.headers["deadwax-revisions"] == "\(before) \(after)" && before != after)
  }

  @Test func `a saved query gets another one under its name`() async throws {
    let made = try await library.ask("/api/v1/lists", "POST", body: #"{"name": "Quiet", "query": "lufs:<-30"}"#)
    let list = try #require(made.document["id"] as? Int)
    let changed = try await library.ask("/api/v1/lists/\(list)", "PATCH", body: #"{"query": "lufs:<-20 year-"}"#)
    #expect(changed.status == 200 && changed.document["id"] as? Int == list, "\(changed.text)")
    #expect(changed.document["query"] as? String == "lufs:<-20 year-" && changed.document["name"] as? String == "Quiet")
    #expect(try await library.ask("/api/v1/lists/\(list)", "PATCH", body: #"{"query": "("}"#).status == 400)
  }

  @Test func `an entry whose file was forgotten stays in its list when the order of the others changes`() async throws {
    let forgotten = try library.track("filename:clean.mp3")
    let last = try library.track("title:lacquer")
    let made = try await library.ask(
      "/api/v1/lists", "POST", body: "{\"name\": \"Evening\", \"tracks\": [\(id), \(forgotten), \(last)]}")
    let list = try #require(made.document["id"] as? Int)
    try library.server.library.writing { store in
      try store.scans.apply(store.files.all(ofRecording: forgotten).map { .missing(fileID: $0.id) })
      _ = try store.missingFiles.prune(store.missingFiles.all(in: store.query("")), includingOrphans: true)
    }
    func shown() async throws -> [Int] {
      let answer = try await library.ask("/api/v1/tracks?q=list:Evening")
      return (answer.document["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
    }
    #expect(try await shown() == [Int(id), Int(last)])
    for order in [[last, id], [id]] {
      let answer = try await library.ask("/api/v1/lists/\(list)", "PATCH", body: "{\"tracks\": \(order)}")
      #expect(answer.status == 200 && answer.document["tracks"] as? Int == order.count + 1, "\(answer.text)")
      #expect(try await shown() == order.map { Int($0) })
    }
  }

  @Test func `lists are made, filled, ordered, renamed and deleted`() async throws {
    let other = try library.track("filename:clean.mp3")
    let made = try await library.ask("/api/v1/lists", "POST", body: "{\"name\": \"Evening\", \"tracks\": [\(id)]}")
    let list = try #require(made.document["id"] as? Int)
    #expect(made.status == 201 && made.document["tracks"] as? Int == 1)
    func ids(_ name: String) async throws -> [Int] {
      let answer = try await library.ask("/api/v1/tracks?q=\(ServedLibrary.encoded("list:=\"\(name)\""))")
      return (answer.document["rows"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
    }
    for (change, expected) in [
      ("{\"add\": [\(other)]}", [id, other]), ("{\"tracks\": [\(other), \(id)]}", [other, id]),
      ("{\"remove\": [\(other)]}", [id]),
    ] {
      let answer = try await library.ask("/api/v1/lists/\(list)", "PATCH", body: change)
      #expect(answer.status == 200 && answer.document["tracks"] as? Int == expected.count, "\(change)")
      #expect(try await ids("Evening") == expected.map { Int($0) }, "\(change)")
    }
    let renamed = try await library.ask("/api/v1/lists/\(list)", "PATCH", body: "{\"name\": \"Night\"}")
    #expect(renamed.document["find"] as? String == "list:=\"Night\"")
    #expect(try await ids("Night") == [Int(id)])
    #expect(try await library.ask("/api/v1/undo", "POST", body: "{}").status == 200)
    #expect(try await ids("Evening") == [Int(id)])
    let query = try await library.ask(
      "/api/v1/lists", "POST", body: "{\"name\": \"Short\", \"query\": \"filename:clean.mp3\"}")
    #expect(query.document["tracks"] is NSNull && query.document["query"] as? String == "filename:clean.mp3")
    #expect(try await ids("Short") == [Int(other)])
    // What is found by a query has no places.
    let filled = try await library.ask(
      "/api/v1/lists/\(query.document["id"] as? Int ?? 0)", "PATCH", body: "{\"tracks\": [\(id)]}")
    #expect(filled.status == 409)
    #expect(try await library.ask("/api/v1/lists/\(list)", "DELETE").status == 204)
    #expect(try await library.ask("/api/v1/lists/\(list)", "DELETE").status == 404)
    let left = try await library.ask("/api/v1/lists").document["lists"] as? [[String: Any]] ?? []
    #expect(left.map { $0["name"] as? String } == ["Short"])
    #expect(try await deadwax.must(["ls", "list:Short"]).text.isEmpty == false)
  }

  @Test func `a rating is stored as the command stores it, and null removes it`() async throws {
    for (rating, query) in [("80", "rating:80"), ("12.5", "rating:12.5"), ("0", "rating:0"), ("100", "rating:100")] {
      let answer = try await library.ask("/api/v1/tracks/\(id)/rating", "PUT", body: "{\"rating\": \(rating)}")
      #expect(answer.status == 200 && answer.document["rating"] as? Double == Double(rating))
      #expect(try await deadwax.must(["ls", "id:\(id) \(query)"]).text.isEmpty == false, "\(rating)")
    }
    let none = try await library.ask("/api/v1/tracks/\(id)/rating", "PUT", body: "{\"rating\": null}")
    #expect(none.document["rating"] is NSNull)
    #expect(try await deadwax.must(["ls", "rating:>=0"]).text.isEmpty)
  }

  @Test func `presets are stored, assigned and taken back as by the command`() async throws {
    let warm = """
      {"schema":1,"name":"Warm","gain_db":-4,"bands":[{"type":"parametric","frequency_hz":220,"gain_db":4,"q":0.9}]}
      """
    #expect(try await library.ask("/api/v1/presets/Warm", "PUT", body: warm).status == 200)
    #expect(try await deadwax.must(["preset", "show", "Warm"]).text.contains("220"))
    for (target, body, status) in [
      ("/api/v1/presets/Cold", warm, 422), ("/api/v1/presets/Bass", warm.replacing("Warm", with: "Bass"), 409),
      ("/api/v1/presets/Warm", "{\"schema\":1,\"name\":\"Warm\",\"loud\":1}", 422),
      ("/api/v1/tracks/\(id)/preset", "{\"scope\":\"part\",\"preset\":\"Warm\"}", 422),
      ("/api/v1/tracks/\(id)/preset", "{\"scope\":\"track\",\"preset\":\"Nothing\"}", 404),
      ("/api/v1/tracks/999/preset", "{\"scope\":\"track\",\"preset\":\"Warm\"}", 404),
    ] {
      #expect(try await library.ask(target, "PUT", body: body).status == status, "\(target) \(body)")
    }
    let assigned = try await library.ask(
      "/api/v1/tracks/\(id)/preset", "PUT", body: "{\"scope\":\"track\",\"preset\":\"Warm\"}")
    #expect(assigned.status == 200 && assigned.document["from"] as? String == "track")
    #expect(try await deadwax.must(["ls", "id:\(id) preset:warm"]).text.isEmpty == false)
    #expect(try await library.ask("/api/v1/presets/Warm", "DELETE").status == 409)
    #expect(try await library.ask("/api/v1/undo", "POST", body: "{}").status == 200)
    #expect(try await library.ask("/api/v1/tracks/\(id)/preset").document["from"] is NSNull)
    #expect(try await library.ask("/api/v1/presets/Warm", "DELETE").status == 204)
    let file = "{\"name\": \"x.txt\", \"text\": \"Preamp: -3 dB\\nFilter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\\n\"}"
    let read = try await library.ask("/api/v1/presets/read", "POST", body: file)
    let documents = try #require(read.document["presets"] as? [[String: Any]])
    #expect(documents.first?["gain_db"] as? Double == -3)
  }
}
