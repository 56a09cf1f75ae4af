import Base
import Foundation
import LibraryTracks
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import WebAPI

/// What pages of other sites get: nothing, unless `serve --allow-origin` names their origin.
struct OtherSitesTests {
  private static let origin = "https://music.example"
  private static let site = ["Origin": origin, "Sec-Fetch-Site": "cross-site"]
  private static let rows = RouteCase.all
  private static let reading = rows.filter { $0.method == "GET" && [.none, .reading].contains($0.right) }

  private static let free = Task { try await RouteLibrary(origins: [origin]) }
  private static let secured = Task { try await RouteLibrary(isReadingFree: false, origins: [origin]) }

  /// A path of the library, whatever stands around it.
  private static func paths(_ library: RouteLibrary) throws -> [String] {
    let roots = try library.served.server.library.reading { try $0.roots.all().map(\.path.displayString) }
    return roots + [library.served.folder.url.path]
  }

  @Test(arguments: rows.filter { $0.method == "GET" })
  func `no answer for another site has a path`(row: RouteCase) async throws {
    let library = try await Self.free.value
    let own = try await library.ask(row)
    let answer = try await library.ask(row, headers: Self.site)
    #expect(answer.headers["access-control-allow-origin"] == Self.origin)
    #expect(answer.headers["vary"]?.contains("Origin") == true)
    #expect(own.headers["vary"]?.contains("Origin") == true && own.headers["access-control-allow-origin"] == nil)
    guard Self.reading.contains(where: { $0.name == row.name }) else {
      // What needs more than reading is not for them, even with the token.
      #expect(answer.status == 403)
      return
    }
    #expect(answer.status == row.status, "\(answer.text)")
    guard row.type == "application/json" else {
      if row.type != "text/event-stream" { #expect(answer.body == own.body) }
      return
    }
    for path in try Self.paths(library) { #expect(!answer.text.contains(path)) }
    // Nothing else is left out.
    let (wanted, found) = (try JSONValue(parsing: Array(own.body)), try JSONValue(parsing: Array(answer.body)))
    #expect(Self.withoutPaths(wanted, try Self.paths(library)).text == found.text)
  }

  /// What a document of ours is for others, computed from its values and not from its bytes.
  private static func withoutPaths(_ value: JSONValue, _ paths: [String]) -> JSONValue {
    switch value {
    case .object(let members):
      let names: Set = ["path", "path_bytes", "parent", "root", "folder", "reading"]
      return .object(
        members.filter { !names.contains($0.key) }.map { .init($0.key, withoutPaths($0.value, paths)) })
    case .array(let values): return .array(values.map { withoutPaths($0, paths) })
    case .string(let text): return paths.contains { text.contains($0) } ? .string("…") : value
    case .null, .bool, .integer, .number: return value
    }
  }

  /// What is found, counted or in order says a path, letter by letter.
  @Test(arguments: [
    "/tracks?q=path%3A%3A%5E%2Ftmp", "/tracks/count?q=title%3Aa+or+root%3A%3A%5E%2Fa", "/tracks?q=-path%3Atmp",

    "/tracks/count?q=editionname%3A%3Aa", "/tracks?q=year+path-", "/tracks/jumps?sort=root", "/tracks?sort=year,-path",
    "/albums?q=path%3Aa", "/problems?q=path%3Aa", "/tracks/sums?q=root%3Aa",
  ])
  func `other sites cannot ask for paths`(target: String) async throws {
    let library = try await Self.free.value
    let answer = try await library.served.ask(Route.prefix + target, headers: Self.site)
    #expect(answer.status == 403 && answer.text.contains("cannot ask for paths"), "\(answer.text)")
    #expect(answer.headers["access-control-allow-origin"] == Self.origin)
    let own = try await library.served.ask(Route.prefix + target)
    #expect(own.status != 403)
  }

  @Test(arguments: [
    "/tracks?fields=path,root,filename,title", "/problems?q=", "/folders",
    "/tracks?q=path%3A%5B", "/tracks/999", "/nothing", "/folders?root=1&path=audio",
  ])
  func `nothing that they may ask for has a path`(target: String) async throws {
    let library = try await Self.free.value
    let answer = try await library.served.ask(Route.prefix + target, headers: Self.site)
    #expect(answer.headers["access-control-allow-origin"] == Self.origin)
    for path in try Self.paths(library) { #expect(!answer.text.contains(path), "\(answer.text)") }
    // A path would be there for others, where there is one at all.
    if target.contains("fields=path") {
      let own = try await library.served.ask(Route.prefix + target)
      #expect(try Self.paths(library).contains { own.text.contains($0) })
      let row = try JSONValue(parsing: Array(answer.body))["rows"]?.array?.first
      #expect(row?.members?.map(\.key) == ["file", "id", "filename", "title"])
    }
  }

  @Test(arguments: rows.filter { $0.method != "GET" })
  func `they change nothing`(row: RouteCase) async throws {
    let library = try await Self.free.value
    let before = try library.served.revision()
    let answer = try await library.ask(row, headers: Self.site)
    #expect(answer.status == 403)
    #expect(!answer.headers.keys.contains { $0.hasPrefix("access-control-") || $0 == "set-cookie" })
    #expect(try library.served.revision() == before)
  }

  @Test(arguments: reading)
  func `they need the token where others do, and cookies do not count`(row: RouteCase) async throws {
    let library = try await Self.secured.value
    for caller in [ServedLibrary.Caller.stranger, .reader] {
      let answer = try await library.ask(row, as: caller, headers: Self.site)
      #expect(answer.status == (row.right == .none ? row.status : 401), "\(caller)")
      // So that the page can tell why.
      #expect(answer.headers["access-control-allow-origin"] == Self.origin)
    }
    #expect(
      try await library.ask(row, as: .stranger, headers: Self.site.merging(library.ben) { $1 }).status
        == (row.right == .none ? row.status : 401))
    #expect(try await library.ask(row, headers: Self.site).status == row.status)
  }

  @Test(arguments: [
    "https://music.example.evil", "https://music.example:444", "http://music.example", "https://MUSIC.example", "null",
    "https://music.example/", "https://evil.example",
  ])
  func `other origins are refused as without the option`(origin: String) async throws {
    let library = try await Self.free.value
    for method in ["GET", "OPTIONS"] {
      let answer = try await library.served.ask("/api/v1/status", method, headers: ["Origin": origin])
      #expect(answer.status == 403 || answer.status == 405)
      #expect(!answer.headers.keys.contains { $0.hasPrefix("access-control-") })
    }
    #expect(try await library.served.ask("/api/v1/status", headers: ["Origin": origin]).status == 403)
  }

  @Test func `a browser may ask whether it may send the token`() async throws {
    let library = try await Self.secured.value
    let asked = ["Access-Control-Request-Method": "GET", "Access-Control-Request-Headers": "authorization"]
    let answer = try await library.served.ask(
      "/api/v1/status", "OPTIONS", as: .stranger, headers: Self.site.merging(asked) { $1 })
    #expect(answer.status == 204 && answer.headers["access-control-allow-origin"] == Self.origin)
    #expect(answer.headers["access-control-allow-methods"] == "GET, HEAD")
    #expect(answer.headers["access-control-allow-headers"]?.contains("Authorization") == true)
    #expect(answer.headers["access-control-allow-credentials"] == nil)
    #expect(answer.headers["access-control-allow-private-network"] == nil)
    let local = try await library.served.ask(
      "/api/v1/status", "OPTIONS", as: .stranger,
      headers: Self.site.merging(["Access-Control-Request-Private-Network": "true"]) { $1 })
    #expect(local.headers["access-control-allow-private-network"] == "true")
  }

  @Test func `the page and players are as they were`() async throws {
    let library = try await Self.free.value
    #expect(
      try await library.served.ask("/index.html", headers: Self.site).headers["access-control-allow-origin"] == nil)
    let ping = try await library.served.call("ping", [], headers: Self.site)
    #expect(ping.subsonicCode == nil && ping.headers["access-control-allow-origin"] == "*")
    #expect(ping.headers["vary"] == nil)
  }

  @Test func `a name that leads here is no way around`() async throws {
    let library = try await Self.free.value
    let answer = try await library.served.ask(
      "/api/v1/status", headers: Self.site.merging(["Host": "evil.example"]) { $1 })
    #expect(answer.status == 421)
  }

  @Test(arguments: [
    ("https://Music.Example", "https://music.example"), ("https://music.example:443", "https://music.example"),
    ("http://localhost:3000", "http://localhost:3000"), ("http://[::1]:80", "http://[::1]"),
    ("https://music.example:8443", "https://music.example:8443"),
  ])
  func `an origin is written as browsers do`(text: String, origin: String) {
    #expect(AllowedOrigins.origin(text) == origin)
  }

  @Test(arguments: [
    "*", "null", "", "music.example", "https://", "https://music.example/", "https://music.example/page",
    "ftp://a.example",
    "https://a b", "https://*.example", "https://ana@music.example", "https://music.example:x", "https://müsic.example",
    "https://music.example:",
  ])
  func `what is no origin is none`(text: String) { #expect(AllowedOrigins.origin(text) == nil) }
}

/// Paths in documents that are sent piece by piece.
struct PathFilterTests {
  private static let filter = PathFilter(folders: [BytePath("/music/Ä \"b\""), BytePath("/x/")])

  private static func passed(_ text: String, inPieces size: Int = .max) -> String {
    var (filter, passed) = (filter, [UInt8]())
    var rest = Array(text.utf8)[...]
    while !rest.isEmpty {
      passed += filter.passed(Array(rest.prefix(size)))
      rest = rest.dropFirst(size)
    }
    return String(decoding: passed, as: UTF8.self)
  }

  @Test(arguments: [
    (#"{"path":"/a","b":1}"#, #"{"b":1}"#), (#"{"b":1,"path":"/a"}"#, #"{"b":1}"#), (#"{"path":null}"#, "{}"),
    (#"{"a":[{"path":{"b":[1,{"c":"}"}]},"d":[]},{"root":1}],"parent":[],"e":{}}"#, #"{"a":[{"d":[]},{}],"e":{}}"#),
    (#"["path","folder"]"#, #"["path","folder"]"#),
    (#"{"a":"path","path":"a\\\"","c":"\\"}"#, #"{"a":"path","c":"\\"}"#),
    (#"{"a":"/music/Ä \"b\"/c","d":"see /x","e":"/music"}"#, #"{"a":"…","d":"…","e":"/music"}"#),
    ("{ \"a\" : 1 ,\n \"path\" : 2 }", #"{"a":1}"#), ("[1,2,\"a, b\"]", "[1,2,\"a, b\"]"), ("1", "1"),
  ])
  func `paths are left out at any depth, wherever the document is cut`(text: String, wanted: String) {
    for size in [1, 2, 3, 7, 1_000] { #expect(Self.passed(text, inPieces: size) == wanted, "\(size)") }
  }

  @Test func `if everything is in the library, every absolute path is hidden`() {
    var filter = PathFilter(folders: [BytePath("/")])
    let passed = filter.passed(Array(#"{"a":"/etc/b","c":"1/2"}"#.utf8))
    #expect(String(decoding: passed, as: UTF8.self) == #"{"a":"…","c":"1/2"}"#)
  }
}
