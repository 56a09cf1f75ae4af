import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer

/// What the server lets in, and what it says with every answer.
struct ResponderTests {
  private let library: ServedLibrary

  init() async throws { library = try await ServedLibrary(of: .fixtures) }

  // Faults: 131
  @Test func `the page and the API answer, and say what browsers may do with them`() async throws {
    let page = try await library.ask("/")
    #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    #expect(page.headers["cross-origin-embedder-policy"] == "require-corp")
    let tracks = try await library.ask("/api/v1/tracks?sort=title")
    #expect(tracks.status == 200 && tracks.headers["x-content-type-options"] == "nosniff")
    let rows = tracks.document["rows"] as? [[String: Any]] ?? []
    let listed = try await library.command().must(["ls", "--sort", "title", "--fields", "title", "--format", "tsv"])
    let titles = listed.text.split(separator: "\n", omittingEmptySubsequences: false).dropFirst().map(String.init)
    #expect(rows.map { $0["title"] as? String ?? "" } == Array(titles.prefix(rows.count)) && rows.count > 20)
    #expect(try await library.ask("/api/v1/tracks/count").document["files"] as? Int == rows.count)
  }

  @Test func `the page is sent once, and is read only`() async throws {
    for target in ["/", "/app.js", "/core/api.js", "/icon.svg", "/tracks", "/compare/1/2"] {
      let whole = try await library.ask(target, as: .stranger)
      let tag = try #require(whole.headers["etag"])
      #expect(whole.status == 200 && whole.headers["cache-control"] == "no-cache", "\(target)")
      let known = try await library.ask(target, as: .stranger, headers: ["If-None-Match": tag])
      #expect(known.status == 304 && known.body.isEmpty && known.headers["etag"] == tag, "\(target)")
      let head = try await library.ask(target, "HEAD", as: .stranger)
      #expect(head.body.isEmpty && head.headers["content-length"] == "\(whole.body.count)", "\(target)")
      let packed = try await library.ask(target, as: .stranger, headers: ["Accept-Encoding": "gzip"])
      #expect(packed.headers["content-encoding"] == "gzip", "\(target)")
      #expect(Data(try Gzip.decompressed(Array(packed.body))) == whole.body, "\(target)")
      for method in ["POST", "PUT", "PATCH", "DELETE", "TRACE"] {
        let answer = try await library.ask(target, method)
        #expect(answer.status == 405 && answer.headers["allow"] == "GET, HEAD", "\(method) \(target)")
      }
    }
    #expect(try await library.ask("/nothing.js", as: .stranger).status == 404)
    // A link on another page leads here, and nothing else does.
    let linked = try await library.ask("/", as: .stranger, headers: ["Sec-Fetch-Site": "cross-site"])
    #expect(linked.status == 200)
    #expect(try await library.ask("/", "POST", headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
  }

  // Faults: 119, 122
  @Test func `foreign names, other sites and paths that climb are refused`() async throws {
    #expect(try await library.ask("/api/v1/status", headers: ["Host": "evil.example:4646"]).status == 421)
    #expect(try await library.ask("/", headers: ["Host": "evil.example"]).status == 421)
    #expect(try await library.ask("/api/v1/status", headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
    let rating = "{\"rating\": 1}"
    let target = "/api/v1/tracks/\(try library.track("filename:clean.mp3"))/rating"
    let foreign = try await library.ask(target, "PUT", headers: ["Origin": "http://evil.example"], body: rating)
    #expect(foreign.status == 403)
    let form = try await library.ask(target, "PUT", headers: ["Content-Type": "text/plain"], body: rating)
    #expect(form.status == 415)
    for target in [
      "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd",
      "/api/v1/tracks/..%2f..%2fetc%2fpasswd", "/api/v1/../../etc/passwd", "/%00", "/%", "*",
    ] {
      let answer = try await library.ask(target)
      #expect(!answer.text.contains("root:"))
      #expect(answer.status != 500)
    }
    #expect(try await library.ask("/api/v1/status").status == 200)
    #expect(try await library.command().must(["ls", "rating:>=0"]).text.isEmpty)
  }

  // Faults: 123
  @Test func `a page of others gets no permission, whatever it asks to do`() async throws {
    for target in ["/api/v1/tracks/1/rating", "/api/v1/status", "/"] {
      let answer = try await library.ask(
        target, "OPTIONS", headers: ["Origin": "http://evil.example", "Access-Control-Request-Method": "PUT"])
      #expect(answer.status >= 400 && !answer.headers.keys.contains { $0.hasPrefix("access-control-") }, "\(answer)")
    }
  }

