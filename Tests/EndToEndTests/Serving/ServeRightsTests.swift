import Foundation
import TestSupport
import Testing

/// Who may read and change a library by which options; each route is tested in process.
struct ServeRightsTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    let scanned = try await ScannedMusic.of("audio/Lathe & Lantern")
    (music, deadwax) = (scanned.music, try await scanned.library())
  }

  // Faults: 208
  @Test(arguments: [
    (arguments: [String](), isReadingFree: true), (["--private"], false), (["--name", "music.example.org"], false),
    (["--host", "0.0.0.0"], false), (["--host", "0.0.0.0", "--insecure"], true),
    (["--name", "music.example.org", "--insecure"], true),
  ])
  func `strangers get what is free, readers all that reads, and the owner everything`(
    arguments: [String], isReadingFree: Bool
  ) async throws {
    let server = try await RunningServer(deadwax, arguments)
    let login = try server.ask("/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"\(server.token)\"}")
    let cookie = String(try #require(login.headers["set-cookie"]).prefix { $0 != ";" })
    let rating = "{\"rating\": 1}"
    for (caller, headers, reads, writes) in [
      (RunningServer.Caller.stranger, [String: String](), isReadingFree, false),
      (.stranger, ["Cookie": cookie], true, false), (.owner, [:], true, true),
    ] {
      let status = try server.ask("/api/v1/status", as: caller, headers: headers).status
      let change = try server.ask("/api/v1/tracks/1/rating", "PUT", as: caller, headers: headers, body: rating).status
      #expect(status == (reads ? 200 : 401) && change == (writes ? 200 : 401), "\(caller) \(headers)")
    }
    try await server.stop()
  }

  // Faults: 231
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

    let open = ["serve", "--open", "--port", "\(server.port)"]
    let bare = try await deadwax.run(open, environment: ["PATH": "/nowhere"])
    #expect(bare.status == 0 && bare.errorText.contains("open \(address) yourself"), "\(bare)")

    // Neither without --open nor for another library, whose page that would not be.
    let plain = try await deadwax.run(["serve", "--port", "\(server.port)"], environment: environment)
    #expect(plain.status != 0)
    let other = deadwax.with(deadwax.home.appending("other.sqlite"))
    try await other.must(["scan", "-q", music.path])
    let foreign = try await other.run(["serve", "--open", "--port", "\(server.port)"], environment: environment)
    #expect(foreign.status != 0 && !foreign.text.contains("#token"))
    try await server.stop()
  }

  // Faults: 209
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
