import Foundation
import TestSupport
import Testing

/// Tracks as they sound through their presets, from the built server.
struct StreamTests {
  private let deadwax: DeadwaxCommand
  private let music: MusicFolder

  init() async throws {
    deadwax = try DeadwaxCommand()
    music = try MusicFolder("damaged/clean.mp3")
    try await deadwax.must(["scan", "-q", music.path])
  }

  /// What `render` writes.
  private func rendered(_ arguments: [String], as ending: String) async throws -> Data {
    let path = deadwax.home.appending("rendered.\(ending)").path
    try await deadwax.must(["render", "1", "-q", "-o", path, "--overwrite"] + arguments)
    return try Data(contentsOf: URL(filePath: path))
  }

  private func samples(of flac: Data) throws -> Data {
    let path = deadwax.home.appending("streamed.flac").path
    try flac.write(to: URL(filePath: path))
    return try Tool.run("flac", "-d", "-c", "-s", "--force-raw-format", "--endian=little", "--sign=signed", path)
  }

  @Test(arguments: [
    ("", []), ("preset=Bass", ["--preset", "Bass"]), ("preset=none", ["--preset", "Flat"]),
    ("preset=Bass&from=0.3", ["--preset", "Bass", "--start", "0.3"]),
  ])
  func `the samples of a stream are those of render`(query: String, options: [String]) async throws {
    let server = try await RunningServer(deadwax)
    let target = "/api/v1/tracks/1/stream?\(query)"
    let wave = try server.ask("\(target)&format=wav")
    #expect(wave.status == 200 && wave.headers["content-type"] == "audio/wav")
    #expect(wave.headers["content-length"] == "\(wave.body.count)")
    let head = try server.ask("\(target)&format=wav", "HEAD")
    #expect(head.headers["content-length"] == "\(wave.body.count)" && head.body.isEmpty)
    #expect(try await wave.body == rendered(options, as: "wav"))
    let flac = try server.ask("\(target)&format=flac")
    #expect(flac.headers["transfer-encoding"] == "chunked" && flac.headers["content-type"] == "audio/flac")
    let expected = try await rendered(options, as: "flac")
    #expect(try samples(of: flac.body) == samples(of: expected))
    try await server.stop()
  }

  @Test func `the assigned preset is heard, and the tag of the answer knows it`() async throws {
    let server = try await RunningServer(deadwax)
    let target = "/api/v1/tracks/1/stream?format=wav"
    let plain = try server.ask(target)
    let tag = try #require(plain.headers["etag"])
    #expect(try server.ask(target, headers: ["If-None-Match": tag]).status == 304)
    try await deadwax.must(["preset", "assign", "Bass", "id:1", "-q"])
    let changed = try server.ask(target, headers: ["If-None-Match": tag])
    #expect(changed.status == 200 && changed.body != plain.body)
    #expect(try server.ask("\(target)&preset=Bass").body == changed.body)
    #expect(try server.ask("\(target)&preset=none").body == plain.body)
    try await server.stop()
  }

  @Test func `parts of a WAV file come by range`() async throws {
    let server = try await RunningServer(deadwax)
    let target = "/api/v1/tracks/1/stream?format=wav&preset=Bass"
    let whole = try server.ask(target)
    let count = whole.body.count
    for (header, range) in [
      ("bytes=0-99", 0..<100), ("bytes=\(count / 3)-\(count / 2 - 1)", count / 3..<count / 2),
      ("bytes=-1000", count - 1000..<count),
    ] {
      let part = try server.ask(target, headers: ["Range": header])
      #expect(part.status == 206 && part.body == whole.body[range])
      #expect(part.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
    }
    #expect(try server.ask(target, headers: ["Range": "bytes=\(count)-"]).status == 416)
    let stale = try server.ask(target, headers: ["Range": "bytes=0-99", "If-Range": "\"other\""])
    #expect(stale.status == 200 && stale.body.count == count)
    try await server.stop()
  }

  @Test func `raw samples say what they are`() async throws {
    let server = try await RunningServer(deadwax)
    let raw = try server.ask("/api/v1/tracks/1/stream?format=raw")
    let frames = try server.ask("/api/v1/tracks/1/pcm?count=100000&format=f32")
    for name in ["deadwax-sample-rate", "deadwax-channels", "deadwax-total"] {
      #expect(raw.headers[name] != nil && raw.headers[name] == frames.headers[name])
    }
    #expect(raw.body.prefix(frames.body.count) == frames.body)
    try await server.stop()
  }

  @Test func `the gain of ReplayGain is heard`() async throws {
    let server = try await RunningServer(deadwax)
    let shown = try server.ask("/api/v1/tracks/1").document
    let gain = try #require((shown["measures"] as? [String: Any])?["replaygain_db"] as? Double)
    func loudest(_ query: String) throws -> Float {
      let bytes = try server.ask("/api/v1/tracks/1/stream?format=raw\(query)").body
      return bytes.withUnsafeBytes { $0.bindMemory(to: Float.self).reduce(0) { max($0, abs($1)) } }
    }
    let (plain, levelled) = (try loudest(""), try loudest("&gain=track"))
    #expect(abs(20 * log10(Double(levelled / plain)) - gain) < 0.01 || gain > 0 && levelled <= 0.9)
    try await server.stop()
  }

  @Test func `what cannot be streamed is a problem`() async throws {
    let server = try await RunningServer(deadwax)
    for (target, status) in [
      ("1/stream?format=aac", 422), ("1/stream?format=flac&bitrate=64", 422), ("1/stream?format=mp3&bitrate=400", 422),
      ("1/stream?preset=Nothing", 404), ("1/stream?gain=loud", 422), ("1/stream?from=-1", 422),
      ("1/stream?from=99999", 422), ("999/stream", 404), ("1%2399/stream", 404), ("1%23/stream", 404),
    ] {
      let answer = try server.ask("/api/v1/tracks/\(target)")
      #expect(answer.status == status && answer.headers["content-type"] == "application/problem+json", "\(target)")
    }
    try await server.stop()
  }

  @Test func `more listeners than allowed are asked to come later, and one that leaves makes room`() async throws {
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
