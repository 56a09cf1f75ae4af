import Base
import LibraryTracks
import Testing
@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import OpenSubsonic
@testable import WebAPI

// Faults: 216
/// What a library of hostile content can make the server answer at most, call by call.
struct LargestAnswersTests {
  /// The most bytes of an answer that is made as a whole.
  private static let wholeByteCount = 8 << 20
  /// And of a piece of one that is made while it is sent: 64 KiB, and one row or song.
  private static let pieceByteCount = 2 << 20
  /// And of what such an answer keeps in memory: the tags of a file of before they were bounded, as JSON with its escapes.
  private static let heldByteCount = 96 << 20

  // MARK: - Calls

  /// The largest calls of each route, by its method and path. `{large}` is the id of the recording with most in its file, `{fat}`
  /// that of one with the largest texts, `{copied}` that of one in many files.
  private static let calls: [String: [(target: String, body: String?)]] = [
    "GET /openapi.json": [("/openapi.json", nil)],
    "GET /status": [("/status", nil)],
    "GET /fields": [("/fields", nil)],
    "GET /query": [("/query?q=" + String(repeating: "%28", count: 3_000), nil)],
    "GET /problems": [("/problems?limit=500", nil)],
    "POST /scan": [],
    "DELETE /scan": [("/scan", nil)],
    "GET /browse": [("/browse", nil)], "GET /roots": [("/roots", nil)],
    // Adding a folder begins a scan, and is tested with workers.
    "POST /roots": [], "DELETE /roots/{id}": [("/roots/999", nil)],
    "PUT /exclusions": [("/exclusions", #"{"path": "/x", "excluded": true}"#)],
    "GET /events": [("/events", nil)],
    "POST /login": [("/login", #"{"token": "x"}"#)],
    "DELETE /login": [("/login", nil)],
    "GET /session": [("/session", nil)], "GET /sessions": [("/sessions", nil)],
    "DELETE /sessions/{id}": [("/sessions/999", nil)],
    "GET /tracks": [
      ("/tracks?limit=500", nil), ("/tracks?limit=500&sort=title-", nil),
      (
        "/tracks?limit=500&fields="
          + [String](repeating: "title,artist,path,genre", count: 16).joined(separator: ","), nil
      ),
    ],
    "GET /tracks/count": [("/tracks/count", nil)],
    "GET /tracks/rank": [("/tracks/rank?file=1", nil)],
    "GET /tracks/jumps": [("/tracks/jumps?sort=title", nil), ("/tracks/jumps?sort=path", nil)],
    "GET /tracks/outlines": [
      ("/tracks/outlines?points=512&ids=" + [String](repeating: "{large}", count: 200).joined(separator: ","), nil)
    ],
    "GET /artists": [("/artists?limit=500", nil), ("/artists?limit=500&of=tracks", nil)],
    "GET /albums": [
      ("/albums?limit=500", nil), ("/albums?limit=500&sort=album", nil), ("/albums?limit=500&detail=1", nil),
    ],
    "GET /albums/{id}": [("/albums/1", nil)],
    "GET /genres": [("/genres?limit=500", nil)], "GET /composers": [("/composers?limit=500", nil)],
    "GET /works": [("/works?limit=500", nil)],
    "GET /folders": [("/folders", nil), ("/folders?root=1", nil)],
    "GET /tracks/{id}": [("/tracks/{large}", nil), ("/tracks/{fat}", nil), ("/tracks/{copied}", nil)],
    "GET /tracks/{id}/file": [("/tracks/{large}/file", nil)],
    "GET /tracks/{id}/artwork": [("/tracks/{large}/artwork", nil)],
    "GET /tracks/{id}/cover": [("/tracks/{large}/cover", nil), ("/tracks/{fat}/cover?size=2048", nil)],
    "GET /albums/{id}/cover": [("/albums/1/cover", nil)],
    "GET /tracks/{id}/pcm": [("/tracks/{large}/pcm?count=1048576&format=f32", nil)],
    "GET /tracks/{id}/sound": [("/tracks/{large}/sound", nil)],
    "GET /tracks/{id}/stream": [("/tracks/{large}/stream", nil)],
    "GET /tracks/{id}/waveform.dat": [("/tracks/{large}/waveform.dat", nil)],
    "GET /tracks/{id}/waveform.json": [("/tracks/{large}/waveform.json", nil)],
    "GET /tracks/{id}/beats": [("/tracks/{large}/beats", nil)],
    "GET /tracks/{id}/bands": [("/tracks/{large}/bands", nil), ("/tracks/{large}/bands?zoom=2048", nil)],
    "GET /tracks/{id}/spectrum": [("/tracks/{large}/spectrum?bands=512&channels=split", nil)],
    "GET /tracks/{id}/spectrogram": [
      ("/tracks/{large}/spectrogram", nil), ("/tracks/{large}/spectrogram?zoom=64&columns=1024&bands=512", nil),
    ],
    "GET /tracks/{id}/loudness": [("/tracks/{large}/loudness", nil)],
    "GET /transitions": [
      (
        "/transitions?style=smart&ids=" + [String](repeating: "{large},{fat}", count: 100).joined(separator: ","), nil
      )
    ],
    "GET /tracks/{id}/similar": [("/tracks/{fat}/similar?limit=500", nil)],
    "GET /duplicates": [("/duplicates?limit=500", nil)],
    "GET /map": [("/map?limit=100000", nil)],
    "POST /identify": [("/identify?limit=100", "no sound")],
    "PUT /tracks/{id}/rating": [("/tracks/{fat}/rating", #"{"rating": 80}"#)],
    "GET /lists": [("/lists", nil)],
    "POST /lists": [("/lists", #"{"name": "made here", "tracks": [1, 2]}"#)],
    "PATCH /lists/{id}": [("/lists/1", #"{"add": [1]}"#)],
    "DELETE /lists/{id}": [("/lists/2", nil)],
    "POST /lists/import": [("/lists/import", #"{"file": "x.m3u8", "text": "nowhere.mp3"}"#)],
    "POST /attributes": [("/attributes", #"{"q": "", "name": "mood", "value": "calm"}"#)],
    "POST /presets/assign": [("/presets/assign", #"{"q": "", "preset": null}"#)],
    "POST /playlists": [("/playlists", #"{"q": "", "format": "jspf"}"#)],
    "POST /undo": [("/undo", "{}")],
    "GET /tags": [("/tags?q=id:{large}", nil), ("/tags?q=id:{fat}", nil), ("/tags?q=id:{copied}", nil)],
    "POST /tags/read": [("/tags/read", #"{"files": [1, 2, 3]}"#)],
    "POST /tags": [("/tags", #"{"q": "id:1", "set": {"genre": ["Jazz"]}, "dry_run": true}"#)],
    // Its files are not there to be looked at.
    "POST /plans": [], "GET /plans/{id}": [("/plans/1", nil)], "POST /plans/{id}/write": [("/plans/1/write", "{}")],
    "DELETE /plans/{id}": [("/plans/1", nil)], "GET /file-changes": [("/file-changes", nil)],
    "POST /file-changes/{id}/undo": [("/file-changes/1/undo", "{}")],
    "GET /presets": [("/presets", nil)],
    "PUT /presets/{name}": [("/presets/x", #"{"name": "x"}"#)],
    "DELETE /presets/{name}": [("/presets/x", nil)],
    "POST /presets/read": [("/presets/read", manyPresets)],
    "GET /tracks/{id}/preset": [("/tracks/{fat}/preset", nil)],
    "PUT /tracks/{id}/preset": [("/tracks/{fat}/preset", #"{"scope": "library", "preset": null}"#)],
    "GET /queue": [("/queue", nil)],
    "POST /queue": [
      (
        "/queue",
        #"{"edit": "00000000000000000000000000000001", "version": 0, "changes": [{"insert": [{"entry": 1, "track": 1}]}]}"#
      )
    ],
    "GET /tracks/{id}/lyrics": [("/tracks/{fat}/lyrics", nil)],
    "GET /plays": [("/plays?limit=500", nil)],
    "POST /plays": [
      ("/plays", #"{"track": 1, "started_at": "2026-01-01T00:00:00Z", "seconds": 1, "finished": true}"#)
    ],
  ]

  /// A file of Equalizer APO with many notes, as large as a body may be.
  private static let manyPresets = JSONValue.object([
    "name": "x.txt",
    "text": .string(
      "Preamp: -6 dB\nFilter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\n" + String(repeating: "Junk: 1\n", count: 90_000)),
  ]).text

  /// The largest calls of each method. `{song}` is the id of the song with lyrics, `{fat}` of one with the largest texts, `{large}` of
  /// the one with a cover, and so on.
  private static let methodCalls: [String: [String]] = [
    "ping": [""], "getLicense": [""], "getOpenSubsonicExtensions": [""], "tokenInfo": [""], "getUser": [""],
    "getUsers": [""], "getScanStatus": [""], "getVideos": [""], "getPodcasts": [""], "getNewestPodcasts": [""],
    "getInternetRadioStations": [""], "getShares": [""], "getChatMessages": [""],
    // Starting a scan is tested with workers.
    "startScan": [],
    "getMusicFolders": [""], "getIndexes": [""], "getMusicDirectory": ["id={album}", "id={artist}", "id=1"],
    "getGenres": [""], "getArtists": [""], "getArtist": ["id={artist}"], "getAlbum": ["id={album}"],
    "getSong": ["id={fat}"], "getArtistInfo": ["id={artist}"], "getArtistInfo2": ["id={artist}"],
    "getAlbumInfo": ["id={album}"], "getAlbumInfo2": ["id={album}"], "getTopSongs": ["artist=Artist 1&count=500"],
    "getAlbumList": ["type=alphabeticalByName&size=500", "type=newest&size=500"],
    "getAlbumList2": [
      "type=alphabeticalByName&size=500", "type=newest&size=500", "type=frequent&size=500", "type=starred&size=500",
      "type=random&size=500", "type=recent&size=500", "type=alphabeticalByArtist&size=500", "type=highest&size=500",
      "type=byYear&fromYear=0&toYear=9999&size=500", "type=byGenre&genre=Common&size=500",
    ],
    "getRandomSongs": ["size=500"], "getSongsByGenre": ["genre=Common&count=500"], "getNowPlaying": [""],
    "getStarred": [""], "getStarred2": [""],
    "search2": ["query=&artistCount=10000&albumCount=10000&songCount=10000"],
    "search3": ["query=&artistCount=10000&albumCount=10000&songCount=10000"],
    "getPlaylists": [""], "getPlaylist": ["id=pl-1"], "createPlaylist": ["playlistId=pl-1&name=new"],
    "updatePlaylist": ["playlistId=pl-1&songIdToAdd={fat}"], "deletePlaylist": ["id=pl-3"],
    "star": ["id={fat}"], "unstar": ["id={fat}"], "setRating": ["id={fat}&rating=5"], "scrobble": ["id={fat}"],
    "reportPlayback": ["mediaId={fat}&mediaType=song&positionMs=1&state=playing"],
    "getBookmarks": [""], "createBookmark": ["id={fat}&position=1"], "deleteBookmark": ["id={song}"],
    "getPlayQueue": [""], "getPlayQueueByIndex": [""], "savePlayQueue": ["id={fat}"],
    "savePlayQueueByIndex": ["id={fat}&currentIndex=0"],
    "stream": ["id={fat}"], "download": ["id={fat}"], "getCoverArt": ["id={large}"], "getAvatar": [""],
    "getLyrics": ["title=\(HostileLibrary.lyricsTitle)"], "getLyricsBySongId": ["id={song}"],
    "getSonicSimilarTracks": ["id={fat}&count=500"], "findSonicPath": ["startSongId={fat}&endSongId={song}&count=500"],
    "getSimilarSongs": ["id={fat}&count=500"], "getSimilarSongs2": ["id={artist}&count=500"],
    "jukeboxControl": ["action=get"],
  ]

  // MARK: - Tests

  @Test func `every route and every method is called`() throws {
    let (routes, methods) = (try ServedLibrary.routes, try ServedLibrary.methods)
    #expect(Set(Self.calls.keys) == Set(routes.map { "\($0.method.rawValue) \($0.path)" }))
    #expect(Set(Self.methodCalls.keys) == Set(methods.keys))
  }

  @Test func `no answer of the API is larger than 8 MiB unless it is made while it is sent`() throws {
    let library = try ServedLibrary(HostileLibrary.fill)
    let ids = try recordingIDs(library)
    for route in library.server.api.table.routes {
      let name = "\(route.method.rawValue) \(route.path)"
      for (target, body) in Self.calls[name] ?? [] {
        let target = ids.reduce(target) { $0.replacing("{\($1.key)}", with: "\($1.value)") }
        try expectBounded(
          try library.answer(route.method.rawValue, target, body: body), of: "\(name) \(target.prefix(100))")
      }
    }
  }

  @Test func `no answer of OpenSubsonic is larger than 8 MiB unless it is made while it is sent`() throws {
    let library = try ServedLibrary(HostileLibrary.fill)
    let ids = try songIDs(library)
    // What writes comes last, so that everything else sees what was there before.
    let names = library.server.subsonic.methods.sorted {
      ($0.value.right == .rate ? 1 : 0, $0.key) < ($1.value.right == .rate ? 1 : 0, $1.key)
    }
    for (name, method) in names {
      for form in method.right == .rate ? ["json"] : ["json", "xml"] {
        for call in Self.methodCalls[name] ?? [] {
          let parameters = ids.reduce(call) { $0.replacing("{\($1.key)}", with: $1.value) }
          let fields = try #require(Fields(parsing: parameters.replacing(" ", with: "+")[...]), "\(parameters)").all
          try expectBounded(
            try library.answer(method: name, fields, form: form), of: "\(name) as \(form) of \(parameters)")
        }
      }
    }
  }

  private func expectBounded(_ reply: Reply, of name: String) throws {
    let isMade = if case .document = reply.body { true } else { false }
    guard let size = try ReplySize(reply) else { return }
    if isMade {
      #expect(size.largestPieceByteCount < Self.pieceByteCount, "\(name) has such a piece")
      #expect(size.heldByteCount < Self.heldByteCount, "\(name) keeps so much")
      if reply.byteCount != nil { #expect(reply.byteCount == Int64(size.byteCount), "\(name) has this length") }
    } else {
      #expect(size.byteCount < Self.wholeByteCount, "\(name) is so large")
    }
  }

  // MARK: - Ids

  private func recordingIDs(_ library: ServedLibrary) throws -> [String: Int64] {
    try library.server.library.reading { store in
      func id(_ query: String) throws -> Int64 { try #require(try store.tracks.recordingIDs(naming: [query]).first) }
      return [
        "large": try id("filename:=9500.flac"), "fat": try id("filename:=0.flac"),
        "copied": try id(#"filename:="copy 0.flac""#),
      ]
    }
  }

  private func songIDs(_ library: ServedLibrary) throws -> [String: String] {
    let ids = try recordingIDs(library)
    return try library.server.library.reading { store in
      let browseIndex = try library.server.browsing.current()
      func key(_ id: Int64?) throws -> String {
        let recording = try #require(id)
        let file = try #require(try store.songs.fileIDs(ofRecordings: [recording]).first)
        return try #require(try store.songs.all(in: [file], of: nil).first).key
      }
      let album = try #require(browseIndex.albums.max { $0.songs.count < $1.songs.count })
      let artist = try #require(browseIndex.artists.max { $0.albums.count < $1.albums.count })
      return [
        "large": try key(ids["large"]), "fat": try key(ids["fat"]),
        "song": try key(try store.tracks.recordingIDs(naming: ["title:=\"\(HostileLibrary.lyricsTitle)\""]).first),
        "album": album.id, "artist": artist.id,
      ]
    }
  }
}
