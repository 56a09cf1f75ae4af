import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import WebAPI

/// What people who have signed in see and change: what is theirs, and nothing of others.
struct PeopleRoutesTests {
  private static let rows = RouteCase.all.filter { $0.name != "GET /events" }
  private static let ownRows = rows.filter { $0.right == .own }
  /// What ben gets where the owner's list, or a change of the owner's, is meant.
  private static let notHis = ["PATCH /lists/{id}": 404, "DELETE /lists/{id}": 404, "POST /undo": 409]

  /// What people decide, and what depends on it.
  private static let views = [
    "/tracks/{track}", "/tracks/{track}/preset", "/lists", "/plays", "/queue", "/presets", "/fields", "/status",
    "/tracks?q=id:{track}&fields=rating,plays,lastplayed,list,preset", "/tracks?q=rating:%3E1&fields=id",
    "/tracks/count?q=plays:%3E0", "/tracks/count?q=preset:Bass", "/tracks/count?q=has:preset",
    "/tracks/rank?q=rating:%3E1&id={track}", "/query?q=weather:calm", "/query?q=list:Evening",
    "/tags?q=title:a", "/albums", "/artists", "/albums/1",
  ]

  /// What somebody sees, without what is the library's.
  private func seen(_ library: RouteLibrary, by headers: [String: String]?) async throws -> [String: String] {
    var seen: [String: String] = [:]
    for view in Self.views {
      let answer = try await library.served.ask(
        "/api/v1" + library.filled(view), as: headers == nil ? .owner : .stranger, headers: headers ?? [:])
      seen[view] = answer.text.replacing(/"(revision|library_bytes)":("[^"]*"|\d+)/, with: "")
    }
    return seen
  }

  /// Changes all that one can change of one's own.
  private func decide(_ library: RouteLibrary, by headers: [String: String]) async throws {
    func change(_ method: String, _ target: String, _ body: String) async throws -> HTTPAnswer {
      let answer = try await library.served.ask(
        "/api/v1" + library.filled(target), method, as: .stranger, headers: headers, body: library.filled(body))
      #expect([200, 201].contains(answer.status), "\(target): \(answer.text)")
      return answer
    }
    for row in Self.ownRows where Self.notHis[row.name] == nil && row.name != "POST /lists" {
      _ = try await change(row.method, row.target, try #require(row.body))
    }
    _ = try await change("POST", "/attributes", #"{"q": "id:{track}", "name": "weather", "value": "calm"}"#)
    let list = try await change("POST", "/lists", #"{"name": "Mine", "tracks": [{track}]}"#)
    let id = try #require(list.document["id"] as? Int)
    _ = try await change("PATCH", "/lists/\(id)", #"{"name": "Evening"}"#)
  }

  // MARK: - The table of rights

  // Faults: 208
  @Test(arguments: rows)
  func `each person gets what the right of a route allows`(row: RouteCase) async throws {
    let isRead = row.method == "GET"
    let library = try await (isRead ? RouteLibrary.sharedPrivate.value : RouteLibrary(isReadingFree: false))
    let listens = try await library.ask(row, as: .stranger, headers: library.cleo)
    switch row.right {
    case .none, .reading,
      .signedIn where row.method == "GET":
      #expect(listens.status == row.status, "\(listens.text)")
    // The session is another's.
    case .signedIn: #expect(listens.status == 404)
    case .own, .owner: #expect(listens.status == 403, "\(listens.text)")
    }
    // Whoever signs out or signs in as the owner is nobody from then on.
    let rates = try await library.ask(row, as: .stranger, headers: library.ben)
    switch row.right {
    case .none, .reading,
      .signedIn where row.method == "GET":
      #expect(rates.status == row.status, "\(rates.text)")
    case .signedIn: #expect(rates.status == 404)
    case .own: #expect(rates.status == Self.notHis[row.name] ?? row.status, "\(rates.text)")
    case .owner: #expect(rates.status == 403, "\(rates.text)")
    }
  }

  @Test(arguments: rows.filter { $0.method != "GET" })
  func `whatever a person asks for changes nothing of others`(row: RouteCase) async throws {
    let library = try await RouteLibrary()
    let dora = try library.served.signIn("dora2")
    try await decide(library, by: dora)
    let (owners, doras) = (try await seen(library, by: nil), try await seen(library, by: dora))
    _ = try await library.ask(row, as: .stranger, headers: library.ben)
    _ = try await library.ask(row, as: .stranger, headers: library.cleo)
    #expect(try await seen(library, by: nil) == owners)
    #expect(try await seen(library, by: dora) == doras)
    #expect(try library.served.sessions.all(of: "dora").count == 1)
  }

  @Test func `a person sees what is theirs, and nobody else does`() async throws {
    let library = try await RouteLibrary()
    let dora = try library.served.signIn("dora2")
    let (bens, doras, owners) = (
      try await seen(library, by: library.ben), try await seen(library, by: dora), try await seen(library, by: nil)
    )
    try await decide(library, by: library.ben)
    #expect(try await seen(library, by: dora) == doras)
    #expect(try await seen(library, by: nil) == owners)
    let after = try await seen(library, by: library.ben)
    let unchanged = ["/status", "/tags?q=title:a", "/albums", "/artists", "/albums/1"]
    for view in Self.views where !unchanged.contains(view) { #expect(after[view] != bens[view], "\(view)") }
    for view in unchanged { #expect(after[view] == bens[view], "\(view)") }
  }

  @Test func `what the owner decides is seen by the owner, except presets, which everybody hears`() async throws {
    let library = try await RouteLibrary()
    // What RouteLibrary has decided: a list, a play, a queue.
    let (owners, bens) = (try await seen(library, by: nil), try await seen(library, by: library.ben))
    for view in ["/lists", "/plays", "/queue", "/tracks/{track}", "/tracks/count?q=plays:%3E0"] {
      #expect(owners[view] != bens[view], "\(view)")
    }
    #expect(bens["/lists"]?.contains("Evening") == false)
    let assign = #"{"q": "id:{track}", "preset": "Bass"}"#
    _ = try await library.served.ask("/api/v1/presets/assign", "POST", body: library.filled(assign))
    let view = "/tracks?q=id:{track}&fields=preset"
    func preset(_ headers: [String: String]) async throws -> String? {
      let answer = try await library.served.ask("/api/v1" + library.filled(view), as: .stranger, headers: headers)
      return (answer.document["rows"] as? [[String: Any]])?.first?["preset"] as? String
    }
    #expect(try await preset(library.ben) == "Bass")
    _ = try await library.served.ask(
      "/api/v1/presets/assign", "POST", as: .stranger, headers: library.ben,
      body: library.filled(#"{"q": "id:{track}", "preset": "Lamp"}"#))
    #expect(try await preset(library.ben) == "Lamp")
    #expect(try await preset(library.cleo) == "Bass")
  }

  @Test func `pages of a result are those of the person who asked for them`() async throws {
    let library = try await RouteLibrary()
    // Tags have ratings, too.
    func total(_ headers: [String: String]) async throws -> Int? {
      let rank = try await library.served.ask(
        "/api/v1/tracks/rank?q=rating:%3E1&sort=title&id=1", as: .stranger, headers: headers)
      #expect(rank.status == 200)
      let page = "/api/v1/tracks?q=rating:%3E1&from=0&limit=200&sort=title"
      return try await library.served.ask(page, as: .stranger, headers: headers).document["total"] as? Int
    }
    let before = try #require(try await total(library.ben))
    try await decide(library, by: library.ben)
    #expect(try await total(library.ben) ?? 0 > before)
    // The same query and order, of the same revision.
    #expect(try await total(library.cleo) == before)
    let tag = try #require(
      try await library.served.ask("/api/v1/queue", as: .stranger, headers: library.ben).headers["etag"])
    let other = try await library.served.ask(
      "/api/v1/queue", as: .stranger, headers: library.cleo.merging(["If-None-Match": tag]) { $1 })
    #expect(other.status == 200)
  }

  // MARK: - Undoing

  private func change(
    _ library: RouteLibrary, _ method: String, _ target: String, _ body: String?, by headers: [String: String]? = nil
  ) async throws -> HTTPAnswer {
    try await library.served.ask(
      "/api/v1" + library.filled(target), method, as: headers == nil ? .owner : .stranger, headers: headers ?? [:],
      body: body.map(library.filled))
  }

  private func rating(_ library: RouteLibrary, by headers: [String: String]?) async throws -> Double? {
    let answer = try await change(library, "GET", "/tracks?q=id:{track}&fields=rating", nil, by: headers)
    return (answer.document["rows"] as? [[String: Any]])?.first?["rating"].flatMap { value in
      (value as? Double) ?? (value as? String).flatMap(Double.init)
    }
  }

  @Test func `everybody takes back their own`() async throws {
    let library = try await RouteLibrary()
    _ = try await change(library, "PUT", "/tracks/{track}/rating", #"{"rating": 20}"#)
    _ = try await change(library, "PUT", "/tracks/{track}/rating", #"{"rating": 60}"#, by: library.ben)
    _ = try await change(library, "PUT", "/tracks/{track}/rating", #"{"rating": 40}"#)
    #expect(try await change(library, "POST", "/undo", "{}", by: library.ben).status == 200)
    #expect(try await rating(library, by: library.ben) == nil)
    #expect(try await rating(library, by: nil) == 40)
    #expect(try await change(library, "POST", "/undo", "{}", by: library.ben).status == 409)
    #expect(try await change(library, "POST", "/undo", "{}").status == 200)
    #expect(try await rating(library, by: nil) == 20)
  }

  @Test func `entries of a list are taken back by the person whose list it is`() async throws {
    let library = try await RouteLibrary()
    let made = try await change(
      library, "POST", "/lists", #"{"name": "Mine", "tracks": [{track}]}"#, by: library.ben)
    let id = try #require(made.document["id"] as? Int)
    let added = try await change(library, "PATCH", "/lists/\(id)", #"{"add": [{copy}]}"#, by: library.ben)
    #expect(added.document["tracks"] as? Int == 2)
    // The owner's latest change is an older one.
    #expect(try await change(library, "POST", "/undo", "{}").text.contains("Lamp"))
    #expect(try await change(library, "POST", "/undo", "{}", by: library.ben).status == 200)
    let lists = try await change(library, "GET", "/lists", nil, by: library.ben).document["lists"] as? [[String: Any]]
    #expect(lists?.first?["tracks"] as? Int == 1)
  }

  @Test func `a preset that the owner has deleted does not come back to a track`() async throws {
    let library = try await RouteLibrary()
    for preset in ["Lamp", "Bass"] {
      let body = "{\"q\": \"id:{track}\", \"preset\": \"\(preset)\"}"
      #expect(try await change(library, "POST", "/presets/assign", body, by: library.ben).status == 200)
    }
    #expect(try await change(library, "DELETE", "/presets/Lamp", nil).status == 204)
    let undone = try await change(library, "POST", "/undo", "{}", by: library.ben)
    #expect(undone.status == 200, "\(undone.text)")
  }
}
