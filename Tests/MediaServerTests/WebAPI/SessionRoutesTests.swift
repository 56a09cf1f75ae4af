import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import OpenSubsonic
@testable import WebAPI

/// Signing in and out on the page, and when sessions end.
struct SessionRoutesTests {
  private let library: ServedLibrary
  private let ana: Account

  init() async throws {
    library = try await ServedLibrary(of: .fixtures, isReadingFree: false)
    ana = try library.password("eva")
  }

  private func signIn(
    _ user: String = "eva", _ password: String? = nil, headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    try await library.ask(
      "/api/v1/login", "POST", as: .stranger, headers: headers,
      body: "{\"user\": \"\(user)\", \"password\": \"\(password ?? ana.password)\"}")
  }

  /// What the browser sends after an answer that signs it in.
  private func cookie(_ answer: HTTPAnswer) throws -> [String: String] {
    let header = try #require(answer.headers["set-cookie"])
    return ["Cookie": String(header.prefix { $0 != ";" })]
  }

  private func status(_ headers: [String: String], _ target: String = "/status") async throws -> Int {
    try await library.ask("/api/v1" + target, as: .stranger, headers: headers).status
  }

  @Test func `whoever has a password signs in with it, by a cookie that no page can read`() async throws {
    let answer = try await signIn()
    #expect(answer.status == 204)
    let attributes = try #require(answer.headers["set-cookie"]).components(separatedBy: "; ")
    #expect(attributes[0].hasPrefix("deadwax-session="))
    // 256 random bits.
    #expect(attributes[0].count == "deadwax-session=".count + 64)
    #expect(attributes[1...4].elementsEqual(["HttpOnly", "SameSite=Strict", "Path=/api/v1", "Max-Age=7776000"]))
    #expect(!attributes.contains("Secure"))
    let headers = try cookie(answer)
    #expect(try await status(headers) == 200)
    let session = try await library.ask("/api/v1/session", as: .stranger, headers: headers).document
    #expect(session["user"] as? String == "eva" && session["right"] as? String == "rate")
    #expect(session["can_change_own"] as? Bool == true)
    #expect(try await status([:]) == 401)
    let stranger = try await library.ask("/api/v1/session", as: .stranger).document
    #expect(stranger["user"] is NSNull && stranger["can_read"] as? Bool == false)
    #expect(stranger["can_sign_in"] as? Bool == true)
  }

  @Test func `behind a proxy with TLS the cookie goes by TLS only`() async throws {
    let answer = try await signIn(headers: ["Origin": "https://127.0.0.1:4646"])
    #expect(answer.headers["set-cookie"]?.contains("; Secure") == true)
  }

  @Test func `below rest there are no cookies`() async throws {
    let headers = try cookie(try await signIn())
    let answer = try await library.ask("/rest/ping?v=1.16.1&c=test&f=json", as: .stranger, headers: headers)
    #expect(answer.subsonicCode == 10)
  }

  @Test(arguments: [("eva", "wrong"), ("nobody", ""), ("", ""), ("Eva", nil), ("ana", nil)])
  func `a name and a password that do not belong together sign nobody in`(
    user: String, password: String?
  ) async throws {
    let answer = try await signIn(user, password)
    #expect(answer.status == 401 && answer.headers["set-cookie"] == nil)
    #expect(try library.sessions.all(of: nil).isEmpty)
  }

  @Test func `wrong passwords are limited together with those of players, and right ones are not`() async throws {
    let key = LoginRateLimiter.Key(address: NetworkAddress("127.0.0.1"), user: "eva")
    let logins = library.server.subsonic.logins
    // Answers that wait.
    for _ in 0..<8 { _ = logins.noteWrong(key) }
    #expect(try await signIn("eva", "wrong").status == 429)
    #expect(try await library.call("ping", [(name: "u", value: "eva"), (name: "p", value: "wrong")]).status == 429)
    #expect(try await signIn().status == 204)
  }

  // MARK: - Ends

  @Test func `a revoked password ends its sessions at once, and another one for the same purpose revives none`()
    async throws
  {
    let headers = try cookie(try await signIn())
    _ = try library.accounts.change { $0.remove(user: "eva", purpose: "test") }
    #expect(try await status(headers) == 401)
    _ = try library.password("eva")
    #expect(try await status(headers) == 401)
    #expect(try library.sessions.all(of: "eva").isEmpty)
  }

  @Test func `signing out ends the session, also of the cookie that was kept elsewhere`() async throws {
    let headers = try cookie(try await signIn())
    let answer = try await library.ask("/api/v1/login", "DELETE", as: .stranger, headers: headers)
    #expect(answer.status == 204 && answer.headers["set-cookie"]?.contains("Max-Age=0") == true)
    #expect(try await status(headers) == 401)
  }

  @Test func `whoever signs in again, or as the owner, leaves no session behind`() async throws {
    let first = try cookie(try await signIn())
    let second = try cookie(try await signIn(headers: first))
    #expect(try await status(first) == 401)
    #expect(try await status(second) == 200)
    let owner = try await library.ask(
      "/api/v1/login", "POST", as: .stranger, headers: second, body: "{\"token\": \"\(library.ownerToken)\"}")
    #expect(owner.status == 204)
    #expect(try await status(second) == 401)
  }

