import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer

/// What a method of OpenSubsonic promises: a call that succeeds, and what is wrong with others.
///
/// In values `{song}` is a stereo FLAC with a cover, `{other}` another song, `{album}` and `{artist}` those of the first,
/// `{playlist}` a playlist of the owner.
struct MethodCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// nil if anybody may call it.
  let right: AccountRight?
  var parameters: [String: String] = [:]
  /// Of the member of the answer; nil for one without, and for bytes.
  var key: String?
  /// Of the bytes that are the answer.
  var type: String?
  /// Parameters without which it fails with code 10.
  var required: [String] = []
  /// Values of parameters that are refused, with the code.
  var wrong: [(name: String, value: String, code: Int)] = []

  var testDescription: String { name }
}

extension MethodCase {
  static let all: [MethodCase] = system + browsing + lists + playlists + opinions + queues + sounds

  private static func needing(
    _ name: String, _ parameters: [String: String] = ["id": "{song}"], _ key: String? = nil,
    right: AccountRight = .listen, wrong: [(name: String, value: String, code: Int)] = []
  ) -> MethodCase {
    MethodCase(
      name: name, right: right, parameters: parameters, key: key, required: parameters.keys.sorted(),
      wrong: (parameters["id"] == nil ? [] : [("id", "nothing", 70)]) + wrong)
  }

  private static let system = [
    MethodCase(name: "ping", right: .listen),
    MethodCase(name: "getLicense", right: .listen, key: "license"),
    MethodCase(name: "getOpenSubsonicExtensions", right: nil, key: "openSubsonicExtensions"),
    MethodCase(name: "tokenInfo", right: .listen, key: "tokenInfo"),
    MethodCase(name: "getUser", right: .listen, key: "user", wrong: [("username", "somebody", 50)]),
    MethodCase(name: "getUsers", right: .manage, key: "users"),
    MethodCase(name: "getScanStatus", right: .listen, key: "scanStatus"),
    MethodCase(name: "startScan", right: .manage, key: "scanStatus"),
    MethodCase(name: "getVideos", right: .listen, key: "videos"),
    MethodCase(name: "getPodcasts", right: .listen, key: "podcasts"),
    MethodCase(name: "getNewestPodcasts", right: .listen, key: "newestPodcasts"),
    MethodCase(name: "getInternetRadioStations", right: .listen, key: "internetRadioStations"),
    MethodCase(name: "getShares", right: .listen, key: "shares"),
    MethodCase(name: "getChatMessages", right: .listen, key: "chatMessages"),
    MethodCase(
      name: "jukeboxControl", right: .listen, parameters: ["action": "status"], key: "jukeboxStatus",
      required: ["action"],
      wrong: [("action", "dance", 0), ("action", "skip", 10), ("action", "remove", 10), ("action", "setGain", 10)]),
  ]

  private static let browsing = [
    MethodCase(name: "getMusicFolders", right: .listen, key: "musicFolders"),
    MethodCase(
      name: "getIndexes", right: .listen, key: "indexes",
      wrong: [("ifModifiedSince", "x", 0), ("musicFolderId", "x", 0)]),
    needing("getMusicDirectory", ["id": "{album}"], "directory"),
    MethodCase(name: "getGenres", right: .listen, key: "genres"),
    MethodCase(name: "getArtists", right: .listen, key: "artists", wrong: [("musicFolderId", "x", 0)]),
    needing("getArtist", ["id": "{artist}"], "artist", wrong: [("id", "{album}", 70)]),
    needing("getAlbum", ["id": "{album}"], "album", wrong: [("id", "{artist}", 70)]),
    needing("getSong", ["id": "{song}"], "song", wrong: [("id", "{album}", 70), ("id", "1", 70)]),
    needing("getArtistInfo", ["id": "{artist}"], "artistInfo"),
    needing("getArtistInfo2", ["id": "{artist}"], "artistInfo2"),
    needing("getAlbumInfo", ["id": "{album}"], "albumInfo"),
    needing("getAlbumInfo2", ["id": "{album}"], "albumInfo"),
    MethodCase(
      name: "getTopSongs", right: .listen, parameters: ["artist": "Émilie Søndergård"], key: "topSongs",
      required: ["artist"], wrong: [("count", "x", 0), ("id", "nothing", 70)]),
    needing("getSonicSimilarTracks", ["id": "{song}"], "sonicMatch", wrong: [("count", "x", 0)]),
    MethodCase(
      name: "findSonicPath", right: .listen, parameters: ["startSongId": "{song}", "endSongId": "{other}"],
      key: "sonicMatch", required: ["startSongId", "endSongId"],
      wrong: [("startSongId", "nothing", 70), ("endSongId", "nothing", 70), ("count", "x", 0)]),
    needing("getSimilarSongs", ["id": "{song}"], "similarSongs", wrong: [("count", "x", 0)]),
    needing("getSimilarSongs2", ["id": "{artist}"], "similarSongs2", wrong: [("count", "x", 0)]),
  ]

