internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// `deadwax export`: what is known of many files, for other programs.
struct ExportCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "export",
    abstract: "Write what is known of the files that a query finds, for other programs.",
    discussion: """
      tracks: every field of every file, or --fields. tags: every tag, a value a line in csv, an object a file in jsonl.
      playlist: m3u8, xspf, jspf, pls, or rekordbox for the XML that rekordbox imports. Paths are relative to the \
      playlist's folder, with --absolute as they are; each entry has the hash of its sound, so that `deadwax list import` \
      finds it again wherever it is.
      waveforms (dat, json) and spectra (json, csv): a file for each track into the folder -o.
      presets: for each track that has one, the preset with which it is heard, into the folder -o; json, or a format of \
      `deadwax preset export`.
      library: into the folder -o a copy of the library, and as text its tracks, tags and lists.
      fingerprints: AcoustID fingerprints as `fpcalc` prints them. text is FILE=, DURATION= and FINGERPRINT= with a blank \
      line between files; json an object a line with path, duration and fingerprint; csv the same in columns.

      \(QueryHelp.short)

      Examples:
        deadwax export --what playlist 'genre:jazz lufs:<-18' -o quiet.m3u8
        deadwax export --what tracks --fields path,lufs,truepeak -o loudness.csv
        deadwax export --what fingerprints 'artist:nora' --format json -o nora.json
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var query: QueryArgument

  @Option(name: .customLong("what"), help: "What to export.")
  var subject: ExportSubject

  @Option(
    name: [.customShort("o"), .customLong("output")],
    help: ArgumentHelp("The file or folder to write; without it, or with `-`, standard output.", valueName: "file"),
    completion: .file())
  var file: String?

  @Option(help: "The format; without it what the file's ending says, else the first that it has.")
  var format: String?

  @Flag(help: "Fingerprints as numbers instead of compressed text.")
  var raw = false

  @Flag(help: "Paths in playlists as they are, not relative to the playlist.")
  var absolute = false

  @Option(
    help: ArgumentHelp("The fields of tracks, parted by commas (default: all).", valueName: "a,b,c"),
    completion: Completions.fields)
  var fields: String?

  @OptionGroup(title: "Waveforms, spectra and presets") var batch: BatchOptions

  private var path: BytePath? { file.flatMap { $0 == "-" ? nil : BytePath(argument: $0) } }

  private var choices: ExportChoices {
    get throws {
      let ending = subject.needsFolder ? "" : path?.pathExtension ?? ""
      return ExportChoices(
        format: try ExportChoices.format(format, ending: ending, of: subject.formats), isRaw: raw, fields: fields,
        file: path, usesAbsolutePaths: absolute || path == nil, isQuiet: output.quiet)
    }
  }

  func validate() throws {
    _ = try choices
    if subject.needsFolder && path == nil {
      throw ValidationError("\(subject.rawValue) need a folder: name one with -o")
    }
    try batch.requireFolder(subject.needsFolder && subject != .library ? path : nil)
    if fields != nil && subject != .tracks { throw ValidationError("--fields goes with --what tracks") }
    if raw && subject != .fingerprints { throw ValidationError("--raw goes with --what fingerprints") }
    if absolute && subject != .playlist { throw ValidationError("--absolute goes with --what playlist") }
    if subject == .library && !query.words.isEmpty {
      throw ValidationError("the library is exported whole, without a query")
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
    guard let content = try subject.content(of: try query.query(in: store), in: store, try choices) else { return }
    guard let path else { return try content.write(from: store) { try StandardOutput.write($0) } }
    let pending = try OutputFile(path).begin(protecting: content.inputs + library.protectedFiles(among: [path]))
    try content.write(from: store) { try pending.append($0.utf8) }
    try pending.commit()
  }

  private func writeFolder(_ folder: BytePath, _ store: MediaStore) throws {
    if subject == .library {
      return try output.showing("copying the library, checking the copy, writing what is in it") {
        try LibraryBundle(library: library).write(store, into: folder)
      }
    }
    let (found, format) = try (query.query(in: store), choices.format)
    func run(ending: String) -> BatchRun {
      BatchRun(
        folder: folder, ending: ending, batch: batch, output: output, library: library, needsSound: subject != .presets)
    }
    if subject == .presets {
      let export = try PresetFolderExport(format: format)
      return try export.write(found, in: store, run(ending: export.format.fileExtension))
    }
    let export = FolderExport(kind: subject == .waveforms ? .waveform : .spectrum, format: format)
    try export.write(found, in: store, run(ending: format))
  }
}
