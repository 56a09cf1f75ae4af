import Foundation
import TestSupport
import Testing

@testable import HTTPServing
@testable import LibraryServing
@testable import MediaServer
@testable import WebAPI

/// What a route of the API promises: a request that succeeds, and what is wrong with others.
///
/// In targets and bodies `{track}` is a stereo FLAC with a cover, `{copy}` a recording that two files have, `{list}` a list,
/// `{preset}` a preset, `{plan}` a plan that writes nothing, `{folder}` a folder that is not in the library, `{inside}` one that is,
/// `{token}` the owner's token, `{session}` a session of somebody.
struct RouteCase: Sendable, CustomTestStringConvertible {
  let name: String
  /// As docs/api.md states it.
  let right: AccessPolicy.Right
  /// Below `/api/v1`.
  let target: String
  var body: String?
  /// What the owner gets.
  var status = 200
  var type = "application/json"
  /// Of the object that is the answer, in order; empty for what is no JSON.
  var keys: [String] = []
  /// Of the objects in the lists of the answer, by the key of the list.
  var itemKeys: [String: [String]] = [:]
  /// Whether the answer has a tag, by which a client asks whether it has changed.
  var isTagged = false
  /// Bodies that are JSON objects but not what the route takes, with the status of the answer.
  var wrongBodies: [String: Int] = [:]
  /// Other targets that are refused, with the status of the answer.
  var wrongTargets: [String: Int] = [:]

  var method: String { String(name.prefix { $0 != " " }) }
  var path: String { String(name.drop { $0 != " " }.dropFirst()) }
  var route: Route? { try? ServedLibrary.routes.first { "\($0.method.rawValue) \($0.path)" == name } }
  var testDescription: String { name }

  static let problem = "application/problem+json"
}

extension RouteCase {
  private static let rowOfTrack = [
    "file", "id", "title", "artist", "album", "filename", "duration", "bpm", "key", "camelot",
  ]
  private static let list = ["schema", "id", "name", "query", "tracks", "changed_at", "find"]
  private static let resolution = ["schema", "preset", "from", "silenced", "assignments"]
  private static let wrongQueries = ["q=%28": 400, "q=lufs:x": 400, "q=nosuchfield:%3E1": 400]

  private static func queries(_ path: String) -> [String: Int] {
    Dictionary(uniqueKeysWithValues: wrongQueries.map { ("\(path)?\($0.key)", $0.value) })
  }

  static let all: [RouteCase] =
    library + roots + listing + groups + track + sound + similarity + decisions + tags + writing + presets
    + plays + queue

  private static let library = [
    RouteCase(
      name: "GET /openapi.json", right: .none, target: "/openapi.json",
      keys: ["openapi", "info", "paths", "components"],
      isTagged: true),
    RouteCase(
      name: "GET /status", right: .reading, target: "/status",
      keys: [
        "schema", "name", "revision", "can_write", "can_write_music", "files", "listed_files", "recordings",
        "audio_seconds",
        "media_bytes",
        "library_bytes", "states", "roots", "presets", "presets_on", "scan",
      ], itemKeys: ["roots": ["id", "path", "files", "missing", "bytes"]]),
    RouteCase(
      name: "GET /fields", right: .reading, target: "/fields", keys: ["schema", "fields", "tags", "attributes"],
      itemKeys: ["fields": ["name", "kind", "words"]], isTagged: true),
    RouteCase(name: "GET /query", right: .reading, target: "/query?q=title:a", keys: ["schema", "valid"]),
    RouteCase(
      name: "GET /problems", right: .reading, target: "/problems", keys: ["schema", "revision", "total", "rows"],
      wrongTargets: queries("/problems")),
    RouteCase(
      name: "POST /scan", right: .owner, target: "/scan", body: "{}", status: 202, keys: ["schema"]),
    // None was started.
    RouteCase(name: "DELETE /scan", right: .owner, target: "/scan", status: 404, type: problem),
    RouteCase(name: "GET /events", right: .reading, target: "/events", type: "text/event-stream"),
    RouteCase(
      name: "POST /login", right: .none, target: "/login", body: #"{"token": "{token}"}"#, status: 204, type: "",
      wrongBodies: [
        #"{}"#: 401, #"{"token": 1}"#: 401, #"{"token": "guess"}"#: 401, #"{"token": ""}"#: 401,
        #"{"user": "ben"}"#: 422, #"{"password": "guess"}"#: 422, #"{"user": 1, "password": "guess"}"#: 422,
        #"{"user": "ben", "password": "guess"}"#: 401, #"{"user": "", "password": ""}"#: 401,
      ]),
    RouteCase(name: "DELETE /login", right: .none, target: "/login", status: 204, type: ""),
    RouteCase(
      name: "GET /session", right: .none, target: "/session",
      keys: ["schema", "user", "right", "can_read", "can_change_own", "can_sign_in"]),
    RouteCase(
      name: "GET /sessions", right: .signedIn, target: "/sessions", keys: ["schema", "sessions"],
      itemKeys: [
        "sessions": [
          "id", "user", "for", "address", "browser", "signed_in_at", "last_used_at", "ends_at", "current",
        ]
      ]),
    RouteCase(name: "DELETE /sessions/{id}", right: .signedIn, target: "/sessions/{session}", status: 204, type: ""),
  ]