  private static let pages: [(name: String, value: String, code: Int)] = [
    ("type", "loudest", 0), ("size", "x", 0), ("offset", "x", 0), ("musicFolderId", "x", 0), ("type", "byYear", 10),
    ("type", "byGenre", 10),
  ]
  private static let counts: [(name: String, value: String, code: Int)] = [
    "artistCount", "artistOffset", "albumCount", "albumOffset", "songCount", "songOffset", "musicFolderId",
  ].map { ($0, "x", 0) }

  private static let lists = [
    MethodCase(
      name: "getAlbumList", right: .listen, parameters: ["type": "newest"], key: "albumList", required: ["type"],
      wrong: pages),
    MethodCase(
      name: "getAlbumList2", right: .listen, parameters: ["type": "newest"], key: "albumList2", required: ["type"],
      wrong: pages),
    MethodCase(
      name: "getRandomSongs", right: .listen, key: "randomSongs",
      wrong: [("size", "x", 0), ("fromYear", "x", 0), ("toYear", "x", 0), ("musicFolderId", "x", 0)]),
    MethodCase(
      name: "getSongsByGenre", right: .listen, parameters: ["genre": "Ambient"], key: "songsByGenre",
      required: ["genre"], wrong: [("count", "x", 0), ("offset", "x", 0), ("musicFolderId", "x", 0)]),
    MethodCase(name: "getNowPlaying", right: .listen, key: "nowPlaying"),
    MethodCase(name: "getStarred", right: .listen, key: "starred", wrong: [("musicFolderId", "x", 0)]),
    MethodCase(name: "getStarred2", right: .listen, key: "starred2", wrong: [("musicFolderId", "x", 0)]),
    MethodCase(name: "search2", right: .listen, parameters: ["query": "a"], key: "searchResult2", wrong: counts),
    MethodCase(name: "search3", right: .listen, parameters: ["query": "a"], key: "searchResult3", wrong: counts),
  ]

  private static let playlists = [
    MethodCase(name: "getPlaylists", right: .listen, key: "playlists", wrong: [("username", "somebody", 50)]),
    needing("getPlaylist", ["id": "{playlist}"], "playlist", wrong: [("id", "pl-999", 70), ("id", "pl-x", 70)]),
    MethodCase(
      name: "createPlaylist", right: .rate, parameters: ["name": "made"], key: "playlist", required: ["name"],
      wrong: [("songId", "nothing", 70), ("playlistId", "pl-999", 70), ("playlistId", "nothing", 70)]),
    MethodCase(
      name: "updatePlaylist", right: .rate, parameters: ["playlistId": "{playlist}"], required: ["playlistId"],
      wrong: [
        ("playlistId", "nothing", 70), ("playlistId", "pl-999", 70), ("songIdToAdd", "nothing", 70),
        ("songIndexToRemove", "x", 0),
      ]),
    needing("deletePlaylist", ["id": "{playlist}"], right: .rate, wrong: [("id", "pl-999", 70)]),
  ]

  private static let opinions = [
    needing("star", right: .rate, wrong: [("albumId", "nothing", 70), ("artistId", "nothing", 70)]),
    needing("unstar", right: .rate, wrong: [("albumId", "nothing", 70), ("artistId", "nothing", 70)]),
    needing(
      "setRating", ["id": "{song}", "rating": "4"], right: .rate,
      wrong: [("rating", "6", 0), ("rating", "-1", 0), ("rating", "x", 0), ("rating", "4.5", 0)]),
    needing(
      "scrobble", right: .rate,
      wrong: [("time", "x", 0), ("time", "-1", 0), ("time", "1700000000000000", 0)]),
    MethodCase(
      name: "reportPlayback", right: .rate,
      parameters: ["mediaId": "{song}", "mediaType": "song", "positionMs": "1", "state": "playing"],
      required: ["mediaId", "mediaType", "positionMs", "state"],
      wrong: [
        ("mediaId", "nothing", 70), ("mediaType", "podcast", 0), ("positionMs", "x", 0), ("state", "dancing", 0),
      ]),
  ]

