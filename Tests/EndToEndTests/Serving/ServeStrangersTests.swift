import Foundation
import TestSupport
import Testing

/// What the built server refuses, and to whom.
struct ServeStrangersTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("audio/Lathe & Lantern")
    try await deadwax.must(["scan", "-q", music.path])
  }

  @Test func `foreign names, other sites and paths that climb are refused`() async throws {
    let server = try await RunningServer(deadwax)
    #expect(try server.ask("/api/v1/status", headers: ["Host": "evil.example:\(server.port)"]).status == 421)
    #expect(try server.ask("/", headers: ["Host": "evil.example"]).status == 421)
    #expect(try server.ask("/api/v1/status", headers: ["Sec-Fetch-Site": "cross-site"]).status == 403)
    let rating = "{\"rating\": 1}"
    let foreign = try server.ask(
      "/api/v1/tracks/1/rating", "PUT", headers: ["Origin": "http://evil.example"], body: rating)
    #expect(foreign.status == 403)
    let form = try server.ask("/api/v1/tracks/1/rating", "PUT", headers: ["Content-Type": "text/plain"], body: rating)
    #expect(form.status == 415)
    for target in [
      "/../../../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "//etc/passwd",
      "/api/v1/tracks/..%2f..%2fetc%2fpasswd", "/api/v1/../../etc/passwd", "/%00", "/%", "*",
    ] {
      let answer = try server.ask(target)
      #expect(!answer.text.contains("root:"))
      #expect(answer.status != 500)
    }
    #expect(try server.ask("/api/v1/status").status == 200)
    #expect(try await deadwax.must(["ls", "rating:>=0"]).text.isEmpty)
    try await server.stop()
  }

  @Test func `a page of others gets no permission, whatever it asks to do`() async throws {
    let server = try await RunningServer(deadwax)
    for target in ["/api/v1/tracks/1/rating", "/api/v1/status", "/"] {
      let answer = try server.ask(
        target, "OPTIONS", headers: ["Origin": "http://evil.example", "Access-Control-Request-Method": "PUT"])
      #expect(answer.status >= 400 && !answer.headers.keys.contains { $0.hasPrefix("access-control-") }, "\(answer)")
    }
    try await server.stop()
  }

  @Test func `beyond this computer a token is needed, which is kept from others`() async throws {
    let server = try await RunningServer(deadwax, ["--host", "0.0.0.0"])
    let token = try #require(server.address.split(separator: "=").last.map(String.init))
    #expect(try server.ask("/api/v1/status", as: .stranger).status == 401)
    #expect(try server.ask("/", as: .stranger).status == 200)
    #expect(try server.ask("/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"guess\"}").status == 401)
    let login = try server.ask("/api/v1/login", "POST", as: .stranger, body: "{\"token\": \"\(token)\"}")
    let cookie = try #require(login.headers["set-cookie"])
    #expect(login.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(try server.ask("/api/v1/status", as: .stranger, headers: ["Cookie": pair]).status == 200)
    // The cookie goes to other ports, too, so it changes nothing.
    #expect(!pair.contains(token))
    let rating = "{\"rating\": 1}"
    let change = try server.ask(
      "/api/v1/tracks/1/rating", "PUT", as: .stranger, headers: ["Cookie": pair], body: rating)
    #expect(change.status == 401 && change.headers["www-authenticate"]?.hasPrefix("Bearer") == true)
    #expect(try server.ask("/api/v1/tracks/1/rating", "PUT", body: rating).status == 200)
    let file = deadwax.home.appending(".local/state/deadwax/serve-token")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try await server.stop()
  }

  @Test func `a link that came later in the place of a file leads to nothing outside`() async throws {
    let secret = deadwax.home.appending("secret.txt")
    try Data("secret".utf8).write(to: secret)
    // What was a link to a sound when it was scanned is sent as before.
    let linked = deadwax.home.appending("elsewhere.flac")
    try FileManager.default.copyItem(at: Corpora.fixtures.appending(path: "damaged/length-unknown.flac"), to: linked)
    try FileManager.default.createSymbolicLink(at: music.file("linked.flac"), withDestinationURL: linked)
    try await deadwax.must(["scan", "-q", "--follow-links", music.path])
    let rows = try await deadwax.must(["ls", "--fields", "id,path", "--format", "tsv"]).text.split(separator: "\n")
    let ids = rows.dropFirst().map { $0.split(separator: "\t", maxSplits: 1).map(String.init) }
    let other = try #require(ids.first { !$0[1].hasSuffix("linked.flac") })
    let link = try #require(ids.first { $0[1].hasSuffix("linked.flac") })
    let password = try await deadwax.must(["serve", "user", "add", "ana"]).text
      .trimmingCharacters(in: .whitespacesAndNewlines)
    let server = try await RunningServer(deadwax)
    #expect(try server.ask("/api/v1/tracks/\(link[0])/file").body == Data(contentsOf: linked))
    let before = try server.ask("/api/v1/tracks/\(other[0])/file")
    #expect(before.status == 200)

    // Size and time are the file owner's to choose.
    let forged = deadwax.home.appending("forged.flac")
    try (Data("secret".utf8) + Data(count: before.body.count - 6)).write(to: forged)
    try copyTimes(of: other[1], to: forged.path)
    for target in [secret, URL(filePath: "/etc/passwd"), linked, forged] {
      try FileManager.default.removeItem(atPath: other[1])
      try FileManager.default.createSymbolicLink(at: URL(filePath: other[1]), withDestinationURL: target)
      let answer = try server.ask("/api/v1/tracks/\(other[0])/file")
      #expect(answer.status == 404 && !answer.body.starts(with: Data("secret".utf8)), "\(target)")
    }
    // The same through a link in the place of the folder.
    let folder = URL(filePath: other[1]).deletingLastPathComponent()
    let elsewhere = deadwax.home.appending("elsewhere")
    try FileManager.default.createDirectory(at: elsewhere, withIntermediateDirectories: true)
    try FileManager.default.copyItem(
      at: forged, to: elsewhere.appending(path: URL(filePath: other[1]).lastPathComponent))
    let aside = deadwax.home.appending("aside")
    try FileManager.default.moveItem(at: folder, to: aside)
    try FileManager.default.createSymbolicLink(at: folder, withDestinationURL: elsewhere)
    #expect(try server.ask("/api/v1/tracks/\(other[0])/file").status == 404)
    let stem = URL(filePath: other[1]).deletingPathExtension().lastPathComponent
    try Data("[00:01]secret words".utf8).write(to: elsewhere.appending(path: "\(stem).lrc"))
    let songs = try server.ask(
      "/rest/search3?u=ana&p=\(password)&v=1.16.1&c=t&f=json&query=&songCount=500&artistCount=0&albumCount=0")
    let response = songs.document["subsonic-response"] as? [String: Any]
    let listed = (response?["searchResult3"] as? [String: Any])?["song"]
    let keys = (listed as? [[String: Any]] ?? []).compactMap { $0["id"] as? String }
    #expect(!keys.isEmpty)
    for key in keys {
      let lyrics = try server.ask("/rest/getLyricsBySongId?u=ana&p=\(password)&v=1.16.1&c=t&f=json&id=\(key)")
      #expect(lyrics.text.contains("lyricsList") && !lyrics.text.contains("secret words"))
    }
    try FileManager.default.removeItem(at: folder)
    try FileManager.default.moveItem(at: aside, to: folder)
    // A file of the folder that holds something else is not the track.
    try FileManager.default.removeItem(atPath: other[1])
    try Data("secret".utf8).write(to: URL(filePath: other[1]))
    #expect(try server.ask("/api/v1/tracks/\(other[0])/file").status != 200)
    // A file that was written to since the scan is still one of the folder.
    try FileManager.default.removeItem(atPath: other[1])
    try (before.body + Data([0])).write(to: URL(filePath: other[1]))
    #expect(try server.ask("/api/v1/tracks/\(other[0])/file").body.count == before.body.count + 1)
    // And a library may name any file.
    if Tool.exist("sqlite3") {
      try Tool.run(
        "sqlite3", deadwax.library.path,
        "UPDATE file SET path = CAST('../secret.txt' AS BLOB) WHERE audio_id = \(other[0])")
      #expect(try server.ask("/api/v1/tracks/\(other[0])/file").status == 404)
    }
    try await server.stop()
  }

  private func copyTimes(of path: String, to other: String) throws {
    var status = stat()
    try #require(stat(path, &status) == 0)
    let times = [status.st_atim, status.st_mtim]
    try #require(utimensat(AT_FDCWD, other, times, 0) == 0)
  }
}
