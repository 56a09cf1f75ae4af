internal import Base
internal import HTTPServing
internal import LibraryQueries
internal import LibraryServing
internal import LibraryTracks
internal import MediaStore
internal import QueryLanguage

/// What an artist is listed for.
private enum Artistry: String, CaseIterable, Sendable {
  case albums, tracks
}

/// Tracks in groups: artists, genres, composers, works and folders.
struct GroupRoutes {
  let library: LibraryAccess

  var routes: [Route] {
    [
      Route(
        .get, "/artists", "Artists of albums or tracks, with track counts.", parameters + [whose],
        work: .searching
      ) { call in
        try call[whose] == .albums
          ? artists(call) : page(call, of: "artist", by: ["artist"], sort: "") { document(of: $0, "artist") }
      },
      named("/genres", "Genres", "genre"), named("/composers", "Composers", "composer"),
      named("/works", "Works", "work"),
      Route(
        .get, "/folders", "The subfolders of a folder, or the roots.",
        [PageParameters.query, root, folder], work: .searching, folders),
    ]
  }

  private let parameters: [any RouteParameter] = [PageParameters.query, PageParameters.from, PageParameters.limit]
  private let whose = Parameter<Artistry>.choice("of", "albums or tracks: whose artists to list")
  private let root = Parameter<Int64?>.optionalInteger(
    "root", "the id of a root; without it, the roots are listed", 1...Int64.max)
  private let folder = Parameter<String>.text("path", "the path below the root, as in an earlier row")

  /// Groups by the values of one field, of which a track can have several.
  private func named(_ path: String, _ subject: String, _ field: String) -> Route {
    Route(.get, path, "\(subject), with track counts.", parameters, work: .searching) { call in
      try page(call, of: field, by: [field], sort: "") { document(of: $0, field) }
    }
  }

  /// The values of one group by their names, as ``QueryGrouping`` calls them; texts are cut as those of rows are.
  private struct Group: Sendable {
    let values: [String: FieldValue]

    func text(_ name: String) -> String? { if case .text(let text)? = values[name] { text } else { nil } }
    func json(_ name: String) -> JSONValue { values[name]?.members(key: "")[0].value ?? .null }
  }

  /// Calls `body` with each group of the files that the call's query finds.
  ///
  /// - Returns: The revision of the library.
  private func forEachGroup(
    _ call: Call, by names: [String], sort: String, _ body: (Group) -> Void
  ) throws -> JSONValue {
    let text = try call[PageParameters.query]
    return try library.reading { store in
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
      try store.forEachGroup(of: query, grouping) { row in
        let pairs = row.fields.indices.map { (row.fields[$0].name, RowText.cut(row.value($0))) }
        body(Group(values: Dictionary(pairs, uniquingKeysWith: { first, _ in first })))
      }
      return .string(try store.revision())
    }
  }

  /// A page of the groups that have a text of a name.
  private func page(
    _ call: Call, of name: String, by names: [String], sort: String,
    _ document: @escaping @Sendable (Group) -> JSONValue
  ) throws -> Reply {
    let (from, limit) = (try call[PageParameters.from], try call[PageParameters.limit])
    var (groups, total) = ([Group](), Int64(0))
    let revision = try forEachGroup(call, by: names, sort: sort) { group in
      guard group.text(name) != nil else { return }
      if (from..<from + limit).contains(total) { groups.append(group) }
      total += 1
    }
    return try Reply(["revision": revision, "total": .integer(total)], "rows", JSONRows(groups, document))
  }

  /// The artists of the albums of the files that the call's query finds.
  private func artists(_ call: Call) throws -> Reply {
    let (text, from, limit) = (
      try call[PageParameters.query], try call[PageParameters.from], try call[PageParameters.limit]
    )
    return try library.reading { store in
      let artists = try store.albums.artists(of: try store.query(text))
      let page = Array(artists.part(from: from, limit: limit))
      let recordings = try store.albums.firstRecordings(of: page.map(\.firstAlbumID))
      return try Reply(
        ["revision": .string(try store.revision()), "total": .integer(artists.count)], "rows",
        JSONRows(page) { artist in
          .object([
            "name": .string(artist.name.isEmpty ? nil : artist.name), "sort_name": .string(artist.sortName),
            "albums": .integer(artist.albumCount),
            "files": .integer(artist.fileCount),
            "tracks": .integer(artist.trackCount), "duration_seconds": .number(artist.durationInSeconds),
            "id": .integer(recordings[artist.firstAlbumID]),
            "query": .string(
              artist.spellings.isEmpty
                ? "album-artist:\"\""
                : "(" + artist.spellings.map { term("album-artist", $0) }.joined(separator: " OR ") + ")"),
          ])
        })
    }
  }

  private func document(of group: Group, _ field: String) -> JSONValue {
    let name = group.text(field) ?? ""
    return .object([
      "name": .string(name), "files": group.json("count"), "duration_seconds": group.json("duration"),
      // Genres are found in all spellings.
      "query": .string(term(field, name, isFolded: field == "genre")),
    ])
  }

  /// A term of a query that finds a text, or, if the text was cut, what begins like it.
  private func term(_ field: String, _ text: String, isFolded: Bool = false) -> String {
    let isCut = text.utf8.count > RowText.largestByteCount - 6 && text.last == "…"
    if isCut { return "\(field):\(Self.quoted(String(text.dropLast())))" }
    return "\(field):=\(isFolded ? "~" : "")\(Self.quoted(text))"
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

  private func folders(_ call: Call) throws -> Reply {
    let (text, rootID, path) = (try call[PageParameters.query], try call[root], try call[folder])
    let (revision, rows) = try library.reading { store -> (String, JSONRows) in
      let roots = try store.roots.all()
      guard let rootID else {
        let counts = try store.status().roots
        let rows = JSONRows(counts) {
          row($0.root, below: "", name: $0.root.path.displayString, count: $0.fileCount)
        }
        return (try store.revision(), rows)
      }
      guard let root = roots.first(where: { $0.id == rootID }) else {
        throw HTTPProblem(404, "there is no root \(rootID)")
      }
      let below = path.isEmpty || path.hasSuffix("/") ? path : path + "/"
      let start = prefix(of: root) + below
      let query = try store.query("path:=\(Self.quoted(start)) \(text)")
      var counts: [(name: String, count: Int)] = []
      guard let field = store.vocabulary["path"] else { return ("", JSONRows(count: 0) { _, _ in }) }
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
      let rows = JSONRows(counts) { row(root, below: below + $0.name, name: $0.name, count: $0.count) }
      return (try store.revision(), rows)
    }
    return try Reply(["revision": .string(revision)], "rows", rows)
  }

  /// The path of a root with a slash at its end.
  private func prefix(of root: Root) -> String {
    let path = root.path.displayString
    return path.hasSuffix("/") ? path : path + "/"
  }

  private func row(_ root: Root, below path: String, name: String, count: Int) -> JSONValue {
    .object([
      "root": .integer(root.id), "path": .string(path), "name": .string(name), "files": .integer(count),
      "query": .string("path:=\(Self.quoted(prefix(of: root) + (path.isEmpty ? "" : path + "/")))"),
    ])
  }
}
