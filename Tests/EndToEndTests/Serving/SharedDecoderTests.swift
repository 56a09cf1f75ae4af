import Foundation
import TestSupport
import Testing

/// Clients who want distant places of one file at the same time.
struct SharedDecoderTests {
  private static let rate = 48_000
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    music = try MusicFolder()
    deadwax = try DeadwaxCommand()
    let tone = Signal.sine(hz: 440, sampleRateInHz: Self.rate, frameCount: 90 * Self.rate, amplitude: 0.4)
    let bytes = WaveFile.bytes(tone.map { Int16($0 * 32_767) }, sampleRateInHz: Self.rate, channelCount: 1)
    try music.write(bytes, to: "tone.wav")
    try await deadwax.must(["render", music.file("tone.wav").path, "-q", "-o", music.file("tone.opus").path])
    try await deadwax.must(["scan", "-q", music.path])
  }

  /// How many workers have a file open after two places, one after the other in time, were asked for at once.
  private func workerCount() async throws -> Int {
    let server = try await RunningServer(deadwax)
    let rows =
      try server.ask("/api/v1/tracks?q=filename:tone.opus&fields=filename").document["rows"] as? [[String: Any]]
    let id = try #require(rows?.first?["id"] as? Int)
    let connections = try [80, 86].map { second in
      let connection = try RawConnection(port: server.port)
      let target = "/api/v1/tracks/\(id)/pcm?start=\(second * Self.rate)&count=100&format=f32"
      try connection.send("GET \(target) HTTP/1.1\r\nHost: 127.0.0.1:\(server.port)\r\nConnection: close\r\n\r\n")
      return connection
    }
    for connection in connections {
      let answer = try connection.answer()
      #expect(answer.status == 200 && answer.body.count == 400)
    }
    let count = server.command.workers.count
    try await server.stop()
    return count
  }

  @Test func `they share the one that is on its way through a file of Opus`() async throws {
    #expect(try await workerCount() == 1)
  }
}
