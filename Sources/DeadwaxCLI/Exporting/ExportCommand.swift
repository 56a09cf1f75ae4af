internal import ArgumentParser
internal import Base
internal import MediaExchange
internal import MediaModel
internal import MediaStore

/// `deadwax export`: data about many files, for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Export data about the files that match a query, for other programs.",
    discussion: """
      tracks: all fields of each file, or those of --fields.
      tags: all tags; csv has a line for each value, jsonl an object for each file.
      playlist: m3u8, xspf, jspf, pls, or rekordbox for the XML that rekordbox imports. Paths are relative to the \
      playlist's folder, or absolute with --absolute. Each entry contains the hash of its recording, so that \
      `deadwax list import` finds it even if the file was moved.
      cue: a CUE sheet with the chapters or tracks of each file; a file without them is one track. Pregaps are left out.
      waveforms (dat, json) and spectra (json, csv): a file for each track, in the folder -o.
      presets: the preset that each track is played with, in the folder -o; json, or a format of `deadwax preset \
      export`.
      library: a copy of the library with its tracks, tags and lists as text, in the folder -o. An existing copy is \
      replaced, as by `deadwax backup`, unless it has more presets, lists or attributes.
      fingerprints: AcoustID fingerprints as `fpcalc` prints them. text has FILE=, DURATION= and FINGERPRINT= with a \
      blank line between files; json has an object with path, duration and fingerprint on each line; csv has them in \
      columns.
      replaygain: gain and peak of each track and its album, as a table. `deadwax tags write --replaygain` writes them \
      into the tags of the files, where players look for them.
      beats: the beats of each track in seconds, from the onsets stored by the scan; downbeats are not detected. \
      json has an object with path, bpm and beats_seconds on each line; csv has a line for each beat.

      \(QueryHelp.short)

      Examples:
        deadwax export --what playlist 'genre:jazz lufs:<-18' -o quiet.m3u8
        deadwax export --what tracks --fields path,lufs,truepeak -o loudness.csv
        deadwax export --what fingerprints 'artist:nora' --format json -o nora.json
        deadwax export --what replaygain 'codec:flac' -o gain.csv
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var query: QueryArgument

  @Option(name: .customLong("what"), help: "What to export.")
  var subject: ExportSubject

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file or folder to write (default: standard output).", valueName: "file"),
    completion: .file())
  var file: String?

  @OptionGroup var existing: OverwriteOption

  @Option(help: "The format (default: from the file's extension, else the first one listed above).")
  var format: String?

  @Flag(help: "Write fingerprints as numbers instead of compressed text.")
  var raw = false

  @Flag(help: "Write absolute paths in playlists and CUE sheets instead of relative ones.")
  var absolute = false

  @Option(
    help: ArgumentHelp("The fields of tracks, separated by commas (default: all).", valueName: "a,b,c"),
    completion: Completions.fields)
  var fields: [String] = []

  @Option(
    help: ArgumentHelp(
      "Text in csv that a spreadsheet would evaluate (= + - @ first): escape puts ' before it, keep does not."))
  var csvFormulas: SpreadsheetCell.Formulas = .escape

  @OptionGroup(title: "Waveforms, spectra and presets") var batch: BatchOptions

  private var path: BytePath? { file.flatMap { $0 == "-" ? nil : BytePath(argument: $0) } }

  private var choices: ExportChoices {
    get throws {
      let ending = subject.needsFolder ? "" : path?.pathExtension ?? ""
      return ExportChoices(
        format: try ExportChoices.format(format, ending: ending, of: subject.formats), isRaw: raw,
        fields: fields.joinedList,
        file: path, usesAbsolutePaths: absolute || path == nil, isQuiet: output.quiet,
        formulas: csvFormulas)
    }
  }

  func validate() throws {
    _ = try choices
    if subject.needsFolder && path == nil {
      throw ValidationError("\(subject.rawValue): name a folder with -o")
    }
    try batch.requireFolder(subject.needsFolder && subject != .library ? path : nil)
    if !fields.isEmpty && subject != .tracks { throw ValidationError("--fields needs --what tracks") }
    if raw && subject != .fingerprints { throw ValidationError("--raw needs --what fingerprints") }
    if absolute && subject != .playlist && subject != .cue {
      throw ValidationError("--absolute needs --what playlist or cue")
    }
    if subject == .library && !query.words.isEmpty {
      throw ValidationError("--what library takes no query: it exports the whole library")
    }
  }

  func run() throws {
    try library.reading { store in
      if subject.needsFolder {
        if let path { try writeFolder(path, store) }
      } else if path == nil {
        try write(store)
      } else {
        try output.showing("writing \(subject.rawValue)") { try write(store) }
      }
    }
  }

  private func write(_ store: MediaStore) throws {
    let found = try query.query(in: store, remarkingTo: output)
    guard let content = try subject.content(of: found, in: store, try choices) else { return }
    guard let path else { return try content.write(from: store) { try StandardOutput.write($0) } }
    let pending = try OutputFile(path, replaces: existing.overwrite)
      .begin(protecting: content.inputs + library.protectedFiles(among: [path]))
    try content.write(from: store) { try pending.append($0.utf8) }
    try pending.commit()
  }

  private func writeFolder(_ folder: BytePath, _ store: MediaStore) throws {
    if subject == .library {
      return try output.showing("copying the library, checking the copy, writing its contents") {
        try LibraryBundle(library: library).write(store, into: folder)
      }
    }
    let (found, format) = try (query.query(in: store), choices.format)
    // If nothing is found, the run says so.
    try QueryRemarks.write(about: found, findsNothing: false, in: store, output)
    func run(ending: String) -> BatchRun {
      BatchRun(
        folder: folder, ending: ending, batch: batch, output: output, library: library,
        needsDecodedAudio: subject != .presets, replaces: existing.overwrite)
    }
    if subject == .presets {
      let export = try PresetFolderExport(format: format)
      return try export.write(found, in: store, run(ending: export.format.fileExtension))
    }
    let export = FolderExport(kind: subject == .waveforms ? .waveform : .spectrum, format: format)
    try export.write(found, in: store, run(ending: format))
  }
}