  private static let roots = [
    RouteCase(
      name: "GET /browse", right: .owner, target: "/browse",
      keys: ["schema", "path", "parent", "state", "cut", "folders"],
      itemKeys: ["folders": ["name", "path", "state"]],
      wrongTargets: [
        "/browse?path=/etc": 404, "/browse?path=relative": 404, "/browse?path={folder}/..": 404,
        "/browse?path_bytes=%3F": 422,
      ]),
    RouteCase(
      name: "GET /roots", right: .owner, target: "/roots", keys: ["schema", "roots", "excluded"],
      itemKeys: ["roots": ["id", "path", "files", "missing"]]),
    RouteCase(
      name: "POST /roots", right: .owner, target: "/roots", body: #"{"path": "{folder}"}"#, status: 201,
      keys: ["schema", "id", "path"],
      wrongBodies: [
        #"{}"#: 422, #"{"path": 1}"#: 422, #"{"path": "Music"}"#: 422, #"{"path": "/etc"}"#: 404,
        #"{"path": "{folder}/.."}"#: 404, #"{"path_bytes": "?"}"#: 422, #"{"path": "{inside}"}"#: 409,
        #"{"path": "{folder}", "take_over": 1}"#: 422,
      ]),
    RouteCase(name: "DELETE /roots/{id}", right: .owner, target: "/roots/1", status: 204, type: ""),
    RouteCase(
      name: "PUT /exclusions", right: .owner, target: "/exclusions", body: #"{"path": "{inside}", "excluded": true}"#,
      keys: ["schema", "path", "excluded", "forgotten"],
      wrongBodies: [
        #"{}"#: 422, #"{"path": "{inside}"}"#: 422, #"{"path": "{inside}", "excluded": 1}"#: 422,
        #"{"path": "{folder}", "excluded": true}"#: 422, #"{"path": "/etc", "excluded": true}"#: 404,
      ]),
  ]

  private static let listing = [
    RouteCase(
      name: "GET /tracks", right: .reading, target: "/tracks?sort=title",
      keys: ["schema", "revision", "from", "total", "rows"],
      itemKeys: [
        "rows": [
          "file", "id", "title", "artist", "albumartist", "album", "track", "disc", "year", "genre", "duration",
          "codec",
          "rate", "channels", "bits", "lufs", "lra", "truepeak", "bpm", "key", "camelot", "preset", "state", "filename",
        ]
      ],
      wrongTargets: queries("/tracks").merging([
        "/tracks?sort=nosuchfield": 400, "/tracks?fields=nosuchfield": 422,
        "/tracks?fields=" + [String](repeating: "title", count: 65).joined(separator: ","): 422,
      ]) { $1 }),
    RouteCase(
      name: "GET /tracks/count", right: .reading, target: "/tracks/count",
      keys: ["schema", "revision", "files", "duration_seconds", "size_bytes"], wrongTargets: queries("/tracks/count")),
    RouteCase(
      name: "GET /tracks/rank", right: .reading, target: "/tracks/rank?sort=title&id={track}",
      keys: ["schema", "revision", "row"],
      wrongTargets: ["/tracks/rank": 422, "/tracks/rank?id=1&q=%28": 400, "/tracks/rank?id=1&sort=nosuchfield": 400]),
    RouteCase(
      name: "GET /tracks/jumps", right: .reading, target: "/tracks/jumps?sort=title",
      keys: ["schema", "revision", "field", "jumps"], itemKeys: ["jumps": ["text", "row"]],
      wrongTargets: queries("/tracks/jumps").merging(["/tracks/jumps?sort=nosuchfield": 400]) { $1 }),
    RouteCase(
      name: "GET /tracks/outlines", right: .reading, target: "/tracks/outlines?ids={track},{copy}&points=8",
      type: "application/octet-stream", isTagged: true,
      wrongTargets: [
        "/tracks/outlines?ids=" + [String](repeating: "1", count: 201).joined(separator: ","): 422,
        "/tracks/outlines?ids=1,,2": 422, "/tracks/outlines?ids=": 422,
      ]),
  ]

