internal import ArgumentParser
internal import Base
internal import Glibc
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import SoundSearch

/// `deadwax lookup`: which recordings AcoustID knows a track's fingerprint as.
struct LookupCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "lookup",
    abstract: "Look tracks up in AcoustID by their fingerprints, for MusicBrainz ids.",
    discussion: """
      For each track it prints what AcoustID (https://acoustid.org) knows about its fingerprint: the score, artist, \
      title, release group (of an album or single) and MusicBrainz id. Nothing is written, neither to the library \
      nor to files. Files outside the library are analysed on the spot, if all arguments are such files.

      This is one of the few commands that contact another machine, and it needs an API key, which is free: \
      https://acoustid.org/new-application. Put the key into $DEADWAX_ACOUSTID_KEY, or into a file for --key-from; \
      it is never stored. A request contains the key and, for each track, its length in seconds and its fingerprint: \
      no names, paths or tags. --dry-run prints the requests and sends none. Each request contains at most \
      \(AcoustIDService.mostQuestions) tracks, and at most three requests are sent per second, as AcoustID requires.

      Exits with status 1 if no track is known or the service fails.

      Examples: deadwax lookup 17
                deadwax lookup 'title:"" path:Downloads' --json
                deadwax lookup ~/Downloads/*.mp3
                deadwax lookup --dry-run 17
                deadwax lookup --all --jsonl --key-from ~/acoustid.key > known.jsonl
      """)

  /// A track with something to ask about.
  private struct Asked {
    var track: TrackReference
    var question: AcoustIDQuestion
  }

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions
  @OptionGroup var tracks: TracksArgument

  @Option(
    help: ArgumentHelp(
      "Read the key from a file, or from standard input if - (default: $DEADWAX_ACOUSTID_KEY).", valueName: "file"),
    completion: .file())
  var keyFrom: String?

  @Option(help: ArgumentHelp("Maximum number of recordings per track.", valueName: "count"))
  var limit = 3

  @Flag(help: "Print the requests instead of sending them.")
  var dryRun = false

  @Option(
    help: ArgumentHelp(
      "Use another server with the same API.", valueName: "address"))
  var service = AcoustIDService.address

  func validate() throws {
    if !(1...100).contains(limit) { throw ValidationError("--limit takes a number from 1 to 100") }
    if dryRun && document.isWanted { throw ValidationError("--dry-run prints requests; leave out --json and --jsonl") }
  }

  func run() throws {
    // Before anything is read or sent.
    let key = dryRun ? nil : try AcoustIDKey.text(from: keyFrom)
    try library.reading(orAnalysing: tracks.words.map(BytePath.init(argument:)), for: [.fingerprint], output) { store in
      let asked = try questions(in: store)
      guard let key else { return try printRequests(asked) }
      var service = AcoustIDService(at: service, key: key)
      var report = LookupReport(document, limit: limit, isOfLibrary: !store.isTemporary)
      var failure: (any Error)?
      do {
        try ask(&service, asked) { try report.add($0.track, $1) }
      } catch { failure = error }
      // What is known by then is printed.
      try report.finish()
      if let failure { throw failure }
      if report.knownCount == 0 { throw ExitCode(1) }
    }
  }

  private func ask(
    _ service: inout AcoustIDService, _ asked: [Asked], _ body: (Asked, [AcoustIDMatch]) throws -> Void
  ) throws {
    var line = ProgressLine()
    defer { if output.showsProgress { line.clear() } }
    for start in stride(from: 0, to: asked.count, by: AcoustIDService.mostQuestions) {
      let batch = asked[start..<min(start + AcoustIDService.mostQuestions, asked.count)]
      if output.showsProgress { line.show { _ in "asking AcoustID: \(start) of \(asked.count)" } }
      let answers = try service.matches(of: batch.map(\.question))
      if output.showsProgress { line.clear() }
      for (one, matches) in zip(batch, answers) {
        if matches == nil {
          StandardError.line(TerminalText.escaped("\(one.track.label): AcoustID rejects its fingerprint"))
        }
        try body(one, matches ?? [])
      }
    }
  }

  /// Tracks without a fingerprint are counted on standard error.
  private func questions(in store: MediaStore) throws -> [Asked] {
    let ids = try tracks.recordingIDs(in: store)
    let asked = try ids.compactMap { id -> Asked? in
      let track = try store.tracks.resolve(BytePath("\(id)"))
      guard
        let text = try FingerprintText(ofRecording: id, durationInSeconds: track.format.durationInSeconds, in: store)
      else { return nil }
      return Asked(
        track: track,
        question: AcoustIDQuestion(durationInSeconds: text.wholeSeconds, fingerprint: text.fingerprint.text))
    }
    if asked.count < ids.count, !output.quiet {
      StandardError.line(
        "\(ids.count - asked.count) of \(NumberText.count(ids.count, "track")) without a fingerprint; "
          + "`deadwax reanalyze --missing` computes those that are possible")
    }
    return asked
  }

  private func printRequests(_ asked: [Asked]) throws {
    for start in stride(from: 0, to: asked.count, by: AcoustIDService.mostQuestions) {
      let batch = asked[start..<min(start + AcoustIDService.mostQuestions, asked.count)]
      try StandardOutput.line(TerminalText.escaped("\(start == 0 ? "" : "\n")POST \(service)"))
      for field in AcoustIDService.fields(for: batch.map(\.question), key: "(your key)") {
        try StandardOutput.line("\(field.name)=\(field.value)")
      }
    }
  }
}

