internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import QueryLanguage
internal import UserData

/// `deadwax artists`: the artists of albums.
struct ArtistsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "artists",
    abstract: "List album artists with the numbers of their albums and tracks.",
    discussion: """
      These are the artists that `deadwax albums` lists, including Various Artists. Spellings that differ only in \
      case, accents, punctuation or an article count as one artist. Artists are ordered by their sort names, if the \
      tags contain them. To find guest artists, use `deadwax ls artist:NAME`; for composers, conductors, performers \
      and so on, use `deadwax ls contributor:NAME`. \(QueryHelp.short)

      An artist tag with a single value is split into several artists only if it has as many MusicBrainz ids, or at \
      the separators given with --separator; `--separator ''` removes them. `deadwax undo` reverts the change.

      Examples: deadwax artists genre:jazz
                deadwax artists --separator ';' --separator ' feat. '
                deadwax albums 'album-artist:="Nora Vale"'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("Show at most this many artists.", valueName: "n"))
  var limit: Int?

  @Option(
    help: ArgumentHelp(
      "From now on, split track artists at this text, spaces included; may be repeated; '' for none.",
      valueName: "text"))
  var separator: [String] = []

  @Flag(help: "Show the separators that split artists.")
  var separators = false

  @OptionGroup var query: QueryArgument

  func validate() throws {
    if let limit { try ValidationError.require("limit", limit, in: 0...Int.max) }
    guard separator.isEmpty || !separators else { throw ValidationError("choose one of --separator and --separators") }
    guard separator.isEmpty && !separators || query.words.isEmpty else {
      throw ValidationError("--separator and --separators apply to all artists and take no query")
    }
    if let fault = separator.filter({ !$0.isEmpty }).lazy.compactMap(ArtistSeparators.fault).first {
      throw ValidationError("--separator: \(fault)")
    }
  }

  func run() throws {
    if !separator.isEmpty {
      let chosen = separator.filter { !$0.isEmpty }
      let effect = try library.writing { store in
        try store.attributes.setArtistSeparators(chosen)
        return try store.songs.effect(of: chosen)
      }
      try output.tell(Self.told(chosen))
      return try tell(effect)
    }
    if separators { return try library.reading { try show($0.attributes.artistSeparators()) } }
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
            artist.name.isEmpty ? AlbumNames.unknownArtist : artist.name, String(artist.albumCount),
            String(artist.trackCount),
            DurationText.clock(artist.durationInSeconds),
            artist.years.map { $0.count == 1 ? "\($0.lowerBound)" : "\($0.lowerBound)–\($0.upperBound)" } ?? "",
          ])
        }
        try table.finish()
        if artists.isEmpty { try output.tell("no album matches") }
      }
    }
  }

  private func show(_ separators: [String]) throws {
    if document.isWanted {
      try document.write(separators.map { .string($0) }, under: "separators")
    } else {
      try output.tell(Self.told(separators))
    }
  }

  private static func cut(_ text: String) -> String { DisplayWidth.truncated(TerminalText.escaped(text), toWidth: 60) }

  private func tell(_ effect: SeparatorEffect) throws {
    guard effect.fileCount > 0 else { return }
    try output.tell("\(effect.fileCount) file\(effect.fileCount == 1 ? " has" : "s have") several artists now, such as")
    for example in effect.examples {
      let names = example.names.joined(separator: " | ")
      try output.tell("  \(Self.cut(example.text)) → \(Self.cut(names))")
    }
  }

  private static func told(_ separators: [String]) -> String {
    guard !separators.isEmpty else { return "each tag value is one artist, unless it has several MusicBrainz ids" }
    return "artists are separated by " + separators.map { "'\($0)'" }.joined(separator: " ")
  }

  private static func json(_ artist: AlbumArtist) -> JSONValue {
    .object([
      "name": .string(artist.name.isEmpty ? nil : artist.name), "sort_name": .string(artist.sortName),
      "spellings": .array(artist.spellings.map { .string($0) }),
      "albums": .integer(artist.albumCount), "tracks": .integer(artist.trackCount), "files": .integer(artist.fileCount),
      "duration_seconds": .number(artist.durationInSeconds), "first_year": .integer(artist.years?.lowerBound),
      "last_year": .integer(artist.years?.upperBound),
    ])
  }
}
