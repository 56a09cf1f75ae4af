package import LibraryTracks
package import MediaModel
package import MediaStore

/// A track of a sequence, with what decides how it leads to the next one.
package struct SequencedTrack: Sendable {
  package let planned: TransitionPlanner.Track
  private let album: RadioTrack.AlbumPlace?
  /// Frames of the recording, if it is a part of one.
  private let part: Range<Int64>?

  init(_ planned: TransitionPlanner.Track, album: RadioTrack.AlbumPlace?, part: Range<Int64>? = nil) {
    (self.planned, self.album, self.part) = (planned, album, part)
  }

  /// With what a library has stored of it; nothing is decoded.
  ///
  /// - Parameters:
  ///   - length: In seconds, as it is played.
  ///   - speed: At which it is played.
  package init(_ track: TrackReference, length: Double, speed: Double, from store: MediaStore) throws {
    let row = try RadioTrack.row(ofRecording: track.recordingID, in: store)
    let part = track.part?.part.frames
    self.init(
      try TransitionPlanner.Track(
        ofRecording: track.recordingID, part: part, length: length, speed: speed, genres: row?.genres ?? [],
        from: store), album: part == nil ? row?.album : nil, part: part)
  }

  package func transition(to next: SequencedTrack, by planner: TransitionPlanner) -> Transition {
    planner.plan(planned, next.planned, neighbours(next))
  }

  private func neighbours(_ next: SequencedTrack) -> TransitionPlanner.Neighbours {
    if let part, let other = next.part, planned.recordingID == next.planned.recordingID {
      return part.upperBound == other.lowerBound ? .parts : .sameEdition
    }
    return RadioTrack.AlbumPlace.neighbours(album, next.album)
  }
}
