import Base
import Testing
import TestSupport
import WebRequests

@testable import HTTPServing
@testable import Scrobbling

/// What the answers of a stand-in mean.
@Suite(.enabled(if: WebClient.library.problem == nil, "libcurl is not installed"))
struct ListenBrainzClientTests {
  private static let listen = Listen(stored: .object(["listened_at": .integer(Int64(1_500_000_000))]))

  private func outcome(
    _ answer: MockServer.Answer, _ listens: [Listen] = [listen], areHeardNow: Bool = false
  ) throws -> (ListenBrainzClient.Outcome, [MockServer.Request]) {
    let service = try MockServer { _, _ in answer }
    let client = ListenBrainzClient(address: service.address + "/", version: "9.8")
    let outcome = client.submit(listens, areHeardNow: areHeardNow, token: "secret-token") { false }
    return (outcome, service.requests)
  }

  @Test func `a submission is a POST with the token`() throws {
    for (listens, isNow, type) in [
      ([Self.listen], false, "single"), ([Self.listen, Self.listen], false, "import"),
      ([Self.listen], true, "playing_now"),
    ] {
      let (outcome, requests) = try outcome(.reply(200, #"{"status": "ok"}"#), listens, areHeardNow: isNow)
      #expect(outcome == .taken(pauseInSeconds: 0))
      let request = try #require(requests.first)
      #expect(request.method == "POST" && request.target == "/1/submit-listens")
      #expect(request.headers["authorization"] == "Token secret-token")
      let body = try JSONValue(parsing: Array(request.body))
      #expect(body["listen_type"]?.string == type && body["payload"]?.array == listens.map(\.document))
    }
  }

  @Test func `the answers say what becomes of it`() throws {
    let limits = ["X-RateLimit-Remaining": "0", "X-RateLimit-Reset-In": "7"]
    #expect(try outcome(.reply(200, headers: limits)).0 == .taken(pauseInSeconds: 7))
    #expect(try outcome(.reply(429, headers: limits)).0 == .later(afterSeconds: 7))
    #expect(try outcome(.reply(429, headers: ["Retry-After": "30"])).0 == .later(afterSeconds: 30))
    #expect(try outcome(.reply(429, headers: ["Retry-After": "nan"])).0 == .later(afterSeconds: 10))
    #expect(try outcome(.reply(401, #"{"code": 401, "error": "Invalid authorization token."}"#)).0 == .refusedToken)
    let refused = try outcome(.reply(400, #"{"error": "too\u001b[31m old"}"#)).0
    #expect(refused == .invalid(reason: #"status 400: too\u{1B}[31m old"#))
    #expect(try outcome(.reply(500, "<html>")).0 == .failed(reason: "status 500"))
    #expect(try outcome(.reply(302, headers: ["Location": "https://example.org"])).0 == .failed(reason: "status 302"))
  }

  // Faults: 206
  @Test(arguments: ["-1", "0", "-1e300", "1e-9"])
  func `a service that wants to be asked at once again is left alone for a second`(pause: String) throws {
    for name in ["X-RateLimit-Reset-In", "Retry-After"] {
      #expect(try outcome(.reply(429, headers: [name: pause])).0 == .later(afterSeconds: 1))
    }
  }

  // Faults: 206
  @Test(arguments: [400, 500])
  func `a token that the service repeats is in no reason`(status: Int) throws {
    let start = String(repeating: "x", count: 190)
    let (outcome, _) = try outcome(.reply(status, #"{"error": "\#(start) secret-token"}"#))
    let reason = "status \(status): \(start) [token]"
    #expect(outcome == (status == 400 ? .invalid(reason: reason) : .failed(reason: reason)))
  }

  @Test func `a reason is short, whatever its characters are made of`() throws {
    let marks = String(repeating: #"\u0301"#, count: 10_000)
    guard case .invalid(let reason) = try outcome(.reply(400, #"{"error": "a\#(marks)"}"#)).0 else {
      Issue.record("the answer is no refusal")
      return
    }
    #expect(reason.utf8.starts(with: "status 400: a".utf8) && reason.utf8.count < 2_000)
  }

  @Test func `a service that is not there is named without the token`() throws {
    let service = try MockServer { _, _ in .silence }
    let address = service.address
    service.end()
    let client = ListenBrainzClient(address: address, version: "1")
    let outcome = client.submit([Self.listen], areHeardNow: false, token: "secret-token") { true }
    guard case .failed(let reason) = outcome else {
      Issue.record("\(outcome)")
      return
    }
    #expect(!reason.contains("secret") && reason.contains("127.0.0.1"))
  }
}

struct SubmissionPaceTests {
  @Test func `failures double the pause, up to ten minutes, and an answer ends that`() {
    var pace = SubmissionPace()
    var pauses: [Double] = []
    for _ in 0..<12 {
      pace.fail(now: 100)
      pauses.append(pace.nextTry - 100)
    }
    #expect(pauses == [2, 4, 8, 16, 32, 64, 128, 256, 512, 600, 600, 600])
    pace.pause(0, now: 200)
    #expect(pace.nextTry == 200 && pace.failureCount == 0)
  }

  @Test func `halves find the one that is wrong, and then submissions grow again`() {
    var pace = SubmissionPace()
    var counts = [pace.largestCount]
    while let count = counts.last, count > 1 {
      pace.halve(count)
      counts.append(pace.largestCount)
    }
    #expect(counts == [200, 100, 50, 25, 12, 6, 3, 1])
    for _ in 0..<9 { pace.grow() }
    #expect(pace.largestCount == 200)
  }
}
