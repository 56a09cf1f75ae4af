internal import ArgumentParser
internal import AudioEncoding
internal import Base
internal import DecodingService
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// Many tracks as one sound file, with announcements and cross-fades.
struct RadioOptions: ParsableArguments {
  @Flag(
    help: """
      Write all tracks to one file, each with its title spoken before it, or over a quiet intro of ten seconds; \
      never between consecutive tracks of an album. Needs espeak-ng.
      """)
  var announce = false

  @Option(
    help: ArgumentHelp(
      """
      Write all tracks to one file, cross-fading for this long, 0 to 30 s, except around announcements and between \
      consecutive tracks of an album.
      """,
      valueName: "seconds"))
  var crossfade: String?

  @Option(
    help: ArgumentHelp(
      """
      Write all tracks found as one file, each leading to the next: smart (fades that suit both tracks; `deadwax \
      transitions` explains them), silence (no fades, short silences) or gapless (each track whole).
      """,
      valueName: "style"))
  var transitions: TransitionStyle?

  @OptionGroup var announcement: AnnouncementOptions

  /// Whether all tracks become one file.
  var isGiven: Bool { announce || crossfade != nil || transitions != nil }

  func validate() throws {
    _ = try crossfadeInSeconds
    if crossfade != nil, transitions != nil {
      throw ValidationError("--crossfade and --transitions exclude each other")
    }
    if announcement.isGiven, !announce { throw ValidationError("--text and --language are for --announce") }
  }

  var crossfadeInSeconds: Double {
    get throws {
      guard let crossfade else { return 0 }
      guard let seconds = DecimalText.parse(crossfade), (0...30).contains(seconds) else {
        throw ValidationError("--crossfade takes 0 to 30 s")
      }
      return seconds
    }
  }

  /// Refuses what is for single tracks.
  func require(folder: BytePath?, part: TrackPart, writesParts: Bool, isDryRun: Bool) throws {
    guard isGiven else { return }
    if folder != nil {
      throw ValidationError("--announce, --crossfade and --transitions write one file: name one with -o")
    }
    if part.isGiven || writesParts || isDryRun {
      throw ValidationError(
        "--announce, --crossfade and --transitions take whole tracks, without --start, --end, --parts and --dry-run")
    }
  }

  /// Opens the tracks in the order of the query.
  func renderer(
    of words: [String], _ request: RenderRequest, through chain: EffectChain?, in store: MediaStore,
    _ cache: SegmentCache, _ output: OutputOptions
  ) throws -> RadioProgramme {
    let announcer = announce ? try announcement.announcer() : nil
    let (tracks, undecodedCount) = try RadioTrack.all(
      of: try store.tracks.query(naming: words), through: chain, in: store
    ) {
      RecordingSource($0, cache: cache)
    }
    guard !tracks.isEmpty else { throw TrackError.nothing(named: words) }
    if undecodedCount > 0, !output.quiet {
      StandardError.line(
        "\(NumberText.count(undecodedCount, "file")) without decoded audio left out; `deadwax problems` shows why")
    }
    let renderer = try RadioRenderer(
      tracks, request, announcer: announcer, crossfadeInSeconds: try crossfadeInSeconds,
      transitions: transitions.map { (TransitionPlanner(style: $0), store) })
    return RadioProgramme(renderer: renderer, sources: tracks.map(\.rendered.source))
  }
}

/// A programme that is ready to be written.
struct RadioProgramme {
  let renderer: RadioRenderer
  fileprivate let sources: [RecordingSource]

  /// All files of its tracks.
  var files: [BytePath] { sources.flatMap(\.track.files) }

  /// What is wrong with them.
  var damages: [SoundDamage] { sources.compactMap(\.damage) }
}
