import Base
import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import WebAPI

/// What holds for every route of the API: who may call it, what it refuses and how, and what its answers have.
struct EveryRouteTests {
  private static let rows = RouteCase.all
  private static let readingRows = rows.filter { $0.method == "GET" }
  private static let changingRows = rows.filter { $0.method != "GET" }
  private static let documentRows = changingRows.filter { $0.body != nil && $0.route?.body == .document }

  @Test func `every route has a row`() throws {
    let routes = try ServedLibrary.routes
    #expect(Self.rows.map(\.name).sorted() == routes.map { "\($0.method.rawValue) \($0.path)" }.sorted())
  }

  private func expectProblem(
    _ answer: HTTPAnswer, _ status: Int, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == status, "\(what): \(answer.text)", sourceLocation: sourceLocation)
    #expect(answer.headers["content-type"] == RouteCase.problem, "\(what)", sourceLocation: sourceLocation)
    #expect(answer.headers["cache-control"] == "no-store", "\(what)", sourceLocation: sourceLocation)
    let document = answer.document
    #expect(document["status"] as? Int == answer.status, "\(what)", sourceLocation: sourceLocation)
    #expect(document["type"] as? String == "about:blank", "\(what)", sourceLocation: sourceLocation)
    #expect((document["title"] as? String)?.isEmpty == false, "\(what)", sourceLocation: sourceLocation)
    let detail = document["detail"] as? String ?? ""
    #expect(!detail.isEmpty && !detail.contains("deadwax-test-"), "\(what): \(detail)", sourceLocation: sourceLocation)
  }

  // MARK: - Answers

  @Test(arguments: rows)
  func `its answer has the documented status, type and keys`(row: RouteCase) async throws {
    let library = try await (row.method == "GET" ? RouteLibrary.shared.value : RouteLibrary())
    let answer = try await library.ask(row)
    #expect(answer.status == row.status, "\(answer.text)")
    #expect(answer.headers["content-type"] ?? "" == row.type)
    for (name, value) in RequestGuard.headers { #expect(answer.headers[name.lowercased()] == value) }
    let isLong = row.route?.work == .searching || ["sound", "stream"].contains(row.path.split(separator: "/").last)
    #expect(answer.headers["connection"] == (isLong ? "close" : nil))
    if row.status == 204 { #expect(answer.body.isEmpty) }
    guard !row.keys.isEmpty else { return }
    let value = try JSONValue(parsing: Array(answer.body))
    #expect(value.members?.map(\.key) == row.keys)
    for (name, keys) in row.itemKeys {
      let items = try #require(value[name]?.array)
      #expect(!items.isEmpty, "\(name)")
      for item in items { #expect(item.members?.map(\.key) == keys, "\(name)") }
    }
    while library.served.server.scans.progress != nil { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test(arguments: rows)
  func `every key of its answer is in the documentation`(row: RouteCase) throws {
    let text = try String(contentsOf: Corpora.projectRoot.appending(path: "docs/api.md"), encoding: .utf8)
    let words = Set(text.split { !$0.isLetter && !$0.isNumber && $0 != "_" }.map(String.init))
    let isForeign = row.path == "/openapi.json"
    for key in row.keys + row.itemKeys.values.flatMap(\.self) where !isForeign {
      #expect(words.contains(key), "\(key)")
    }
  }

  @Test(arguments: readingRows)
  func `HEAD has the head of GET`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let whole = try await library.ask(row)
    let head = try await library.ask(row, method: "HEAD")
    #expect(head.body.isEmpty && head.status == whole.status)
    // Only with the sound of a stream does the connection end.
    #expect(head.headers.filter { $0.key != "connection" } == whole.headers.filter { $0.key != "connection" })
    #expect(library.served.server.events.clientCount == 0)
  }

  @Test(arguments: readingRows)
  func `nothing is between HEAD and the next answer of a connection`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    // A client of a connection that ends reads no further.
    guard try await library.ask(row, method: "HEAD").headers["connection"] != "close" else { return }
    let first = "HEAD \(Route.prefix + library.filled(row.target)) HTTP/1.1\r\nHost: localhost\r\n\r\n"
    let second = RawRequest("GET", "\(Route.prefix)/query", ["Host": "localhost"])
    let answers = try await library.served.exchange(Array(first.utf8) + second.bytes)
    let end = try #require(answers.range(of: Data("\r\n\r\n".utf8)))
    let next = String(decoding: answers[end.upperBound...].prefix(200), as: UTF8.self)
    #expect(next.hasPrefix("HTTP/1.1 200 OK\r\n"))
  }

  @Test(arguments: readingRows)
  func `what is tagged is sent once`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let whole = try await library.ask(row)
    guard row.isTagged else {
      #expect(whole.headers["etag"] == nil && whole.headers["cache-control"] == "no-store")
      return
    }
    let tag = try #require(whole.headers["etag"])
    #expect(tag.first == "\"" && tag.last == "\"" && tag.count > 2)
    for known in [tag, "W/\(tag)", "\"other\", \(tag)", "*"] {
      let again = try await library.ask(row, headers: ["If-None-Match": known])
      #expect(again.status == 304 && again.body.isEmpty && again.headers["etag"] == tag, "\(known)")
      #expect(again.headers["cache-control"] == whole.headers["cache-control"])
    }
    let changed = try await library.ask(row, headers: ["If-None-Match": "\"other\""])
    #expect(changed.status == 200 && changed.body == whole.body && changed.headers["etag"] == tag)
  }

  @Test(arguments: readingRows.filter { !$0.keys.isEmpty })
  func `a compressed answer is the same`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let plain = try await library.ask(row)
    let packed = try await library.ask(row, headers: ["Accept-Encoding": "br, gzip;q=0.5"])
    let refused = try await library.ask(row, headers: ["Accept-Encoding": "gzip;q=0"])
    #expect(refused.headers["content-encoding"] == nil && refused.body == plain.body)
    guard packed.headers["content-encoding"] == "gzip" else {
      #expect(packed.body == plain.body && plain.body.count < 1024)
      return
    }
    #expect(packed.headers["vary"] == "Accept-Encoding" && plain.headers["vary"] == "Accept-Encoding")
    #expect(Data(try Gzip.decompressed(Array(packed.body))) == plain.body)
  }

  // MARK: - Rights

  // Faults: 208
  @Test(arguments: rows)
  func `each role gets what its right allows`(row: RouteCase) async throws {
    for isReadingFree in [true, false] {
      let library = try await (isReadingFree ? RouteLibrary.shared : RouteLibrary.sharedPrivate).value
      let before = try library.served.revision()
      for caller in [ServedLibrary.Caller.reader, .stranger] {
        let answer = try await library.ask(row, as: caller)
        let isAllowed =
          switch row.right {
          case .none: true
          case .reading: isReadingFree || caller == .reader
          case .signedIn, .own, .owner: false
          }
        let what = "\(caller), \(isReadingFree ? "free" : "private")"
        if isAllowed {
          #expect(answer.status == row.status, "\(what): \(answer.text)")
        } else {
          expectProblem(answer, 401, what)
          #expect(answer.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
        }
      }
      #expect(try library.served.revision() == before)
    }
  }

  @Test(arguments: rows)
  func `the description says the right that it needs`(row: RouteCase) throws {
    let text = try String(contentsOf: Corpora.projectRoot.appending(path: "docs/api.md"), encoding: .utf8)
    let line =
      switch row.right {
      case .none: "| yes | yes | yes |"
      case .reading: "| yes | yes | if free |"
      case .signedIn: "| yes | yes | no |"
      case .own: "| yes | with `--right rate` or `manage` | no |"
      case .owner: "| yes | no | no |"
      }
    #expect(text.contains("| `\(row.name)` \(line)"))
    let security = OpenAPI.document(of: try ServedLibrary.routes)["paths"]?[Route.prefix + row.path]?[
      row.method.lowercased()]?[
        "security"]
    let schemes = security?.array?.compactMap { $0.members?.first?.key }
    #expect(
      schemes
        == {
          switch row.right {
          case .none: []
          case .reading: ["reader", "session", "owner"]
          case .signedIn, .own: ["session", "owner"]
          case .owner: ["owner"]
          }
        }())
  }

  @Test(arguments: rows)
  func `other sites and other names get nothing, even with the token`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let before = try library.served.revision()
    for (name, value, status) in [
      ("Sec-Fetch-Site", "cross-site", 403), ("Sec-Fetch-Site", "same-site", 403),
      ("Origin", "http://evil.example", 403), ("Origin", "null", 403), ("Host", "evil.example", 421),
      ("Host", "127.0.0.1.evil.example:4646", 421),
    ] {
      let answer = try await library.ask(row, headers: [name: value])
      expectProblem(answer, status, "\(name): \(value)")
      #expect(!answer.headers.keys.contains { $0.hasPrefix("access-control-") || $0 == "set-cookie" })
    }
    #expect(try library.served.revision() == before)
  }

  // MARK: - Refusals

  @Test(arguments: Set(rows.map(\.path)).sorted())
  func `other methods are refused, and the answer says which there are`(path: String) async throws {
    let library = try await RouteLibrary.shared.value
    let rows = Self.rows.filter { $0.path == path }
    // A name in a path may be a word that another path has there.
    let parts = path.split(separator: "/")
    let fitting = Self.rows.filter { row in
      let others = row.path.split(separator: "/")
      return others.count == parts.count && zip(others, parts).allSatisfy { $0 == $1 || $0.first == "{" }
    }
    var known = Set(fitting.map(\.method))
    let allowed = known
    if known.contains("GET") { known.insert("HEAD") }
    for method in Set(["GET", "HEAD", "PUT", "POST", "PATCH", "DELETE", "OPTIONS", "TRACE"]).subtracting(known) {
      let answer = try await library.ask(rows[0], method: method, headers: ["Content-Type": "application/json"])
      #expect(answer.status == 405, "\(method)")
      #expect(Set((answer.headers["allow"] ?? "").components(separatedBy: ", ")) == allowed, "\(method)")
      if method != "HEAD" { expectProblem(answer, 405, method) }
    }
  }

  @Test(arguments: rows)
  func `an unknown parameter is refused`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let answer = try await library.ask(row, row.target + (row.target.contains("?") ? "&" : "?") + "what=1")
    expectProblem(answer, 422, row.target)
    #expect(answer.text.contains("there is no parameter what"))
  }

  @Test(arguments: rows.filter { $0.route?.parameters.isEmpty == false })
  func `a value that the description excludes is refused`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    for parameter in try #require(row.route).parameters {
      for value in Self.wrongValues(of: parameter.schema) {
        let sides = row.target.split(separator: "?", maxSplits: 1).map(String.init)
        let rest = sides.count > 1 ? "&\(sides[1])" : ""
        // The first of two counts.
        let answer = try await library.ask(row, "\(sides[0])?\(parameter.name)=\(ServedLibrary.encoded(value))\(rest)")
        expectProblem(answer, 422, "\(parameter.name)=\(value.prefix(40))")
        #expect(answer.text.contains("\"detail\":\"\(parameter.name): "), "\(parameter.name): \(answer.text)")
      }
    }
  }

  private static func wrongValues(of schema: JSONValue) -> [String] {
    func number(_ name: String) -> Double? { schema[name]?.double }
    if schema["enum"] != nil { return ["", "other", "OFF"] }
    switch schema["type"]?.string {
    case "integer":
      let edges = [number("minimum").map { $0 - 1 }, number("maximum").flatMap { $0 < 1e15 ? $0 + 1 : nil }]
      return ["", "x", "1.5", "0x10", "1;2", "99999999999999999999"]
        + edges.compactMap { $0.map { String(Int64($0)) } }
    case "number":
      let edges = [number("minimum").map { $0 - 0.5 }, number("maximum").map { $0 + 0.5 }]
      return ["x", "NaN", "Infinity", "1e999", "1,5"] + edges.compactMap { $0.map { "\($0)" } }
    default: return schema["pattern"] == nil ? [String(repeating: "a", count: 10_001)] : ["1,x", "1,,2", ",", "-"]
    }
  }

  @Test(arguments: rows.filter { !$0.wrongTargets.isEmpty })
  func `a request that fits nothing is refused`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    for (target, status) in row.wrongTargets {
      let answer = try await library.ask(row, target)
      expectProblem(answer, status, target)
      // A mistake in a query has its place.
      guard target.contains("q="), status == 400 else { continue }
      #expect(answer.document["column"] is Int, "\(target): \(answer.text)")
    }
  }

  @Test(arguments: rows.filter { $0.path.contains("{id}") })
  func `a thing that is not there is not found`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    for id in ["999", "0", "-1", "+1", "x", "1.5", "1e1", "99999999999999999999", "%20", "1%00", "..%2f1"] {
      let sides = row.target.split(separator: "/").map(String.init)
      let last = sides.dropFirst(2).joined(separator: "/")
      let query = sides.count == 2 ? sides[1].drop { $0 != "?" } : ""
      let target = "/\(sides[0])/\(id)" + (last.isEmpty ? String(query) : "/\(last)")
      let answer = try await library.ask(row, target)
      // A target with NUL is no address.
      expectProblem(answer, id.contains("%00") ? 400 : 404, target)
    }
  }

  // Faults: 130
  @Test(arguments: documentRows)
  func `a body that is no JSON object is refused`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    for type in ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data", "application/jsonx", ""] {
      expectProblem(try await library.ask(row, headers: ["Content-Type": type]), 415, type)
    }
    for text in [
      "", "{", "[]", "null", "1", "\"a\"", "{}{}", "{\"a\":1,}", "<xml/>", "a=b", "{\"a\":1e999}",
      String(repeating: "[", count: 5_000),
    ] {
      expectProblem(try await library.ask(row, body: text), 400, String(text.prefix(20)))
    }
  }

  @Test(arguments: rows.filter { !$0.wrongBodies.isEmpty })
  func `an object that is not what it takes is refused, and changes nothing`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let before = try library.served.revision()
    for (body, status) in row.wrongBodies {
      expectProblem(try await library.ask(row, body: body), status, String(body.prefix(80)))
    }
    #expect(try library.served.revision() == before)
  }

  // Faults: 127
  @Test(arguments: changingRows)
  func `a body that is too large is refused, whether it says so or not`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let limit = try #require(row.route).body.byteCount
    let head = [
      "Host": "localhost", "Authorization": "Bearer \(library.served.ownerToken)",
      "Content-Type": row.body == "{sound}" ? "audio/mpeg" : "application/json",
    ]
    let target = Route.prefix + library.filled(row.target)
    let announced = RawRequest(row.method, target, head.merging(["Content-Length": "\(limit + 1)"]) { $1 })
    expectProblem(try await library.served.send(announced.bytes), 413, "announced")
    guard row.route?.body == .document else { return }
    let size = String(limit + 1, radix: 16)
    let chunk = Array("\(size)\r\n".utf8) + [UInt8](repeating: 32, count: limit + 1) + Array("\r\n0\r\n\r\n".utf8)
    let sent = RawRequest(row.method, target, head.merging(["Transfer-Encoding": "chunked"]) { $1 }, chunk)
    expectProblem(try await library.served.send(sent.bytes), 413, "in chunks")
  }

  // Faults: 127
  @Test(arguments: documentRows)
  func `a body that ends too early is refused`(row: RouteCase) async throws {
    let library = try await RouteLibrary.shared.value
    let head = [
      "Host": "localhost", "Authorization": "Bearer \(library.served.ownerToken)", "Content-Type": "application/json",
    ]
    for (name, value, body) in [
      ("Content-Length", "99", "{\"rating\":"), ("Transfer-Encoding", "chunked", "5\r\n{\"ra"),
    ] {
      let request = RawRequest(
        row.method, Route.prefix + library.filled(row.target), head.merging([name: value]) { $1 }, Array(body.utf8))
      expectProblem(try await library.served.send(request.bytes, closingItsSideAfter: .zero), 400, name)
    }
  }

  @Test(arguments: changingRows.filter { $0.right.changesLibrary })
  func `a library that can only be read is not changed`(row: RouteCase) async throws {
    let library = try await RouteLibrary.readOnly.value
    let answer = try await library.ask(row)
    // There is no scan to stop.
    expectProblem(answer, row.name == "DELETE /scan" ? 404 : 403, row.name)
  }
}
