import Base
import Foundation
import LibraryTracks
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import WebAPI

/// Folders of the library, as the page chooses them: from none to music that can be played.
struct RootRoutesTests {
  private let library: ServedLibrary
  private let place: TemporaryFolder

  init() throws {
    library = try ServedLibrary { _ in }
    place = library.folder
    for name in ["Music/Jazz", "Music/Podcasts", "Other"] { _ = try library.makeFolderToBrowse(name) }
    for (name, frequency) in [
      ("Music/one", 220.0), ("Music/Jazz/two", 330), ("Music/Podcasts/three", 440), ("Other/four", 550),
    ] {
      try Self.tone(frequency).write(to: place.appending("browse/\(name).wav"))
    }
  }

  /// Two seconds of a sine: 8 kHz, mono, 16 bits.
  private static func tone(_ frequency: Double) -> Data {
    let samples = (0..<16_000).map { Int16(12_000 * sin(2 * .pi * frequency * Double($0) / 8_000)) }
    var data = Data()
    func append<Value: FixedWidthInteger>(_ value: Value) {
      withUnsafeBytes(of: value.littleEndian) { data.append(contentsOf: $0) }
    }
    data.append(Data("RIFF".utf8))
    append(UInt32(36 + 2 * samples.count))
    data.append(Data("WAVEfmt ".utf8))
    append(UInt32(16))
    append(UInt16(1))
    append(UInt16(1))
    append(UInt32(8_000))
    append(UInt32(16_000))
    append(UInt16(2))
    append(UInt16(16))
    data.append(Data("data".utf8))
    append(UInt32(2 * samples.count))
    for sample in samples { append(sample) }
    return data
  }

  /// That of a folder among those to browse; itself without a name.
  private func path(_ name: String) -> String { place.appending("browse").path + (name.isEmpty ? "" : "/\(name)") }

  private func ask(_ method: String, _ target: String, _ body: [String: Any]? = nil) async throws -> HTTPAnswer {
    let text = try body.map { String(decoding: try JSONSerialization.data(withJSONObject: $0), as: UTF8.self) }
    return try await library.ask("/api/v1\(target)", method, body: text)
  }

  /// Waits until the scans have ended that were started here.
  private func finishScans() async throws {
    while library.server.scans.progress != nil { try await Task.sleep(for: .milliseconds(5)) }
  }

  private func files() async throws -> [String] {
    let rows = try await ask("GET", "/tracks?sort=filename").document["rows"] as? [[String: Any]] ?? []
    return rows.compactMap { $0["filename"] as? String }
  }

  private func states(_ target: String) async throws -> [String: String?] {
    let rows = try await ask("GET", target).document["folders"] as? [[String: Any]] ?? []
    return Dictionary(uniqueKeysWithValues: rows.map { ($0["name"] as? String ?? "", $0["state"] as? String) })
  }

  private func browse(_ name: String) -> String { "/browse?path=\(ServedLibrary.encoded(path(name)))" }

  @Test func `a folder that is added is scanned, and its sounds can be played`() async throws {
    #expect(try await states("/browse") == [place.appending("browse").path: nil])
    let made = try await ask("POST", "/roots", ["path": path("Music")])
    #expect(made.status == 201 && made.document["path"] as? String == path("Music"))
    try await finishScans()
    #expect(try await files() == ["one.wav", "three.wav", "two.wav"])
    #expect(try await states(browse("")) == ["Music": "root", "Other": nil])
    #expect(try await states(browse("Music")) == ["Jazz": "inside", "Podcasts": "inside"])
    #expect(try await states("/browse").values.first == "contains")
    let again = try await ask("POST", "/roots", ["path": path("Music") + "/"])
    #expect(again.status == 200 && again.document["id"] as? Int == made.document["id"] as? Int)
    try await finishScans()
  }

  @Test func `a folder in one of the library, or around one, is not another one`() async throws {
    #expect(try await ask("POST", "/roots", ["path": path("Music/Jazz")]).status == 201)
    try await finishScans()
    #expect(try await ask("POST", "/roots", ["path": path("Music")]).status == 409)
    let taken = try await ask("POST", "/roots", ["path": path("Music"), "take_over": true])
    #expect(taken.status == 201)
    try await finishScans()
    #expect(try await ask("POST", "/roots", ["path": path("Music/Jazz")]).status == 409)
    #expect(try await files() == ["one.wav", "three.wav", "two.wav"])
    let roots = try await ask("GET", "/roots").document["roots"] as? [[String: Any]] ?? []
    #expect(roots.map { $0["path"] as? String } == [path("Music")])
    #expect(roots.map { $0["files"] as? Int } == [3])
  }

