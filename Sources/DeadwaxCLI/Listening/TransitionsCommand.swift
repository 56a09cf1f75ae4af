internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering

/// `deadwax transitions`: how tracks lead into each other.
struct TransitionsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "transitions",
    abstract: "Explain how each track found would lead to the next.",
    discussion: """
      Shows the transitions of `render --transitions smart` and `play`, in the order of the query, and why. Everything \
      comes from stored levels, beats and keys; nothing is decoded.

        join   each track whole: album order, under 30 s, or a genre never faded
        butt   no fade; the silence between the tracks is cut to half a second
        tail   the next track starts while one that fades by itself ends
        cross  a fade of 2 to 12 s, as long as the quiet ending
        beat   a fade of 8 to 32 beats, beat on beat, if tempo and key agree
        cut    each track whole, because no levels are stored

      Tracks of classical music, live albums, mixes and speech are never faded (their GENRE tag).

      Examples: deadwax transitions list:evening
                deadwax transitions 'genre:house year:2023' --json
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Option(help: ArgumentHelp("smart, or silence to only shorten silences.", valueName: "style"))
  var style: TransitionStyle = .smart

  @Argument(help: ArgumentHelp("A query, see `deadwax help query`.", valueName: "query"))
  var words: [String]

  func run() throws {
    try library.reading { store in
      let planned = try PlannedTransitions(
        of: try store.tracks.query(naming: words), by: TransitionPlanner(style: style), in: store)
      guard !planned.items.isEmpty else { throw TrackError.nothing(named: words) }
      if planned.undecodedCount > 0, !output.quiet {
        StandardError.line(
          "\(NumberText.count(planned.undecodedCount, "file")) without decoded audio left out; `deadwax problems` says why"
        )
      }
      if document.isWanted {
        try document.write(planned.items.map(\.json), under: "tracks")
      } else {
        try write(planned.items)
      }
    }
  }

  private func write(_ items: [PlannedTransitions.Item]) throws {
    var table = TextTable([
      TextTable.Column(title: "ID", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "ARTIST", isAlignedRight: false, canShrink: true),
      TextTable.Column(title: "TITLE", isAlignedRight: false, canShrink: true),
      TextTable.Column(title: "NEXT", isAlignedRight: false, canShrink: false),
      TextTable.Column(title: "OVERLAP", isAlignedRight: true, canShrink: false),
      TextTable.Column(title: "WHY", isAlignedRight: false, canShrink: false),
    ])
    for item in items {
      let transition = item.transition
      try table.add([
        String(item.recordingID), item.artist ?? "", item.title ?? item.path.lastComponent.displayString,
        transition?.kind.rawValue ?? "",
        transition.map { $0.overlap > 0 ? "\(NumberText.decimal($0.overlap, 1)) s" : "" } ?? "",
        transition?.reason.sentence ?? "",
      ])
    }
    try table.finish()
  }
}

extension PlannedTransitions.Item {
  fileprivate var json: JSONValue {
    let object: JSONValue = .object([
      "id": .integer(recordingID), "artist": .string(artist), "title": .string(title),
      "transition": transition?.json ?? .null,
    ])
    return object.preceded(by: JSONValue.path(path))
  }
}

extension TransitionStyle: ExpressibleByArgument {}

extension Transition {
  /// One line for people: `cross 5.2 s: a quiet ending`.
  var explanation: String {
    "\(kind.rawValue)\(overlap > 0 ? " \(NumberText.decimal(overlap, 1)) s" : ""): \(reason.sentence)"
  }
}

extension Transition.Reason {
  /// For people.
  fileprivate var sentence: String {
    switch self {
    case .gapless: "gapless playback was asked for"
    case .albumContinues: "the album continues"
    case .partsTouch: "parts of one file"
    case .sameRecording: "the same recording again"
    case .short: "a track is shorter than 30 s"
    case .genre: "its genre is never faded"
    case .endsAbruptly: "no silence at the end, same edition"
    case .levelsUnknown: "silent, or no levels stored"
    case .beatsAgree: "tempo and key agree"
    case .fadesByItself: "the track fades by itself"
    case .abruptOnBothSides: "a loud ending and a loud beginning"
    case .silenceTrimmed: "silence cut to half a second"
    case .endingIsQuiet: "a quiet ending"
    case .endingIsLoud: "a loud ending and a quiet beginning"
    }
  }
}
