internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaStore
internal import QueryLanguage

/// `deadwax artists`: the artists of albums.
struct ArtistsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artists",
    abstract: "List the artists of albums, with their albums and tracks in numbers.",
    discussion: """
      These are the artists by whom albums are, as `deadwax albums` has them; Various Artists is one of them. Spellings that differ in \
      case, accents, punctuation or an article are one artist. Who is a guest on a track is found by `deadwax ls artist:NAME`. \
      \(QueryHelp.short)

      Examples: deadwax artists genre:jazz
                deadwax albums 'album-artist:="Nora Vale"'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("Show at most this many artists.", valueName: "n"))
  var limit: Int?

  @OptionGroup var query: QueryArgument

  func validate() throws { if let limit { try ValidationError.require("limit", limit, in: 0...Int.max) } }

  func run() throws {
    try library.reading { store in
      let artists = try store.albums.artists(of: try query.query(in: store)).prefix(limit ?? .max)
      if document.isWanted {
        try document.write(artists.map(Self.json), under: "artists")
      } else {
        var table = TextTable([
          TextTable.Column(title: "ARTIST"), TextTable.Column(title: "ALBUMS", isAlignedRight: true, canShrink: false),
          TextTable.Column(title: "TRACKS", isAlignedRight: true, canShrink: false),
          TextTable.Column(title: "LENGTH", isAlignedRight: true, canShrink: false, dispensability: 1),
          TextTable.Column(title: "YEARS", canShrink: false, dispensability: 2),
        ])
        for artist in artists {
          try table.add([
            artist.name.isEmpty ? "(unknown)" : artist.name, String(artist.albumCount), String(artist.trackCount),
            DurationText.clock(artist.durationInSeconds),
            artist.years.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" } ?? "",
          ])
        }
        try table.finish()
        if artists.isEmpty { try output.tell("no album has such a file") }
      }
    }
  }

  private static func json(_ artist: AlbumArtist) -> JSONValue {
    .object([
      "name": .string(artist.name.isEmpty ? nil : artist.name),
      "spellings": .array(artist.spellings.map { .string($0) }),
      "albums": .integer(artist.albumCount), "tracks": .integer(artist.trackCount), "files": .integer(artist.fileCount),
      "duration_seconds": .number(artist.durationInSeconds), "first_year": .integer(artist.years?.lowerBound),
      "last_year": .integer(artist.years?.upperBound),
    ])
  }
}
