import Base
import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import MediaServer
@testable import WebAPI

/// Thousands of requests that no browser sends: each is refused or harmless, and the server answers on.
struct HostileRequestsTests {
  private static let count = 10_000

  /// What is put wherever a value goes.
  fileprivate static let values =
    [
      "", "0", "-1", "1", "2", "99999999999999999999", "1e308", "NaN", "Infinity", "-0", "0x10", "1;2", "null", "true",
      "../../etc/passwd", "..%2f..%2fetc%2fpasswd", "%00", "%ff%fe", "%", "%zz", "%25252e",
      "<script>alert(1)</script>", "'; DROP TABLE track; --", "\" OR \"\"=\"", "title::(a+)+$", "title::[", "((((((((",
      String(repeating: "a,b,c,d", count: 40), String(repeating: "-", count: 500), String(repeating: "x", count: 4_000),
      "\u{202E}\u{0}\u{FFFD}", "band(NaN):>1", "lufs:..", "year:5..1", "id:" + String(repeating: "9", count: 60),
      "$(reboot)", "`id`", "file:///etc/passwd", "http://evil.example/",
    ]
  fileprivate static let ranges = [
    "bytes=0-", "bytes=-1", "bytes=-0", "bytes=5-1", "bytes=0-0,1-1",
    "bytes=" + String(repeating: "0-1,", count: 900), "bytes=99999999999999999999-", "bytes=a-b", "items=0-1",
    "bytes=--1", "bytes 0-1",
  ]
  fileprivate static let methods = [
    "GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS", "TRACE", "CONNECT", "BREW", "get",
  ]
  fileprivate static let bodies = [
    "", "{", "[]", "null", #"{"rating": 1e999}"#, #"{"rating": -1}"#, #"{"rating": "50"}"#,
    String(repeating: "[", count: 5_000),
    String(repeating: #"{"a":"#, count: 900) + "1" + String(repeating: "}", count: 900), "\u{FEFF}{}", "\u{0}",
    #"{"track": 1, "started_at": "x"}"#, #"{"name": "../../x", "tracks": [1, 1, -1, 1e9]}"#,
    #"{"scope": "track", "preset": null}"#, "<xml/>", "a=b&c=d",
    #"{"name": "\#(String(repeating: "n", count: 60_000))"}"#,
  ]
  fileprivate static let heads = [
    "Origin: http://evil.example", "Sec-Fetch-Site: cross-site", "Cookie: " + String(repeating: "a=b; ", count: 900),
    "X: " + String(repeating: "y", count: 20_000), "Accept-Encoding: " + String(repeating: "gzip, ", count: 500),
    "Expect: 100-continue", "Upgrade: websocket", "no colon",
  ]
  fileprivate static let targets = [
    "*", "//", "/" + String(repeating: "../", count: 30), "http://evil.example/",
    "/?" + String(repeating: "a", count: 9_000), "/api/v1/" + String(repeating: "x/", count: 300),
    "/%2e%2e/%2e%2e/etc/passwd", "\u{1}", "",
  ]
  fileprivate static let hosts = [
    "evil.example", "", "127.0.0.1.evil.example", "localhost:1", "[::1", String(repeating: "a", count: 5_000),
    "localhost\tx",
  ]

  // Faults: 119, 127, 130, 132
  @Test func `no request brings the server down or gives away a file`() async throws {
    let library = try await ServedLibrary(of: .fixtures)
    var (dice, tally) = (RequestDice(routes: library.server.api.table.routes), [Int: Int]())
    for number in 0..<Self.count {
      let bytes = dice.request(library.ownerToken)
      let answer = try? await library.send(bytes, closingItsSideAfter: .seconds(1))
      tally[answer?.status ?? 0, default: 0] += 1
      let sent = String(decoding: bytes.prefix(300), as: UTF8.self)
      #expect(
        ![500, 501, 502].contains(answer?.status), "request \(number): \(sent) → \(answer?.text.prefix(600) ?? "")")
      #expect(answer?.body.range(of: Data("root:x:".utf8)) == nil, "request \(number): \(sent)")
    }
    #expect(tally[200] ?? 0 > Self.count / 100, "hardly a request was right: the others show little: \(tally)")
    #expect(tally.filter { (400..<500).contains($0.key) }.values.reduce(0, +) > Self.count / 3, "\(tally)")
    #expect(try await library.ask("/api/v1/status").status == 200)
    #expect(library.connections.count == 0)
  }
}

