import Foundation
import TestSupport
import Testing

/// Tracks as they sound through their presets, from the built server.
struct StreamTests {
  private let deadwax: DeadwaxCommand

  init() async throws {
    deadwax = try await ScannedMusic.of("damaged/clean.mp3").library()
  }

  /// If no place is given back, the loop has no end.
  @Test(.timeLimit(.minutes(5)))
  func `more listeners than allowed are asked to come later, and one that leaves makes room`() async throws {
    let silence = try MusicFolder()
    try silence.addSilence(seconds: 60, as: "silence.wav")
    try await deadwax.must(["scan", "-q", silence.path])
    let id = try await deadwax.must(["ls", "filename:silence", "--fields", "id", "--format", "tsv"]).text
      .split(separator: "\n")[1]
    let server = try await RunningServer(deadwax, ["--streams", "2"])
    let target = "/api/v1/tracks/\(id)/stream?format=raw"
    var listeners = try (0..<2).map { _ in try RawConnection(port: server.port, receivingByteCount: 4096) }
    for listener in listeners {
      try listener.send("GET \(target) HTTP/1.1\r\nHost: localhost\r\n\r\n")
      _ = try listener.receive(upTo: 1)
    }
    for _ in 0..<3 {
      let refused = try server.ask(target)
      #expect(refused.status == 503 && refused.headers["retry-after"] == "5")
    }
    // Nobody else has to wait for them.
    #expect(try server.ask("/api/v1/tracks/1/pcm?count=10").status == 200)
    listeners.removeAll()
    var answer = try server.ask(target)
    while answer.status == 503 {
      try await Task.sleep(for: .milliseconds(20))
      answer = try server.ask(target)
    }
    #expect(answer.status == 200)
    try await server.stop()
  }
}
