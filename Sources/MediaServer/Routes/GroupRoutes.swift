internal import Base
internal import MediaStore
internal import QueryLanguage

/// Tracks in groups: artists, albums, genres and folders.
enum GroupRoutes {
  static let all = [
    Route(.get, "/artists", "Album artists, else artists, with their tracks in numbers.", parameters, isLong: true) {
      try groups($0, by: ["albumartist", "artist"], sort: "") { artist($0) }
    },
    Route(
      .get, "/albums", "Albums, with their tracks in numbers.", parameters + [albumOrder.description], isLong: true
    ) { call in
      try groups(call, by: ["albumartist", "album", "edition"], sort: albumSort(try call[albumOrder])) { album($0) }
    },
    Route(.get, "/genres", "Genres, with their tracks in numbers.", parameters, isLong: true) {
      try groups($0, by: ["genre"], sort: "") { genre($0) }
    },
    Route(
      .get, "/folders", "The folders in a folder of the library, or its roots.",
      [APIRoutes.query.description, root.description, folder.description], isLong: true, folders),
  ]

  enum AlbumOrder: String, CaseIterable, Sendable {
    case artist, album
    case year = "year-"
    case added = "added-"
  }

  private static let parameters = [
    APIRoutes.query.description, APIRoutes.from.description, APIRoutes.limit.description,
  ]
  private static let albumOrder = Parameter<AlbumOrder>.choice("sort", "artist, album, year- or added-")
  private static let root = Parameter<Int64?>.optionalInteger(
    "root", "the id of a root; without it the roots", 1...Int64.max)
  private static let folder = Parameter<String>.text("path", "the path that a row gave, below the root")

  /// The values of one group by their names, as ``QueryGrouping`` calls them.
  private struct Group {
    let values: [String: FieldValue]