  private static let groups = [
    RouteCase(
      name: "GET /artists", right: .reading, target: "/artists", keys: ["schema", "revision", "total", "rows"],
      itemKeys: ["rows": ["name", "sort_name", "albums", "files", "tracks", "duration_seconds", "id", "query"]],
      wrongTargets: queries("/artists").merging(["/artists?of=cats": 422]) { $1 }),
    RouteCase(
      name: "GET /albums", right: .reading, target: "/albums", keys: ["schema", "revision", "total", "rows"],
      itemKeys: [
        "rows": [
          "album", "artist", "year", "compilation", "files", "tracks", "discs", "editions", "problems",
          "duration_seconds", "id",
          "album_id", "cover", "query",
        ]
      ],
      wrongTargets: queries("/albums").merging(["/albums?detail=2": 422]) { $1 }),
    RouteCase(
      name: "GET /albums/{id}", right: .reading, target: "/albums/1",
      keys: [
        "schema", "revision", "album", "artist", "year", "compilation", "files", "tracks", "discs", "editions",
        "problems", "duration_seconds", "id", "album_id", "cover", "query", "artists", "loudness_lufs", "wrong",
      ], wrongTargets: ["/albums/999999": 404, "/albums/first": 404]),
    RouteCase(
      name: "GET /genres", right: .reading, target: "/genres", keys: ["schema", "revision", "total", "rows"],
      itemKeys: ["rows": ["name", "files", "duration_seconds", "query"]], wrongTargets: queries("/genres")),
    RouteCase(
      name: "GET /composers", right: .reading, target: "/composers", keys: ["schema", "revision", "total", "rows"],
      itemKeys: ["rows": ["name", "files", "duration_seconds", "query"]], wrongTargets: queries("/composers")),
    RouteCase(
      name: "GET /works", right: .reading, target: "/works", keys: ["schema", "revision", "total", "rows"],
      wrongTargets: queries("/works")),
    RouteCase(
      name: "GET /folders", right: .reading, target: "/folders?root=1", keys: ["schema", "revision", "rows"],
      itemKeys: ["rows": ["root", "path", "name", "files", "query"]],
      wrongTargets: ["/folders?root=999": 404, "/folders?root=1&q=%28": 400]),
  ]

  private static let track = [
    RouteCase(
      name: "GET /tracks/{id}", right: .reading, target: "/tracks/{track}",
      keys: [
        "schema", "id", "hash", "hash_basis", "state", "preset", "preset_from", "files", "format", "part", "parts",
        "tags", "corrections", "roles", "works", "movement", "attributes", "lists", "artwork", "measures", "tempo",
        "key", "album",
        "lossy_source", "acoustid",
        "products", "file_count", "plays",
      ], isTagged: true),
    RouteCase(
      name: "GET /tracks/{id}/lyrics", right: .reading, target: "/tracks/{track}/lyrics",
      keys: ["schema", "id", "lyrics"], isTagged: true),
    RouteCase(
      name: "GET /tracks/{id}/file", right: .reading, target: "/tracks/{track}/file", type: "audio/flac",
      isTagged: true,
      wrongTargets: ["/tracks/{track}/file?file=999": 404]),
    RouteCase(
      name: "GET /tracks/{id}/artwork", right: .reading, target: "/tracks/{track}/artwork", type: "image/png",
      isTagged: true, wrongTargets: ["/tracks/{track}/artwork?index=9": 404, "/tracks/{copy}/artwork": 404]),
    RouteCase(
      name: "GET /tracks/{id}/cover", right: .reading, target: "/tracks/{track}/cover", type: "image/png",
      isTagged: true,
      wrongTargets: ["/tracks/999999/cover": 404, "/tracks/{track}/cover?ground=red": 422]),
    RouteCase(
      name: "GET /albums/{id}/cover", right: .reading, target: "/albums/1/cover?size=64&ground=light",
      type: "image/jpeg",
      isTagged: true, wrongTargets: ["/albums/999999/cover": 404, "/albums/1/cover?size=0": 422]),
  ]

