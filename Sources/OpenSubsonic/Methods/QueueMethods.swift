internal import Base
internal import Foundation
internal import HTTPServing
internal import LibraryServing
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import UserData

/// Where people stopped: bookmarks in songs, and the queue with which another client can go on.
enum QueueMethods {
  static let all: [String: SubsonicMethod] = [
    "getBookmarks": SubsonicMethod(.listen, bookmarks),
    "createBookmark": SubsonicMethod(.rate, createBookmark),
    "deleteBookmark": SubsonicMethod(.rate) { call in
      let id = try call.parameters.required("id")
      let recording = try call.reading { try $0.recordingID(ofSong: id) }
      try call.writing { try $0.attributes.remember(Song.bookmarkName, nil, ofRecording: recording, by: $1) }
      return SubsonicObject()
    },
    "getPlayQueue": SubsonicMethod(.listen) { try queue($0, byIndex: false) },
    "getPlayQueueByIndex": SubsonicMethod(.listen) { try queue($0, byIndex: true) },
    "savePlayQueue": SubsonicMethod(.rate) { try saveQueue($0, byIndex: false) },
    "savePlayQueueByIndex": SubsonicMethod(.rate) { try saveQueue($0, byIndex: true) },
  ]

  // MARK: - Bookmarks

  private static func bookmarks(_ call: SubsonicCall) throws -> SubsonicObject {
    try call.reading { library in
      guard let personID = library.personID else { return .holding("bookmarks", "bookmark", []) }
      let stored = try library.store.attributes.recordings(with: Song.bookmarkName, of: personID).map(
        \.recordingID)
      let files = try library.store.songs.fileIDs(ofRecordings: stored)
      let user = call.user
      let bookmarks = library.songs(files) { _, song, view in
        guard let bookmark = song.bookmark.flatMap(Bookmark.init(text:)) else { return nil }
        var object = SubsonicObject()
        object.add("position", bookmark.positionInMilliseconds)
        object.add("username", user)
        object.add("comment", bookmark.comment)
        object.add("created", Timestamp(secondsSince1970: bookmark.createdAt).description)
        object.add("changed", Timestamp(secondsSince1970: bookmark.changedAt).description)
        object.add("entry", SongDocument.object(song, view))
        return object
      }
      return .holding("bookmarks", "bookmark", bookmarks)
    }
  }

  private static func createBookmark(_ call: SubsonicCall) throws -> SubsonicObject {
    let id = try call.parameters.required("id")
    guard let position = try call.parameters.integer("position", in: 0...Int64.max) else {
      throw SubsonicError.missing("position")
    }
    let comment = call.parameters["comment"]?.cut(toByteCount: 4_000)
    let (found, hearing) = try call.reading { (try $0.song(try $0.fileID(ofSong: id)), $0.view.hearing) }
    guard let song = found else { throw SubsonicError.notFound("song") }
    let now = Int64(Date().timeIntervalSince1970)
    // A player whose clock is ahead is not refused: a place behind the end is the end.
    let length =
      song.durationInSeconds.map { seconds in
        Int64(max(0, min(hearing.sent(of: song)?.duration(ofSeconds: seconds) ?? seconds, 1e12)) * 1000)
      } ?? .max
    let bookmark = Bookmark(
      positionInMilliseconds: min(position, length), comment: comment,
      createdAt: song.bookmark.flatMap(Bookmark.init(text:))?.createdAt ?? now, changedAt: now)
    try call.writing { store, person in
      try store.attributes.remember(Song.bookmarkName, bookmark.text, ofRecording: song.recordingID, by: person)
    }
    return SubsonicObject()
  }

  // MARK: - Queue

  private static func queue(_ call: SubsonicCall, byIndex: Bool) throws -> SubsonicObject {
    try call.reading { library in
      guard let queue = try library.personID.flatMap({ try library.store.plays.queue(of: $0) }) else {
        return SubsonicObject()
      }
      // A recording without a present file is left out, and the places move up.
      var (files, place) = ([Int64](), Int?.none)
      for entry in queue.entries {
        let file = try entry.fileID ?? library.store.songs.fileIDs(ofRecordings: [entry.recordingID]).first
        guard let file else { continue }
        if entry.id == queue.currentID { place = files.count }
        files.append(file)
      }
      var object = SubsonicObject()
      if byIndex {
        object.add("currentIndex", place)
      } else if let place {
        object.add("current", try library.song(files[place])?.key)
      }
      object.add("position", queue.positionInMilliseconds)
      object.add("username", call.user)
      object.add("changed", Timestamp(secondsSince1970: queue.changedAt).description)
      object.add("changedBy", queue.changedBy)
      object.add("entry", library.songs(files))
      return .holding(byIndex ? "playQueueByIndex" : "playQueue", object)
    }
  }

  private static func saveQueue(_ call: SubsonicCall, byIndex: Bool) throws -> SubsonicObject {
    let ids = call.parameters.values("id")
    try SongList.requireRoom(for: ids.count)
    let place: Int?
    if byIndex {
      place = try call.parameters.integer("currentIndex", in: Int64.min...Int64.max).map { Int($0) }
      guard ids.isEmpty || place != nil else { throw SubsonicError.missing("currentIndex") }
      if let place, !ids.indices.contains(place) { throw SubsonicError.invalid("currentIndex", "\(place)") }
    } else {
      let current = call.parameters["current"]
      place = current.flatMap { ids.firstIndex(of: $0) }
      if let current, place == nil { throw SubsonicError.invalid("current", current) }
    }
    let position = try call.parameters.integer("position", in: 0...Int64.max) ?? 0
    let client = call.playerName ?? ""
    let songs = try call.reading { library in
      try ids.map {
        (recordingID: try library.recordingID(ofSong: $0), fileID: Optional(try library.fileID(ofSong: $0)))
      }
    }
    try call.writing { store, person in
      try store.plays.saveQueue(songs, place: place, positionInMilliseconds: position, by: client, of: person)
    }
    return SubsonicObject()
  }
}

extension SongList {
  /// - Throws: ``SubsonicError`` if so many songs are too many for one change, for which others wait.
  static func requireBatch(of count: Int) throws(SubsonicError) {
    guard count <= 10_000 else { throw SubsonicError(.general, "one call changes at most 10000 songs") }
  }

  /// - Throws: ``SubsonicError`` if so many songs are too many.
  static func requireRoom(for count: Int) throws(SubsonicError) {
    guard count <= largestCount else { throw SubsonicError(.general, "a list has at most \(largestCount) songs") }
  }
}
