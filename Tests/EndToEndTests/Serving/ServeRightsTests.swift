import Foundation
import TestSupport
import Testing

/// Who may call which route of a running server: each is called.
struct ServeRightsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("audio/Lathe & Lantern")
    try await deadwax.must(["scan", "-q", music.path])
  }

  private struct Operation {
    let method: String
    let target: String
    /// `none`, `reader` or `owner`.
    let needed: String
  }

  /// What the server says of itself.
  private func operations(of server: RunningServer) throws -> [Operation] {
    let document = try server.ask("/api/v1/openapi.json", as: .stranger).document
    let paths = try #require(document["paths"] as? [String: [String: [String: Any]]])
    return paths.flatMap { path, operations in
      operations.map { method, operation in
        let schemes = (operation["security"] as? [[String: Any]] ?? []).flatMap(\.keys)
        let needed = schemes.isEmpty ? "none" : schemes.contains("reader") ? "reader" : "owner"
        let target = path.replacing("{id}", with: "1").replacing("{name}", with: "x")
        return Operation(method: method.uppercased(), target: target, needed: needed)
      }
    }
  }

  /// The status of an answer, without waiting for the rest of it.
  private func status(
    _ operation: Operation, of server: RunningServer, headers: [String: String] = [:]
  ) throws -> Int {
    let connection = try RawConnection(port: server.port)
    var fields = ["Host": "127.0.0.1:\(server.port)", "Connection": "close"]
    if operation.method != "GET" { fields.merge(["Content-Type": "application/json", "Content-Length": "2"]) { $1 } }
    fields.merge(headers) { $1 }
    let head = fields.map { "\($0): \($1)\r\n" }.joined()
    try connection.send("\(operation.method) \(operation.target) HTTP/1.1\r\n\(head)\r\n")
    if operation.method != "GET" { try connection.send("{}") }
    let line = String(decoding: try connection.receive(upTo: 12), as: UTF8.self)
    return Int(line.suffix(3)) ?? 0
  }

  @Test(arguments: [
    (arguments: [String](), isReadingFree: true), (["--private"], false), (["--name", "music.example.org"], false),
    (["--host", "0.0.0.0"], false), (["--host", "0.0.0.0", "--insecure"], true),
    (["--name", "music.example.org", "--insecure"], true),
  ])
  func `strangers get what is free, readers all that reads, and the owner everything`(
    arguments: [String], isReadingFree: Bool
  ) async throws {
    let server = try await RunningServer(deadwax, arguments)
    let operations = try operations(of: server)
    #expect(Set(operations.map(\.needed)) == ["none", "reader", "owner"] && operations.count > 40)
    let login = try server.ask("/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"\(server.token)\"}")
    let cookie = String(try #require(login.headers["set-cookie"]).prefix { $0 != ";" })
    let before = try await deadwax.must(["status", "--json"]).text
    for operation in operations {
      let stranger = try status(operation, of: server)
      let isRefused = operation.needed == "owner" || operation.needed == "reader" && !isReadingFree
      // A login without a token is refused, too.
      if operation.target != "/api/v1/login" { #expect((stranger == 401) == isRefused, "\(operation): \(stranger)") }
      let reader = try status(operation, of: server, headers: ["Cookie": cookie])
      #expect((reader == 401) == (operation.needed == "owner" || operation.target.hasSuffix("/login") && reader == 401))
    }
    #expect(try await deadwax.must(["status", "--json"]).text == before)
    for operation in operations where operation.needed == "owner" {
      let owner = try status(operation, of: server, headers: ["Authorization": "Bearer \(server.token)"])
      #expect(owner != 401 && owner > 0, "\(operation): \(owner)")
    }
    try await server.stop()
  }

  @Test func `passwords of players count below rest alone`() async throws {
    let password = try await deadwax.must(["serve", "user", "add", "me", "--owner"]).text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let server = try await RunningServer(deadwax)
    let rating = "{\"rating\": 1}"
    let basic = Data("me:\(password)".utf8).base64EncodedString()
    for value in ["Bearer \(password)", "Basic \(basic)"] {
      let answer = try server.ask(
        "/api/v1/tracks/1/rating", "PUT", as: .stranger, headers: ["Authorization": value], body: rating)
      #expect(answer.status == 401)
    }
    // And the token is nothing there.
    let ping = try server.ask("/rest/ping?v=1.16.1&c=test&f=json")
    #expect(ping.text.contains("\"code\":10"))
    try await server.stop()
  }

  @Test func `open shows the page of the server that runs already, with the token`() async throws {
    let server = try await RunningServer(deadwax)
    let opened = deadwax.home.appending("opened")
    let programs = deadwax.home.appending("programs")
    try FileManager.default.createDirectory(at: programs, withIntermediateDirectories: true)
    let browser = programs.appending(path: "xdg-open")
    try Data("#!/bin/sh\necho \"$1\" > '\(opened.path)'\n".utf8).write(to: browser)
    try FileManager.default.setAttributes([.posixPermissions: 0o755], ofItemAtPath: browser.path)
    let environment = ["PATH": "\(programs.path):/usr/local/bin:/usr/bin:/bin"]
    let outcome = try await deadwax.run(["serve", "--open", "--port", "\(server.port)"], environment: environment)
    #expect(outcome.status == 0)
    let address = "http://127.0.0.1:\(server.port)/#token=\(server.token)"
    #expect(outcome.text.trimmingCharacters(in: .newlines) == address)
    while (try? String(contentsOf: opened, encoding: .utf8))?.isEmpty != false {
      try await Task.sleep(for: .milliseconds(20))
    }
    // The address is in a file of the user, not in the arguments, which every account can read.
    let file = try String(contentsOf: opened, encoding: .utf8).trimmingCharacters(in: .newlines)
    #expect(!file.contains(server.token))
    #expect(try String(contentsOfFile: file, encoding: .utf8).contains("url=\(address)\""))
    #expect(try FileManager.default.attributesOfItem(atPath: file)[.posixPermissions] as? Int == 0o600)

    // Neither without --open nor for another library, whose page that would not be.
    let plain = try await deadwax.run(["serve", "--port", "\(server.port)"], environment: environment)
    #expect(plain.status != 0)
    let other = deadwax.with(deadwax.home.appending("other.sqlite"))
    try await other.must(["scan", "-q", music.path])
    let foreign = try await other.run(["serve", "--open", "--port", "\(server.port)"], environment: environment)
    #expect(foreign.status != 0 && !foreign.text.contains("#token"))
    try await server.stop()
  }

  @Test func `a program that is not the server gets no token`() async throws {
    let listener = socket(AF_INET, Int32(SOCK_STREAM.rawValue) | Int32(SOCK_CLOEXEC.rawValue), 0)
    defer { close(listener) }
    var address = sockaddr_in()
    address.sin_family = sa_family_t(AF_INET)
    address.sin_addr.s_addr = inet_addr("127.0.0.1")
    var count = socklen_t(MemoryLayout<sockaddr_in>.size)
    let port = withUnsafeMutablePointer(to: &address) { pointer in
      pointer.withMemoryRebound(to: sockaddr.self, capacity: 1) { pointer -> Int in
        guard bind(listener, pointer, count) == 0, listen(listener, 5) == 0 else { return 0 }
        getsockname(listener, pointer, &count)
        return pointer.withMemoryRebound(to: sockaddr_in.self, capacity: 1) {
          Int(UInt16(bigEndian: $0.pointee.sin_port))
        }
      }
    }
    #expect(port > 0)
    let outcome = try await deadwax.run(["serve", "--open", "--port", "\(port)"], environment: ["PATH": "/nowhere"])
    #expect(outcome.status != 0 && !outcome.text.contains("token"))
  }
}