  private static let sound = [
    RouteCase(
      name: "GET /tracks/{id}/pcm", right: .reading, target: "/tracks/{track}/pcm?count=100",
      type: "application/octet-stream", isTagged: true, wrongTargets: ["/tracks/{surround}/pcm?count=1048576": 422]),
    RouteCase(
      name: "GET /tracks/{id}/sound", right: .reading, target: "/tracks/{track}/sound?start=1&end=1.5",
      type: "audio/wav", wrongTargets: ["/tracks/{track}/sound?start=99999": 422]),
    RouteCase(
      name: "GET /tracks/{id}/stream", right: .reading, target: "/tracks/{copy}/stream?from=5", type: "audio/flac",
      isTagged: true,
      wrongTargets: [
        "/tracks/{track}/stream?preset=Nothing": 404, "/tracks/{track}/stream?format=flac&bitrate=64": 422,
        "/tracks/{track}/stream?format=mp3&bitrate=400": 422, "/tracks/{track}/stream?from=99999": 422,
        "/tracks/{track}%2399/stream": 404, "/tracks/{track}%23/stream": 404,
      ]),
    RouteCase(
      name: "GET /tracks/{id}/waveform.dat", right: .reading, target: "/tracks/{track}/waveform.dat",
      type: "application/octet-stream", isTagged: true,
      wrongTargets: ["/tracks/{track}/waveform.dat?zoom=2&points=16385": 422]),
    RouteCase(
      name: "GET /tracks/{id}/waveform.json", right: .reading, target: "/tracks/{track}/waveform.json",
      keys: ["version", "channels", "sample_rate", "samples_per_pixel", "bits", "length", "data"], isTagged: true,
      wrongTargets: ["/tracks/{track}/waveform.json?zoom=2&points=16385": 422]),
    RouteCase(
      name: "GET /tracks/{id}/beats", right: .reading, target: "/tracks/{track}/beats",
      keys: ["schema", "bpm", "beats_seconds"]),
    RouteCase(
      name: "GET /tracks/{id}/bands", right: .reading, target: "/tracks/{track}/bands",
      type: "application/octet-stream", isTagged: true, wrongTargets: ["/tracks/{track}/bands?zoom=1000": 422]),
    RouteCase(
      name: "GET /tracks/{id}/spectrum", right: .reading, target: "/tracks/{track}/spectrum",
      keys: ["schema", "sample_rate_hz", "weighting", "bands"],
      itemKeys: ["bands": ["low_hz", "high_hz", "mean_db", "max_db"]], isTagged: true,
      wrongTargets: ["/tracks/{track}/spectrum?low=5000&high=100": 422]),
    RouteCase(
      name: "GET /tracks/{id}/spectrogram", right: .reading, target: "/tracks/{track}/spectrogram",
      type: "application/octet-stream", isTagged: true,
      wrongTargets: [
        "/tracks/{track}/spectrogram?zoom=1&start=999999999": 422,
        "/tracks/{track}/spectrogram?zoom=8192&columns=1024&low=5000&high=100": 422,
      ]),
    RouteCase(
      name: "GET /tracks/{id}/loudness", right: .reading, target: "/tracks/{track}/loudness",
      keys: ["schema", "integrated_lufs", "range_lu", "step_seconds", "momentary_lufs", "short_term_lufs"],
      isTagged: true),
  ]

  private static let similarity = [
    RouteCase(
      name: "GET /transitions", right: .reading, target: "/transitions?style=smart&ids={track},{copy},{track}",
      keys: ["schema", "style", "sample_rate_hz", "tracks"], itemKeys: ["tracks": ["id", "frames", "next"]],
      isTagged: true,
      wrongTargets: [
        "/transitions?ids=999999": 404, "/transitions?ids=1,x": 422, "/transitions?style=loud": 422,
        "/transitions?ids=1&rate=0": 422,
      ]),
    RouteCase(
      name: "GET /tracks/{id}/similar", right: .reading, target: "/tracks/{track}/similar?limit=3",
      keys: ["schema", "id", "tracks"], itemKeys: ["tracks": ["likeness"] + rowOfTrack]),
    RouteCase(
      name: "GET /duplicates", right: .reading, target: "/duplicates", keys: ["schema", "searching", "total", "rows"],
      itemKeys: ["rows": ["kind", "keep", "offset_seconds", "common_seconds", "files"]],
      wrongTargets: queries("/duplicates")),
    RouteCase(
      name: "GET /map", right: .reading, target: "/map", keys: ["schema", "total", "rows"],
      itemKeys: ["rows": ["x", "y", "centroid_hz"] + rowOfTrack], isTagged: true, wrongTargets: queries("/map")),
    RouteCase(
      name: "POST /identify", right: .reading, target: "/identify", body: "{sound}",
      keys: ["schema", "duration_seconds", "too_plain", "matches"],
      itemKeys: [
        "matches": [
          "id", "hash", "title", "artist", "path", "offset_seconds", "speed", "confidence", "score", "peaks",
          "matched_peaks",
        ]
      ]),
  ]