  private static let queues = [
    MethodCase(name: "getBookmarks", right: .listen, key: "bookmarks"),
    needing("createBookmark", ["id": "{song}", "position": "1"], right: .rate, wrong: [("position", "x", 0)]),
    needing("deleteBookmark", right: .rate),
    MethodCase(name: "getPlayQueue", right: .listen, key: "playQueue"),
    MethodCase(name: "getPlayQueueByIndex", right: .listen, key: "playQueueByIndex"),
    MethodCase(
      name: "savePlayQueue", right: .rate, parameters: ["id": "{song}", "current": "{song}"],
      wrong: [("id", "nothing", 0), ("current", "nothing", 0), ("position", "x", 0)]),
    MethodCase(
      name: "savePlayQueueByIndex", right: .rate, parameters: ["id": "{song}", "currentIndex": "0"],
      required: ["currentIndex"],
      wrong: [("id", "nothing", 70), ("currentIndex", "1", 0), ("currentIndex", "x", 0), ("position", "x", 0)]),
  ]

  private static let sounds = [
    MethodCase(
      name: "stream", right: .listen, parameters: ["id": "{song}"], type: "audio/flac", required: ["id"],
      wrong: [("id", "nothing", 70), ("maxBitRate", "x", 0), ("timeOffset", "x", 0)]),
    MethodCase(
      name: "download", right: .listen, parameters: ["id": "{song}"], type: "audio/flac", required: ["id"],
      wrong: [("id", "nothing", 70), ("id", "{album}", 70)]),
    MethodCase(
      name: "getCoverArt", right: .listen, parameters: ["id": "{song}"], type: "image/png", required: ["id"],
      wrong: [("id", "nothing", 70), ("id", "ar-nothing", 70), ("size", "x", 0)]),
    // There are none.
    MethodCase(name: "getAvatar", right: .listen),
    MethodCase(name: "getLyrics", right: .listen, key: "lyrics"),
    needing("getLyricsBySongId", ["id": "{song}"], "lyricsList"),
  ]
}

/// A library in which every call of ``MethodCase`` succeeds.
final class MethodLibrary: Sendable {
  let served: ServedLibrary
  private let values: [String: String]

  /// For tests that change nothing.
  static let shared = Task { try await MethodLibrary() }

  init() async throws {
    served = try await ServedLibrary(of: .fixtures)
    let found = try await served.call("search3", ["query": "", "songCount": "500"]).subsonic["searchResult3"]
    let songs = (found as? [String: Any])?["song"] as? [[String: Any]] ?? []
    guard let song = songs.first(where: { $0["title"] as? String == "Marée lente" }),
      let other = songs.first(where: { $0["title"] as? String == "Lead-in" }), let id = song["id"] as? String,
      let album = song["albumId"] as? String, let artist = song["artistId"] as? String,
      let last = other["id"] as? String
    else { throw HTTPProblem(500, "\(songs)") }
    let made = try await served.call("createPlaylist", ["name": "Evening", "songId": id]).subsonic["playlist"]
    guard let playlist = (made as? [String: Any])?["id"] as? String else {
      throw HTTPProblem(500, "there is no playlist")
    }
    _ = try await served.call("savePlayQueue", ["id": id, "id": last, "current": last])
    _ = try await served.call("createBookmark", ["id": id, "position": "1000", "comment": "here"])
    _ = try await served.call("star", ["id": id, "albumId": album, "artistId": artist])
    values = ["song": id, "other": last, "album": album, "artist": artist, "playlist": playlist]
  }

  func filled(_ text: String) -> String { values.reduce(text) { $0.replacing("{\($1.key)}", with: $1.value) } }

  /// What is sent back to the call of a row.
  ///
  /// - Parameters:
  ///   - changed: Parameters in place of those of the row; nil leaves one out.
  ///   - account: Who calls; nil for the owner.
  func call(
    _ row: MethodCase, with changed: [String: String?] = [:], by account: Account? = nil, _ verb: String = "GET",
    headers: [String: String] = [:]
  ) async throws -> HTTPAnswer {
    let fields = row.parameters.mapValues(Optional.some).merging(changed) { $1 }.sorted { $0.key < $1.key }
    return try await served.call(
      row.name, fields.map { (name: $0.key, value: $0.value.map(filled)) }, by: account, verb, headers: headers)
  }
}
