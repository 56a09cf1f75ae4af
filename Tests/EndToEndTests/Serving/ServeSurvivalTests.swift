import Foundation
import Glibc
import TestSupport
import Testing

/// The built server when it is killed, left or crowded.
struct ServeSurvivalTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.of("audio/Lathe & Lantern").library()
  }

  // Faults: 134
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

  // Faults: 134
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
    #expect(await asked.duration(to: server.command.endInstant) < .seconds(50))
    withExtendedLifetime((events, download, half)) {}
  }

  // Faults: 128
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
    try await server.stop()
  }

  // Faults: 126
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
    try await server.stop()
  }

  // Faults: 133
  @Test func `a port that is taken is named in one line`() async throws {
    let server = try await RunningServer(deadwax)
    let other = try await deadwax.run(["serve", "--port", "\(server.port)"])
    #expect(other.status == 1 && other.errorText.contains("\(server.port)"), "\(other)")
    #expect(other.errorText.split(separator: "\n").count == 1, "\(other)")
    try await server.stop()
  }
}
