package import Base
package import LibraryTracks
internal import MediaModel
package import MediaStore
package import SoundIndex

/// A track that was found by its sound, as it is printed.
package struct FoundTrack: Sendable {
  package let track: TrackReference
  package let match: SoundMatch

  package init(track: TrackReference, match: SoundMatch) {
    self.track = track
    self.match = match
  }

  /// The matches that are in the library, in their order.
  package static func all(_ matches: [SoundMatch], in store: MediaStore) throws -> [FoundTrack] {
    let ids = try store.recordings.ids(of: matches.map(\.recording))
    return try matches.compactMap { match in
      guard let id = ids[match.recording] else { return nil }
      return FoundTrack(track: try store.tracks.resolve(BytePath("\(id)")), match: match)
    }
  }

  package var label: String { track.label }

  /// - Parameter offset: Where in the track the excerpt, or the range of it, begins.
  package func members(offset: Double) -> [JSONValue.Member] {
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
