import Foundation
import FoundationXML
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import OpenSubsonic

/// What holds for every method of OpenSubsonic: who may call it, what it refuses and how, and the forms of its answers.
struct EveryMethodTests {
  private static let rows = MethodCase.all
  /// Those whose call in the table changes nothing.
  private static let readingRows = rows.filter { $0.right == nil || $0.right == .listen || $0.name == "getUsers" }
  private static let documentRows = readingRows.filter { $0.type == nil && $0.name != "getAvatar" }

  @Test func `every method has a row`() throws {
    let methods = try ServedLibrary.methods
    #expect(Self.rows.map(\.name).sorted() == methods.keys.sorted())
  }

  private func expectError(
    _ answer: HTTPAnswer, _ code: Int, _ what: String, sourceLocation: SourceLocation = #_sourceLocation
  ) {
    #expect(answer.status == 200, "\(what): \(answer.text)", sourceLocation: sourceLocation)
    #expect(answer.headers["content-type"] == "application/json", "\(what)", sourceLocation: sourceLocation)
    #expect(answer.subsonic["status"] as? String == "failed", "\(what)", sourceLocation: sourceLocation)
    #expect(answer.subsonicCode == code, "\(what): \(answer.text)", sourceLocation: sourceLocation)
    let message = (answer.subsonic["error"] as? [String: Any])?["message"] as? String ?? ""
    #expect(!message.isEmpty && !message.contains("deadwax-test-"), "\(what)", sourceLocation: sourceLocation)
  }

  // MARK: - Answers

  @Test(arguments: rows)
  func `its answer has the envelope and its member`(row: MethodCase) async throws {
    let isReading = Self.readingRows.contains { $0.name == row.name }
    let library = try await (isReading ? MethodLibrary.shared.value : MethodLibrary())
    let answer = try await library.call(row)
    #expect(answer.status == 200)
    #expect(answer.headers["access-control-allow-origin"] == "*")
    #expect(answer.headers["cross-origin-resource-policy"] == "cross-origin")
    #expect(answer.headers["set-cookie"] == nil && answer.headers["x-content-type-options"] == "nosniff")
    if row.name == "getAvatar" { return expectError(answer, 70, "") }
    if let type = row.type {
      #expect(answer.headers["content-type"] == type && !answer.body.isEmpty)
      return
    }
    #expect(answer.headers["content-type"] == "application/json" && answer.headers["cache-control"] == "no-store")
    let envelope = ["openSubsonic", "serverVersion", "status", "type", "version"]
    #expect(answer.subsonic.keys.sorted() == (envelope + [row.key].compactMap(\.self)).sorted(), "\(answer.text)")
    #expect(answer.subsonic["status"] as? String == "ok" && answer.subsonic["version"] as? String == "1.16.1")
    #expect(answer.subsonic["openSubsonic"] as? Bool == true && answer.subsonic["type"] as? String == "deadwax")
    while library.served.server.scans.progress != nil { try await Task.sleep(for: .milliseconds(10)) }
  }

  @Test(arguments: documentRows)
  func `it answers in every form, by an address or a form, and under its older name`(row: MethodCase) async throws {
    let library = try await MethodLibrary.shared.value
    for form in ["xml", "", "XML", "yaml"] {
      let xml = try await library.call(row, with: ["f": form])
      #expect(xml.headers["content-type"] == "text/xml; charset=utf-8")
      let start = "<subsonic-response xmlns=\"http://subsonic.org/restapi\" status=\"ok\" version=\"1.16.1\""
      #expect(xml.text.contains(start))
      let root = try #require(try XMLDocument(data: xml.body).rootElement())
      #expect(root.name == "subsonic-response" && root.children?.allSatisfy { $0.name == row.key } ?? (row.key == nil))
    }
    let padded = try await library.call(row, with: ["f": "jsonp", "callback": "app.take"])
    #expect(padded.headers["content-type"] == "text/javascript; charset=utf-8")
    #expect(padded.text.hasPrefix("app.take({\"subsonic-response\":") && padded.text.hasSuffix("});"))
    for callback in ["alert(1)//", "", String(repeating: "a", count: 101)] {
      let plain = try await library.call(row, with: ["f": "jsonp", "callback": callback])
      #expect(plain.headers["content-type"] == "application/json" && plain.subsonic["status"] as? String == "ok")
    }
    let account = library.served.account
    let fields =
      row.parameters.map { ($0.key, library.filled($0.value)) } + [
        ("u", account.user), ("p", account.password), ("c", "tests"), ("f", "json"),
      ]
    let text = fields.map { "\($0.0)=\(ServedLibrary.encoded($0.1))" }.joined(separator: "&")
    let sent = try await library.served.ask(
      "/rest/\(row.name).view", "POST", as: .stranger, bytes: Array(text.utf8),
      type: "application/x-www-form-urlencoded")
    #expect(sent.subsonic.keys.sorted() == (try await library.call(row)).subsonic.keys.sorted(), "\(sent.text)")
  }

  @Test(arguments: rows.filter { $0.type != nil })
  func `bytes have a head, parts and a tag`(row: MethodCase) async throws {
    let library = try await MethodLibrary.shared.value
    let whole = try await library.call(row)
    let head = try await library.call(row, "HEAD")
    #expect(head.status == 200 && head.body.isEmpty && head.headers["content-length"] == "\(whole.body.count)")
    let tag = try #require(whole.headers["etag"])
    let known = try await library.call(row, headers: ["If-None-Match": tag])
    #expect(known.status == 304 && known.body.isEmpty)
    guard row.name != "getCoverArt" else { return }
    let part = try await library.call(row, headers: ["Range": "bytes=10-19"])
    #expect(part.status == 206 && part.body == whole.body[10..<20])
    #expect(part.headers["content-range"] == "bytes 10-19/\(whole.body.count)")
    #expect(try await library.call(row, headers: ["Range": "bytes=\(whole.body.count)-"]).status == 416)
  }