  private static let decisions = [
    RouteCase(
      name: "PUT /tracks/{id}/rating", right: .own, target: "/tracks/{track}/rating", body: #"{"rating": 80}"#,
      keys: ["schema", "rating"],
      wrongBodies: [
        #"{}"#: 422, #"{"rating": 100.5}"#: 422, #"{"rating": -1}"#: 422, #"{"rating": "80"}"#: 422,
        #"{"rating": [80]}"#: 422,
      ]),
    RouteCase(
      name: "GET /lists", right: .reading, target: "/lists", keys: ["schema", "revision", "lists"],
      itemKeys: ["lists": Array(list.dropFirst())]),
    RouteCase(
      name: "POST /lists", right: .own, target: "/lists", body: #"{"name": "Morning", "tracks": [{track}]}"#,
      status: 201, keys: list,
      wrongBodies: [
        #"{}"#: 422, #"{"name": 1}"#: 422, #"{"name": "", "tracks": []}"#: 422, #"{"name": "Evening"}"#: 409,
        #"{"name": "x", "tracks": 1}"#: 422, #"{"name": "x", "tracks": ["a"]}"#: 422,
        #"{"name": "x", "tracks": [1.5]}"#: 422, #"{"name": "x", "query": "("}"#: 400,
        #"{"name": "x", "query": "\#(String(repeating: "a", count: 10_001))"}"#: 422,
      ]),
    RouteCase(
      name: "PATCH /lists/{id}", right: .own, target: "/lists/{list}", body: #"{"add": [{copy}]}"#, keys: list,
      wrongBodies: [
        #"{}"#: 422, #"{"name": 1}"#: 422, #"{"name": "x", "add": []}"#: 422, #"{"what": 1}"#: 422,
        #"{"query": "genre:jazz"}"#: 409, #"{"query": 1}"#: 422,
        #"{"add": "x"}"#: 422, #"{"remove": 1}"#: 422, #"{"tracks": {}}"#: 422, #"{"name": ""}"#: 422,
      ]),
    RouteCase(
      name: "POST /lists/import", right: .own, target: "/lists/import",
      body: #"{"file": "Party.m3u8", "text": "Run-out Groove/01 Lead-in.mp3\nnowhere.mp3\n"}"#, status: 201,
      keys: ["schema", "list", "entries", "found", "omitted", "not_found"],
      wrongBodies: [
        #"{}"#: 422, #"{"file": "x.m3u8"}"#: 422, #"{"file": 1, "text": ""}"#: 422,
        #"{"file": "x.txt", "text": "no playlist"}"#: 422, #"{"file": "x.m3u8", "text": "nowhere.mp3"}"#: 422,
        #"{"file": "x.xspf", "text": "<playlist"}"#: 422,
      ]),
    RouteCase(
      name: "POST /attributes", right: .own, target: "/attributes",
      body: #"{"q": "id:{track}", "name": "rating", "value": 80}"#, keys: ["schema", "tracks", "changed"],
      wrongBodies: [
        #"{}"#: 422, #"{"q": "id:{track}"}"#: 422, #"{"q": "id:{track}", "name": "rating"}"#: 422,
        #"{"q": 1, "name": "mood", "value": "calm"}"#: 422, #"{"q": "(", "name": "mood", "value": "calm"}"#: 400,
        #"{"q": "", "sort": 1, "name": "mood", "value": "calm"}"#: 422,
        #"{"q": "title:nothing-is-called-so", "name": "mood", "value": "calm"}"#: 404,
        #"{"q": "id:{track}", "name": "title", "value": "x"}"#: 422,
        #"{"q": "id:{track}", "name": "rating", "value": 101}"#: 422,
        #"{"q": "id:{track}", "name": "rating", "value": true}"#: 422,
        #"{"q": "", "rows": [[0, 1]], "name": "mood", "value": "calm"}"#: 422,
        #"{"q": "", "rows": 1, "revision": "", "name": "mood", "value": "calm"}"#: 422,
        #"{"q": "", "rows": [[1, 1]], "revision": "", "name": "mood", "value": "calm"}"#: 422,
        #"{"q": "", "rows": [[2, 3], [0, 1]], "revision": "", "name": "mood", "value": "calm"}"#: 422,
        #"{"q": "", "rows": [[0, 1]], "revision": "of another day", "name": "mood", "value": "calm"}"#: 409,
      ]),
    RouteCase(
      name: "POST /presets/assign", right: .own, target: "/presets/assign",
      body: #"{"q": "id:{track}", "preset": "Lamp"}"#, keys: ["schema", "tracks", "changed"],
      wrongBodies: [
        #"{}"#: 422, #"{"q": "id:{track}"}"#: 422, #"{"q": "id:{track}", "preset": 1}"#: 422,
        #"{"q": "id:{track}", "preset": "Nothing"}"#: 404, #"{"preset": "Lamp"}"#: 422,
      ]),
    RouteCase(
      name: "POST /playlists", right: .reading, target: "/playlists",
      body: #"{"q": "id:{track}", "format": "xspf", "title": "Evening"}"#, type: "application/octet-stream",
      wrongBodies: [
        #"{}"#: 422, #"{"q": "", "format": "rekordbox"}"#: 422, #"{"q": "("}"#: 400,
        #"{"q": "title:nothing-is-called-so"}"#: 404,
      ]),
    RouteCase(name: "DELETE /lists/{id}", right: .own, target: "/lists/{list}", status: 204, type: ""),
    RouteCase(name: "POST /undo", right: .own, target: "/undo", body: "{}", keys: ["schema", "summary"]),
  ]

  private static let field = [
    "name", "kind", "scope", "value_count", "active", "satisfied", "conflicts", "values", "file_values",
  ]