  @Test func `who has logged in reads and changes nothing, and the cookie has not the token`() async throws {
    let library = try await ServedLibrary(of: .fixtures, isReadingFree: false)
    #expect(try await library.ask("/api/v1/status", as: .stranger).status == 401)
    #expect(try await library.ask("/", as: .stranger).status == 200)
    let guess = try await library.ask("/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"guess\"}")
    #expect(guess.status == 401 && guess.headers["set-cookie"] == nil)
    let login = try await library.ask(
      "/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"\(library.ownerToken)\"}")
    let cookie = try #require(login.headers["set-cookie"])
    #expect(login.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    #expect(!cookie.contains("Secure"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(try await library.ask("/api/v1/status", as: .stranger, headers: ["Cookie": pair]).status == 200)
    // Browsers may send it in two lines, or among others.
    let others = try await library.ask("/api/v1/status", as: .stranger, headers: ["Cookie": "a=b; \(pair); c=d"])
    #expect(others.status == 200 && others.document["can_write"] as? Bool == false)
    #expect(try await library.ask("/api/v1/status").document["can_write"] as? Bool == true)
    // The cookie goes to other ports, too, so it changes nothing.
    #expect(!pair.contains(library.ownerToken))
    let (rating, target) = ("{\"rating\": 1}", "/api/v1/tracks/\(try library.track("filename:clean.mp3"))/rating")
    let change = try await library.ask(target, "PUT", as: .stranger, headers: ["Cookie": pair], body: rating)
    #expect(change.status == 401 && change.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
    #expect(try await library.ask(target, "PUT", body: rating).status == 200)
    let gone = try await library.ask("/api/v1/login", "DELETE", as: .stranger)
    #expect(gone.status == 204 && gone.headers["set-cookie"]?.contains("Max-Age=0") == true)
  }

  @Test func `passwords of players count below rest alone`() async throws {
    let basic = Data("ana:\(library.account.password)".utf8).base64EncodedString()
    for value in ["Bearer \(library.account.password)", "Basic \(basic)"] {
      let answer = try await library.ask(
        "/api/v1/tracks/1/rating", "PUT", as: .stranger, headers: ["Authorization": value], body: "{\"rating\": 1}")
      #expect(answer.status == 401)
    }
    // And the token is nothing there.
    for caller in [ServedLibrary.Caller.owner, .reader] {
      let ping = try await library.ask("/rest/ping?v=1.16.1&c=test&f=json", as: caller)
      #expect(ping.subsonicCode == 10)
    }
  }

  // Faults: 130
  @Test func `errors are problem details, with the place in a query`() async throws {
    let wrong = try await library.ask("/api/v1/tracks?q=title:a%20lufs:x")
    #expect(wrong.status == 400 && wrong.headers["content-type"] == "application/problem+json")
    #expect(wrong.document["column"] as? Int == 14)
    for (target, status) in [
      ("/api/v1/tracks/999", 404), ("/api/v1/tracks/x", 404), ("/api/v1/nothing", 404), ("/api/v1/tracks?limit=0", 422),
      ("/api/v1/tracks?limit=501", 422), ("/api/v1/tracks?what=1", 422), ("/api/v1/tracks/1/pcm?count=99999999", 422),
      ("/api/v1/tracks/1/pcm?start=-1", 422), ("/api/v1/tracks/1/waveform.dat?zoom=0", 422),
      ("/api/v1/tracks/1/spectrogram?zoom=1&columns=5000", 422), ("/api/v1/tracks/99999999999999999999", 404),
      ("/api/v1", 404), ("/api/v1/", 404), ("/api/v1/tracks/", 404), ("/api/v1/tracks/1/", 404),
    ] {
      #expect(try await library.ask(target).status == status, "\(target)")
    }
    #expect(try await library.ask("/api/v1/status", "DELETE").status == 405)
  }

  @Test(arguments: [("5", true), ("\(BodyLimit.sound.byteCount + 1)", false)])
  func `who asks whether to send a body is told at once`(length: String, isWanted: Bool) async throws {
    let head = """
      POST /rest/ping HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded\r
      Content-Length: \(length)\r\nExpect: 100-continue\r\nConnection: close\r\n\r\n
      """
    let sent = Array((head + (isWanted ? "f=xml" : "")).utf8)
    let answer = String(decoding: try await library.exchange(sent), as: UTF8.self)
    #expect(answer.hasPrefix("HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200") == isWanted, "\(answer.prefix(200))")
    #expect(isWanted || answer.hasPrefix("HTTP/1.1 200") && answer.contains("code=\"0\""), "\(answer.prefix(200))")
  }

  @Test func `an address may be as long as a playlist needs, and no longer`() async throws {
    let proof = "u=ana&p=\(library.account.password)&c=t&f=json"
    for (count, status) in [(1_000, 200), (3_000, 200), (3_400, 400)] {
      let ids = String(repeating: "&x=0123456789abcdef0123456789abcdef01234", count: count)
      #expect(try await library.ask("/rest/ping?\(proof)\(ids)", as: .stranger).status == status, "\(count)")
    }
    // What is made of an address is larger than it.
    let fields = String(repeating: "&a", count: 5_000)
    let long = try await library.ask("/rest/ping?\(proof)\(fields)", as: .stranger)
    #expect(long.status == 200 && long.subsonicCode == 0, "\(long.text)")
    let problem = try await library.ask("/api/v1/tracks?x=y\(fields)")
    #expect(problem.status == 414 && problem.document["title"] as? String == "URI Too Long", "\(problem.text)")
    let form = try await library.ask(
      "/rest/ping", "POST", as: .stranger, bytes: Array((proof + String(repeating: "&a", count: 200_000)).utf8),
      type: "application/x-www-form-urlencoded")
    #expect(form.status == 200 && form.text.contains("code=\"0\" message=\"the form has more"), "\(form.text)")
  }