  @Test func `everybody sees and ends their own sessions, and the owner all`() async throws {
    let (desk, phone) = (
      try cookie(try await signIn(headers: ["User-Agent": "Desk/1"])),
      try cookie(try await signIn(headers: ["User-Agent": "Phone/1"]))
    )
    let ben = try library.signIn("ben", .listen)
    func sessions(_ headers: [String: String]?) async throws -> [[String: Any]] {
      let answer = try await library.ask(
        "/api/v1/sessions", as: headers == nil ? .owner : .stranger, headers: headers ?? [:])
      return answer.document["sessions"] as? [[String: Any]] ?? []
    }
    let own = try await sessions(desk)
    #expect(Set(own.compactMap { $0["browser"] as? String }) == ["Desk/1", "Phone/1"])
    #expect(own.filter { $0["current"] as? Bool == true }.compactMap { $0["browser"] as? String } == ["Desk/1"])
    #expect(own.allSatisfy { $0["address"] as? String == "this computer" && $0["for"] as? String == "test" })
    #expect(try await sessions(ben).compactMap { $0["user"] as? String } == ["ben"])
    #expect(try await sessions(nil).count == 3)
    // Another one's is not there.
    let phoneID = try #require(own.first { $0["browser"] as? String == "Phone/1" }?["id"] as? Int)
    #expect(try await library.ask("/api/v1/sessions/\(phoneID)", "DELETE", as: .stranger, headers: ben).status == 404)
    #expect(try await status(phone) == 200)
    #expect(try await library.ask("/api/v1/sessions/\(phoneID)", "DELETE", as: .stranger, headers: desk).status == 204)
    #expect(try await status(phone) == 401)
    #expect(try await status(desk) == 200)
    let bens = try #require(try await sessions(nil).first { $0["user"] as? String == "ben" }?["id"] as? Int)
    #expect(try await library.ask("/api/v1/sessions/\(bens)", "DELETE").status == 204)
    #expect(try await status(ben) == 401)
  }

  /// Begins to listen to events as a browser, and returns the answer once that is over.
  private func listen(_ headers: [String: String]) async throws -> Task<HTTPAnswer, any Error> {
    let listening = Task { [library] in
      try await library.ask("/api/v1/events", as: .stranger, headers: headers.merging(["Connection": "close"]) { $1 })
    }
    while library.server.events.clientCount == 0 { try await Task.sleep(for: .milliseconds(2)) }
    return listening
  }

  // The time limit of the tests is that of these: a stream that goes on never ends.
  @Test(.timeLimit(.minutes(1)), arguments: ["logout", "owner", "again"])
  func `the events of a session end with it`(how: String) async throws {
    let headers = try cookie(try await signIn())
    let events = try await listen(headers)
    switch how {
    case "logout": _ = try await library.ask("/api/v1/login", "DELETE", as: .stranger, headers: headers)
    case "again": _ = try await signIn(headers: headers)
    default:
      let id = try #require(try library.sessions.all(of: "eva").first?.id)
      _ = try await library.ask("/api/v1/sessions/\(id)", "DELETE")
    }
    let answer = try await events.value
    #expect(answer.status == 200 && answer.headers["content-type"] == "text/event-stream")
    #expect(library.server.events.clientCount == 0)
  }

  @Test(.timeLimit(.minutes(1)))
  func `the events of a session end with its password, and those of others go on`() async throws {
    let ben = try library.signIn("ben", .listen)
    let hers = try await listen(try cookie(try await signIn()))
    let his = Task { [library] in try await library.ask("/api/v1/events", as: .stranger, headers: ben) }
    while library.server.events.clientCount < 2 { try await Task.sleep(for: .milliseconds(2)) }
    // By another process; the server looks twice a second.
    _ = try library.accounts.change { $0.remove(user: "eva", purpose: nil) }
    library.server.events.endForbidden()
    #expect(try await hers.value.status == 200)
    #expect(library.server.events.clientCount == 1)
    library.server.events.close()
    #expect(try await his.value.status == 200)
  }

  @Test func `a session of the owner's password acts as the owner, but has only the rights of a person`() async throws {
    let secret = try library.sessions.begin(with: library.account, from: .loopback, browser: "")
    let headers = ["Cookie": "deadwax-session=\(secret)"]
    let track = try library.track("title:=\"Marée lente\"")
    let rated = try await library.ask(
      "/api/v1/tracks/\(track)/rating", "PUT", as: .stranger, headers: headers, body: #"{"rating": 70}"#)
    #expect(rated.status == 200)
    let found = try await library.ask("/api/v1/tracks/count?q=rating:70").document
    #expect(found["files"] as? Int ?? 0 > 0)
    #expect(try await library.ask("/api/v1/scan", "POST", as: .stranger, headers: headers, body: "{}").status == 403)
  }
}
