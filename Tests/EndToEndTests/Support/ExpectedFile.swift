import Foundation
import Testing
import TestSupport

/// What other programs say of one fixture: an entry of fixtures/golden/expected.json.
struct ExpectedFile: Decodable, Sendable {
  /// Below fixtures/.
  var path: String
  var container: String?
  var codec: String?
  var sampleRateInHz: Int?
  var channelCount: Int?
  /// Counted in what the reference decoder writes.
  var frameCount: Int64?
  /// Whether every decoder must agree to the frame.
  var isFrameCountExact: Bool?
  var title: [String]?
  var artist: [String]?
  var album: [String]?
  var genre: [String]?
  /// What may be said of the file.
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

  /// Empty where the golden file cannot be read; a test of its own says so.
  static let all = (try? load()) ?? []
  static let audio = all.filter { $0.path.hasPrefix("audio/") }
  static let damaged = all.filter { $0.path.hasPrefix("damaged/") }
}

extension ExpectedFile: CustomTestStringConvertible {
  var testDescription: String { path }
}