  // MARK: - Rights

  // Faults: 208
  @Test(arguments: rows)
  func `it needs a password with its right`(row: MethodCase) async throws {
    let library = try await MethodLibrary.shared.value
    let before = try library.served.revision()
    for (name, changed, code) in [
      ("nobody", ["u": nil, "p": nil], 10), ("no password", ["p": nil], 10), ("a wrong one", ["p": "wrong"], 40),
      ("a user who is not there", ["u": "nobody"], 40), ("a wrong key", ["u": nil, "p": nil, "apiKey": "wrong"], 44),
      ("two proofs", ["apiKey": "wrong"], 43),
    ] as [(String, [String: String?], Int)] {
      let answer = try await library.call(row, with: changed)
      // Guesses are slowed down, never let in.
      library.served.server.subsonic.logins.forget(LoginRateLimiter.Key(address: .loopback, user: "ana"))
      library.served.server.subsonic.logins.forget(LoginRateLimiter.Key(address: .loopback, user: "nobody"))
      library.served.server.subsonic.logins.forget(LoginRateLimiter.Key(address: .loopback, user: ""))
      if row.right == nil {
        #expect(answer.subsonic["status"] as? String == "ok", "\(name)")
      } else {
        expectError(answer, code, name)
      }
    }
    #expect(try library.served.revision() == before)
    guard let right = row.right else { return }
    let own = try await MethodLibrary()
    for held in AccountRight.allCases where !held.includes(right) {
      let account = try own.served.password("somebody \(held)", held, mayUseJukebox: true)
      expectError(try await own.call(row, by: account), 50, "\(held)")
    }
    for held in AccountRight.allCases where held.includes(right) {
      let account = try own.served.password("somebody else \(held)", held, mayUseJukebox: true)
      let answer = try await own.call(row, by: account)
      #expect(![10, 40, 50].contains(answer.subsonicCode), "\(held): \(answer.text)")
      while own.served.server.scans.progress != nil { try await Task.sleep(for: .milliseconds(10)) }
    }
  }

  @Test(arguments: rows.compactMap { row in row.right.map { (row, $0) } })
  func `the documentation says who may call it`(row: MethodCase, right: AccountRight) throws {
    let text = try String(contentsOf: Corpora.projectRoot.appending(path: "docs/api.md"), encoding: .utf8)
    let line = try #require(text.split(separator: "\n").first { $0.hasPrefix("| `") && $0.contains("`\(row.name)`") })
    switch right {
    case .listen: #expect(line.hasSuffix("| yes | yes | no |"))
    case .rate: #expect(line.hasSuffix("| yes | with `--right rate` or `manage` | no |"))
    case .manage: #expect(line.hasSuffix("| yes | with `--right manage` | no |"))
    }
  }

  @Test(arguments: rows)
  func `other methods of HTTP are refused, and other sites may ask`(row: MethodCase) async throws {
    let library = try await MethodLibrary.shared.value
    for verb in ["PUT", "PATCH", "DELETE", "TRACE"] {
      let answer = try await library.call(row, verb)
      #expect(answer.status == 200 && answer.subsonicCode == 0, "\(verb)")
      #expect(answer.headers["allow"] == "GET, POST, OPTIONS" && answer.headers["access-control-allow-origin"] == "*")
    }
    let asked = try await library.call(
      row, "OPTIONS", headers: ["Origin": "https://player.example", "Access-Control-Request-Method": "POST"])
    #expect(asked.status == 204 && asked.body.isEmpty && asked.headers["access-control-allow-origin"] == "*")
    #expect(asked.headers["access-control-allow-methods"] == "GET, POST")
  }

  // MARK: - Refusals

  @Test(arguments: rows.filter { !$0.required.isEmpty })
  func `without a parameter that it needs it fails, and names it`(row: MethodCase) async throws {
    let library = try await MethodLibrary.shared.value
    for name in row.required {
      for value in [String?.none, ""] {
        let answer = try await library.call(row, with: [name: value])
        expectError(answer, 10, name)
        #expect(answer.text.contains(name), "\(answer.text)")
      }
    }
  }

  @Test(arguments: rows.filter { !$0.wrong.isEmpty })
  func `a value that means nothing is refused, and changes nothing`(row: MethodCase) async throws {
    let library = try await MethodLibrary.shared.value
    let before = try library.served.revision()
    for (name, value, code) in row.wrong {
      expectError(try await library.call(row, with: [name: value]), code, "\(name)=\(value)")
    }
    #expect(try library.served.revision() == before)
  }

  @Test(arguments: rows)
  func `a client of another version is told so`(row: MethodCase) async throws {
    let library = try await MethodLibrary.shared.value
    expectError(try await library.call(row, with: ["v": "0.9.0"]), 20, "0.9.0")
    expectError(try await library.call(row, with: ["v": "2.0.0"]), 30, "2.0.0")
  }

  @Test func `what is no method is an error of the protocol`() async throws {
    let library = try await MethodLibrary.shared.value
    for name in ["", "nothing", "Ping", "ping.php", "ping/ping", "..%2fping", String(repeating: "a", count: 2_000)] {
      let answer = try await library.served.call(name)
      #expect(answer.status == 200 && answer.subsonicCode == 0, "\(name): \(answer.text)")
      #expect(answer.body.count < 400)
    }
    #expect(try await library.served.ask("/rest", as: .stranger).status == 200)
    let page = try await library.served.ask("/restaurant", as: .stranger)
    #expect(page.headers["content-type"]?.hasPrefix("text/html") == true)
  }
}
