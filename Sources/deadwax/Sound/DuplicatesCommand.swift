internal import ArgumentParser
internal import Base
internal import MediaModel
internal import MediaStore
internal import SoundIndex
internal import SoundSearch

/// `deadwax duplicates`: files with the same sound, whatever their formats and names.
struct DuplicatesCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "duplicates",
    abstract: "List files that hold the same recording, over formats, masters and cuts.",
    discussion: """
      Recordings are compared by their landmarks, so format, level, tags and names do not matter. Each group is one of

        same-recording  the same sound from start to end; one file is marked to be kept
        contained       one is a part of the other
        other-master    the same music, but processed: remastered, or from a worse source
        shares-sample   only a part is common, such as a loop or an intro

      Which file of a recording to keep is decided by what was measured, the first difference counts: undamaged, longer (by \
      more than 1 s), more channels, lossless without strong evidence of a lossy source (see lossy-source.md), more bits if \
      one has fewer than 16, a spectrum that reaches higher (by more than 700 Hz; of two lossy codecs only if neither makes up \
      what is high, as Opus, WMA and AAC below 96 kbit/s do), higher sample rate unless both are of different lossy codecs, \
      more bits, higher bit rate of the same lossy codec (by more than 15 percent) or of another one (by more than twice), not \
      clipped; then the order of paths.

      Nothing is ever deleted. --script writes a shell script that would remove the other files of same-recording groups, for \
      you to read and run; - is standard output. It leaves out files that may be another master (dynamics or tone differ), the \
      best one of each other number of channels, and those of another lossy codec in which nothing measured is worse. Groups in \
      which the query finds no file are left out.

      Recordings that play at different speeds are not recognized as one.

      Examples: deadwax duplicates
                deadwax duplicates path:Downloads --json
                deadwax duplicates --script remove.sh
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
      "Write the files that are not kept as a playlist (m3u8, xspf, jspf, pls, or xml for rekordbox).",
      valueName: "file"), completion: .file())
  var playlist: String?

  @Option(help: ArgumentHelp("Write a shell script that would remove the files that are not kept.", valueName: "file"))
  var script: String?

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
      let groups = try DuplicateGroups(in: store, touching: chosen).groups(relations, identical: identical)
        .filter { kind.isEmpty || kind.contains($0.kind) }
      if json {
        try StandardOutput.line(
          JSONValue.object([.init("schema", .integer(1)), .init("groups", .array(groups.map { $0.json() }))]).prettyText
        )
      } else if script != "-" {
        try printTable(groups)
        if groups.isEmpty, chosen?.isEmpty != true { output.tellNothing("no duplicates found") }
      }
      try writeFiles(groups, in: store, protecting: outputs)
      try output.noteMissingLandmarks(in: store)
    }
  }

  private func printTable(_ groups: [DuplicateGroup]) throws {
    var table = TextTable([
      .init(title: "GROUP", isAlignedRight: true, canShrink: false), .init(title: "KIND", canShrink: false),
      .init(title: "TRACK", isAlignedRight: true, canShrink: false), .init(title: "", canShrink: false),
      .init(title: "FORMAT", canShrink: false), .init(title: "LENGTH", isAlignedRight: true, canShrink: false),
      .init(title: "LUFS", isAlignedRight: true, canShrink: false),
      .init(title: "CUTOFF", isAlignedRight: true, canShrink: false), .init(title: "NOTE"),
      .init(title: "FILE", isPath: true),
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

  private func writeFiles(
    _ groups: [DuplicateGroup], in store: MediaStore, protecting inputs: [BytePath]
  ) throws {
    let copies = groups.filter { $0.kind == .sameRecording }
    let music = copies.flatMap { $0.members.map(\.file.path) }
    if let playlist {
      let others = copies.flatMap { $0.membersByChannels.flatMap { $0.dropFirst().map(\.file.id) } }
      try PlaylistFile(playlist).write(
        fileIDs: others, in: store, protecting: inputs + music, isQuiet: output.quiet)
    }
    if let script {
      var removal = RemovalScript()
      for alike in copies.flatMap(\.membersByChannels) {
        guard let kept = alike.first, alike.count > 1 else { continue }
        removal.add(
          keeping: (kept.file.path, kept.file.byteCount),
          removing: alike.dropFirst().filter { kept.quality.canReplace($0.quality) }.map {
            ($0.file.path, $0.file.byteCount, $0.reason.map { "the other is better: \($0)" } ?? "as good as the other")
          })
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
      }
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
        + (member.reason.map { "kept one: \($0)" } ?? "kept one: as good")
    }
    guard place > 0, let offsetInSeconds, let commonSeconds else { return "" }
    let sign = offsetInSeconds < 0 ? "-" : ""
    return "\(DurationText.clock(commonSeconds)) common, begins at \(sign)\(DurationText.clock(abs(offsetInSeconds)))"
  }
}