    func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }
    func json(_ name: String) -> JSONValue { values[name]?.members(key: "")[0].value ?? .null }
    func number(_ name: String) -> Int64 { if case .integer(let number)? = values[name] { number } else { 0 } }
    func seconds(_ name: String) -> Double { if case .real(let number)? = values[name] { number } else { 0 } }
  }

  private static func groups(
    _ call: Call, by names: [String], sort: String, _ document: ([Group]) -> [JSONValue]
  ) throws -> Reply {
    let (text, from, limit) = (try call[APIRoutes.query], try call[APIRoutes.from], try call[APIRoutes.limit])
    return try call.service.library.reading { store in
      let vocabulary = store.vocabulary
      let keys = names.compactMap { vocabulary[$0].flatMap { QueryGrouping.Key($0, by: nil) } }
      let measures: [(QueryGrouping.Measure.Function, String)] = [
        (.sum, "duration"), (.min, "id"), (.min, "year"),
      ]
      let grouping = QueryGrouping(
        by: keys, hasCount: true,
        measures: measures.compactMap { function, name in
          vocabulary[name].flatMap { QueryGrouping.Measure(function, of: $0) }
        })
      var query = try store.query(text)
      query.order = sort.isEmpty ? [] : try Query.order(sort, vocabulary: QueryVocabulary(grouping.fields))
      var groups: [Group] = []
      try store.forEachGroup(of: query, grouping) { row in
        let pairs = zip(row.fields, row.values).map { ($0.name, $1) }
        groups.append(Group(values: Dictionary(pairs, uniquingKeysWith: { first, _ in first })))
      }
      let rows = document(groups)
      return Reply(
        .object([
          "revision": .string(try store.revision()), "total": .integer(rows.count),
          "rows": .array(Array(rows.part(from: from, limit: limit))),
        ]))
    }
  }

  private static func albumSort(_ order: AlbumOrder) -> String {
    switch order {
    case .artist: "albumartist+"
    case .album: "album+"
    case .year: "min_year-"
    case .added: "min_id-"
    }
  }

  /// Groups of album artists and artists become one for each name: that of the album artist, if there is one.
  private static func artist(_ groups: [Group]) -> [JSONValue] {
    struct Artist {
      var name: String
      var fileCount: Int64 = 0
      var durationInSeconds = 0.0
      var id: JSONValue
      var hasAlbumArtist = false
    }
    var artists: [String: Artist] = [:]
    for group in groups {
      guard let name = group.text("albumartist") ?? group.text("artist") else { continue }
      var artist = artists[name] ?? Artist(name: name, id: group.json("min_id"))
      artist.fileCount += group.number("count")
      artist.durationInSeconds += group.seconds("duration")
      artists[name] = artist
    }
    let sorted = artists.values.map { ($0, TextFolding.fold($0.name)) }.sorted { ($0.1, $0.0.name) < ($1.1, $1.0.name) }
    return sorted.map { artist, _ in
      let name = quoted(artist.name)
      return .object([
        "name": .string(artist.name), "files": .integer(artist.fileCount),
        "duration_seconds": .number(artist.durationInSeconds), "id": artist.id,
        "query": .string("(albumartist:=\(name) OR -albumartist::. artist:=\(name))"),
      ])
    }
  }

  private static func album(_ groups: [Group]) -> [JSONValue] {
    groups.compactMap { group in
      guard let album = group.text("album") else { return nil }
      let artist = group.text("albumartist")
      let edition = group.text("edition")
      let terms = [
        "album:=\(quoted(album))", artist.map { "albumartist:=\(quoted($0))" } ?? "-albumartist::.",
        edition.map { "edition:=\(quoted($0))" },
      ]
      return .object([
        "album": .string(album), "artist": .string(artist), "year": group.json("min_year"),
        "files": group.json("count"),
        "duration_seconds": group.json("duration"), "id": group.json("min_id"),
        "query": .string(terms.compactMap { $0 }.joined(separator: " ") + " disc+ track+"),
      ])
    }
  }

  private static func genre(_ groups: [Group]) -> [JSONValue] {
    groups.compactMap { group in
      guard let name = group.text("genre") else { return nil }
      return .object([
        "name": .string(name), "files": group.json("count"), "duration_seconds": group.json("duration"),
        "query": .string("genre:=\(quoted(name))"),
      ])
    }
  }

  static func quoted(_ text: String) -> String {
    var quoted = "\""
    for character in text {
      if character == "\"" || character == "\\" { quoted.append("\\") }
      quoted.append(character)
    }
    return quoted + "\""
  }

  // MARK: - Folders

  private static func folders(_ call: Call) throws -> Reply {
    let (text, rootID, path) = (try call[APIRoutes.query], try call[root], try call[folder])
    return try call.service.library.reading { store in
      let roots = try store.roots()
      guard let rootID else {
        let counts = try store.status().roots
        let rows = counts.map { row($0.root, below: "", name: $0.root.path.displayString, count: $0.fileCount) }
        return Reply(.object(["revision": .string(try store.revision()), "rows": .array(rows)]))
      }
      guard let root = roots.first(where: { $0.id == rootID }) else { throw Problem(404, "there is no root \(rootID)") }
      let below = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
      let start = prefix(of: root) + below
      let query = try store.query("path:=\(quoted(start)) \(text)")
      var counts: [(name: String, count: Int)] = []
      guard let field = store.vocabulary["path"] else { return .noContent }
      try store.forEachListRow(of: Query(condition: query.condition), fields: [field]) { row in
        let name = row.withBytes(0) { bytes in
          String(decoding: bytes.withUnsafeBufferPointer { Array($0) }.dropFirst(start.utf8.count), as: UTF8.self)
        }
        let parts = name.split(separator: "/", maxSplits: 1)
        guard parts.count == 2 else { return }
        // Paths are in order, so files of one folder follow each other.
        if counts.last?.name == String(parts[0]) {
          counts[counts.count - 1].count += 1
        } else {
          counts.append((String(parts[0]), 1))
        }
      }
      let rows = counts.map { row(root, below: below + $0.name, name: $0.name, count: $0.count) }
      return Reply(.object(["revision": .string(try store.revision()), "rows": .array(rows)]))
    }
  }

  /// The path of a root with a slash at its end.
  private static func prefix(of root: Root) -> String {
    let path = root.path.displayString
    return path.hasSuffix("/") ? path : path + "/"
  }

  private static func row(_ root: Root, below path: String, name: String, count: Int) -> JSONValue {
    .object([
      "root": .integer(root.id), "path": .string(path), "name": .string(name), "files": .integer(count),
      "query": .string("path:=\(quoted(prefix(of: root) + (path.isEmpty ? "" : path + "/")))"),
    ])
  }
}
