import Base
import Foundation
import Synchronization
import TestSupport
import Testing
import WebRequests

@testable import SoundSearch

/// The client of AcoustID against a server on this computer that answers as the service does.
@Suite(.enabled(if: WebClient.library.problem == nil, "libcurl is not installed"))
struct AcoustIDServiceTests {
  private static let question = AcoustIDQuestion(durationInSeconds: 240, fingerprint: "AQAA_-x")

  private static let noResults = #"{"status":"ok","fingerprints":[{"index":0,"results":[]}]}"#

  /// Asks one question, and returns the answer or the error with the pauses that were made.
  private func ask(
    _ service: MockServer, _ questions: [AcoustIDQuestion] = [question]
  ) -> (answer: Result<[[AcoustIDMatch]?], AcoustIDError>, pauses: [Double]) {
    let pauses = Mutex<[Double]>([])
    var client = AcoustIDService(at: service.address, key: "k ey") { seconds in pauses.withLock { $0.append(seconds) } }
    do throws(AcoustIDError) {
      return (.success(try client.matches(of: questions)), pauses.withLock { $0 })
    } catch {
      return (.failure(error), pauses.withLock { $0 })
    }
  }

  @Test func `a request has the key, durations, fingerprints and what is wanted, and nothing else`() throws {
    let service = try MockServer { _, _ in .reply(200, Self.noResults) }
    _ = try ask(service, [Self.question, AcoustIDQuestion(durationInSeconds: 0, fingerprint: "AQAB")]).answer.get()
    let request = try #require(service.requests.first)
    #expect(request.method == "POST" && service.requests.count == 1)
    #expect(
      request.fields == [
        "client": "k ey", "format": "json", "batch": "1", "meta": "recordings releasegroups compress",
        "duration.0": "240", "fingerprint.0": "AQAA_-x", "duration.1": "1", "fingerprint.1": "AQAB",
      ])
    let headers = ["host", "accept", "accept-encoding", "content-type", "content-length", "user-agent"]
    #expect(Set(request.headers.keys).isSubset(of: headers))
  }

  @Test func `recordings come back with artists as credited and their release groups, the best first`() throws {
    let body = """
      {"status": "ok", "fingerprints": [
        {"index": 1, "results": []},
        {"index": "0", "results": [
          {"id": "a1", "score": 0.4, "recordings": [{"id": "r3"}]},
          {"id": "a2", "score": 0.9, "recordings": [
            {"id": "r1", "title": "Slow Tide", "duration": 241.5,
             "artists": [{"id": "x", "name": "Nora Vale", "joinphrase": " & "}, {"id": "y", "name": "Ida"}],
             "releasegroups": [{"id": "g", "title": "Harbour", "type": "Album", "secondarytypes": ["Live"]}]},
            {"id": "r2", "title": "Slow Tide (edit)"}]},
          {"id": "a3", "score": 0.95}]}]}
      """
    let service = try MockServer { _, _ in .reply(200, body) }
    let answers = try ask(service, [Self.question, Self.question, Self.question]).answer.get()
    #expect(answers.count == 3 && answers[1] == [] && answers[2] == nil)
    let matches = try #require(answers[0])
    #expect(matches.map(\.recordingID) == [nil, "r1", "r2", "r3"])
    #expect(matches.map(\.score) == [0.95, 0.9, 0.9, 0.4] && matches.map(\.acoustID) == ["a3", "a2", "a2", "a1"])
    let first = matches[1]
    #expect(first.title == "Slow Tide" && first.credit == "Nora Vale & Ida" && first.durationInSeconds == 241.5)
    #expect(first.artists.map(\.id) == ["x", "y"])
    #expect(first.releaseGroups == [.init(id: "g", title: "Harbour", kind: "Album", furtherKinds: ["Live"])])
    #expect(matches[3].title == nil && matches[3].artists.isEmpty && matches[3].releaseGroups.isEmpty)
  }

  @Test func `a second has at most three requests`() throws {
    let service = try MockServer { _, _ in .reply(200, Self.noResults) }
    var client = AcoustIDService(at: service.address, key: "k")
    for _ in 0..<5 { _ = try client.matches(of: [Self.question]) }
    let instants = service.requests.map(\.instant)
    // Each may arrive late by what the machine takes.
    #expect(instants[0].duration(to: instants[4]) > .seconds(4.0 / 3 - 0.1))
  }

  @Test(arguments: [429, 500, 502, 503])
  func `a request that cannot be taken now is repeated, as long as the service says`(status: Int) throws {
    let service = try MockServer { _, number in
      switch number {
      case 0: .reply(status, headers: ["Retry-After": "7"], "busy")
      case 1: .reply(status, "busy")
      default: .reply(200, Self.noResults)
      }
    }
    let (answer, pauses) = ask(service)
    #expect(try answer.get() == [[]] && service.requests.count == 3)
    #expect(Set(service.requests.map(\.text)).count == 1)
    #expect(pauses.count == 2 && abs(pauses[0] - 7) < 0.5 && abs(pauses[1] - 2) < 0.5)
  }

  @Test func `it is not repeated for ever, and the last refusal is what is said`() throws {
    let service = try MockServer { _, _ in
      .reply(429, #"{"status":"error","error":{"code":14,"message":"rate limit exceeded"}}"#)
    }
    let (answer, pauses) = ask(service)
    #expect(
      answer
        == .failure(.refused(host: "127.0.0.1:\(service.port)", code: 14, message: "rate limit exceeded")))
    #expect(service.requests.count == 5 && pauses.count == 4)
  }

  // Faults: 206
  @Test func `what is said of a refusal is short and without the key, whatever the service answers`() throws {
    let marks = String(repeating: #"\u0301"#, count: 10_000)
    let service = try MockServer { _, _ in
      .reply(400, #"{"status":"error","error":{"code":4,"message":"no k ey a\#(marks)"}}"#)
    }
    guard case .failure(.refused(_, 4, let message)) = ask(service).answer else {
      Issue.record("the answer is no refusal")
      return
    }
    #expect(message.utf8.starts(with: "no [key] a".utf8) && message.unicodeScalars.count == 200)
  }

  @Test func `a refusal is not repeated`() throws {
    let service = try MockServer { _, _ in
      .reply(400, #"{"status":"error","error":{"code":4,"message":"invalid API key"}}"#)
    }
    let (answer, pauses) = ask(service)
    #expect(service.requests.count == 1 && pauses.isEmpty)
    #expect(throws: AcoustIDError.refused(host: "127.0.0.1:\(service.port)", code: 4, message: "invalid API key")) {
      try answer.get()
    }
  }

  @Test(arguments: [
    "", "<html>Log in to the hotel</html>", "[]", "{}", "{\"status\":\"ok\"}", "{\"status\":\"error\"}",
    "{\"status\":\"ok\",\"results\":[]}", "{\"status\":1,\"fingerprints\":[]}", String(repeating: "[", count: 10_000),
  ])
  func `an answer that is none of AcoustID's is named as that`(body: String) throws {
    let service = try MockServer { _, _ in .reply(200, body) }
    #expect(ask(service).answer == .failure(.unexpected(host: "127.0.0.1:\(service.port)", status: 200)))
  }

  @Test(arguments: [
    #"[{"index":-1,"results":[{"id":"a","score":1}]},{"index":1e300},{"index":7},{"index":null},{},3,null]"#,
    #"[{"index":0,"results":[{"id":"a"},{"score":1},{"id":1,"score":1},{"id":"a","score":"1"},4]}]"#,
    #"[{"index":0,"results":7}]"#, "[]",
  ])
  func `members of other kinds than the service documents are left out`(fingerprints: String) throws {
    let service = try MockServer { _, _ in .reply(200, #"{"status":"ok","fingerprints":\#(fingerprints)}"#) }
    let answers = try ask(service).answer.get()
    #expect(answers.count == 1 && (answers[0] ?? []).isEmpty)
  }

  @Test func `nobody answers`() throws {
    let service = try MockServer { _, _ in .raw("") }
    guard case .failure(.request(.unreachable(let host, _))) = ask(service).answer else {
      Issue.record("it was answered")
      return
    }
    #expect(host == "127.0.0.1:\(service.port)" && service.requests.count == 1)
  }
}
