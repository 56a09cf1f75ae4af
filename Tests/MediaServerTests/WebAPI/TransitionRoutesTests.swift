import Foundation
import TestSupport
import Testing

/// The plan of transitions that clients get, compared with the command.
struct TransitionRoutesTests {
  private static let rate = 8_000

  /// A track that fades, one that ends quietly, and one that begins late.
  private static var music: ScannedMusic {
    get async throws {
      try await .named("tracks that lead to each other") { music in
        func level(_ track: Int, _ second: Double) -> Double {
          switch track {
          case 0: second > 25 ? pow(10, -(second - 25) * 3 / 20) : 1
          case 1: second > 36 ? 0.1 : 1
          default: second < 2 ? 0 : 1
          }
        }
        for track in 0..<3 {
          let noise = Signal.whiteNoise(frameCount: 40 * rate, rms: 0.2, seed: UInt64(track + 1))
          let samples = noise.enumerated().map { frame, sample in
            Int16(Double(sample) * level(track, Double(frame) / Double(rate)) * 32_767)
          }
          try music.write(
            WaveFile.bytes(samples, sampleRateInHz: rate, channelCount: 1), to: "\(track).wav")
        }
      }
    }
  }

  private let library: ServedLibrary

  init() async throws { library = try await ServedLibrary(of: Self.music) }

  private func tracks(_ answer: HTTPAnswer) -> [[String: Any]] { answer.document["tracks"] as? [[String: Any]] ?? [] }

  private func transition(of track: [String: Any]) -> [String: Any]? { track["next"] as? [String: Any] }

  @Test(arguments: ["smart", "silence"]) func `frames are those of the command`(style: String) async throws {
    let printed = try await library.command().must([
      "transitions", "path:.wav filename+", "--style", style, "--json",
    ])
    let document = try #require(try JSONSerialization.jsonObject(with: Data(printed.text.utf8)) as? [String: Any])
    let expected = try #require(document["tracks"] as? [[String: Any]])
    let ids = expected.compactMap { $0["id"] as? Int }
    for rate in [Self.rate, 2 * Self.rate] {
      let answer = try await library.ask(
        "/api/v1/transitions?ids=\(ids.map(String.init).joined(separator: ","))&style=\(style)&rate=\(rate)")
      #expect(answer.document["sample_rate_hz"] as? Int == rate && answer.document["style"] as? String == style)
      let found = tracks(answer)
      #expect(found.compactMap { $0["id"] as? Int } == ids && found.count == 3)
      #expect(found.allSatisfy { $0["frames"] as? Int == 40 * rate })
      #expect(found.last.flatMap(transition(of:)) == nil)
      for (track, wanted) in zip(found, expected).dropLast() {
        let next = try #require(transition(of: track))
        let printed = try #require(wanted["transition"] as? [String: Any])
        #expect(next["kind"] as? String == printed["kind"] as? String)
        #expect(next["reason"] as? String == printed["reason"] as? String)
        for (name, other) in [
          ("end_frame", "end_seconds"), ("next_start_frame", "next_start_seconds"),
          ("overlap_frames", "overlap_seconds"), ("fade_in_frames", "fade_in_seconds"),
        ] {
          let frames = try #require(next[name] as? Int)
          let seconds = try #require(printed[other] as? Double)
          // The command rounds to milliseconds.
          #expect(abs(Double(frames) - seconds * Double(rate)) <= 0.0006 * Double(rate) + 1, "\(name)")
        }
        let fadesOut = printed["fades_out"] as? Bool == true
        #expect(next["fade_out_frames"] as? Int == (fadesOut ? next["overlap_frames"] as? Int : 0))
      }
    }
  }

  @Test func `the kinds are those that the music asks for`() async throws {
    let ids = "1,2,3,2,2"
    let smart = tracks(try await library.ask("/api/v1/transitions?ids=\(ids)&style=smart"))
    let names = try await library.command().must(["ls", "--format", "tsv", "--fields", "id,filename", "path:.wav"])
    #expect(smart.count == 5, "\(names.text)")
    #expect(transition(of: smart[3])?["reason"] as? String == "same-recording")
    #expect(transition(of: smart[3])?["kind"] as? String == "join")
    let gapless = tracks(try await library.ask("/api/v1/transitions?ids=\(ids)"))
    #expect(gapless.dropLast().allSatisfy { transition(of: $0)?["kind"] as? String == "join" })
    #expect(gapless.dropLast().allSatisfy { transition(of: $0)?["end_frame"] as? Int == 40 * Self.rate })
    let none = try await library.ask("/api/v1/transitions?ids=1,77&style=smart")
    #expect(none.status == 404 && none.text.contains("there is no track 77"), "\(none.text)")
  }
}
