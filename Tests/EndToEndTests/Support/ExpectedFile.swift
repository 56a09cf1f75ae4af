import Foundation
import TestSupport
import Testing

/// What other programs say of one fixture: an entry of fixtures/golden/expected.json.
struct ExpectedFile: Decodable, Sendable {
  /// Below fixtures/.
  var path: String
  var container: String?
  var codec: String?
  var sampleRateInHz: Int?
  var channelCount: Int?
  /// As counted in the output of the reference decoder.
  var frameCount: Int64?
  /// Whether every decoder must agree to the frame.
  var isFrameCountExact: Bool?
  var title: [String]?
  var artist: [String]?
  var album: [String]?
  var genre: [String]?
  /// The states that the file may get.
  var states: [String]

  enum CodingKeys: String, CodingKey {
    case path, container, codec, title, artist, album, genre, states
    case sampleRateInHz = "sample_rate_hz"
    case channelCount = "channels"
    case frameCount = "frames"
    case isFrameCountExact = "frames_exact"
  }

  var url: URL { Corpora.fixtures.appending(path: path) }
}

extension ExpectedFile {
  private struct Document: Decodable {
    var files: [ExpectedFile]
  }

  static func load() throws -> [ExpectedFile] {
    let bytes = try Data(contentsOf: Corpora.fixtures.appending(path: "golden/expected.json"))
    return try JSONDecoder().decode(Document.self, from: bytes).files
  }

  /// Empty if the golden file cannot be read; then a test of its own fails.
  static let all = (try? load()) ?? []
  static let audio = all.filter { $0.path.hasPrefix("audio/") }
  static let damaged = all.filter { $0.path.hasPrefix("damaged/") }
}

extension ExpectedFile: CustomTestStringConvertible {
  var testDescription: String { path }
}

/// A library of a folder of fixtures, scanned once for all tests that only read it.
struct ScannedFixtures: Sendable {
  let deadwax: DeadwaxCommand
  let scan: CommandOutcome
  /// By path below fixtures/.
  let tracks: [String: TrackRow]

  static let audio = Task { try await ScannedFixtures(folder: "audio") }
  static let damaged = Task { try await ScannedFixtures(folder: "damaged") }

  private init(folder: String) async throws {
    deadwax = try DeadwaxCommand()
    scan = try await deadwax.run(["scan", "--json", Corpora.fixtures.appending(path: folder).path])
    let list = try await deadwax.run(["ls", "--format", "jsonl", "--fields", TrackRow.fields])
    let root = Corpora.fixtures.resolvingSymlinksInPath().path + "/"
    tracks = try Dictionary(
      list.lines(TrackRow.self).map { ($0.path.replacing(root, with: "", maxReplacements: 1), $0) },
      uniquingKeysWith: { first, _ in first })
  }

  /// What `show` says of a fixture, found by its path.
  func show(_ file: ExpectedFile) async throws -> TrackDocument {
    try await deadwax.run(["show", "--json", file.url.path]).document()
  }
}
