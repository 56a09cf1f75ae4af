package import Foundation

/// What other programs say of one fixture: an entry of fixtures/golden/expected.json.
package struct ExpectedFile: Decodable, Sendable {
  /// Below fixtures/.
  package var path: String
  package var container: String?
  package var codec: String?
  package var sampleRateInHz: Int?
  package var channelCount: Int?
  /// As counted in the output of the reference decoder.
  package var frameCount: Int64?
  /// Whether every decoder must agree to the frame.
  package var isFrameCountExact: Bool?
  package var title: [String]?
  package var artist: [String]?
  package var album: [String]?
  package var genre: [String]?
  /// The states that the file may get.
  package var states: [String]

  private enum CodingKeys: String, CodingKey {
    case path, container, codec, title, artist, album, genre, states
    case sampleRateInHz = "sample_rate_hz"
    case channelCount = "channels"
    case frameCount = "frames"
    case isFrameCountExact = "frames_exact"
  }

  package var url: URL { Corpora.fixtures.appending(path: path) }
}

extension ExpectedFile {
  private struct Document: Decodable {
    var files: [ExpectedFile]
  }

  package static func load() throws -> [ExpectedFile] {
    let bytes = try Data(contentsOf: Corpora.fixtures.appending(path: "golden/expected.json"))
    return try JSONDecoder().decode(Document.self, from: bytes).files
  }

  /// Empty if the golden file cannot be read; then a test of its own fails.
  package static let all = (try? load()) ?? []
  package static let audio = all.filter { $0.path.hasPrefix("audio/") }
  package static let damaged = all.filter { $0.path.hasPrefix("damaged/") }
}

extension ExpectedFile: CustomStringConvertible {
  package var description: String { path }
}
