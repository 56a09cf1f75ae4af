import Foundation
import TestSupport
import Testing

/// The built server over real sockets.
struct ServeTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("audio/Lathe & Lantern")
    try await deadwax.must(["scan", "-q", music.path])
  }

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
    try await server.stop()
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
    try await server.stop()
  }

  @Test func `a waveform from beyond the end has no points, stored or decoded`() async throws {
    let server = try await RunningServer(deadwax)
    for query in ["zoom=256", "zoom=64&points=10", "zoom=512&bits=16", "zoom=512&channels=split&points=3"] {
      let answer = try server.ask("/api/v1/tracks/1/waveform.json?\(query)&start=\(1 << 40)")
      #expect(answer.status == 200 && answer.document["length"] as? Int == 0, "\(query): \(answer)")
    }
    try await server.stop()
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
    try await server.stop()
  }

  @Test func `what was heard is merged, and the merge says so`() async throws {
    let server = try await RunningServer(deadwax)
    for second in 0..<3 {
      let play = "{\"track\": 1, \"started_at\": \"2026-01-01T00:00:0\(second)Z\", \"seconds\": 3}"
      #expect(try server.ask("/api/v1/plays", "POST", body: play).status == 201)
    }
    try await server.stop()
    var other = deadwax
    other.library = deadwax.home.appending("other.sqlite")
    try await other.must(["scan", "-q", music.path])
    #expect(try await other.must(["merge", deadwax.library.path]).text.contains("  plays           3 new"))
    let again: MergeDocument = try await other.must(["merge", "--json", deadwax.library.path]).document()
    #expect(again.libraries.first?.plays.same == 3)
    #expect(try await other.must(["ls", "plays:3"]).text.isEmpty == false)
  }

  @Test func `what will be heard is not noted, but a clock may be some hours ahead`() async throws {
    let server = try await RunningServer(deadwax)
    for (hours, status) in [(-1, 201), (20, 201), (30, 422), (24 * 366 * 8000, 422)] {
      let time = Date.now.addingTimeInterval(3600 * Double(hours)).formatted(.iso8601)
      let play = "{\"track\": 1, \"started_at\": \"\(time)\", \"seconds\": 3}"
      #expect(try server.ask("/api/v1/plays", "POST", body: play).status == status, "\(time)")
    }
    #expect(try await deadwax.must(["ls", "plays:2"]).text.isEmpty == false)
    try await server.stop()
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
    try await server.stop()
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
    try await server.stop()
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
    try await server.stop()
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
    try await server.stop()
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
    try await server.stop()
  }
}
