internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// `deadwax playlist`: tracks that lead from one to another.
struct PlaylistCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "playlist",
    abstract: "Make a playlist that flows from one track to another.",
    discussion: """
      Each track sounds like the previous one, has a compatible tempo and key, and moves a step towards the last \
      one. Without --to the playlist stays close to the first track. With a query, only matching tracks are put in \
      between. Half and double tempo count as equal, neighbours on the circle of fifths as compatible, and tracks of \
      the same artist rarely follow each other. The file extension selects the format: m3u8, m3u, xspf, jspf, pls.

      Examples: deadwax playlist --from 17 --to 230 --length 20
                deadwax playlist --from 17 --length 30 -o evening.m3u8 'genre:jazz'
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("The first track: an id or the path of a file.", valueName: "track"))
  var from: String

  @Option(help: ArgumentHelp("The last track.", valueName: "track"))
  var to: String?

  @Option(help: ArgumentHelp("Number of tracks, including the first and the last (2 to 500).", valueName: "n"))
  var length = 20

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("Write a playlist to this file instead of a table; - for standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(
    help: ArgumentHelp(
      "The format of the playlist: \(PlaylistExport.formats.joined(separator: ", ")).", valueName: "format"))
  var format: String?

  @OptionGroup var query: QueryArgument

  func validate() throws {
    try ValidationError.require("length", length, in: 2...500)
    if file != nil, document.isWanted { throw ValidationError("-o and --json exclude each other") }
    if format != nil, file == nil { throw ValidationError("--format needs -o") }
    _ = try playlist
  }

  func run() throws {
    let protected = try file == nil ? [] : library.protectedFiles(for: file)
    try library.reading { store in
      let first = try store.tracks.resolve(BytePath(argument: from)).recordingID
      let last = try to.map { try store.tracks.resolve(BytePath(argument: $0)).recordingID }
      if first == last { throw ValidationError("--from and --to name the same track; leave out --to to stay near it") }
      let allowed = try query.recordingIDs(in: store, remarkingTo: output)
      let tracks = try LibrarySimilarity(store).playlist(from: first, to: last, count: length, among: allowed)
      if let playlist = try playlist {
        try playlist.write(fileIDs: tracks.map(\.fileID), in: store, protecting: protected, isQuiet: output.quiet)
      } else if document.isWanted {
        try document.write(tracks.map { $0.json() }, under: "tracks")
      } else {
        var table = TextTable(ComparedTrackText.columns(withLikeness: false))
        for track in tracks { try table.add(ComparedTrackText.cells(track)) }
        try table.finish()
      }
      if tracks.count < length, !output.quiet {
        StandardError.line("only \(NumberText.count(tracks.count, "track")): the library has no more matching tracks")
      }
    }
  }

  private var playlist: PlaylistFile? { get throws { try file.map { try PlaylistFile($0, format: format) } } }
}
