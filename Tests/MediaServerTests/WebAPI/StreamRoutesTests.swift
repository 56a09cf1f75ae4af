import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer

/// Tracks as they sound through their presets, compared with the command.
struct StreamRoutesTests {
  private let library: ServedLibrary
  private let deadwax: DeadwaxCommand
  private let id: Int64
  private var path: String { "/api/v1/tracks/\(id)/stream" }

  init() async throws {
    library = try await ServedLibrary(of: .fixtures)
    deadwax = try library.command()
    id = try library.track("filename:=clean.mp3")
  }

  /// What `render` writes.
  private func rendered(_ arguments: [String], as ending: String) async throws -> Data {
    let path = deadwax.home.appending("rendered.\(ending)").path
    try await deadwax.must(["render", "\(id)", "-q", "-o", path, "--overwrite"] + arguments)
    return try Data(contentsOf: URL(filePath: path))
  }

  private func samples(of flac: Data) throws -> Data {
    let path = deadwax.home.appending("streamed.flac").path
    try flac.write(to: URL(filePath: path))
    return try Tool.run("flac", "-d", "-c", "-s", "--force-raw-format", "--endian=little", "--sign=signed", path)
  }

  @Test(
    .enabled(if: Tool.exist("flac"), "flac is not installed"),
    arguments: [
      ("", []), ("preset=Bass", ["--preset", "Bass"]), ("preset=none", ["--preset", "Flat"]),
      ("preset=Bass&from=0.3", ["--preset", "Bass", "--start", "0.3"]),
    ])
  func `the samples of a stream are those of render`(query: String, options: [String]) async throws {
    let target = "\(path)?\(query)"
    let wave = try await library.ask("\(target)&format=wav")
    #expect(wave.status == 200 && wave.headers["content-type"] == "audio/wav")
    #expect(wave.headers["content-length"] == "\(wave.body.count)")
    let head = try await library.ask("\(target)&format=wav", "HEAD")
    #expect(head.headers["content-length"] == "\(wave.body.count)" && head.body.isEmpty)
    #expect(try await wave.body == rendered(options, as: "wav"))
    let flac = try await library.ask("\(target)&format=flac")
    #expect(flac.headers["transfer-encoding"] == "chunked" && flac.headers["content-type"] == "audio/flac")
    let expected = try await rendered(options, as: "flac")
    #expect(try samples(of: flac.body) == samples(of: expected))
  }

  @Test func `HTTP 1.0 gets its own version, without chunks, and the end of the connection`() async throws {
    let target = "\(path)?format=flac"
    let whole = try await library.ask(target)
    try #require(whole.status == 200 && whole.headers["transfer-encoding"] == "chunked")
    let head = "Host: localhost\r\nAuthorization: Bearer \(library.bearer)\r\nConnection: keep-alive"
    let answer = try await library.exchange(Array("GET \(target) HTTP/1.0\r\n\(head)\r\n\r\n".utf8))
    let end = try #require(answer.firstRange(of: Data("\r\n\r\n".utf8)))
    let start = String(decoding: answer[..<end.lowerBound], as: UTF8.self)
    #expect(start.hasPrefix("HTTP/1.0 200") && !start.lowercased().contains("chunked"), "\(start)")
    #expect(answer[end.upperBound...] == whole.body)
  }

  @Test(arguments: [("opus", "audio/ogg; codecs=opus", "OggS"), ("vorbis", "audio/ogg; codecs=vorbis", "OggS")])
  func `what loses something is of its type`(format: String, type: String, start: String) async throws {
    let answer = try await library.ask("\(path)?format=\(format)")
    #expect(answer.status == 200 && answer.headers["content-type"] == type)
    #expect(answer.body.starts(with: Data(start.utf8)) && answer.headers["accept-ranges"] == "none")
  }

  @Test func `an MP3 has the bit rate that was asked for`() async throws {
    let (slow, fast) = (
      try await library.ask("\(path)?format=mp3&bitrate=64"), try await library.ask("\(path)?format=mp3&bitrate=192")
    )
    #expect(slow.status == 200 && slow.headers["content-type"] == "audio/mpeg")
    let ratio = Double(fast.body.count) / Double(slow.body.count)
    #expect((2.8..<3.2).contains(ratio))
  }

  @Test func `the assigned preset is heard, and the tag of the answer knows it`() async throws {
    let target = "\(path)?format=wav"
    let plain = try await library.ask(target)
    let tag = try #require(plain.headers["etag"])
    #expect(try await library.ask(target, headers: ["If-None-Match": tag]).status == 304)
    try await deadwax.must(["preset", "assign", "Bass", "id:\(id)", "-q"])
    let changed = try await library.ask(target, headers: ["If-None-Match": tag])
    #expect(changed.status == 200 && changed.body != plain.body)
    #expect(try await library.ask("\(target)&preset=Bass").body == changed.body)
    #expect(try await library.ask("\(target)&preset=none").body == plain.body)
  }

