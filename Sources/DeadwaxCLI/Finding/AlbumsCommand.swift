internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage

/// `deadwax albums`: albums in all their editions.
struct AlbumsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "albums",
    abstract: "List albums, with what is wrong with them, and say which files are one.",
    discussion: """
      Files are one album if they have its title and its album artist, whatever their folder, format and year; other copies \
      of it are its editions. Without an album artist, the artist that all files of the title in a folder share counts, else \
      Various Artists. Tracks, discs, length and loudness are those of the edition with most tracks. docs/albums.md has the rule. If more \
      than 1,000 albums are listed, loudness and what is wrong are left out, null in JSON.

      If that is not what you mean, say so: --join makes the albums of the files that a query finds one, --split makes \
      these files an album of their own, --forget lets their tags decide again. `deadwax undo` takes each of them back. Stars, \
      ratings and presets of the larger album stay. \(QueryHelp.short)

      Examples: deadwax albums albumartist:nora --sort year-
                deadwax albums --incomplete
                deadwax albums --join 'album-id:12 OR album-id:40'
                deadwax albums --split 'album-id:12 path:Bootleg'
                deadwax ls album-id:12
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(
    help: ArgumentHelp("The order: artist, album, year- (latest first) or added- (latest first).", valueName: "order"))
  var sort: AlbumOrder = .artist

  @Option(help: ArgumentHelp("Show at most this many albums.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Show only albums with missing, double or contradicting numbers of tracks or discs.")
  var incomplete = false

  @Flag(help: "Make the albums of the files that are found one album.")
  var join = false

  @Flag(help: "Make the files that are found an album of their own.")
  var split = false

  @Flag(help: "Let the tags of the files that are found say which albums they are on.")
  var forget = false

  @OptionGroup var query: QueryArgument

  /// Of more albums, loudness and faults are not looked up.
  private static let detailedCount = 1_000

  func validate() throws {
    if let limit { try ValidationError.require("limit", limit, in: 0...Int.max) }
    guard [join, split, forget, incomplete].count(where: { $0 }) <= 1 else {
      throw ValidationError("choose one of --join, --split, --forget and --incomplete")
    }
    guard !(join || split || forget) || !query.words.isEmpty else {
      throw ValidationError("--join, --split and --forget need a query that finds the files")
    }
  }

  func run() throws {
    if join || split || forget { return try change() }
    try library.reading { store in
      let query = try query.query(in: store)
      var albums = try store.albums.all(of: query, orderedBy: sort, limit: incomplete ? .max : limit ?? .max).albums
      let isDetailed = incomplete || albums.count <= Self.detailedCount
      let faults = isDetailed ? try store.albums.faults(of: albums.map(\.id)) : [:]
      if incomplete {
        albums = albums.filter { faults[$0.id]?.isIncomplete == true && !$0.title.isEmpty }
        if let limit { albums = Array(albums.prefix(limit)) }
      }
      let loudness = isDetailed ? try store.albums.loudness(of: albums.map(\.id)) : [:]
      if document.isWanted {
        try document.write(
          albums.map {
            AlbumText.json($0, faults: faults[$0.id], loudness: loudness[$0.id])
          }, under: "albums")
      } else {
        var table = TextTable(AlbumText.columns(isDetailed: isDetailed))
        for album in albums {
          try table.add(
            AlbumText.cells(album, faults: faults[album.id], loudness: loudness[album.id], isDetailed: isDetailed))
        }
        try table.finish()
        if albums.isEmpty { try output.tell(incomplete ? "no album is incomplete" : "no album has such a file") }
      }
    }
  }

  private func change() throws {
    let told = try library.writing { store -> String in
      let query = try query.query(in: store)
      let ids = try store.fileIDs(of: query)
      do {
        if join {
          let album = try store.albums.join(albumsOfFiles: ids)
          return "one album now: \(album.id) \(AlbumText.name(album)), \(album.fileCount) files"
        }
        if split {
          let count = try store.albums.split(files: ids)
          return "\(count) album\(count == 1 ? " was" : "s were") split"
        }
        let count = try store.albums.forgetChoices(ofFiles: ids)
        return count == 0 ? "nothing was chosen for these files" : "\(count) choice\(count == 1 ? "" : "s") forgotten"
      } catch AlbumChoiceError.nothingToJoin(let count) {
        throw ValidationError(
          "--join needs files of two albums at least; the query finds \(count == 0 ? "none" : "one")")
      } catch AlbumChoiceError.nothingToSplit {
        throw ValidationError("--split needs some of an album's recordings, but not all of them")
      }
    }
    try output.tell(told)
  }
}

extension AlbumOrder: ExpressibleByArgument {}

/// Albums for people and programs.
enum AlbumText {
  static func name(_ album: Album) -> String {
    let title = album.title.isEmpty ? "without an album" : album.title
    return album.artist.isEmpty ? title : "\(album.artist) – \(title)"
  }

  static func columns(isDetailed: Bool) -> [TextTable.Column] {
    var columns = [
      TextTable.Column(title: "ID", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "ARTIST", dispensability: 1),
      TextTable.Column(title: "ALBUM"),
      TextTable.Column(title: "YEAR", isAlignedRight: true, canShrink: false, dispensability: 2),
      TextTable.Column(title: "TRACKS", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "DISCS", isAlignedRight: true, canShrink: false, dispensability: 5),
      TextTable.Column(title: "LENGTH", isAlignedRight: true, canShrink: false, dispensability: 3),
      TextTable.Column(title: "EDITIONS", isAlignedRight: true, canShrink: false, dispensability: 4),
    ]
    if isDetailed {
      columns.append(TextTable.Column(title: "LUFS", isAlignedRight: true, canShrink: false, dispensability: 6))
      columns.append(TextTable.Column(title: "WHAT IS WRONG"))
    } else {
      columns.append(TextTable.Column(title: "PROBLEMS", isAlignedRight: true, canShrink: false))
    }
    return columns
  }

  static func cells(_ album: Album, faults: AlbumFaults?, loudness: Double?, isDetailed: Bool) -> [String] {
    var cells = [
      String(album.id), album.artist, album.title.isEmpty ? "(without an album)" : album.title,
      album.year.map(String.init) ?? "",
      String(album.trackCount), album.discCount > 1 ? String(album.discCount) : "",
      DurationText.clock(album.durationInSeconds), album.editionCount > 1 ? String(album.editionCount) : "",
    ]
    if isDetailed {
      cells.append(loudness.map { NumberText.decimal($0, 1) } ?? "")
      cells.append(faults.map { sentences($0, hasTitle: !album.title.isEmpty).joined(separator: "; ") } ?? "")
    } else {
      cells.append(album.problemCount > 0 ? String(album.problemCount) : "")
    }
    return cells
  }

  /// What is wrong, in words.
  static func sentences(_ faults: AlbumFaults, hasTitle: Bool = true) -> [String] {
    var sentences: [String] = []
    if hasTitle {
      let hasDiscs =
        (faults.missingTracks + faults.doubleTracks).contains { $0.disc > 1 } || !faults.missingDiscs.isEmpty
      func list(_ places: [AlbumFaults.Place]) -> String {
        let shown = places.prefix(8).map { hasDiscs ? "\($0.disc)-\($0.track)" : String($0.track) }.joined(
          separator: ", ")
        return places.count > 8 ? "\(shown) and \(places.count - 8) more" : shown
      }
      func noun(_ count: Int, _ word: String) -> String { count == 1 ? word : word + "s" }
      if !faults.missingDiscs.isEmpty {
        let discs = faults.missingDiscs.prefix(8).map(String.init).joined(separator: ", ")
        let more = faults.missingDiscs.count > 8 ? " and \(faults.missingDiscs.count - 8) more" : ""
        sentences.append("\(noun(faults.missingDiscs.count, "disc")) \(discs)\(more) missing")
      }
      if !faults.missingTracks.isEmpty {
        sentences.append("\(noun(faults.missingTracks.count, "track")) \(list(faults.missingTracks)) missing")
      }
      if !faults.doubleTracks.isEmpty {
        sentences.append("\(noun(faults.doubleTracks.count, "track")) \(list(faults.doubleTracks)) there twice")
      }
      if !faults.contradictingDiscs.isEmpty { sentences.append("files differ about the number of tracks") }
      if faults.isPartlyNumbered { sentences.append("some tracks have no number") }
    }
    for (state, count) in faults.stateCounts.sorted(by: { $0.key.rawValue < $1.key.rawValue }) {
      sentences.append("\(count) \(state.rawValue)")
    }
    return sentences
  }

  static func json(_ album: Album, faults: AlbumFaults?, loudness: Double?) -> JSONValue {
    func places(_ places: [AlbumFaults.Place]) -> JSONValue {
      .array(places.map { .object(["disc": .integer($0.disc), "track": .integer($0.track)]) })
    }
    let wrong: JSONValue =
      faults.map { faults in
        .object([
          "missing_discs": .array(faults.missingDiscs.map { .integer($0) }),
          "missing_tracks": places(faults.missingTracks),
          "double_tracks": places(faults.doubleTracks),
          "contradicting_discs": .array(faults.contradictingDiscs.map { .integer($0) }),
          "partly_numbered": .bool(faults.isPartlyNumbered),
          "states": .object(
            faults.stateCounts.sorted { $0.key.rawValue < $1.key.rawValue }.map {
              .init($0.key.rawValue, .integer($0.value))
            }),
        ])
      } ?? .null
    return .object([
      "id": .integer(album.id), "key": .string(album.key), "title": .string(album.title.isEmpty ? nil : album.title),
      "artist": .string(album.artist.isEmpty ? nil : album.artist), "compilation": .bool(album.isCompilation),
      "year": .integer(album.year), "tracks": .integer(album.trackCount), "discs": .integer(album.discCount),
      "editions": .integer(album.editionCount), "files": .integer(album.fileCount),
      "problems": .integer(album.problemCount),
      "duration_seconds": .number(album.durationInSeconds), "loudness_lufs": .number(loudness),
      "cover": .string(album.coverSource?.rawValue),
      "wrong": wrong, "query": .string("album-id:\(album.id) edition+ album-disc+ track+"),
    ])
  }
}
