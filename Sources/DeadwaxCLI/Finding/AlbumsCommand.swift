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
    abstract: "List albums and their problems; join and split albums by hand.",
    discussion: """
      Files with the same album title and album artist form one album, whatever their folder, format and year; \
      further copies of it are its editions. Without an album artist, the artist shared by all files of that title \
      in a folder counts, else Various Artists. Tracks, discs, length and loudness are those of the edition with the \
      most tracks. docs/albums.md has the full rule. If more than 1,000 albums are listed, loudness and problems are \
      left out (null in JSON).

      If the result is not what you want, override it: --join merges the albums of the matching files into one, \
      --split makes the matching files a separate album, and --forget returns to grouping by tags. `deadwax undo` \
      reverts each of them. Stars and ratings of the larger album are kept, and of two presets the later one; \
      --dry-run shows which albums are affected. \(QueryHelp.short)

      Examples: deadwax albums albumartist:nora --sort year-
                deadwax albums --sort brightness
                deadwax albums --incomplete
                deadwax albums --join 'album-id:12 OR album-id:40'
                deadwax albums --split 'album-id:12 path:Bootleg'
                deadwax ls album-id:12
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(
    help: ArgumentHelp(
      "Sort order: artist, album, year, added, plays, played (when last), loudness or brightness; with - behind any but "
        + "the first two, the latest, most or greatest first.", valueName: "order"))
  var sort: AlbumOrder = .artist

  @Option(help: ArgumentHelp("Show at most this many albums.", valueName: "n"))
  var limit: Int?

  @Flag(help: "Show only albums with missing, duplicate or conflicting numbers, or unplayable tracks.")
  var incomplete = false

  @Flag(help: "Join the albums of the matching files into one.")
  var join = false

  @Flag(help: "Make the matching files a separate album.")
  var split = false

  @Flag(help: "Group the matching files by their tags again.")
  var forget = false

  @Flag(help: "With --join, --split or --forget: show the affected albums without changing anything.")
  var dryRun = false

  @OptionGroup var query: QueryArgument

  /// Of more albums, loudness and faults are not looked up.
  private static let detailedCount = 1_000

  func validate() throws {
    if let limit { try ValidationError.require("limit", limit, in: 0...Int.max) }
    guard [join, split, forget, incomplete].count(where: { $0 }) <= 1 else {
      throw ValidationError("choose one of --join, --split, --forget and --incomplete")
    }
    guard !(join || split || forget) || query.words.contains(where: { !$0.withoutBlankEnds.isEmpty }) else {
      throw ValidationError("--join, --split and --forget need a query")
    }
    guard join || split || forget || !dryRun else {
      throw ValidationError("--dry-run needs --join, --split or --forget")
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
        if albums.isEmpty {
          let nothing = query.condition == nil ? "no albums" : "no album matches"
          try output.tell(incomplete ? "no album is incomplete" : nothing)
        }
      }
    }
  }

  private func change() throws {
    if dryRun, forget {
      let told = try library.writing { store in
        try forget(files: store.fileIDs(of: query.query(in: store)), in: store)
      }
      return try output.tell(told)
    }
    if dryRun {
      return try library.reading { store in
        try Self.explaining { try tellAlbums(of: store.fileIDs(of: query.query(in: store)), in: store) }
      }
    }
    let told = try library.writing { store -> String in
      let query = try query.query(in: store)
      let ids = try store.fileIDs(of: query)
      return try Self.explaining {
        if join {
          let album = try store.albums.join(albumsOfFiles: ids)
          return "now one album: \(album.id) \(AlbumText.name(album)), \(album.fileCount) files"
        }
        if split {
          let before = Set(try store.albums.shares(ofFiles: ids).map(\.album.id))
          let count = try store.albums.split(files: ids)
          let parts = try store.albums.shares(ofFiles: ids).map(\.album).filter { !before.contains($0.id) }
          let names = parts.map {
            "\($0.id) \(AlbumText.name($0)), \(NumberText.count($0.fileCount, "file"))"
          }
          return "\(NumberText.count(count, "album")) split off: \(names.joined(separator: "; "))"
        }
        return try forget(files: ids, in: store)
      }
    }
    try output.tell(told)
  }

  private func forget(files ids: [Int64], in store: MediaStore) throws -> String {
    let forgotten = try store.albums.forgetChoices(ofFiles: ids, isDryRun: dryRun)
    guard forgotten.choiceCount > 0 else { return "no override exists for these files" }
    let choices = NumberText.count(forgotten.choiceCount, "choice")
    var text = "\(choices) \(dryRun ? "would be " : "")forgotten"
    if forgotten.movedFileCount > 0 {
      let verb = dryRun ? "would go" : "went"
      text += ", \(NumberText.count(forgotten.movedFileCount, "file")) \(verb) to another album"
      let count = forgotten.returnedDecisionCount
      if count > 0 { text += " with \(NumberText.count(count, "decision")) about it" }
    }
    guard !dryRun else { return text }
    let names = try store.albums.shares(ofFiles: ids).map { "\($0.album.id) \(AlbumText.name($0.album))" }
    let isSame = forgotten.movedFileCount == 0
    return "\(text): by their tags the files are\(isSame ? " still" : "") on \(names.joined(separator: ", "))"
  }

  /// Says which files are wanted, if these are not.
  private static func explaining<Value>(_ body: () throws -> Value) throws -> Value {
    do {
      return try body()
    } catch AlbumChoiceError.nothingToJoin(let count) {
      throw ValidationError(
        "--join needs files of at least two albums; the query matches \(count == 0 ? "none" : "one") (all terms must match: "
          + "write 'album-id:12 OR album-id:40' for either)")
    } catch AlbumChoiceError.nothingToSplit {
      throw ValidationError("--split needs some, but not all, of an album's recordings")
    }
  }

  /// Each album of some files, with how many of its own are among them.
  private func tellAlbums(of files: [Int64], in store: MediaStore) throws {
    let shares = try store.albums.shares(ofFiles: files)
    if join, shares.count < 2 { throw AlbumChoiceError.nothingToJoin(albumCount: shares.count) }
    if split, !shares.contains(where: { $0.fileCount < $0.album.fileCount }) { throw AlbumChoiceError.nothingToSplit }
    for share in shares {
      let album = share.album
      try output.tell("\(album.id) \(AlbumText.name(album)): \(share.fileCount) of \(album.fileCount) files")
    }
  }
}

extension AlbumOrder: ExpressibleByArgument {}
