internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// `deadwax waveform`: a waveform as data, as a picture or in the terminal.
struct WaveformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waveform",
    abstract: "Draw or export the waveform of a track, or of many.",
    discussion: """
      Without -o the waveform is drawn in the terminal. The options have audiowaveform's names and meanings. What the \
      library holds (8 bit, 256 frames a point and coarser, 512 of channels kept apart) is answered without opening \
      the audio; 16 bit and finer zooms are decoded. Data always cover the whole track, as audiowaveform's do: --start, \
      --end and --width then only choose the zoom. Pictures show all from --start to --end, unless a zoom is given.

      Where -o is a folder, the words are ids, paths or a query, and each track that they find becomes a file there, a PNG \
      unless --format says otherwise.

      A .dat or .json of peaks in place of the track is converted: to the other one, to text, to a picture, to a \
      coarser zoom.

      Examples: deadwax waveform 17 -o x.svg --style bands
                deadwax waveform 'genre:jazz' -o waveforms/ --format json --json-peaks
      """,
    helpNames: [.long])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var cache: CacheOptions

  @Argument(
    help: ArgumentHelp(
      """
      The track: an id, a path, or a query that finds exactly one, with a folder any number; or a .dat or .json of peaks.
      """, valueName: "track"))
  var words: [String] = []

  @Option(
    name: [.customShort("i"), .long],
    help: ArgumentHelp("The track or file of peaks, as audiowaveform has it; `-` is standard input.", valueName: "file")
  )
  var inputFilename: String?

  @Option(help: ArgumentHelp("dat or json, where the input's ending does not say it.", valueName: "format"))
  var inputFormat: String?

  @Flag(help: "JSON as wavesurfer.js takes it: {\"duration\": seconds, \"peaks\": [a list of 0…1 for each channel]}.")
  var jsonPeaks = false

  @OptionGroup(title: "Part and zoom") var extent: WaveformExtentOptions
  @OptionGroup(title: "Pictures") var look: WaveformLookOptions
  @OptionGroup(title: "Many tracks") var batch: BatchOptions

  /// nil where nothing but the terminal is drawn on.
  private var format: String? { file.resolvedFormat ?? (jsonPeaks ? "json" : nil) }

  func validate() throws {
    try batch.requireFolder(file.folder)
    if file.folder != nil {
      if inputFilename != nil || inputFormat != nil {
        throw ValidationError("--input-filename is one file, but the output is a folder")
      }
    } else if words.isEmpty == (inputFilename == nil) {
      throw ValidationError("one track is needed: an id, a path or a query")
    }
    if let inputFormat, !PeakFile.formats.contains(inputFormat) {
      throw ValidationError("--input-format takes \(PeakFile.formats.joined(separator: " or "))")
    }
    if inputFilename == "-" && inputFormat == nil {
      throw ValidationError("--input-format is needed for standard input: \(PeakFile.formats.joined(separator: ", "))")
    }
    if look.style == .rms && extent.splitChannels {
      throw ValidationError("--style rms shows the level of the mix and excludes --split-channels")
    }
    try file.require(WaveformRendering.formats)
    if jsonPeaks && format != "json" { throw ValidationError("--json-peaks is JSON") }
  }

  func run() throws {
    if let folder = file.folder { return try writeAll(into: folder) }
    let input = BytePath(argument: inputFilename ?? words.joined(separator: " "))
    if inputFormat != nil || PeakFile.isMeant(by: input) {
      let peaks = try PeakFile(input, format: inputFormat)
      try write(peaks, title: try look.title.textWithoutTrack())
    } else {
      let cache = try cache.makeCache()
      let (reading, title) = try library.reading { store in
        let track = try store.resolveTrack(input)
        return (
          try WaveformLoader(track: track, store: store, cache: cache), try look.title.text(for: track, in: store)
        )
      }
      try write(reading, title: title)
      output.tell(cache)
    }
  }

  private func writeAll(into folder: BytePath) throws {
    let format = format ?? PictureFormat.png.rawValue
    let rendering = WaveformRendering(extent: extent, look: look, isForPlayers: jsonPeaks)
    let cache = try cache.makeCache()
    try library.reading { store in
      let run = BatchRun(folder: folder, ending: format, batch: batch, output: output, library: library)
      try run(over: store.query(naming: words), in: store) { item in
        let track = try store.resolveTrack(item.path)
        return try rendering.bytes(
          of: WaveformLoader(track: track, store: store, cache: cache),
          title: try look.title.text(for: track, in: store), format: format)
      }
    }
    output.tell(cache)
  }

  private func write(_ source: some WaveformSource, title: String) throws {
    let rendering = WaveformRendering(extent: extent, look: look, isForPlayers: jsonPeaks)
    guard let format else {
      return try StandardOutput.write(
        try rendering.drawing(
          of: source, columns: extent.width ?? Terminal.width, capabilities: output.capabilities))
    }
    try file.write(
      try rendering.bytes(of: source, title: title, format: format),
      protecting: source.inputs + library.protectedFiles(for: file.output))
  }
}