  @Test func `parts of a WAV file come by range`() async throws {
    let target = "\(path)?format=wav&preset=Bass"
    let whole = try await library.ask(target)
    let count = whole.body.count
    for (header, range) in [
      ("bytes=0-99", 0..<100), ("bytes=\(count / 3)-\(count / 2 - 1)", count / 3..<count / 2),
      ("bytes=-1000", count - 1000..<count),
    ] {
      let part = try await library.ask(target, headers: ["Range": header])
      #expect(part.status == 206 && part.body == whole.body[range])
      #expect(part.headers["content-range"] == "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(count)")
    }
    #expect(try await library.ask(target, headers: ["Range": "bytes=\(count)-"]).status == 416)
    let stale = try await library.ask(target, headers: ["Range": "bytes=0-99", "If-Range": "\"other\""])
    #expect(stale.status == 200 && stale.body.count == count)
  }

  @Test func `raw samples say what they are`() async throws {
    let raw = try await library.ask("\(path)?format=raw")
    let frames = try await library.ask("/api/v1/tracks/\(id)/pcm?count=100000&format=f32")
    for name in ["deadwax-sample-rate", "deadwax-channels", "deadwax-total"] {
      #expect(raw.headers[name] != nil && raw.headers[name] == frames.headers[name])
    }
    #expect(raw.body.prefix(frames.body.count) == frames.body && !frames.body.isEmpty)
  }

  /// A gain after which the true peak stays below the ceiling of -1 dBTP is exact; the limiter is only heard after others.
  @Test(arguments: [("clean.mp3", true), ("04 Broadcast Copy.mp2", true), ("01 Test Pressing.mp3", false)])
  func `the gain of ReplayGain is heard`(name: String, isExact: Bool) async throws {
    let id = try library.track("filename:=\"\(name)\"")
    let measures = try await library.ask("/api/v1/tracks/\(id)").document["measures"] as? [String: Any]
    let gain = try #require(measures?["replaygain_db"] as? Double)
    let peak = try #require(measures?["true_peak_dbtp"] as? Double)
    try #require((peak + gain < -1) == isExact)
    func samples(_ query: String) async throws -> [Float] {
      let bytes = try await library.ask("/api/v1/tracks/\(id)/stream?format=raw\(query)").body
      return bytes.withUnsafeBytes { Array($0.bindMemory(to: Float.self)) }
    }
    let (plain, levelled) = (try await samples(""), try await samples("&gain=track"))
    let factor = Float(pow(10, gain / 20))
    try #require(plain.count == levelled.count && plain.contains { abs($0) > 0.05 })
    let largestDifference = zip(plain, levelled).reduce(0) { max($0, abs($1.0 * factor - $1.1)) }
    let loudest = levelled.reduce(0) { max($0, abs($1)) }
    #expect(isExact ? largestDifference < 1e-4 : largestDifference > 0.01)
    #expect(loudest <= 0.892)
  }

  @Test func `a file without an album has the gain of its track`() async throws {
    let track = try await library.ask("\(path)?format=raw&gain=track").body
    #expect(try await library.ask("\(path)?format=raw&gain=album").body == track)
    #expect(try await library.ask("\(path)?format=raw").body != track)
  }

  @Test func `what cannot be streamed is a problem`() async throws {
    for (target, status) in [
      ("\(id)/stream?format=aac", 422), ("\(id)/stream?format=flac&bitrate=64", 422),
      ("\(id)/stream?format=mp3&bitrate=400", 422), ("\(id)/stream?preset=Nothing", 404),
      ("\(id)/stream?gain=loud", 422), ("\(id)/stream?from=-1", 422), ("\(id)/stream?from=99999", 422),
      ("999/stream", 404), ("\(id)%2399/stream", 404), ("\(id)%23/stream", 404),
    ] {
      let answer = try await library.ask("/api/v1/tracks/\(target)")
      #expect(answer.status == status && answer.headers["content-type"] == "application/problem+json", "\(target)")
    }
  }

  @Test func `more listeners than there are places are asked to come later`() async throws {
    let library = try await ServedLibrary(of: .fixtures, streamLimit: 2)
    var places = try (0..<2).map { try library.server.decoders.streamPlace(for: .person("\($0)")) }
    for target in ["stream?format=raw", "sound?format=wav"] {
      let refused = try await library.ask("/api/v1/tracks/\(id)/\(target)")
      #expect(refused.status == 503 && refused.headers["retry-after"] == "5", "\(target)")
      // What only asks for the head takes no place.
      #expect(try await library.ask("/api/v1/tracks/\(id)/\(target)", "HEAD").status == 200, "\(target)")
    }
    // Nobody else has to wait for them.
    #expect(try await library.ask("/api/v1/tracks/\(id)/pcm?count=10").status == 200)
    places.removeLast()
    #expect(try await library.ask("\(path)?format=raw").status == 200)
    #expect(try await library.ask("\(path)?format=raw").status == 200)
    withExtendedLifetime(places) {}
  }
}
