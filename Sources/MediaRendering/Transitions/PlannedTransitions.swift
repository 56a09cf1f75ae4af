internal import AudioEffects
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
    /// In seconds; nil without decoded sound.
    package var length: Double?
    /// How it leads to the next one; nil for the last, and if one of them has no decoded sound.
    package var transition: Transition?
  }

  package let items: [Item]
  /// Files without decoded sound, which are left out.
  package let undecodedCount: Int
  /// Of a programme of recordings; 0 for those of a query.
  package private(set) var sampleRateInHz = 0

  /// - Parameter query: Each of its recordings counts once, in its order.
  package init(of query: Query, by planner: TransitionPlanner, in store: MediaStore) throws {
    let (rows, undecodedCount) = try RadioTrack.rows(of: query, in: store)
    self.undecodedCount = undecodedCount
    items = try Self.items(rows, by: planner, in: store) { $0.lengthInSeconds }
  }

  /// - Parameters:
  ///   - ids: Of recordings, in the order in which they are played; they may come several times.
  ///   - rate: Of the programme, in whose frames the lengths are whole; nil for the rate of the first track.
  /// - Throws: `TrackError.noTrack`.
  package init(ofRecordings ids: [Int64], atRateInHz rate: Int?, by planner: TransitionPlanner, in store: MediaStore)
    throws
  {
    undecodedCount = 0
    var rows: [RadioTrack.Row] = []
    var formats: [Int64: MediaFormat] = [:]
    for id in ids {
      guard let row = try RadioTrack.row(ofRecording: id, in: store) else { throw TrackError.noTrack(id: id) }
      rows.append(row)
      if formats[id] == nil { formats[id] = try store.tracks.resolve("\(id)").format }
    }
    let rate = rate ?? ids.first.flatMap { formats[$0]?.sampleRateInHz } ?? 44_100
    sampleRateInHz = rate
    items = try Self.items(rows, by: planner, in: store) { row in
      guard let format = formats[row.recordingID], let own = format.sampleRateInHz, let count = format.decodedFrameCount
      else { return nil }
      return Double(SampleRateConverter.frameCount(count, from: own, to: rate)) / Double(rate)
    }
  }

  private static func items(
    _ rows: [RadioTrack.Row], by planner: TransitionPlanner, in store: MediaStore,
    length: (RadioTrack.Row) -> Double?
  ) throws -> [Item] {
    var items: [Item] = []
    var known: [Int64: SequencedTrack] = [:]
    var previous: SequencedTrack?
    for row in rows {
      var track = known[row.recordingID]
      let length = length(row)
      if track == nil, let length {
        track = SequencedTrack(
          try TransitionPlanner.Track(ofRecording: row.recordingID, length: length, genres: row.genres, from: store),
          album: row.album)
      }
      known[row.recordingID] = track
      if let previous, let track { items[items.count - 1].transition = previous.transition(to: track, by: planner) }
      previous = track
      items.append(
        Item(recordingID: row.recordingID, path: row.path, artist: row.artist, title: row.title, length: length))
    }
    return items
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

extension RadioPlan.FrameTransition {
  /// As `GET /transitions` gives it.
  package func json(_ transition: Transition, afterFrames frameCount: Int64) -> JSONValue {
    .object([
      "kind": .string(transition.kind.rawValue), "reason": .string(transition.reason.rawValue),
      "end_frame": .integer(frameCount - cutFrameCount), "next_start_frame": .integer(skippedFrameCount),
      "overlap_frames": .integer(overlapFrameCount), "fade_out_frames": .integer(fadesOut ? overlapFrameCount : 0),
      "fade_in_frames": .integer(fadeInFrameCount), "ratio": .integer(1),
    ])
  }
}
