/// The keys of `ls --format jsonl` that the tests ask for.
struct ListedTrack: Decodable, Sendable {
  var id: Int?
  var path: String
  var title: String?
  var artist: String?
  var album: String?
  var duration: Double?
  var codec: String?
  var state: String

  static let fields = "id,path,title,artist,album,duration,codec,state"
}

/// The keys of `show --json` that the tests look at.
struct ShownTrack: Decodable, Sendable {
  struct Format: Decodable, Sendable {
    var container: String?
    var codec: String?
    var sample_rate_hz: Int?
    var channels: Int?
    var decoded_frames: Int64?
    var duration_seconds: Double?
  }

  var schema: Int
  var id: Int
  var hash: String
  var format: Format
  var tags: [String: [String]]

  /// The values of a tag, whatever the case of its name.
  func tag(_ name: String) -> [String]? { tags.first { $0.key.lowercased() == name }?.value }
}

/// The keys of one line of `problems --jsonl`.
struct ListedProblem: Decodable, Sendable {
  var path: String
  var state: String
  var reason: String?
  var position_seconds: Double?
  var attempts: Int?
}
