internal import Base
internal import MediaModel

/// The routes of the API, and the parameters that several of them take.
///
/// Of two that fit a path the first counts: names come before what varies.
enum APIRoutes {
  static let all: [Route] =
    LibraryRoutes.all + ListingRoutes.all + GroupRoutes.all + TrackRoutes.all + SoundRoutes.all + StreamRoutes.all
    + WaveformRoutes.all
    + SpectrumRoutes.all + SimilarityRoutes.all + UserDataRoutes.all + PlayRoutes.all

  static let query = Parameter<String>.text("q", "a query as `deadwax ls` takes it")
  static let sort = Parameter<String>.text("sort", "the order, such as year-,artist+")
  static let revision = Parameter<String>.text("revision", "that of an earlier page, to stay in its result")
  static let from = Parameter<Int64>.integer("from", "the index of the first row", 0...1 << 40, default: 0)
  static let limit = Parameter<Int64>.integer("limit", "how many rows, 1 to 500", 1...500, default: 200)
}

/// How channels are given.
enum ChannelChoice: String, CaseIterable, Sendable {
  case mix, split
}

extension Array {
  /// The elements of a range as far as they exist.
  func part(from first: Int64, limit: Int64) -> ArraySlice<Element> {
    let start = Int(clamping: first)
    guard start < count else { return [] }
    return self[start..<Swift.min(count, start + Int(clamping: limit))]
  }
}