/// Makes requests that are the same in every run.
private struct RequestDice {
  private let routes: [Route]
  private var random = RepeatableRandom(seed: TestSize.seed(1))

  init(routes: [Route]) { self.routes = routes }

  private mutating func chance(_ probability: Double) -> Bool { Double.random(in: 0..<1, using: &random) < probability }

  private mutating func one<Value>(of values: [Value]) -> Value {
    values[Int.random(in: values.indices, using: &random)]
  }

  private mutating func value() -> String {
    let text = one(of: HostileRequestsTests.values)
    // What has percent signs stays as it is, as from a program that does not know of them.
    var allowed = CharacterSet.alphanumerics
    allowed.insert("%")
    return text.addingPercentEncoding(withAllowedCharacters: allowed) ?? ""
  }

  private mutating func target(of route: Route) -> String {
    if chance(0.05) { return one(of: HostileRequestsTests.targets) }
    var path = Route.prefix + route.path
    while let start = path.firstIndex(of: "{"), let end = path.firstIndex(of: "}") {
      path.replaceSubrange(start...end, with: chance(0.5) ? one(of: ["1", "2", "3"]) : value())
    }
    var query: [String] = []
    for name in route.parameters.map(\.name) + ["what"] where chance(0.5) { query.append("\(name)=\(value())") }
    return query.isEmpty ? path : "\(path)?\(query.joined(separator: "&"))"
  }

  /// Bytes that look like HTTP, more or less.
  mutating func request(_ token: String) -> [UInt8] {
    let route = one(of: routes)
    let target = target(of: route)
    var verb = chance(0.7) ? route.method.rawValue : one(of: HostileRequestsTests.methods)
    // A scan or a stream of events would only take time.
    if target.contains("/events") || target.contains("/scan") { verb = "BREW" }
    var body = ["POST", "PUT", "PATCH"].contains(verb) || chance(0.05) ? one(of: HostileRequestsTests.bodies) : ""
    let host = chance(0.9) ? "127.0.0.1:4646" : one(of: HostileRequestsTests.hosts)
    var lines = ["\(verb) \(target) HTTP/1.1", "Host: \(host)", "Authorization: Bearer \(token)", "Connection: close"]
    if chance(0.2) { lines.append("Range: " + one(of: HostileRequestsTests.ranges)) }
    if chance(0.1) {
      lines.append(
        "If-None-Match: " + one(of: ["*", "\"", "W/\"x\"", String(repeating: "\"a\", ", count: 500)]))
    }
    if chance(0.1) { lines.append(one(of: HostileRequestsTests.heads)) }
    let size = body.utf8.count
    switch Double.random(in: 0..<1, using: &random) {
    case _ where body.isEmpty: break
    case ..<0.8:
      let type = one(of: ["application/json", "text/plain", "application/json; charset=utf-7"])
      lines += ["Content-Type: \(type)", "Content-Length: \(size)"]
    case ..<0.9:
      lines.append("Transfer-Encoding: chunked")
      body = one(of: [
        "\(String(size, radix: 16))\r\n\(body)\r\n0\r\n\r\n", "ffffffffffffffff\r\n\(body)", "-1\r\n\(body)",
      ])
    default: lines.append("Content-Length: " + one(of: ["-1", "99999999999", "1, 2", "x", "0"]))
    }
    return Array((lines.joined(separator: "\r\n") + "\r\n\r\n" + body).utf8)
  }
}
