import Foundation
import Glibc
import TestSupport
import Testing

/// The built server over real sockets.
struct ServeTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try DeadwaxCommand()
    let music = try MusicFolder("audio/Lathe & Lantern")
    try await deadwax.must(["scan", "-q", music.path])
    self.music = music
  }

  private let music: MusicFolder

  private func stop(_ server: RunningServer) async throws {
    server.command.send(SIGTERM)
    _ = try await server.command.outcome()
  }

  // MARK: - What it gives

  @Test func `the page and the API answer, and say what browsers may do with them`() async throws {
    let server = try await RunningServer(deadwax)
    let page = try server.ask("/")
    #expect(page.status == 200 && page.headers["content-type"] == "text/html; charset=utf-8")
    #expect(page.headers["content-security-policy"]?.hasPrefix("default-src 'none'") == true)
    #expect(page.headers["cross-origin-embedder-policy"] == "require-corp")
    let tracks = try server.ask("/api/v1/tracks?sort=title")
    #expect(tracks.status == 200 && tracks.headers["x-content-type-options"] == "nosniff")
    let rows = tracks.document["rows"] as? [[String: Any]] ?? []
    let listed = try await deadwax.must(["ls", "--sort", "title", "--fields", "title", "--format", "tsv"])
    #expect(
      rows.compactMap { $0["title"] as? String } == listed.text.split(separator: "\n").dropFirst().map(String.init))
    #expect(try server.ask("/api/v1/tracks/count").document["files"] as? Int == rows.count)
    try await stop(server)
  }

  @Test func `frames are bit for bit those of segment`() async throws {
    let server = try await RunningServer(deadwax)
    for (start, count) in [(0, 50_000), (12_345, 40_000), (32_768, 32_768)] {
      let target = "/api/v1/tracks/1/pcm?start=\(start)&count=\(count)"
      let frames = try server.ask("\(target)&format=f32")
      let rate = try #require(frames.headers["deadwax-sample-rate"].flatMap { Double($0) })
      let channelCount = try #require(frames.headers["deadwax-channels"].flatMap { Int($0) })
      let part = deadwax.home.appending("part.raw").path
      try await deadwax.must(["segment", "1", "-o", part, "--overwrite"])
      let whole = try Data(contentsOf: URL(filePath: part))
      let size = 4 * channelCount
      #expect(frames.body == whole.dropFirst(start * size).prefix(count * size) && rate > 0)
      let again = try server.ask("\(target)&format=f32", headers: ["If-None-Match": frames.headers["etag"] ?? ""])
      #expect(again.status == 304 && again.body.isEmpty)
      #expect(try server.ask("\(target)&format=s16").body.count == frames.body.count / 2)
      #expect(try server.ask("\(target)&format=flac").body.starts(with: Data("fLaC".utf8)))
    }
    try await stop(server)
  }

  @Test func `a waveform from beyond the end has no points, stored or decoded`() async throws {
    let server = try await RunningServer(deadwax)
    for query in ["zoom=256", "zoom=64&points=10", "zoom=512&bits=16", "zoom=512&channels=split&points=3"] {
      let answer = try server.ask("/api/v1/tracks/1/waveform.json?\(query)&start=\(1 << 40)")
      #expect(answer.status == 200 && answer.document["length"] as? Int == 0, "\(query): \(answer)")
    }
    try await stop(server)
  }

  @Test func `a part to save is what segment writes`() async throws {
    let server = try await RunningServer(deadwax)
    for format in ["wav", "flac"] {
      let part = try server.ask("/api/v1/tracks/1/sound?start=0.5&end=1.25&format=\(format)")
      let file = deadwax.home.appending("part.\(format)").path
      try await deadwax.must(["segment", "1", "--start", "0.5", "--end", "1.25", "-o", file])
      let expected = try Data(contentsOf: URL(filePath: file))
      // What is streamed cannot state the sizes of its frames and the sum of its samples at the start.
      let start = format == "flac" ? 42 : 0
      #expect(part.status == 200 && part.body.count == expected.count)
      #expect(part.body.dropFirst(start) == expected.dropFirst(start))
      #expect(part.headers["content-disposition"]?.hasPrefix("attachment; filename*=") == true)
    }
    try await stop(server)
  }

  @Test func `what was heard is merged, and the merge says so`() async throws {
    let server = try await RunningServer(deadwax)
    for second in 0..<3 {
      let play = "{\"track\": 1, \"started_at\": \"2026-01-01T00:00:0\(second)Z\", \"seconds\": 3}"
      #expect(try server.ask("/api/v1/plays", "POST", body: play).status == 201)
    }
    try await stop(server)
    var other = deadwax
    other.library = deadwax.home.appending("other.sqlite")
    try await other.must(["scan", "-q", music.path])
    #expect(try await other.must(["merge", deadwax.library.path]).text.contains("  plays           3 new"))
    let again: MergeDocument = try await other.must(["merge", "--json", deadwax.library.path]).document()
    #expect(again.libraries.first?.plays.same == 3)
    #expect(try await other.must(["ls", "plays:3"]).text.isEmpty == false)
  }

  @Test func `a file comes whole or in parts`() async throws {
    let server = try await RunningServer(deadwax)
    let whole = try server.ask("/api/v1/tracks/1/file")
    #expect(whole.status == 200 && whole.headers["accept-ranges"] == "bytes" && whole.body.count > 10_000)
    let count = whole.body.count
    let ranges = [
      ("bytes=0-99", 0..<100), ("bytes=-100", count - 100..<count), ("bytes=\(count - 1)-", count - 1..<count),
    ]
    for (header, range) in ranges {
      let part = try server.ask("/api/v1/tracks/1/file", headers: ["Range": header])
      #expect(part.status == 206 && part.body == whole.body[range])
      #expect(part.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
    }
    let beyond = try server.ask("/api/v1/tracks/1/file", headers: ["Range": "bytes=\(count)-"])
    #expect(beyond.status == 416 && beyond.headers["content-range"] == "bytes */\(count)")
    let head = try server.ask("/api/v1/tracks/1/file", "HEAD")
    #expect(head.body.isEmpty && head.headers["content-length"] == "\(count)")
    try await stop(server)
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
    let server = try await RunningServer(deadwax)
    #expect(try server.ask("/api/v1/tracks/\(link[0])/file").body == Data(contentsOf: linked))
    let before = try server.ask("/api/v1/tracks/\(other[0])/file")
    #expect(before.status == 200)

    for target in [secret, URL(filePath: "/etc/passwd"), linked] {
      try FileManager.default.removeItem(atPath: other[1])
      try FileManager.default.createSymbolicLink(at: URL(filePath: other[1]), withDestinationURL: target)
      let answer = try server.ask("/api/v1/tracks/\(other[0])/file")
      #expect(answer.status == 404 && !answer.body.starts(with: Data("secret".utf8)), "\(target)")
    }
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
    try await stop(server)
  }

  @Test func `errors are problem details, with the place in a query`() async throws {
    let server = try await RunningServer(deadwax)
    let wrong = try server.ask("/api/v1/tracks?q=title:a%20lufs:x")
    #expect(wrong.status == 400 && wrong.headers["content-type"] == "application/problem+json")
    #expect(wrong.document["column"] as? Int == 14)
    for (target, status) in [
      ("/api/v1/tracks/999", 404), ("/api/v1/tracks/x", 404), ("/api/v1/nothing", 404), ("/api/v1/tracks?limit=0", 422),
      ("/api/v1/tracks?limit=501", 422), ("/api/v1/tracks?what=1", 422), ("/api/v1/tracks/1/pcm?count=99999999", 422),
      ("/api/v1/tracks/1/pcm?start=-1", 422), ("/api/v1/tracks/1/waveform.dat?zoom=0", 422),
      ("/api/v1/tracks/1/spectrogram?zoom=1&columns=5000", 422), ("/api/v1/tracks/99999999999999999999", 404),
    ] {
      #expect(try server.ask(target).status == status)
    }
    #expect(try server.ask("/api/v1/status", "DELETE").status == 405)
    try await stop(server)
  }

  @Test func `presets are stored, assigned and taken back as by the command`() async throws {
    let server = try await RunningServer(deadwax)
    let warm = """
      {"schema":1,"name":"Warm","gain_db":-4,"bands":[{"type":"parametric","frequency_hz":220,"gain_db":4,"q":0.9}]}
      """
    #expect(try server.ask("/api/v1/presets/Warm", "PUT", body: warm).status == 200)
    #expect(try await deadwax.must(["preset", "show", "Warm"]).text.contains("220"))
    for (target, body, status) in [
      ("/api/v1/presets/Cold", warm, 422), ("/api/v1/presets/Bass", warm.replacing("Warm", with: "Bass"), 409),
      ("/api/v1/presets/Warm", "{\"schema\":1,\"name\":\"Warm\",\"loud\":1}", 422),
      ("/api/v1/tracks/1/preset", "{\"scope\":\"part\",\"preset\":\"Warm\"}", 422),
      ("/api/v1/tracks/1/preset", "{\"scope\":\"track\",\"preset\":\"Nothing\"}", 404),
      ("/api/v1/tracks/999/preset", "{\"scope\":\"track\",\"preset\":\"Warm\"}", 404),
    ] {
      #expect(try server.ask(target, "PUT", body: body).status == status, "\(target) \(body)")
    }
    let assigned = try server.ask("/api/v1/tracks/1/preset", "PUT", body: "{\"scope\":\"track\",\"preset\":\"Warm\"}")
    #expect(assigned.status == 200 && assigned.document["from"] as? String == "track")
    #expect(try await deadwax.must(["ls", "id:1 preset:warm"]).text.isEmpty == false)
    #expect(try server.ask("/api/v1/presets/Warm", "DELETE").status == 409)
    #expect(try server.ask("/api/v1/undo", "POST", body: "{}").status == 200)
    #expect(try server.ask("/api/v1/tracks/1/preset").document["from"] is NSNull)
    #expect(try server.ask("/api/v1/presets/Warm", "DELETE").status == 204)
    let file = "{\"name\": \"x.txt\", \"text\": \"Preamp: -3 dB\\nFilter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\\n\"}"
    let read = try server.ask("/api/v1/presets/read", "POST", body: file)
    let documents = try #require(read.document["presets"] as? [[String: Any]])
    #expect(documents.first?["gain_db"] as? Double == -3)
    try await stop(server)
  }

  // MARK: - What it refuses

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
    try await stop(server)
  }

  @Test func `a page of others gets no permission, whatever it asks to do`() async throws {
    let server = try await RunningServer(deadwax)
    for target in ["/api/v1/tracks/1/rating", "/api/v1/status", "/"] {
      let answer = try server.ask(
        target, "OPTIONS", headers: ["Origin": "http://evil.example", "Access-Control-Request-Method": "PUT"])
      #expect(answer.status >= 400 && !answer.headers.keys.contains { $0.hasPrefix("access-control-") }, "\(answer)")
    }
    try await stop(server)
  }

  @Test func `a port that is taken is named in one line`() async throws {
    let server = try await RunningServer(deadwax)
    let other = try await deadwax.run(["serve", "--port", "\(server.port)"])
    #expect(other.status == 1 && other.errorText.contains("\(server.port)"), "\(other)")
    #expect(other.errorText.split(separator: "\n").count == 1, "\(other)")
    try await stop(server)
  }

  @Test func `beyond this computer a token is needed, which is kept from others`() async throws {
    let server = try await RunningServer(deadwax, ["--host", "0.0.0.0"])
    let token = try #require(server.address.split(separator: "=").last.map(String.init))
    #expect(try server.ask("/api/v1/status").status == 401)
    #expect(try server.ask("/").status == 200)
    #expect(try server.ask("/api/v1/login", "POST", body: "{\"token\": \"guess\"}").status == 401)
    let login = try server.ask("/api/v1/login", "POST", body: "{\"token\": \"\(token)\"}")
    let cookie = try #require(login.headers["set-cookie"])
    #expect(login.status == 204 && cookie.contains("HttpOnly") && cookie.contains("SameSite=Strict"))
    let pair = String(cookie.prefix { $0 != ";" })
    #expect(try server.ask("/api/v1/status", headers: ["Cookie": pair]).status == 200)
    let file = deadwax.home.appending(".local/state/deadwax/serve-token")
    let attributes = try FileManager.default.attributesOfItem(atPath: file.path)
    #expect(attributes[.posixPermissions] as? Int == 0o600)
    try await stop(server)
  }

  // MARK: - What it survives

  @Test func `what was acknowledged is there after a kill`() async throws {
    let server = try await RunningServer(deadwax)
    let count = try #require(server.ask("/api/v1/tracks/count").document["files"] as? Int)
    var acknowledged: [Int: Int] = [:]
    var playCount = 0
    for round in 0..<6 {
      let id = 1 + round % count
      let answer = try server.ask("/api/v1/tracks/\(id)/rating", "PUT", body: "{\"rating\": \(10 + round)}")
      if answer.status == 200 { acknowledged[id] = 10 + round }
      let play = "{\"track\": 1, \"started_at\": \"2026-01-01T00:00:0\(round)Z\", \"seconds\": 3, \"finished\": true}"
      if try server.ask("/api/v1/plays", "POST", body: play).status == 201 { playCount += 1 }
      // Sent again, as by a client that got no answer.
      _ = try server.ask("/api/v1/plays", "POST", body: play)
    }
    server.command.send(SIGKILL)
    _ = try await server.command.outcome()
    #expect(acknowledged.count == min(6, count) && playCount == 6)
    for (id, rating) in acknowledged {
      #expect(try await deadwax.must(["ls", "id:\(id) rating:\(rating)"]).text.isEmpty == false)
    }
    #expect(try await deadwax.must(["ls", "id:1 plays:6"]).text.isEmpty == false)
    #expect(try await deadwax.must(["ls", "plays:0"]).text.isEmpty == (count == 1))
  }

  @Test func `it ends soon, whatever is open`() async throws {
    let server = try await RunningServer(deadwax)
    let events = try RawConnection(port: server.port)
    try events.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = try events.receive()
    let download = try RawConnection(port: server.port)
    try download.send("GET /api/v1/tracks/1/file HTTP/1.1\r\nHost: localhost\r\n\r\n")
    _ = try download.receive(upTo: 1)
    let half = try RawConnection(port: server.port)
    try half.send("POST /api/v1/plays HTTP/1.1\r\nHost: localhost\r\nContent-Length: 100\r\n\r\n{")
    let clock = ContinuousClock()
    let asked = clock.now
    server.command.send(SIGINT)
    #expect(try await server.command.outcome().status == 130)
    #expect(await asked.duration(to: server.command.endInstant) < .seconds(5))
    withExtendedLifetime((events, download, half)) {}
  }

  @Test func `what a query means by a time from now is not remembered`() async throws {
    let server = try await RunningServer(deadwax)
    let all = try server.ask("/api/v1/tracks/count").document["files"] as? Int
    // What was added more than four seconds ago.
    let query = "q=added:..-0.0011h"
    var count: Int?
    repeat {
      count = try server.ask("/api/v1/tracks/count?\(query)").document["files"] as? Int
      _ = try server.ask("/api/v1/tracks/jumps?sort=title&\(query)")
      try await Task.sleep(for: .milliseconds(200))
    } while count == 0
    #expect(count == all)
    let page = try server.ask("/api/v1/tracks?from=1001&limit=1&\(query)")
    #expect(page.document["total"] as? Int == all)
    try await stop(server)
  }

  @Test func `a library that was replaced is noticed`() async throws {
    let server = try await RunningServer(deadwax)
    #expect(try server.ask("/api/v1/tracks/count").document["files"] as? Int ?? 0 > 0)
    let other = try DeadwaxCommand()
    let folder = try MusicFolder("damaged/clean.mp3")
    try await other.must(["scan", "-q", folder.path])
    try FileManager.default.removeItem(at: deadwax.library)
    for suffix in ["-wal", "-shm"] { try? FileManager.default.removeItem(atPath: deadwax.library.path + suffix) }
    try FileManager.default.copyItem(at: other.library, to: deadwax.library)
    #expect(try server.ask("/api/v1/tracks/count").document["files"] as? Int == 1)
    #expect(try server.ask("/api/v1/tracks/1/rating", "PUT", body: "{\"rating\": 50}").status == 200)
    try await stop(server)
    #expect(try await deadwax.must(["ls", "rating:50"]).text.isEmpty == false)
    withExtendedLifetime(folder) {}
  }

  @Test func `clients that leave in the middle leave no worker busy`() async throws {
    let server = try await RunningServer(deadwax)
    for index in 0..<20 {
      let connection = try RawConnection(port: server.port)
      try connection.send(
        "GET /api/v1/tracks/\(1 + index % 2)/pcm?start=\(index * 1000)&count=60000&format=f32 HTTP/1.1\r\nHost: localhost\r\n\r\n"
      )
      _ = try connection.receive(upTo: 1)
    }
    #expect(try server.ask("/api/v1/tracks/1/pcm?count=10&format=f32").status == 200)
    #expect(server.command.workers.count <= max(2, ProcessInfo.processInfo.activeProcessorCount))
    try await stop(server)
  }

  @Test func `1,000 idle connections keep nobody waiting`() async throws {
    var limit = rlimit()
    getrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    limit.rlim_cur = limit.rlim_max
    setrlimit(__rlimit_resource_t(RLIMIT_NOFILE.rawValue), &limit)
    let server = try await RunningServer(deadwax)
    let idle = try (0..<1000).map { _ in try RawConnection(port: server.port) }
    #expect(try server.ask("/api/v1/status").status == 200)
    #expect(ProcessTable.descriptorCount(of: server.command.processID) > 1000)
    withExtendedLifetime(idle) {}
    try await stop(server)
  }

  @Test func `changes of others are events`() async throws {
    let server = try await RunningServer(deadwax)
    let events = try RawConnection(port: server.port)
    try events.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    var received = String(decoding: try events.receive(), as: UTF8.self)
    // The server first has to know the state before the change.
    try await Task.sleep(for: .seconds(1.5))
    try await deadwax.must(["rate", "80", "id:1", "-q"])
    while !received.contains("event: library") { received += String(decoding: try events.receive(), as: UTF8.self) }
    #expect(try server.ask("/api/v1/scan", "POST", body: "{}").status == 202)
    while !received.contains("\"running\":false") { received += String(decoding: try events.receive(), as: UTF8.self) }
    #expect(received.contains("event: scan"))
    try await stop(server)
  }
}
