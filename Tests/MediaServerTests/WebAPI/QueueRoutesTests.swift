import Foundation
import TestSupport
import Testing

@testable import LibraryServing
@testable import MediaServer

/// The queue of the owner, edited by pages and saved by players.
struct QueueRoutesTests {
  private let library: ServedLibrary

  init() async throws {
    library = try await ServedLibrary(of: .fixtures)
  }

  private func ids(_ count: Int) async throws -> [Int] {
    let rows = try await library.ask("/api/v1/tracks?q=state:ok&limit=\(count)").document["rows"] as? [[String: Any]]
    return (rows ?? []).compactMap { $0["id"] as? Int }
  }

  private func edit(
    _ changes: String, version: Int = 0,
    id: String = String((0..<32).map { _ in "0123456789abcdef".randomElement() ?? "0" })
  ) async throws -> HTTPAnswer {
    try await library.ask(
      "/api/v1/queue", "POST", body: "{\"edit\": \"\(id)\", \"version\": \(version), \"changes\": [\(changes)]}")
  }

  private func rows() async throws -> [[String: Any]] {
    try await library.ask("/api/v1/queue").document["rows"] as? [[String: Any]] ?? []
  }

  private func entries() async throws -> [Int] { try await rows().compactMap { $0["entry"] as? Int } }

  @Test func `who never had a queue has an empty one of version 0`() async throws {
    let queue = try await library.ask("/api/v1/queue").document
    #expect(queue["version"] as? Int == 0 && (queue["rows"] as? [Any])?.isEmpty == true)
    #expect(queue["current"] is NSNull && queue["former"] is NSNull)
  }

  @Test func `an edit that was made on an older version is made on the present one, once`() async throws {
    let tracks = try await ids(3)
    let inserted = tracks.enumerated().map { "{\"entry\": \($0 + 1), \"track\": \($1)}" }.joined(separator: ", ")
    #expect(try await edit("{\"insert\": [\(inserted)], \"after\": null}").document["version"] as? Int == 1)
    // Two pages that have seen version 1.
    let first = String(repeating: "a1", count: 16)
    #expect(try await edit("{\"move\": [1], \"after\": 3}", version: 1, id: first).document["version"] as? Int == 2)
    #expect(try await edit("{\"remove\": [2]}", version: 1).document["version"] as? Int == 3)
    #expect(try await entries() == [3, 1])
    // No answer came, so it is sent again.
    let again = try await edit("{\"move\": [1], \"after\": 3}", version: 1, id: first).document
    #expect(again["made"] as? Bool == false && again["version"] as? Int == 3)
    #expect(try await entries() == [3, 1])
    #expect(try await edit("{\"remove\": [1]}", version: 4).status == 409)
  }

  @Test func `a queue that a player saves is that of the page, and can be taken back`() async throws {
    let tracks = try await ids(2)
    _ = try await edit(
      "{\"replace\": [{\"entry\": 1, \"track\": \(tracks[0])}, {\"entry\": 2, \"track\": \(tracks[1])}], \"current\": 2, \"position_ms\": 900}"
    )
    let shared = try await library.call("getPlayQueueByIndex").subsonic["playQueueByIndex"] as? [String: Any]
    let songs = (shared?["entry"] as? [[String: Any]])?.compactMap { $0["id"] as? String } ?? []
    #expect(shared?["currentIndex"] as? Int == 1 && shared?["position"] as? Int == 900 && songs.count == 2)
    let saved = try await library.call(
      "savePlayQueue", [("id", songs[1]), ("current", songs[1]), ("position", "1500"), ("c", "phone")])
    #expect(saved.subsonic["status"] as? String == "ok", "\(saved.text)")
    let queue = try await library.ask("/api/v1/queue").document
    #expect(queue["version"] as? Int == 2 && queue["current"] as? Int == 2 && queue["position_ms"] as? Int == 1500)
    #expect((queue["former"] as? [String: Any])?["tracks"] as? Int == 2)
    _ = try await edit("{\"restore\": true}", version: 2)
    #expect(try await entries() == [1, 2])
  }

  @Test func `a row says what a table would, and which part is heard`() async throws {
    let track = try #require(try await ids(1).first)
    _ = try await edit(
      "{\"insert\": [{\"entry\": 7, \"track\": \(track), \"part\": 999, \"rank\": 3}], \"after\": null}")
    let row = try #require(try await rows().first)
    let listed = try await library.ask("/api/v1/tracks?q=id:\(track)").document["rows"] as? [[String: Any]]
    for name in ["id", "title", "artist", "duration", "codec", "rate", "state", "filename"] {
      #expect("\(row[name] ?? "")" == "\(listed?.first?[name] ?? "")", "\(name)")
    }
    // A part that the file does not have any more is the whole track.
    #expect(row["rank"] as? Int == 3 && row["part"] == nil)
  }
}
