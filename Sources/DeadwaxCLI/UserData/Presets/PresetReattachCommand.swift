internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import SoundSearch
internal import UserData

struct PresetReattachCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "reattach",
    abstract: "Move presets, list entries and ratings from a recording without a file to a track.",
    discussion: """
      Without FROM and TRACK it searches, for each recording of `preset orphans`, for the one track that is \
      certainly the same recording: same length, nearly the same fingerprint, and the same loudness from moment to \
      moment up to its end. --yes moves the data to the matches; without it, nothing is changed. If several tracks \
      sound the same, choose one yourself.

      FROM is a hash as `preset orphans` shows it, or the start of one, or the name of the recording. TRACK is an id, \
      the path of a file, or a query that finds exactly one track.

      A preset that the track already has is kept, unless --replace is given; an attribute whose value differs gets \
      a new name, such as rating_2. `undo` reverts the move.

      Examples: deadwax preset reattach
                deadwax preset reattach --yes
                deadwax preset reattach 3fa9c2 ~/Music/tide.flac
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var document: DocumentOptions

  @Flag(help: "Move the data of certain matches; without it, and without FROM, matches are only listed.")
  var yes = false

  @Flag(help: "Replace a preset that the track already has.")
  var replace = false

  @Argument(help: "The recording without a file: a hash, the start of one, or a name.", completion: Completions.orphans)
  var from: String?

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String] = []

  func validate() throws {
    if from != nil, words.isEmpty { throw ValidationError("name the track that gets the preset, after FROM") }
  }

  func run() throws {
    if let from {
      let move = try library.writing { store in
        let orphan = try OrphanText.orphan(named: from, among: store.decisions.orphans())
        let track = try store.tracks.resolve(BytePath(argument: words.joined(separator: " ")))
        guard track.hash != orphan.hash else { throw ValidationError("'\(from)' is that track itself") }
        let name = track.title ?? track.files.first?.lastComponent.displayString ?? "\(track.recordingID)"
        return try OrphanMove(
          orphan: orphan,
          likely: [
            LikelyRecording(
              recordingID: track.recordingID, hash: track.hash,
              label: [track.artist, name].compactMap { $0 }.joined(separator: " - "), likeness: 1)
          ], isNamed: true
        ).done(in: store, replacing: replace)
      }
      return try write([move])
    }
    if !yes { return try library.reading { store in try write(try moves(in: store)) } }
    try write(
      try library.writing { store in
        var moves = try moves(in: store)
        // If several belong to one track, the latest decision counts.
        let latestFirst = moves.indices.sorted { left, right in
          let times = [left, right].map { moves[$0].orphan.assignment?.assignedAt ?? 0 }
          return (times[1], left) < (times[0], right)
        }
        for index in latestFirst { moves[index] = try moves[index].done(in: store, replacing: replace) }
        return moves
      })
  }

  private func moves(in store: MediaStore) throws -> [OrphanMove] {
    try output.showing("comparing fingerprints") {
      try store.decisions.orphans().map { orphan in
        var move = OrphanMove(orphan: orphan, likely: try store.decisions.successors(of: orphan))
        move.ownPreset = try move.target.flatMap { try ownPreset(of: $0.recordingID, in: store) }
        return move
      }
    }
  }

  /// The preset of the track itself, or `off`.
  private func ownPreset(of id: Int64, in store: MediaStore) throws -> String? {
    let own = try store.presets.resolution(ofRecording: id).assignments.first { $0.subject.scope == .track }
    return own.map { OrphanText.preset($0) }
  }

  private func write(_ moves: [OrphanMove]) throws {
    if document.isWanted { return try document.write(moves.map(\.json), under: "orphans") }
    guard !output.quiet else { return }
    for move in moves { try StandardOutput.line(TerminalText.escaped(move.text)) }
    guard from == nil else { return }
    let count = moves.count { $0.target != nil }
    guard !moves.isEmpty else { return StandardError.line(OrphanText.none) }
    StandardError.line(
      "\(count) of \(NumberText.count(moves.count, "recording")) \(yes ? "reattached" : "can be reattached")"
        + (yes || count == 0 ? "" : "; add --yes to do it"))
  }
}

/// What users decided about a recording without a file, and the track that gets it.
struct OrphanMove {
  let orphan: OrphanedRecording
  let likely: [LikelyRecording]
  /// Whether a user named the track.
  var isNamed = false
  /// What the track has already.
  var ownPreset: String?
  /// nil until it is done.
  var report: ReattachReport?

  /// nil unless there is exactly one.
  var target: LikelyRecording? { likely.count == 1 ? likely[0] : nil }

  func done(in store: MediaStore, replacing: Bool) throws -> OrphanMove {
    guard let target else { return self }
    var copy = self
    copy.report = try store.decisions.reattach(
      orphan, to: target.recordingID, label: target.label, replacing: replacing)
    return copy
  }

  var text: String {
    let hash = OrphanText.shortHash(orphan.hash)
    let name = orphan.label.isEmpty ? hash : "\(hash) \(orphan.label)"
    guard let target else {
      return likely.isEmpty
        ? "\(name): no certain match"
        : "\(name): the same as each of " + likely.map { "\($0.recordingID) \($0.label)" }.joined(separator: "; ")
    }
    let likeness = isNamed ? "" : " (\(NumberText.decimal(target.likeness * 100, 1)) % alike)"
    return
      (["\(name): \(report == nil ? "would move" : "moved") to \(target.recordingID) \(target.label)\(likeness)"]
      + (report.map(Self.remarks) ?? plannedRemarks)).joined(separator: "; ")
  }

  private var plannedRemarks: [String] {
    guard let ownPreset, orphan.assignment != nil, ownPreset != OrphanText.preset(orphan.assignment) else { return [] }
    return ["the track has its own preset \(ownPreset); --replace replaces it"]
  }

  private static func remarks(_ report: ReattachReport) -> [String] {
    var remarks: [String] = []
    if let preset = report.movedPreset { remarks.append("preset \(preset)") }
    if let preset = report.replacedPreset { remarks.append("instead of \(preset)") }
    if let preset = report.keptPreset {
      remarks.append("the track keeps its own preset \(preset); --replace replaces it")
    }
    if report.listEntryCount > 0 {
      remarks.append("\(report.listEntryCount) \(report.listEntryCount == 1 ? "list entry" : "list entries")")
    }
    if report.attributeCount > 0 { remarks.append(NumberText.count(report.attributeCount, "attribute")) }
    if !report.movedCorrections.isEmpty {
      remarks.append(NumberText.count(report.movedCorrections.count, "correction"))
    }
    if !report.keptCorrections.isEmpty {
      let fields = report.keptCorrections.map { $0.name.lowercased() }.joined(separator: ", ")
      remarks.append("the track keeps its own corrections of \(fields)")
    }
    if !report.renamedAttributes.isEmpty {
      remarks.append("renamed because of different values: \(report.renamedAttributes.joined(separator: ", "))")
    }
    return remarks
  }

  /// Programs rely on the keys.
  var json: JSONValue {
    .object(
      OrphanText.json(orphan) + [
        .init("done", .bool(report != nil)),
        .init(
          "candidates",
          .array(
            likely.map { found in
              .object([
                "id": .integer(found.recordingID), "hash": .string(found.hash.description),
                "track": .string(found.label), "likeness": isNamed ? .null : .number(found.likeness),
              ])
            })),
        .init("moved_preset", .string(report?.movedPreset)), .init("replaced_preset", .string(report?.replacedPreset)),
        .init("kept_preset", .string(report?.keptPreset)), .init("list_entries", .integer(report?.listEntryCount)),
        .init("moved_attributes", .integer(report?.attributeCount)),
        .init("moved_corrections", .integer(report?.movedCorrections.count)),
        .init("renamed_attributes", .array((report?.renamedAttributes ?? []).map { .string($0) })),
      ])
  }
}