  @Test func `what is left out is forgotten, stays so, and comes back with what was decided about it`() async throws {
    _ = try await ask("POST", "/roots", ["path": path("Music")])
    try await finishScans()
    let id = try library.track("filename:three.wav")
    #expect(try await ask("PUT", "/tracks/\(id)/rating", ["rating": 80]).status == 200)
    let out = try await ask("PUT", "/exclusions", ["path": path("Music/Podcasts"), "excluded": true])
    #expect(out.status == 200 && out.document["forgotten"] as? Int == 1)
    #expect(try await files() == ["one.wav", "two.wav"])
    #expect(try await states(browse("Music")) == ["Jazz": "inside", "Podcasts": "excluded"])
    // By every other program, too.
    try await library.command().must(["scan", "-q"])
    #expect(try await files() == ["one.wav", "two.wav"])
    let excluded = try await ask("GET", "/roots").document["excluded"] as? [[String: Any]] ?? []
    #expect(excluded.map { $0["path"] as? String } == [path("Music/Podcasts")])
    let back = try await ask("PUT", "/exclusions", ["path": path("Music/Podcasts"), "excluded": false])
    #expect(back.status == 200)
    try await finishScans()
    #expect(try await files() == ["one.wav", "three.wav", "two.wav"])
    #expect(try library.track("filename:three.wav rating:80") == id)
  }

  @Test func `only what lies in a folder of the library can be left out`() async throws {
    _ = try await ask("POST", "/roots", ["path": path("Music")])
    try await finishScans()
    for name in ["Other", "Music", ""] {
      #expect(try await ask("PUT", "/exclusions", ["path": path(name), "excluded": true]).status == 422, "\(name)")
    }
    #expect(try await ask("PUT", "/exclusions", ["path": path("Music/None"), "excluded": true]).status == 404)
    _ = try await ask("PUT", "/exclusions", ["path": path("Music/Podcasts"), "excluded": true])
    let inner = try await ask("PUT", "/exclusions", ["path": path("Music/Podcasts/a"), "excluded": false])
    #expect(inner.status == 409)
    #expect(try await files() == ["one.wav", "two.wav"])
  }

  @Test func `a folder is removed while a scan of another one goes on`() async throws {
    let music = try await ask("POST", "/roots", ["path": path("Music")])
    try await finishScans()
    let id = try #require(music.document["id"] as? Int)
    #expect(try await ask("POST", "/roots", ["path": path("Other")]).status == 201)
    #expect(try await ask("DELETE", "/roots/\(id)").status == 204)
    try await finishScans()
    #expect(try await files() == ["four.wav"])
    #expect(try await ask("DELETE", "/roots/\(id)").status == 404)
  }

  @Test func `a folder outside of those to browse is none, and nothing says whether it is there`() async throws {
    try FileManager.default.createSymbolicLink(
      atPath: path("Music/out"), withDestinationPath: place.url.path)
    for name in [place.url.path, "/etc", "/nothing-there", path("../browse"), path("Music/out"), path("Music/one.wav")]
    {
      let answer = try await ask("POST", "/roots", ["path": name])
      #expect(answer.status == 404 && !answer.text.contains(name), "\(name): \(answer.text)")
      let listed = try await ask("GET", "/browse?path=\(ServedLibrary.encoded(name))")
      #expect(listed.status == 404 && listed.text == answer.text, "\(name)")
    }
    #expect((try await ask("GET", "/roots").document["roots"] as? [Any])?.isEmpty == true)
  }

  @Test func `a folder whose name is not UTF-8 is added by its bytes`() async throws {
    let odd = BytePath(Array(path("").utf8) + [0x2F, 0xE9])
    #expect(odd.withCString { mkdir($0, 0o700) } == 0)
    try Self.tone(660).write(to: place.appending("five.wav"))
    let copied = odd.appending(BytePath("five.wav")).withCString { to in
      rename(place.appending("five.wav").path, to)
    }
    #expect(copied == 0)
    let rows = try await ask("GET", browse("")).document["folders"] as? [[String: Any]] ?? []
    let bytes = try #require(rows.compactMap { $0["path_bytes"] as? String }.first)
    #expect(bytes == Data(odd.bytes).base64EncodedString())
    #expect(try await ask("POST", "/roots", ["path_bytes": bytes]).status == 201)
    try await finishScans()
    #expect(try await files() == ["five.wav"])
    #expect(try await ask("POST", "/roots", ["path_bytes": "?"]).status == 422)
  }

  @Test func `the events of a scan say what is found, new and read`() async throws {
    let subscription = try #require(library.server.events.subscribe(for: .owner))
    _ = try await ask("POST", "/roots", ["path": path("Music")])
    var told: [JSONValue] = []
    for await event in subscription.events where event.name == "scan" {
      told.append(event.data)
      if event.data["running"] == .bool(false) { break }
    }
    #expect(told.last?["error"] == .null)
    // The beginning of the reading is always told.
    let reading = try #require(told.first { $0["total"]?.double == 3 })
    #expect(reading["new"]?.double == 3 && reading["found"]?.double == 3)
    #expect(reading["reading"]?.string?.hasPrefix(path("Music")) == true)
  }
}
