internal import Base
internal import MediaModel
internal import MediaStore
internal import SoundIndex
internal import SoundSearch

/// A track that was found by its sound, as it is printed.
struct FoundTrack {
  let track: TrackReference
  let match: SoundMatch

  /// The matches that are in the library, in their order.
  static func all(_ matches: [SoundMatch], in store: MediaStore) throws -> [FoundTrack] {
    let ids = try store.recordingIDs(of: matches.map(\.recording))
    return try matches.compactMap { match in
      guard let id = ids[match.recording] else { return nil }
      return FoundTrack(track: try store.resolveTrack(BytePath("\(id)")), match: match)
    }
  }

  var label: String {
    let title = track.title ?? track.files.first?.stem.displayString ?? "track \(track.recordingID)"
    return track.artist.map { "\($0) - \(title)" } ?? title
  }

  var speedText: String {
    let percent = (match.speed - 1) * 100
    return abs(percent) < 0.3 ? "" : (percent > 0 ? "+" : "-") + NumberText.decimal(abs(percent), 1) + " %"
  }

  var confidenceText: String { NumberText.decimal(100 * match.confidence, 0) + " %" }

  /// - Parameter offset: Where in the track the excerpt, or the range of it, begins.
  func members(offset: Double) -> [JSONValue.Member] {
    [
      .init("id", .integer(Int(track.recordingID))), .init("hash", .string(track.hash.description)),
      .init("title", track.title.map { .string($0) } ?? .null),
      .init("artist", track.artist.map { .string($0) } ?? .null),
      .init("path", track.files.first.map { .string($0.displayString) } ?? .null),
      .init("offset_seconds", .number(offset)), .init("speed", .number(match.speed)),
      .init("confidence", .number(match.confidence)), .init("score", .number(match.score)),
      .init("peaks", .integer(match.peakCount)), .init("matched_peaks", .integer(match.matchedCount)),
    ]
  }
}