  @Test(arguments: [
    "/", "/app.js", "/nothing.js", "/api/v1/tracks?limit=500", "/api/v1/tracks/1", "/api/v1/nothing", "/rest/ping",
    "/rest/getOpenSubsonicExtensions", "/api/v1/tracks/1/stream?format=mp3",
  ])
  func `no field comes twice`(target: String) async throws {
    for method in ["GET", "HEAD", "PUT", "OPTIONS"] {
      for encoding in ["gzip", "identity"] {
        let fields = ["Host": "localhost", "Accept-Encoding": encoding, "Authorization": "Bearer \(library.bearer)"]
        let sent = try await library.exchange(RawRequest(method, target, fields).bytes)
        let answer = String(decoding: sent, as: UTF8.self)
        let lines = answer.prefix(upTo: try #require(answer.firstRange(of: "\r\n\r\n")).lowerBound)
          .components(separatedBy: "\r\n").dropFirst()
        let names = lines.map { $0.prefix { $0 != ":" }.lowercased() }
        #expect(names.count > 3 && Set(names).count == names.count, "\(method) \(encoding): \(names.sorted())")
      }
    }
  }

  @Test(arguments: ["/api/v1/tracks/1/stream?format=mp3", "/rest/stream?format=opus&"])
  func `HEAD of what has no length known has no body, not even a last chunk`(target: String) async throws {
    let proof = "u=ana&p=\(library.account.password)&c=t&id=\(try await song())"
    let target = target.hasSuffix("&") ? target + proof : target
    #expect(try await library.ask(target).headers["transfer-encoding"] == "chunked")
    let fields = ["Host": "localhost", "Authorization": "Bearer \(library.bearer)"]
    let head = try await library.exchange(RawRequest("HEAD", target, fields).bytes)
    #expect(head.starts(with: Data("HTTP/1.1 200".utf8)) && head.suffix(4) == Data("\r\n\r\n".utf8))
    #expect(head.ranges(of: Data("\r\n\r\n".utf8)).count == 1, "\(String(decoding: head, as: UTF8.self))")
    // The next request can be there before the answer.
    let host = ["Host": "localhost", "Authorization": "Bearer \(library.bearer)"]
    let first = RawRequest("HEAD", target, host.merging(["Connection": "keep-alive"]) { $1 })
    let both = try await library.exchange(first.bytes + RawRequest("GET", "/api/v1/query", host).bytes)
    let end = try #require(both.range(of: Data("\r\n\r\n".utf8)))
    #expect(both[end.upperBound...].starts(with: Data("HTTP/1.1 200".utf8)))
  }

  private func song() async throws -> String {
    let found = try await library.call("search3", ["query": "", "songCount": "1"]).subsonic["searchResult3"]
    let songs = (found as? [String: Any])?["song"] as? [[String: Any]]
    return try #require(songs?.first?["id"] as? String)
  }

  @Test func `a second Host is refused, and none is, too`() async throws {
    for (head, status) in [
      ("Host: localhost\r\nHost: localhost", 200), ("Host: localhost\r\nHost: evil.example", 400), ("X: y", 421),
      ("Host: [::1]:4646", 200), ("Host: 192.0.2.1", 200), ("Host: LOCALHOST.", 200), ("Host: localhost:x", 421),
      ("Host:", 421),
    ] {
      let request = "GET /api/v1/status HTTP/1.1\r\n\(head)\r\nConnection: close\r\n\r\n"
      #expect(try await library.send(Array(request.utf8)).status == status, "\(head)")
    }
  }

  @Test func `what is no HTTP is answered once, and the connection ends`() async throws {
    for text in ["nonsense\r\n\r\n", "GET\r\n\r\n", "GET / HTTP/9.9\r\n\r\n", "\u{0}\u{1}\u{2}\r\n\r\n"] {
      #expect(try await library.send(Array(text.utf8)).status == 400, "\(text)")
    }
    #expect(library.connections.count == 0)
  }

  // Faults: 94, 98
  @Test func `a library that was replaced is noticed`() async throws {
    #expect(try await library.ask("/api/v1/tracks/count").document["files"] as? Int ?? 0 > 1)
    let other = try await ScannedMusic.of("damaged/clean.mp3")
    let file = library.folder.appending("library.sqlite")
    try FileManager.default.removeItem(at: file)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: file.path + suffix) }
    try await other.copyLibrary(to: file)
    #expect(try await library.ask("/api/v1/tracks/count").document["files"] as? Int == 1)
    #expect(try await library.ask("/api/v1/tracks/1/rating", "PUT", body: "{\"rating\": 50}").status == 200)
    library.server.library.close()
    #expect(try await library.command().must(["ls", "rating:50"]).text.isEmpty == false)
  }
}