/// The key for AcoustID, which a user has from there.
enum AcoustIDKey {
  static let variable = "DEADWAX_ACOUSTID_KEY"

  enum Failure: CommandError, CustomStringConvertible {
    case missing
    case invalid(source: String)

    var exitStatus: Int32 { ExitStatus.wrongUsage }

    var description: String {
      switch self {
      case .missing:
        "AcoustID needs a key, free from https://acoustid.org/new-application; put it into $\(variable), or "
          + "into a file for --key-from"
      case .invalid(let source): "\(source): a key is one word of at most 100 letters, digits and punctuation marks"
      }
    }
  }

  /// - Parameter file: As it was typed; nil for the variable of the environment.
  static func text(from file: String?) throws -> String {
    let (source, bytes): (String, [UInt8])
    if let file {
      (source, bytes) = (file, try InputFile.bytes(of: BytePath(argument: file), limit: 1 << 20))
    } else if let value = LibraryOptions.environment(variable) {
      (source, bytes) = ("$\(variable)", value.bytes)
    } else {
      throw Failure.missing
    }
    let words = bytes.split { $0 <= 0x20 }
    guard words.count == 1, let key = words.first, key.count <= 100, key.allSatisfy({ $0 < 0x7F }) else {
      throw Failure.invalid(source: source)
    }
    return String(decoding: key, as: UTF8.self)
  }
}

/// Tracks with what AcoustID knows of them, as a table or as JSON.
private struct LookupReport {
  private let document: DocumentOptions
  private let limit: Int
  /// Whether tracks have numbers; other files are called by their names.
  private let isOfLibrary: Bool
  private var items: [JSONValue] = []
  private var table: TextTable
  /// Of tracks with at least one match.
  private(set) var knownCount = 0

  init(_ document: DocumentOptions, limit: Int, isOfLibrary: Bool) {
    self.document = document
    self.limit = limit
    self.isOfLibrary = isOfLibrary
    table = TextTable([
      isOfLibrary
        ? .init(title: "TRACK", isAlignedRight: true, canShrink: false) : .init(title: "FILE"),
      .init(title: "SCORE", isAlignedRight: true, canShrink: false), .init(title: "ARTIST"), .init(title: "TITLE"),
      .init(title: "RELEASE GROUP", dispensability: 1), .init(title: "RECORDING", canShrink: false, dispensability: 2),
    ])
  }

  mutating func add(_ track: TrackReference, _ matches: [AcoustIDMatch]) throws {
    if !matches.isEmpty { knownCount += 1 }
    guard !document.isWanted else {
      let item = json(track, matches)
      if document.jsonl { try StandardOutput.line(item.text) } else { items.append(item) }
      return
    }
    let name = isOfLibrary ? "\(track.recordingID)" : track.files.first?.lastComponent.displayString ?? ""
    if matches.isEmpty { try table.add([name, "", "", "not known to AcoustID", "", ""]) }
    for (place, match) in matches.prefix(limit).enumerated() {
      try table.add([
        place == 0 ? name : "", NumberText.decimal(match.score, 2), match.credit,
        match.title ?? (match.recordingID == nil ? "known, but not linked to a recording" : ""),
        match.releaseGroups.first.map { group in group.title + (group.kind.map { " (\($0))" } ?? "") } ?? "",
        match.recordingID ?? "",
      ])
    }
  }

  mutating func finish() throws {
    guard document.json else { return try table.finish() }
    try document.write(items, under: "tracks")
  }

  private func json(_ track: TrackReference, _ matches: [AcoustIDMatch]) -> JSONValue {
    .object(
      [
        .init("id", isOfLibrary ? .integer(track.recordingID) : .null), .init("hash", .string(track.hash.description)),
        .init("title", .string(track.title)), .init("artist", .string(track.artist)),
      ] + JSONValue.path(track.files.first) + [
        .init("duration_seconds", .number(track.durationInSeconds)),
        .init("matches", .array(matches.prefix(limit).map(\.json))),
      ])
  }
}
