internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import SoundIndex
internal import SoundSearch

/// `deadwax identify`: which track an excerpt is of, and where in it.
struct IdentifyCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "identify",
    abstract: "Identify the track playing in a file, a stream or a recording, and the position in it.",
    discussion: """
      Ten seconds are enough for most music, even at low bit rates, with noise, or up to five percent too fast or \
      too slow. For each match it prints the track, the position at which the excerpt starts, the confidence, and \
      the difference in speed. --timeline prints when each track starts and ends, for a mix or an hour of radio.

      The first search builds the sound index, a folder beside the library, from the landmarks that scans store; \
      later searches add new tracks. For tracks from an older version, run `deadwax reanalyze --missing --product \
      landmarks` first.

      Exits with status 1 if nothing matches.

      Examples: deadwax identify clip.mp3
                deadwax identify show.mp3 -s 12:30 -e 12:45 --json
                deadwax identify mix.flac --timeline --cue > mix.cue
                deadwax identify --microphone 10
                arecord -f S16_LE -r 44100 -d 10 -t raw |
                  deadwax identify - --raw 44100:1:s16
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var excerpt: ExcerptOptions

  @Flag(help: "Print when each track starts and ends.")
  var timeline = false

  @Flag(help: "With --timeline: print a CUE sheet.")
  var cue = false

  @Option(help: ArgumentHelp("Maximum number of matches.", valueName: "count"))
  var limit = 5

  @Flag(help: "Print one JSON document.")
  var json = false

  func validate() throws {
    if !(1...100).contains(limit) { throw ValidationError("--limit takes a number from 1 to 100") }
    if cue && !timeline { throw ValidationError("--cue needs --timeline") }
    if cue && json { throw ValidationError("--cue and --json exclude each other") }
  }

  func run() throws {
    try library.reading { store in
      let sound = output.sound(of: store)
      let excerpt = try output.showing("reading \(excerpt.name)") { try self.excerpt.excerpt() }
      let isFound =
        timeline
        ? try printTimeline(of: excerpt, sound, store)
        : try printMatches(of: excerpt, sound, store)
      guard !isFound else { return }
      if !output.quiet {
        StandardError.line(TerminalText.escaped(reasonForNothing(excerpt)))
        try output.noteMissingLandmarks(in: store)
      }
      throw ExitCode(1)
    }
  }

  private func reasonForNothing(_ excerpt: SoundExcerpt) -> String {
    excerpt.landmarks.isWeak
      ? "\(self.excerpt.name): too short or too uniform to be recognised"
      : "\(self.excerpt.name): nothing in the library matches"
  }

  private func printMatches(of excerpt: SoundExcerpt, _ sound: LibrarySound, _ store: MediaStore) throws -> Bool {
    let found = try sound.withIndex { index in
      var identification = SoundIdentification(index)
      return try FoundTrack.all(identification.matches(of: excerpt, limit: limit), in: store)
    }
    guard !json else {
      try StandardOutput.line(
        JSONValue.object([
          .init("schema", .integer(1)), .init("duration_seconds", .number(excerpt.durationInSeconds)),
          .init(
            "matches", .array(found.map { .object($0.members(offset: $0.match.offsetInSeconds)) })),
        ]).prettyText)
      return !found.isEmpty
    }
    var table = TextTable([
      .init(title: "TRACK", isAlignedRight: true, canShrink: false), .init(title: "HEARD"),
      .init(title: "AT", isAlignedRight: true, canShrink: false),
      .init(title: "SURE", isAlignedRight: true, canShrink: false),
      .init(title: "SPEED", isAlignedRight: true, canShrink: false),
      .init(title: "FILE", overflow: .isCutAsPath, dispensability: 1),
    ])
    for one in found {
      try table.add([
        "\(one.track.recordingID)", one.label, Self.time(one.match.offsetInSeconds), one.confidenceText, one.speedText,
        one.track.files.first?.displayString ?? "",
      ])
    }
    try table.finish()
    return !found.isEmpty
  }

  private func printTimeline(of excerpt: SoundExcerpt, _ sound: LibrarySound, _ store: MediaStore) throws -> Bool {
    let (ranges, found) = try sound.withIndex { index in
      var identification = SoundIdentification(index)
      var line = ProgressLine()
      let isShown = output.showsProgress
      defer { if isShown { line.clear() } }
      let ranges = try identification.timeline(of: excerpt) { seconds in
        if isShown {
          line.show { _ in "\(Self.time(seconds)) of \(Self.time(excerpt.durationInSeconds))" }
        }
      }
      var tracks: [ContentHash: FoundTrack] = [:]
      for one in try FoundTrack.all(ranges.map(\.match), in: store) { tracks[one.match.recording] = one }
      // Places are those of the whole file, also if only a part of it is looked at.
      let start = self.excerpt.part.start?.seconds ?? 0
      let known = ranges.map { $0.moved(bySeconds: start) }.compactMap { range in
        tracks[range.match.recording].map { (range, FoundTrack(track: $0.track, match: range.match)) }
      }
      return (known.map(\.0), known.map(\.1))
    }
    if json {
      try StandardOutput.line(document(excerpt, ranges, found).prettyText)
    } else if cue {
      try StandardOutput.write(sheet(ranges, found))
    } else {
      try printTable(ranges, found)
    }
    return !found.isEmpty
  }

  private func printTable(_ ranges: [HeardRange], _ found: [FoundTrack]) throws {
    var table = TextTable([
      .init(title: "FROM", isAlignedRight: true, canShrink: false),
      .init(title: "TO", isAlignedRight: true, canShrink: false),
      .init(title: "TRACK", isAlignedRight: true, canShrink: false), .init(title: "HEARD"),
      .init(title: "AT", isAlignedRight: true, canShrink: false),
      .init(title: "SURE", isAlignedRight: true, canShrink: false),
      .init(title: "SPEED", isAlignedRight: true, canShrink: false),
    ])
    for (range, one) in zip(ranges, found) {
      try table.add([
        Self.time(range.startInSeconds), Self.time(range.endInSeconds), "\(one.track.recordingID)", one.label,
        Self.time(range.offsetInSeconds), one.confidenceText, one.speedText,
      ])
    }
    try table.finish()
  }

  private func document(_ excerpt: SoundExcerpt, _ ranges: [HeardRange], _ found: [FoundTrack]) -> JSONValue {
    .object([
      .init("schema", .integer(1)), .init("duration_seconds", .number(excerpt.durationInSeconds)),
      .init(
        "ranges",
        .array(
          zip(ranges, found).map { range, one in
            .object(
              [
                .init("start_seconds", .number(range.startInSeconds)),
                .init("end_seconds", .number(range.endInSeconds)),
              ] + one.members(offset: range.offsetInSeconds))
          })),
    ])
  }

  /// A sheet of the excerpt, in which a range begins where the one before may still be heard.
  private func sheet(_ ranges: [HeardRange], _ found: [FoundTrack]) -> String {
    let rate = 44_100
    let parts = zip(ranges, found).map { range, one in
      Part(
        frames: Int64(range.startInSeconds * Double(rate))..<Int64(range.endInSeconds * Double(rate)) + 1,
        tags: PartTags(title: one.track.title ?? one.label, artist: one.track.artist))
    }
    let name = excerpt.file.map { BytePath(argument: $0).lastComponent.displayString } ?? "-"
    return CueSheet.text(
      tags: PartTags(), files: [CueSheet.WrittenFile(name: name, sampleRateInHz: rate, parts: parts)])
  }

  /// `-0:03.2` for a place before the start.
  private static func time(_ seconds: Double) -> String {
    let tenths = Int((abs(seconds) * 10).rounded())
    let (minutes, rest) = (tenths / 600, tenths % 600)
    let text = "\(minutes):\(rest < 100 ? "0" : "")\(rest / 10).\(rest % 10)"
    return (seconds < 0 && tenths > 0 ? "-" : "") + text
  }
}

extension FoundTrack {
  fileprivate var speedText: String {
    let percent = (match.speed - 1) * 100
    return abs(percent) < 0.3 ? "" : (percent > 0 ? "+" : "-") + NumberText.decimal(abs(percent), 1) + " %"
  }

  fileprivate var confidenceText: String { NumberText.decimal(100 * match.confidence, 0) + " %" }
}

extension OutputOptions {
  /// Says how many recordings cannot be found by their sound, because an older version or `scan --product` left it out.
  func noteMissingLandmarks(in store: MediaStore) throws {
    let status = try store.status()
    let currentCount = status.products.first { $0.kind == .landmarks }?.currentCount ?? 0
    guard currentCount < status.recordingCount, !quiet else { return }
    let lacking = try store.recordings.lackingCount(.landmarks)
    let count = lacking.missing + lacking.stale
    guard count > 0 else { return }
    let options = (lacking.missing > 0 ? " --missing" : "") + (lacking.stale > 0 ? " --stale" : "")
    StandardError.line(
      "\(NumberText.count(count, "recording")) without landmarks; `deadwax reanalyze\(options) --product landmarks` makes them"
    )
  }

  /// The sound index of a library; a terminal shows how recordings are added to it.
  func sound(of store: MediaStore) -> LibrarySound {
    let isShown = showsProgress
    var line = ProgressLine()
    return LibrarySound(
      of: store,
      onProgress: { done, total in
        if isShown { line.show { _ in "adding to the sound index: \(done) of \(total)" } }
        if isShown, done == total { line.clear() }
      },
      note: { note in if !quiet { StandardError.line(TerminalText.escaped(note)) } })
  }
}