  private static let tags = [
    RouteCase(
      name: "GET /tags", right: .reading, target: "/tags?q=title:a",
      keys: ["schema", "revision", "files", "unknown_files", "ids", "fields"], itemKeys: ["fields": field],
      wrongTargets: queries("/tags").merging(["/tags?q=title:nothing-is-called-so": 404]) { $1 }),
    RouteCase(
      name: "POST /tags/read", right: .reading, target: "/tags/read", body: #"{"files": [1, 2]}"#,
      keys: ["schema", "revision", "files", "unknown_files", "ids", "fields"], itemKeys: ["fields": field],
      wrongBodies: [
        #"{}"#: 422, #"{"files": 1}"#: 422, #"{"files": ["1"]}"#: 422, #"{"files": [1.5]}"#: 422,
        #"{"files": [1, 1]}"#: 422, #"{"files": []}"#: 404, #"{"q": "", "files": [1]}"#: 422,
        "{\"files\": [\((1...10_001).map(String.init).joined(separator: ","))]}": 422,
      ]),
    RouteCase(
      name: "POST /tags", right: .owner, target: "/tags", body: #"{"q": "id:{track}", "set": {"genre": ["Jazz"]}}"#,
      keys: [
        "schema", "dry_run", "files", "changed_files", "changed_copies", "corrections", "unknown_files",
        "moved_decisions",
      ],
      wrongBodies: [
        #"{}"#: 422, #"{"q": "id:{track}"}"#: 422, #"{"set": {"genre": ["Jazz"]}}"#: 422,
        #"{"q": 1, "set": {"genre": ["Jazz"]}}"#: 422, #"{"q": "(", "set": {"genre": ["Jazz"]}}"#: 400,
        #"{"q": "title:nothing-is-called-so", "set": {"genre": ["Jazz"]}}"#: 404,
        #"{"q": "id:{track}", "set": {}}"#: 422, #"{"q": "id:{track}", "set": {"genre": "Jazz"}}"#: 422,
        #"{"q": "id:{track}", "set": {"genre": [1]}}"#: 422, #"{"q": "id:{track}", "set": {"genre": [" "]}}"#: 422,
        #"{"q": "id:{track}", "set": {"track": ["x"]}}"#: 422,
        #"{"q": "id:{track}", "set": {"track": ["1", "2"]}}"#: 422,
        #"{"q": "id:{track}", "set": {"year": ["99"]}}"#: 422, #"{"q": "id:{track}", "add": {"track": ["1"]}}"#: 422,
        #"{"q": "id:{track}", "set": {"duration": ["1"]}}"#: 422,
        #"{"q": "id:{track}", "set": {"rating": ["1"]}}"#: 422,
        #"{"q": "id:{track}", "set": {"nosuchtag": ["1"]}}"#: 422, #"{"q": "id:{track}", "set": {"a=b": ["1"]}}"#: 422,
        #"{"q": "id:{track}", "add": {"genre": []}}"#: 422, #"{"q": "id:{track}", "what": 1}"#: 422,
        #"{"q": "id:{track}", "set": {"genre": ["a"]}, "add": {"genre": ["b"]}}"#: 422,
        #"{"q": "id:{track}", "set": {"genre": ["a"]}, "revert": true}"#: 422,
        #"{"q": "id:{track}", "set": {"year": ["1999"], "date": ["1998"]}}"#: 422,
        #"{"q": "id:{track}", "revert": []}"#: 422, #"{"q": "id:{track}", "revert": "genre"}"#: 422,
        #"{"q": "id:{track}", "resolve": "mine"}"#: 422, #"{"q": "id:{track}", "resolve": {"yours": true}}"#: 422,
        #"{"q": "id:{track}", "resolve": {}}"#: 422,
        #"{"q": "id:{track}", "set": {"genre": ["a"]}, "dry_run": 1}"#: 422,
      ]),
  ]

  /// Nothing is written by them: no file has a correction, and there was no change.
  private static let writing = [
    RouteCase(
      name: "POST /plans", right: .owner, target: "/plans", body: #"{"q": "id:{track}", "write": "corrections"}"#,
      status: 202, keys: ["schema", "id"],
      wrongBodies: [
        #"{}"#: 422, #"{"q": "id:{track}"}"#: 422, #"{"q": "id:{track}", "write": "all"}"#: 422,
        #"{"q": 1, "write": "corrections"}"#: 422, #"{"q": "(", "write": "corrections"}"#: 400,
        #"{"q": "title:nothing-is-called-so", "write": "cover"}"#: 404,
        #"{"q": "id:{track}", "write": "corrections", "keep_mtime": 1}"#: 422,
        #"{"q": "id:{track}", "write": "corrections", "break_links": "no"}"#: 422,
      ]),
    RouteCase(
      name: "GET /plans/{id}", right: .owner, target: "/plans/{plan}",
      keys: [
        "schema", "id", "state", "error", "done", "total", "files", "changing", "refused", "unwritten", "written",
        "values", "bytes",
        "change", "rows",
      ]),
    RouteCase(
      name: "POST /plans/{id}/write", right: .owner, target: "/plans/{plan}/write", body: "{}", status: 202,
      keys: ["schema", "id"]),
    RouteCase(name: "DELETE /plans/{id}", right: .owner, target: "/plans/{plan}", status: 204, type: ""),
    RouteCase(
      name: "GET /file-changes", right: .owner, target: "/file-changes", keys: ["schema", "undo_bytes", "changes"]),
    // Nothing was written.
    RouteCase(
      name: "POST /file-changes/{id}/undo", right: .owner, target: "/file-changes/1/undo", body: "{}", status: 404,
      type: problem),
  ]

