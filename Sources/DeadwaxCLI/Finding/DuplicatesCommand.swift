internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaStore
internal import SoundIndex
internal import SoundSearch

/// `deadwax duplicates`: files with the same sound, whatever their formats and names.
struct DuplicatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "List files that sound the same, across formats, masters and cuts.",
    discussion: """
      Recordings are compared by their landmarks; format, level, tags and names do not matter. Each group is one of

        same-recording  the same sound from start to end; one file is to be kept
        contained       one is part of the other
        other-master    the same music, but remastered or from a worse source
        shares-sample   only a part is shared, such as a loop or an intro

      Measurements decide which file of a recording to keep; the first difference counts: undamaged, longer (by more \
      than 1 s, also without silence at the ends), more channels, lossless without strong evidence of a lossy source \
      (see lossy-source.md), more bits if one has fewer than 16, a spectrum that reaches higher (by more than 700 \
      Hz; for two lossy codecs only if neither synthesises high frequencies, as Opus, WMA and AAC below 96 kbit/s \
      do), higher sample rate unless both are of different lossy codecs, more bits, higher bit rate of the same \
      lossy codec (by more than 15 percent) or of another one (by more than twice), not clipped; then the order of \
      paths.

      A file that is silent where another one has music is never kept, however good it is otherwise.

      Nothing is ever deleted. --script writes a shell script that would remove the other files of same-recording \
      groups, for you to read and run (its own --dry-run only lists what it would remove); - is standard output. It \
      removes a file only if every moment of its audio is also in the kept file: levels over time, spectrum, and \
      each channel are compared, and files that pass are decoded and subtracted, which takes about a second for five \
      minutes. It leaves out other masters (dynamics or tone differ), files with contents that were not decoded (a \
      second audio track, a video, unexplained bytes after the audio, damage that may hide more audio, hybrid \
      WavPack, whose correction is another file), the best file of each other channel count, files of another lossy \
      codec that are worse in no measurement, copies of damaged files, tracks of complete albums (unless another \
      edition of the same album is complete), and pairs whose titles, artists or albums conflict, unless \
      --ignore-tags is given. Of equally good files the one below --prefer is kept, then the one of a complete \
      album; a file below --prefer is never removed for one that is not. The number of files left out is printed for \
      each reason; --json lists them. The script verifies the size and time of each file that it removes, and the \
      content of the one that it keeps (with stat and sha256sum). Groups without a file that matches the query are \
      left out.

      Recordings that play at different speeds are not recognised as the same. A narrow terminal shows fewer \
      columns.

      Examples: deadwax duplicates
                deadwax duplicates path:Downloads --json
                deadwax duplicates --script remove.sh
                deadwax duplicates --script remove.sh --prefer /music/albums
                deadwax duplicates --playlist copies.m3u8
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var query: QueryArgument

  @Option(help: ArgumentHelp("Only groups of this kind; may be repeated.", valueName: "kind"))
  var kind: [SoundRelation.Kind] = []

  @Flag(help: "Print one JSON document.")
  var json = false

  @Option(
    help: ArgumentHelp(
      "Write the files that --script would remove as a playlist (m3u8, xspf, jspf, pls, or xml for rekordbox).",
      valueName: "file"), completion: .file())
  var playlist: String?

  @Option(
    help: ArgumentHelp("Write a shell script that removes files whose audio is in other files.", valueName: "file"))
  var script: String?

  @Option(
    help: ArgumentHelp(
      "Among equally good files, keep those below this folder; may be repeated, most preferred first.",
      valueName: "folder"), completion: .directory)
  var prefer: [String] = []

  @Flag(help: "Also remove files whose title, artist or album differs from that of the kept file.")
  var ignoreTags = false

  func validate() throws {
    if playlist == "-" { throw ValidationError("--playlist takes the name of a file") }
    _ = try playlist.map { try PlaylistFile($0) }
    if json && script == "-" { throw ValidationError("--json and --script - exclude each other") }
  }

  func run() throws {
    let outputs = try library.protectedFiles(
      among: [playlist, script].compactMap { $0 }.filter { $0 != "-" }.map { BytePath(argument: $0) })
    try library.reading { store in
      let chosen = try query.recordingIDs(in: store, remarkingTo: output)
      let identical = try QueryArgument.recordingIDs(of: store.query("is:duplicate-file"), in: store)
      let relations = try output.sound(of: store).withIndex { index in
        var line = ProgressLine()
        let isShown = output.showsProgress
        defer { if isShown { line.clear() } }
        return try DuplicateSearch(index).relations { share in
          if isShown { line.show { _ in "comparing recordings: \(NumberText.decimal(100 * share, 0)) %" } }
        }
      }
      var groups = try DuplicateGroups(in: store, touching: chosen).groups(relations, identical: identical)
        .filter { kind.isEmpty || kind.contains($0.kind) }
      let plan = json || script != nil || playlist != nil ? try plan(groups, in: store) : nil
      if let plan { groups = groups.map { $0.ordered(by: plan) } }
      if json {
        let members =
          [.init("schema", .integer(1)), .init("groups", .array(groups.map { $0.json() }))]
          + (plan?.members ?? [])
        try StandardOutput.line(JSONValue.object(members).prettyText)
      } else if script != "-" {
        try printTable(groups)
        if groups.isEmpty, chosen?.isEmpty != true { output.tellNothing("no duplicates found") }
      }
      if let plan { try writeFiles(plan, groups, in: store, protecting: outputs) }
      try output.noteMissingLandmarks(in: store)
    }
  }

  private func printTable(_ groups: [DuplicateGroup]) throws {
    var table = TextTable([
      .init(title: "GROUP", isAlignedRight: true, canShrink: false), .init(title: "KIND", canShrink: false),
      .init(title: "TRACK", isAlignedRight: true, canShrink: false), .init(title: "", canShrink: false),
      .init(title: "FORMAT", canShrink: false, dispensability: 2),
      .init(title: "LENGTH", isAlignedRight: true, canShrink: false, dispensability: 1),
      .init(title: "LUFS", isAlignedRight: true, canShrink: false, dispensability: 4),
      .init(title: "CUTOFF", isAlignedRight: true, canShrink: false, dispensability: 5),
      .init(title: "NOTE", dispensability: 3),
      .init(title: "FILE", overflow: .isCutAsPath),
    ])
    for (number, group) in groups.enumerated() {
      for (place, member) in group.members.enumerated() {
        try table.add([
          place == 0 ? "\(number + 1)" : "", place == 0 ? group.kind.rawValue : "", "\(member.recordingID)",
          group.kind == .sameRecording && place == 0 ? "keep" : "", member.quality.formatText,
          DurationText.clock(member.quality.durationInSeconds),
          member.quality.loudnessInLUFS.map { NumberText.decimal($0, 1) } ?? "",
          member.quality.cutoffInHz.map { NumberText.decimal($0 / 1_000, 1) + " kHz" } ?? "",
          group.note(place), member.file.path.displayString,
        ])
      }
    }
    try table.finish()
  }

  private func plan(_ groups: [DuplicateGroup], in store: MediaStore) throws -> RemovalPlan {
    let folders = try prefer.map { try InputFile.resolved(BytePath(argument: $0)) }
    var line = ProgressLine()
    let isShown = output.showsProgress
    defer { if isShown { line.clear() } }
    return try RemovalPlan(groups, in: store, CopyJudge.Options(preferring: folders, ignoringTags: ignoreTags)) {
      share in if isShown { line.show { _ in "comparing copies: \(NumberText.decimal(100 * share, 0)) %" } }
    }
  }

  private func writeFiles(
    _ plan: RemovalPlan, _ groups: [DuplicateGroup], in store: MediaStore, protecting inputs: [BytePath]
  ) throws {
    let music = groups.filter { $0.kind == .sameRecording }.flatMap { $0.members.map(\.file.path) }
    if let playlist {
      try PlaylistFile(playlist).write(
        fileIDs: plan.removals.map(\.removed.file.id), in: store, protecting: inputs + music, isQuiet: output.quiet)
    }
    if let script {
      var removal = RemovalScript()
      var changedCount = 0
      var known: [Int64: KeptFile?] = [:]
      for one in plan.removals {
        let kept = known[one.kept.file.id] ?? KeptFile(one.kept.file.path, stamp: one.kept.file.stamp)
        known[one.kept.file.id] = .some(kept)
        guard let kept else {
          changedCount += 1
          continue
        }
        removal.add(
          keeping: kept, removing: one.removed.file.path, stamp: one.removed.file.stamp,
          reason: one.reason.map { "the other file is better: \($0)" } ?? "as good as the other")
      }
      if script == "-" {
        try StandardOutput.write(bytes: removal.bytes)
      } else {
        try OutputFile(BytePath(argument: script)).write(removal.bytes, protecting: inputs + music)
      }
      if !output.quiet {
        StandardError.line(
          "the script would remove \(NumberText.count(removal.fileCount, "file")) (\(NumberText.size(removal.byteCount))); nothing was removed"
        )
        plan.remark(alsoChanged: changedCount)
      }
    }
  }
}

extension RemovalPlan {
  /// How many files are left out, a line for each reason.
  fileprivate func remark(alsoChanged changedCount: Int) {
    var counts = Dictionary(grouping: leftOut, by: \.refusal).mapValues(\.count)
    if changedCount > 0 { counts[.changed, default: 0] += changedCount }
    for refusal in CopyJudge.Refusal.allCases {
      guard let count = counts[refusal] else { continue }
      StandardError.line("left out: \(NumberText.count(count, "file")), because \(refusal.sentence)")
    }
  }
}

extension CopyJudge.Refusal {
  fileprivate var sentence: String {
    switch self {
    case .channels: "the other file has a different number of channels"
    case .preferred: "it is below a --prefer folder, and the other file is not"
    case .tags: "title, artist or album differ (--ignore-tags removes them anyway)"
    case .damaged: "the other file is damaged"
    case .unknown: "not all of its contents were decoded (scan --deep examines files read by earlier versions)"
    case .master: "the other file may be another master, or its codec cannot be compared"
    case .better: "the other file is worse"
    case .trimming: "one of the two is now trimmed or amplified differently than when it was measured"
    case .unmeasured: "levels and spectra of one of the two are not stored (scan --deep computes them)"
    case .channelCount: "they have more channels than the stored levels"
    case .unaligned: "their alignment is not known"
    case .unreadable: "one of the two cannot be decoded"
    case .lacking: "the other file lacks some of the audio"
    case .album: "a complete album would lose a track"
    case .changed: "the other file has changed since the scan, or cannot be read"
    }
  }
}

extension SoundRelation.Kind: ExpressibleByArgument {}

extension CopyQuality {
  /// `FLAC 44.1/16`, `MP3 128k`.
  fileprivate var formatText: String {
    let name = codec?.rawValue ?? "?"
    let rate = NumberText.decimal(Double(sampleRateInHz) / 1_000, 1)
    guard codec?.isLossless != true else { return "\(name) \(rate)\(bits > 0 ? "/\(bits)" : "")" }
    return bitrateInBitsPerSecond > 0 ? "\(name) \(bitrateInBitsPerSecond / 1_000)k" : name
  }
}

extension DuplicateGroup {
  /// Why another file is kept, or where the common sound is.
  fileprivate func note(_ place: Int) -> String {
    let member = members[place]
    guard kind != .sameRecording else {
      guard place > 0 else { return "" }
      return (member.isIdentical ? "identical; " : "")
        + (member.reason.map { "kept file: \($0)" } ?? "kept file: as good")
    }
    guard place > 0, let offsetInSeconds, let commonSeconds else { return "" }
    let sign = offsetInSeconds < 0 ? "-" : ""
    let start = sign + DurationText.clock(abs(offsetInSeconds))
    return "\(DurationText.clock(commonSeconds)) in common, starts at \(start)"
  }
}
