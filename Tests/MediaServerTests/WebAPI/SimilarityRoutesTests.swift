import Foundation
import TestSupport
import Testing

/// What the server finds by sound, compared with the commands.
struct SimilarityRoutesTests {
  private static let rate = 22_050
  private static let tunes = (0..<3).map { Signal.chords(seconds: 40, sampleRateInHz: rate, channel: 10 * $0) }

  /// Three tunes, and a copy of the first that begins later and is louder.
  private static var music: ScannedMusic {
    get async throws {
      try await .named("tunes that are alike") { music in
        for (number, tune) in tunes.enumerated() { try music.write(bytes(tune), to: "tune \(number).wav") }
        try music.write(bytes(Array(tunes[0].dropFirst(2 * rate)), gain: 28_000), to: "copy.wav")
      }
    }
  }

  private let library: ServedLibrary

  init() async throws { library = try await ServedLibrary(of: Self.music) }

  private static func bytes(_ samples: [Float], gain: Float = 18_000) -> [UInt8] {
    WaveFile.bytes(samples.map { Int16($0 * gain) }, sampleRateInHz: rate, channelCount: 1)
  }

  private func rows(_ answer: HTTPAnswer, _ name: String = "rows") -> [[String: Any]] {
    answer.document[name] as? [[String: Any]] ?? []
  }

  @Test func `what is alike comes in the order of the command`() async throws {
    let answer = try await library.ask("/api/v1/tracks/1/similar?limit=2")
    #expect(answer.status == 200 && answer.document["id"] as? Int == 1)
    let printed = try await library.command().must(["similar", "1", "--limit", "2", "--json"])
    let document = try #require(try JSONSerialization.jsonObject(with: Data(printed.text.utf8)) as? [String: Any])
    let expected = (document["tracks"] as? [[String: Any]] ?? []).compactMap { $0["id"] as? Int }
    #expect(rows(answer, "tracks").compactMap { $0["id"] as? Int } == expected && expected.count == 2)
    #expect(try await library.ask("/api/v1/tracks/99/similar").status == 404)
    let none = try await library.ask("/api/v1/tracks/-1/similar")
    #expect(none.status == 404 && none.text.contains("there is no track -1"), "\(none.text)")
    #expect(try await library.ask("/api/v1/tracks/1/similar?limit=0").status == 422)
  }

  @Test func `duplicates say where they begin, and queries find them`() async throws {
    let deadwax = try library.command()
    var answer = try await library.ask("/api/v1/duplicates")
    while answer.document["searching"] is Double {
      try await Task.sleep(for: .milliseconds(20))
      answer = try await library.ask("/api/v1/duplicates")
    }
    #expect(answer.status == 200 && answer.document["total"] as? Int == 1)
    let files = rows(answer).first?["files"] as? [[String: Any]] ?? []
    #expect(files.map { ($0["path"] as? String)?.hasSuffix("tune 0.wav") } == [true, false])
    let offset = try #require(files.last?["offset_seconds"] as? Double)
    #expect(abs(offset - 2) < 0.05)
    let id = try #require(files.last?["id"] as? Int)
    for (query, count) in [("same:\(id)", 2), ("is:duplicate", 2), ("-is:duplicate", 2)] {
      #expect(try await library.ask("/api/v1/tracks/count?q=\(query)").document["files"] as? Int == count)
      let listed = try await deadwax.must(["ls", "--format", "tsv", "--fields", "id", "--", query])
      #expect(listed.text.split(separator: "\n").count == count + 1)
    }
    #expect(try await library.ask("/api/v1/duplicates?q=filename:tune%202").document["total"] as? Int == 0)
    #expect(try await library.ask("/api/v1/duplicates?kind=contained").document["total"] as? Int == 0)
    #expect(try await library.ask("/api/v1/duplicates?kind=other").status == 422)
    #expect(try await library.ask("/api/v1/duplicates?q=%28").status == 400)
  }

  @Test func `places of the map do not depend on the query`() async throws {
    let all = try await library.ask("/api/v1/map")
    #expect(all.document["total"] as? Int == 4)
    let some = try await library.ask("/api/v1/map?q=filename:copy")
    let copy = try #require(rows(some).first)
    let same = rows(all).first { $0["id"] as? Int == copy["id"] as? Int }
    #expect(rows(some).count == 1 && copy["x"] as? Double == same?["x"] as? Double)
    #expect(copy["filename"] as? String == "copy.wav" && copy["centroid_hz"] is Double)
    let known = try await library.ask("/api/v1/map", headers: ["If-None-Match": all.headers["etag"] ?? ""])
    #expect(known.status == 304)
    #expect(rows(try await library.ask("/api/v1/map?limit=2")).count == 2)
  }

  @Test func `an excerpt is named with its place, and what is none is refused`() async throws {
    func identify(_ bytes: [UInt8], _ type: String = "audio/wav") async throws -> HTTPAnswer {
      try await library.ask("/api/v1/identify", "POST", bytes: bytes, type: type)
    }
    let clip = Array(Self.tunes[2][(12 * Self.rate)..<(21 * Self.rate)])
    let found = try await identify(Self.bytes(clip))
    let match = try #require(rows(found, "matches").first)
    #expect(found.status == 200 && (match["path"] as? String)?.hasSuffix("tune 2.wav") == true)
    #expect(abs((match["offset_seconds"] as? Double ?? 0) - 12) < 0.1)
    let silence = Self.bytes([Float](repeating: 0, count: 8 * Self.rate))
    let silent = try await identify(silence, "application/octet-stream")
    #expect(silent.status == 200 && silent.document["too_plain"] as? Bool == true && rows(silent, "matches").isEmpty)
    #expect(try await identify(Array("no sound".utf8)).status == 422)
    #expect(try await identify([]).status == 422)
    #expect(try await identify(Self.bytes(clip), "application/json").status == 415)
    #expect(try await library.ask("/api/v1/identify").status == 405)
    let foreign = try await library.ask(
      "/api/v1/identify", "POST", headers: ["Sec-Fetch-Site": "cross-site"], bytes: Self.bytes(clip), type: "audio/wav")
    #expect(foreign.status == 403)
  }
}