  private static let presets = [
    RouteCase(
      name: "GET /presets", right: .reading, target: "/presets", keys: ["schema", "revision", "presets"],
      itemKeys: ["presets": ["assignments", "name", "built_in", "document"]]),
    RouteCase(
      name: "PUT /presets/{name}", right: .owner, target: "/presets/Warm",
      body: #"{"schema": 1, "name": "Warm", "gain_db": -4}"#, keys: ["schema", "name", "built_in", "document"],
      wrongBodies: [
        #"{}"#: 422, #"{"schema": 1, "name": "Cold"}"#: 422, #"{"schema": 1, "name": "Warm", "loud": 1}"#: 422,
        #"{"schema": 1, "name": "Warm", "gain_db": "loud"}"#: 422,
      ]),
    RouteCase(
      name: "DELETE /presets/{name}", right: .owner, target: "/presets/{preset}", status: 204, type: "",
      wrongTargets: ["/presets/Nothing": 404, "/presets/Bass": 403]),
    RouteCase(
      name: "POST /presets/read", right: .reading, target: "/presets/read",
      body: #"{"name": "x.txt", "text": "Preamp: -3 dB\nFilter 1: ON PK Fc 100 Hz Gain 3 dB Q 1\n"}"#,
      keys: ["schema", "format", "notes", "presets"],
      wrongBodies: [
        #"{}"#: 422, #"{"name": "x.txt"}"#: 422, #"{"name": 1, "text": ""}"#: 422,
        #"{"name": "x.txt", "text": "nothing of this kind"}"#: 422,
      ]),
    RouteCase(
      name: "GET /tracks/{id}/preset", right: .reading, target: "/tracks/{track}/preset", keys: resolution),
    RouteCase(
      name: "PUT /tracks/{id}/preset", right: .own, target: "/tracks/{track}/preset",
      body: #"{"scope": "track", "preset": "Bass"}"#, keys: resolution,
      wrongBodies: [
        #"{}"#: 422, #"{"scope": "part", "preset": "Bass"}"#: 422, #"{"scope": "track"}"#: 422,
        #"{"scope": "track", "preset": 1}"#: 422, #"{"scope": 1, "preset": "Bass"}"#: 422,
        #"{"scope": "track", "preset": "Nothing"}"#: 404,
      ]),
  ]

  private static let plays = [
    RouteCase(
      name: "GET /plays", right: .reading, target: "/plays", keys: ["schema", "revision", "rows"],
      itemKeys: ["rows": ["id", "title", "artist", "started_at", "seconds", "finished"]]),
    RouteCase(
      name: "POST /plays", right: .own, target: "/plays",
      body: #"{"track": {track}, "started_at": "2026-01-02T00:00:00Z", "seconds": 3}"#, status: 201,
      keys: ["schema", "plays", "last_played_at"],
      wrongBodies: [
        #"{}"#: 422, #"{"track": "1", "started_at": "2026-01-02T00:00:00Z", "seconds": 3}"#: 422,
        #"{"track": 1.5, "started_at": "2026-01-02T00:00:00Z", "seconds": 3}"#: 422,
        #"{"track": 1, "started_at": "x", "seconds": 3}"#: 422, #"{"track": 1, "seconds": 3}"#: 422,
        #"{"track": 1, "started_at": "9999-01-02T00:00:00Z", "seconds": 3}"#: 422,
        #"{"track": 1, "started_at": "2026-01-02T00:00:00Z"}"#: 422,
        #"{"track": 1, "started_at": "2026-01-02T00:00:00Z", "seconds": -1}"#: 422,
        #"{"track": 999, "started_at": "2026-01-02T00:00:00Z", "seconds": 3}"#: 404,
      ]),
  ]

  private static let edit = String(repeating: "0a", count: 16)

  private static let queue = [
    RouteCase(
      name: "GET /queue", right: .reading, target: "/queue",
      keys: [
        "schema", "version", "current", "position_ms", "source", "changed_at", "changed_by", "former", "rows",
      ],
      itemKeys: [
        "rows": [
          "entry", "id", "rank", "file", "title", "artist", "album", "duration", "codec", "rate", "lufs", "state",
          "filename",
        ]
      ], isTagged: true),
    RouteCase(
      name: "POST /queue", right: .own, target: "/queue",
      body:
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": [{\"insert\": [{\"entry\": 9, \"track\": {track}}]}]}",
      keys: ["schema", "version", "made"],
      wrongBodies: [
        #"{}"#: 422, #"{"edit": "0a", "version": 0, "changes": [{"remove": []}]}"#: 422,
        "{\"edit\": \"\(edit)\", \"changes\": [{\"remove\": []}]}": 422,
        "{\"edit\": \"\(edit)\", \"version\": 99999, \"changes\": [{\"remove\": []}]}": 409,
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": []}": 422,
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": [{\"shuffle\": 1}]}": 422,
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": [{\"remove\": [0]}]}": 422,
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": [{\"remove\": [1.5]}]}": 422,
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": [{\"insert\": [{\"entry\": 1}]}]}": 422,
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": [{\"place\": 1, \"position_ms\": -1}]}": 422,
        "{\"edit\": \"\(edit)\", \"version\": 0, \"changes\": [{\"source\": 7}]}": 422,
      ]),
  ]
}

