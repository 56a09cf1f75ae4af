import Foundation
import TestSupport
import Testing

/// The built server over real sockets.
struct ServeTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.of("audio/Lathe & Lantern").library()
  }

  @Test func `what is sent over sockets is whole, in parts, in chunks and compressed`() async throws {
    let server = try await RunningServer(deadwax)
    let page = try server.ask("/", headers: ["Accept-Encoding": "gzip"])
    #expect(page.status == 200 && page.headers["content-encoding"] == "gzip" && page.body.starts(with: [0x1F, 0x8B]))
    let rows = try server.ask("/api/v1/tracks?sort=title").document["rows"] as? [[String: Any]] ?? []
    let listed = try await deadwax.must(["ls", "--sort", "title", "--fields", "title", "--format", "tsv"])
    #expect(
      rows.compactMap { $0["title"] as? String } == listed.text.split(separator: "\n").dropFirst().map(String.init))
    let file = try server.ask("/api/v1/tracks/1/file")
    #expect(file.headers["content-length"] == "\(file.body.count)" && file.body.count > 10_000)
    let part = try server.ask("/api/v1/tracks/1/file", headers: ["Range": "bytes=100-"])
    #expect(part.status == 206 && part.body == file.body[100...])
    let head = try server.ask("/api/v1/tracks/1/file", "HEAD")
    #expect(head.body.isEmpty && head.headers["content-length"] == "\(file.body.count)")
    // By workers of the server's own program.
    let stream = try server.ask("/api/v1/tracks/1/stream?format=flac")
    #expect(stream.headers["transfer-encoding"] == "chunked" && stream.body.starts(with: Data("fLaC".utf8)))
    #expect(try [400, 800].contains(server.ask("/api/v1/tracks/1/pcm?count=100&format=f32").body.count))
    let found = try server.ask("/api/v1/identify", "POST", bytes: Array(file.body), type: "audio/mpeg")
    #expect(found.status == 200 && (found.document["matches"] as? [[String: Any]])?.first?["id"] as? Int == 1)
    #expect(try server.ask("/api/v1/tracks/1/rating", "PUT", body: "{\"rating\": 50}").status == 200)
    #expect(try await deadwax.must(["ls", "id:1 rating:50"]).text.isEmpty == false)
    try await server.stop()
  }

  // Faults: 98, 135
  @Test func `changes of others are events`() async throws {
    let server = try await RunningServer(deadwax)
    let events = try RawConnection(port: server.port)
    try events.send("GET /api/v1/events HTTP/1.1\r\nHost: localhost\r\n\r\n")
    var received = String(decoding: try events.receive(), as: UTF8.self)
    // What changes before the server has looked at the library first is no change.
    let rating = Task { [deadwax] in
      var number = 0
      while !Task.isCancelled {
        number += 1
        try await deadwax.must(["rate", "\(number % 100)", "id:1", "-q"])
      }
    }
    defer { rating.cancel() }
    while !received.contains("event: library") { received += String(decoding: try events.receive(), as: UTF8.self) }
    rating.cancel()
    try await rating.value
    #expect(try server.ask("/api/v1/scan", "POST", body: "{}").status == 202)
    while !received.contains("\"running\":false") { received += String(decoding: try events.receive(), as: UTF8.self) }
    #expect(received.contains("event: scan"))
    try await server.stop()
  }
}
