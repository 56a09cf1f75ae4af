internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering

/// `deadwax waveform`: a waveform as data, as a picture or in the terminal.
struct WaveformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waveform",
    abstract: "Draw or export the waveform of one or more tracks.",
    discussion: """
      Without -o the waveform is drawn in the terminal. The options have audiowaveform's names and meanings. Stored \
      data (8 bit, multiples of 256 frames per point, of 512 for separate channels) are read from the library; 16 \
      bit and other zooms are decoded, except that pictures at coarser zooms are rescaled. Data always cover the \
      whole track, as in audiowaveform: --start, --end and --width then only choose the zoom. Pictures show \
      everything from --start to --end, unless a zoom is given.

      If -o is a folder, the arguments are ids, paths or a query, and a file is written there for each track, as PNG \
      unless --format selects another format.

      A .dat or .json file of peaks in place of the track is converted: to the other format, to text, to a picture \
      or to a coarser zoom. At a zoom that is not a multiple of its own the values are rescaled, as audiowaveform \
      does.

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
      The track: an id, a path, or a query that finds exactly one (with a folder, any number); or a .dat or .json \
      file of peaks.
      """, valueName: "track"))
  var words: [String] = []

  @Option(
    name: [.customShort("i"), .long],
    help: ArgumentHelp("The track or file of peaks, as in audiowaveform; - is standard input.", valueName: "file")
  )
  var inputFilename: String?

  @Option(help: ArgumentHelp("dat or json, if the input's extension does not determine it.", valueName: "format"))
  var inputFormat: String?

  @Flag(help: "JSON for wavesurfer.js: {\"duration\": seconds, \"peaks\": [a list of 0…1 for each channel]}.")
  var jsonPeaks = false

  @OptionGroup(title: "Part and zoom") var extent: WaveformExtentOptions
  @OptionGroup(title: "Pictures") var look: WaveformLookOptions
  @OptionGroup(title: "Many tracks") var batch: BatchOptions

  /// nil for a drawing in the terminal.
  private var format: WaveformFormat? {
    file.resolvedFormat.flatMap(WaveformFormat.init(rawValue:)) ?? (jsonPeaks ? .json : nil)
  }

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
    try file.require(WaveformFormat.allCases.map(\.rawValue))
    if jsonPeaks && format != .json { throw ValidationError("--json-peaks is JSON") }
  }

  func run() throws {
    if let folder = file.folder { return try writeAll(into: folder) }
    let input = BytePath(argument: inputFilename ?? words.joined(separator: " "))
    if inputFormat != nil || PeakFile.isNamed(by: input) {
      let peaks = try PeakFile.read(input, format: inputFormat)
      if let format, format.picture == nil, !output.quiet, try renderer.rescales(peaks) {
        StandardError.line(
          "\(TerminalText.escaped(input.displayString)): rescaled to a zoom that is not a multiple of its "
            + "\(peaks.peaks.framesPerPoint) frames per point; values computed from the samples would differ")
      }
      try write(peaks, title: try look.title.textWithoutTrack(on: format?.picture), protecting: [input])
    } else {
      let cache = try cache.makeCache()
      try library.reading(orAnalysing: [input], for: Self.kinds, output) { store in
        let source = RecordingSource(try store.tracks.resolve(input), cache: cache)
        try write(
          try TrackWaveform(of: source, in: store),
          title: try look.title.text(for: source.track, in: store, on: format?.picture),
          protecting: source.track.files)
        output.warn(of: source.damage)
      }
      output.tell(cache)
    }
  }

  /// The products that are used of a file outside the library.
  private static let kinds: Set<ProductKind> = [.waveform, .channelWaveform, .waveformEnergy]

  private var renderer: WaveformRenderer {
    WaveformRenderer(extent: extent.extent, look: look.look, isForPlayers: jsonPeaks)
  }

  private func writeAll(into folder: BytePath) throws {
    let format = format ?? .png
    let renderer = renderer
    let cache = try cache.makeCache()
    try library.reading(orAnalysing: words.map(BytePath.init(argument:)), for: Self.kinds, output) { store in
      let run = BatchRun(folder: folder, ending: format.rawValue, batch: batch, output: output, library: library)
      try run(over: store.tracks.query(naming: words), in: store) { item in
        let source = RecordingSource(try store.tracks.resolve(item.path), cache: cache)
        defer { output.warn(of: source.damage) }
        return try renderer.bytes(
          of: TrackWaveform(of: source, in: store),
          title: try look.title.text(for: source.track, in: store, on: format.picture), as: format)
      }
    }
    output.tell(cache)
  }

  private func write(_ source: some WaveformSource, title: String, protecting inputs: [BytePath]) throws {
    guard let format else {
      return try StandardOutput.write(
        try renderer.drawing(of: source, columns: extent.width ?? Terminal.width, capabilities: output.capabilities))
    }
    try file.write(
      try renderer.bytes(of: source, title: title, as: format),
      protecting: inputs + library.protectedFiles(for: file.output))
  }
}