/// A library in which every request of ``RouteCase`` succeeds.
final class RouteLibrary: Sendable {
  let served: ServedLibrary
  /// What the browsers of two people send who have signed in: ben may rate, cleo may only listen.
  let ben: [String: String]
  let cleo: [String: String]
  private let values: [String: String]
  private let sound: [UInt8]

  /// For tests that change nothing.
  static let shared = Task { try await RouteLibrary() }
  static let sharedPrivate = Task { try await RouteLibrary(isReadingFree: false) }
  static let readOnly = Task { try await RouteLibrary(RouteLibrary()) }

  init(isReadingFree: Bool = true, origins: Set<String> = []) async throws {
    let scanned = try await ScannedMusic.fixtures
    served = try await ServedLibrary(
      of: scanned, isReadingFree: isReadingFree, mayWriteMusic: true, origins: origins)
    let track = try served.track("title:=\"Marée lente\"")
    let file = scanned.music.file("audio/Lathe & Lantern/Run-out Groove/01 Lead-in.mp3")
    sound = [UInt8](try Data(contentsOf: file))
    let list = try await served.ask("/api/v1/lists", "POST", body: "{\"name\": \"Evening\", \"tracks\": [\(track)]}")
    let preset = try await served.ask("/api/v1/presets/Lamp", "PUT", body: #"{"schema": 1, "name": "Lamp"}"#)
    let play = try await served.ask(
      "/api/v1/plays", "POST",
      body: "{\"track\": \(track), \"started_at\": \"2026-01-01T00:00:00Z\", \"seconds\": 5, \"finished\": true}")
    // What is compared beside an answer would be left out of it.
    while try await served.ask("/api/v1/duplicates").document["searching"] is Double {
      try await Task.sleep(for: .milliseconds(10))
    }
    let plan = try await served.finishedPlan(#"{"q": "id:\#(track)", "write": "corrections"}"#)
    let queue = try await served.ask(
      "/api/v1/queue", "POST",
      body: """
        {"edit": "\(String(repeating: "01", count: 16))", "version": 0,
         "changes": [{"insert": [{"entry": 4, "track": \(track)}], "after": null}]}
        """)
    (ben, cleo) = (try served.signIn("ben"), try served.signIn("cleo", .listen))
    _ = try served.signIn("dora")
    let session = try served.sessions.all(of: "dora")[0].id
    guard let id = list.document["id"] as? Int, preset.status == 200, play.status == 201, queue.status == 200 else {
      throw HTTPProblem(500, "\(list.text) \(preset.text) \(play.text) \(queue.text)")
    }
    values = [
      "track": "\(track)", "copy": "\(try served.track("filename:=\"06 Big End.aiff\""))",
      "surround": "\(try served.track("channels:6"))", "list": "\(id)", "preset": "Lamp",
      "plan": "\(plan["id"] as? Int ?? 0)", "folder": try served.makeFolderToBrowse("New").path,
      "inside": scanned.music.path + "/audio", "session": "\(session)",
    ]
  }

  /// A copy that can only be read.
  private init(_ other: RouteLibrary) throws {
    other.served.server.library.close()
    (served, values, sound) = (try ServedLibrary(readingOnly: other.served), other.values, other.sound)
    (ben, cleo) = (try served.signIn("ben"), try served.signIn("cleo", .listen))
  }

  func filled(_ text: String) -> String {
    values.reduce(text.replacing("{token}", with: served.ownerToken)) { $0.replacing("{\($1.key)}", with: $1.value) }
  }

  /// What is sent back to the request of a row.
  ///
  /// - Parameters:
  ///   - target: Another target than that of the row, and `body` another body.
  ///   - method: Another method.
  func ask(
    _ row: RouteCase, _ target: String? = nil, method: String? = nil, as caller: ServedLibrary.Caller = .owner,
    headers: [String: String] = [:], body: String? = nil
  ) async throws -> HTTPAnswer {
    let place = Route.prefix + filled(target ?? row.target)
    let text = body ?? row.body
    let isSound = text == "{sound}"
    let bytes = text.map { isSound ? sound : Array(filled($0).utf8) }
    let (served, verb) = (served, method ?? row.method)
    guard row.name == "GET /events" else {
      return try await served.ask(
        place, verb, as: caller, headers: headers, bytes: bytes,
        type: isSound ? "audio/mpeg" : MediaType.json.rawValue)
    }
    // It ends when the server does.
    let server = served.server
    let ending = Task {
      while !Task.isCancelled {
        if server.events.clientCount > 0 { server.events.close() }
        await Task.yield()
      }
    }
    defer { ending.cancel() }
    return try await served.ask(place, verb, as: caller, headers: headers)
  }
}
