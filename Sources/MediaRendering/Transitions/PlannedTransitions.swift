package import Base
internal import LibraryQueries
internal import LibraryTracks
package import MediaModel
package import MediaStore
package import QueryLanguage

/// How each of several tracks leads to the next, from what a library has stored of them.
package struct PlannedTransitions: Sendable {
  package struct Item: Sendable {
    package var recordingID: Int64
    package var path: BytePath
    package var artist: String?
    package var title: String?
    /// How it leads to the next one; nil for the last.
    package var transition: Transition?
  }

  package let items: [Item]
  /// Files without decoded sound, which are left out.
  package let undecodedCount: Int

  /// - Parameter query: Each of its recordings counts once, in its order.
  package init(of query: Query, by planner: TransitionPlanner, in store: MediaStore) throws {
    let (rows, undecodedCount) = try RadioTrack.rows(of: query, in: store)
    self.undecodedCount = undecodedCount
    var items: [Item] = []
    var previous: (row: RadioTrack.Row, track: TransitionPlanner.Track)?
    for row in rows {
      let track = try TransitionPlanner.Track(
        ofRecording: row.recordingID, length: row.lengthInSeconds, genres: row.genres, from: store)
      if let previous {
        items[items.count - 1].transition = planner.plan(
          previous.track, track, RadioTrack.AlbumPlace.neighbours(previous.row.album, row.album))
      }
      previous = (row, track)
      items.append(Item(recordingID: row.recordingID, path: row.path, artist: row.artist, title: row.title))
    }
    self.items = items
  }
}

extension Transition {
  /// As `transitions --json` gives it; places are in seconds of their track, to a millisecond.
  package var json: JSONValue {
    func seconds(_ value: Double) -> JSONValue { .number((value * 1000).rounded() / 1000) }
    return .object([
      "kind": .string(kind.rawValue), "reason": .string(reason.rawValue), "end_seconds": seconds(end),
      "next_start_seconds": seconds(start), "overlap_seconds": seconds(overlap), "fades_out": .bool(fadesOut),
      "fade_in_seconds": seconds(fadeIn),
    ])
  }
}
