internal import Base
internal import Foundation
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import Scrobbling
internal import UserData

/// What people say and have heard. It is on the disk before the answer.
struct AnnotationMethods {
  let nowPlaying: NowPlaying
  let plays: PlayReports

  var all: [String: SubsonicMethod] {
    [
      "star": SubsonicMethod(.rate) { call in
        let now = Timestamp(secondsSince1970: Int64(Date().timeIntervalSince1970)).description
        return try setStar(call, to: now)
      },
      "unstar": SubsonicMethod(.rate) { try setStar($0, to: nil) },
      "setRating": SubsonicMethod(.rate, setRating),
      "scrobble": SubsonicMethod(.rate, scrobble),
      "reportPlayback": SubsonicMethod(.rate, reportPlayback),
    ]
  }

  /// Recordings, albums and artists that ids mean.
  private struct Subjects {
    var recordings: [Int64] = []
    var groups: [TrackGroup] = []

    /// An id of a parameter for songs can also be that of a folder, which here is an album or artist.
    mutating func add(_ id: String, _ library: SubsonicLibrary) throws {
      if let album = library.browseIndex.album(id: id) {
        groups.append(library.browseIndex.group(ofAlbum: album))
      } else if let artist = library.browseIndex.artist(id: id) {
        groups.append(library.browseIndex.group(ofArtist: artist))
      } else {
        recordings.append(try library.recordingID(ofSong: id))
      }
    }
  }

  private func setStar(_ call: SubsonicCall, to value: String?) throws -> SubsonicObject {
    let ids = ["id", "albumId", "artistId"].flatMap { call.parameters.values($0) }
    guard !ids.isEmpty else { throw SubsonicError.missing("id, albumId or artistId") }
    try SongList.requireBatch(of: ids.count)
    let subjects = try call.reading { library in
      try ids.reduce(into: Subjects()) { try $0.add($1, library) }
    }
    try call.writing { store, person in
      try store.attributes.setOpinion(
        .starred, to: value, ofRecordings: subjects.recordings, groups: subjects.groups, by: person, keepsOlder: true)
    }
    return SubsonicObject()
  }

  private func setRating(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    let text = try call.parameters.required("rating")
    let stars = Int(try Fields.integer(text, of: "rating"))
    guard (0...5).contains(stars), Double(text) == Double(stars) else { throw SubsonicError.invalid("rating", text) }
    let subjects = try call.reading { library in
      var subjects = Subjects()
      try subjects.add(id, library)
      return subjects
    }
    try call.writing { store, person in
      try store.attributes.setOpinion(
        .rating, to: stars == 0 ? nil : StarRating.rating(stars: stars), ofRecordings: subjects.recordings,
        groups: subjects.groups, by: person)
    }
    return SubsonicObject()
  }

  // MARK: - Plays

  private func scrobble(_ call: SubsonicCall) throws -> SubsonicObject {
    let ids = call.parameters.values("id")
    guard !ids.isEmpty else { throw SubsonicError.missing("id") }
    try SongList.requireBatch(of: ids.count)
    let now = Int64(Date().timeIntervalSince1970)
    let times = try call.parameters.values("time").map { text throws(SubsonicError) in
      // Clocks differ, and some speak of their own zone; microseconds are refused.
      let time = try Fields.integer(text, of: "time")
      guard time >= 0, time / 1000 <= now + 86_400 else { throw .invalid("time", text) }
      return time / 1000
    }
    let isSubmission = try call.parameters.flag("submission") ?? true
    let songs = try call.reading { library in
      try library.store.songs.all(in: try ids.map { try library.fileID(ofSong: $0) }, of: nil)
    }
    guard isSubmission else {
      if let song = songs.first {
        nowPlaying.note(song, by: call.player)
        plays.report(playing: song, by: call.listener, player: call.playerName)
      }
      return SubsonicObject()
    }
    try note(
      songs.enumerated().map { index, song in
        Heard(
          song: song, startedAt: index < times.count ? times[index] : now, seconds: song.durationInSeconds ?? 0)
      }, call)
    return SubsonicObject()
  }

  private struct Heard {
    let song: Song
    /// Seconds since 1970.
    let startedAt: Int64
    let seconds: Double
  }

  private func note(_ heard: [Heard], _ call: SubsonicCall) throws {
    // First, because a player that gets no answer says it again: twice is once there, never would be a loss.
    plays.report(heard.map { ($0.song, $0.startedAt) }, by: call.listener, player: call.playerName)
    try call.writing { store, person in
      try store.plays.note(
        heard.map {
          NewPlay(
            recordingID: $0.song.recordingID, startedAt: $0.startedAt, seconds: $0.seconds,
            isFinished: $0.seconds >= ($0.song.durationInSeconds ?? 0) - 1)
        }, by: person)
    }
  }

  /// Where a client is in a song; one that stops behind its middle, or after four minutes, was heard.
  private func reportPlayback(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("mediaId")
    let type = try call.parameters.required("mediaType")
    guard type == "song" else { throw SubsonicError.invalid("mediaType", type) }
    guard let position = try call.parameters.integer("positionMs", in: 0...Int64(Int32.max) * 1000) else {
      throw SubsonicError.missing("positionMs")
    }
    let state = try call.parameters.required("state")
    guard ["starting", "playing", "paused", "stopped"].contains(state) else {
      throw SubsonicError.invalid("state", state)
    }
    let (found, hearing) = try call.reading { (try $0.song(try $0.fileID(ofSong: id)), $0.view.hearing) }
    guard let song = found else { throw SubsonicError.notFound("song") }
    guard state == "stopped" else {
      nowPlaying.note(song, state: state, positionInMilliseconds: position, by: call.player)
      if state == "starting" { plays.report(playing: song, by: call.listener, player: call.playerName) }
      return SubsonicObject()
    }
    nowPlaying.forget(call.player)
    let heard = Double(position) / 1000
    let seconds = hearing.sent(of: song)?.fileSeconds(ofHeard: heard) ?? heard
    if try call.parameters.flag("ignoreScrobble") != true, seconds > 0,
      PlayReports.isHeard(song, forSeconds: seconds)
    {
      let startedAt = Int64(Date().timeIntervalSince1970 - heard)
      try note([Heard(song: song, startedAt: startedAt, seconds: seconds)], call)
    }
    return SubsonicObject()
  }
}
