internal import Base
internal import Foundation
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaStore
internal import Scrobbling
internal import UserData

/// What was heard.
struct PlayRoutes {
  let library: LibraryAccess
  let reports: PlayReports

  var routes: [Route] {
    [
      Route(
        .get, "/plays", "Played tracks, the latest first.", [PageParameters.from, PageParameters.limit], plays),
      Route(.post, "/plays", "Records a play of a track.", needs: .own, note),
    ]
  }

  private func plays(_ call: Call) throws -> Reply {
    let (from, limit) = (try call[PageParameters.from], try call[PageParameters.limit])
    let (revision, plays) = try library.reading { store in
      (try store.revision(), try store.plays.latest(from: Int(clamping: from), limit: Int(limit)))
    }
    let rows = JSONRows(plays) { play in
      .object([
        "id": .integer(play.recordingID), "title": .string(play.title), "artist": .string(play.artist),
        "started_at": .string(Timestamp(secondsSince1970: play.startedAt).description),
        "seconds": .number(play.seconds), "finished": .bool(play.isFinished),
      ])
    }
    return try Reply(["revision": .string(revision)], "rows", rows)
  }

  private func note(_ call: Call) throws -> Reply {
    let body = try call.document()
    guard let id = body["track"]?.double.flatMap({ Int64(exactly: $0) }) else {
      throw HTTPProblem(422, "track is the id of a track")
    }
    guard let start = body["started_at"]?.string.flatMap(seconds) else {
      throw HTTPProblem(422, "started_at is a time such as 2026-11-23T20:15:00Z")
    }
    guard let seconds = body["seconds"]?.double, (0...1e7).contains(seconds) else {
      throw HTTPProblem(422, "seconds is the time that was played")
    }
    try report(recording: id, startedAt: start, seconds: seconds)
    let count = try library.writing { store in
      try store.plays.note(
        ofRecording: id, startedAt: start, seconds: seconds, isFinished: body["finished"]?.bool ?? false)
    }
    guard let count else { throw HTTPProblem(404, "there is no track \(id)") }
    return Reply(status: 201, Self.document(of: count))
  }

  private func report(recording id: Int64, startedAt: Int64, seconds: Double) throws {
    let song = try library.reading { store in
      try store.songs.all(in: store.files.all(ofRecording: id).prefix(1).map(\.id), of: nil).first
    }
    guard let song, PlayReports.isHeard(song, forSeconds: seconds) else { return }
    reports.report([(song, startedAt)], by: LibraryAccess.listener, player: "Deadwax")
  }

  static func document(of count: PlayCount) -> JSONValue {
    .object([
      "plays": .integer(count.count),
      "last_played_at": .string(count.lastAt.map { Timestamp(secondsSince1970: $0).description }),
    ])
  }

  /// Seconds since 1970 of a time in ISO 8601, with or without fractions.
  private func seconds(_ text: String) -> Int64? {
    let whole = Date.ISO8601FormatStyle()
    let date = (try? whole.parse(text)) ?? (try? Date.ISO8601FormatStyle(includingFractionalSeconds: true).parse(text))
    // A day ahead, because clocks differ.
    let latest = Date.now.timeIntervalSince1970 + 86_400
    guard let seconds = date?.timeIntervalSince1970, seconds <= latest, !text.contains("\0") else { return nil }
    return Int64(seconds.rounded(.down))
  }
}
