internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// `deadwax similar`: what sounds like a track.
struct SimilarCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "similar",
    abstract: "List the tracks that sound most like a given one.",
    discussion: """
      TRACK is an id, the path of a file, or a query that finds exactly one track. Timbre, rhythm, harmony and \
      dynamics are compared, not tags. The similarity is 0 for a random track and 1 for the same sound. Copies, cuts \
      and other masters of listed tracks are left out, as are damaged files. Tracks from an older version need \
      `deadwax reanalyze --missing` first.

      In queries, similar:17 finds these tracks in this order: deadwax ls 'similar:17 bpm:120..128'

      Examples: deadwax similar 17
                deadwax similar 17 --other-artists --limit 50 --json
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("Show at most this many tracks (1 to 500).", valueName: "n"))
  var limit = 20

  @Flag(help: "Leave out tracks of the same artist.")
  var otherArtists = false

  @Flag(help: "Leave out tracks of the same album.")
  var otherAlbums = false

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  func validate() throws { try ValidationError.require("limit", limit, in: 1...500) }

  func run() throws {
    try library.reading { store in
      let track = try store.tracks.resolve(BytePath(argument: words.joined(separator: " ")))
      let filter = LibrarySimilarity.Filter(leavesOutArtist: otherArtists, leavesOutAlbum: otherAlbums)
      let matches = try LibrarySimilarity(store).matches(
        toRecording: track.recordingID, count: limit, filter: filter)
      if document.isWanted {
        try document.write(
          matches.map { $0.track.json(likeness: $0.likeness) }, under: "tracks",
          after: [.init("id", .integer(track.recordingID))])
      } else {
        var table = TextTable(ComparedTrackText.columns(withLikeness: true))
        for match in matches { try table.add(ComparedTrackText.cells(match.track, likeness: match.likeness)) }
        try table.finish()
      }
    }
  }
}

/// Tracks that were compared by their sound, for people and programs.
enum ComparedTrackText {
  static func columns(withLikeness: Bool) -> [TextTable.Column] {
    var columns = [
      TextTable.Column(title: "ID", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "ARTIST", isAlignedRight: false, canShrink: true),
      TextTable.Column(title: "TITLE", isAlignedRight: false, canShrink: true),
      TextTable.Column(title: "ALBUM", isAlignedRight: false, canShrink: true),
      TextTable.Column(title: "BPM", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "KEY", isAlignedRight: false, canShrink: false),
      TextTable.Column(title: "DURATION", isAlignedRight: true, canShrink: false),
    ]
    if withLikeness {
      columns.insert(TextTable.Column(title: "LIKENESS", isAlignedRight: true, canShrink: false), at: 1)
    }
    return columns
  }

  static func cells(_ track: ComparedTrack, likeness: Double? = nil) -> [String] {
    let title = track.title ?? track.path.lastComponent.displayString
    let key = track.key.map { "\($0.name) \($0.camelot)" } ?? ""
    let cells = [
      String(track.recordingID), track.artist ?? "", title, track.album ?? "",
      track.beatsPerMinute.map { NumberText.decimal($0, 1) } ?? "", key,
      track.durationInSeconds.map(DurationText.clock) ?? "",
    ]
    return likeness.map { [cells[0], NumberText.decimal($0, 3)] + cells.dropFirst() } ?? cells
  }
}
