internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaModel
internal import MediaRendering
internal import MediaStore

/// `deadwax spectrum`: a spectrum as data, as a picture or in the terminal, stored or decoded.
struct SpectrumCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "spectrum",
    abstract: "Draw or export the spectrum of one or more tracks.",
    discussion: """
      80 logarithmic bands from 100 Hz to 18 kHz: the mean and maximum of the whole track, or with --kind \
      spectrogram four columns per second. Levels are in dB relative to a full-scale sine. All this is stored, so \
      the audio file is not needed.

      For other --bands, --from and --to, the average is computed from 1,025 stored linear bins of the mix, if every \
      band has at least four of them; at 44.1 kHz four bins are 86 Hz. Everything finer is decoded: narrower bands, \
      including all below 100 Hz; the average of a part (--start, --end); left and right in other bands; and a \
      spectrogram in other bands or at a --zoom of less than a quarter of a second. --exact always decodes.

      If -o is a folder, the arguments are ids, paths or a query, and a file is written there for each track, as PNG \
      unless --format selects another format.

      Examples: deadwax spectrum 17 --from 20
                deadwax spectrum 17 --bands 31 --from 20 --to 20000 --weighting a
                deadwax spectrum 17 --kind spectrogram --frequency linear -o x.png
                deadwax spectrum 17 --kind spectrogram --start 61.5 --end 62 -o y.png
      """,
    helpNames: [.long])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions
  @OptionGroup var cache: CacheOptions

  @Argument(
    help: ArgumentHelp(
      "The track: an id, a path, or a query that finds exactly one; with a folder, any number of them.",
      valueName: "track"))
  var words: [String] = []

  @Option(help: "average or spectrogram.")
  var kind = SpectrumKind.average

  @OptionGroup(title: "Part and bands") var extent: SpectrumExtentOptions
  @OptionGroup(title: "Pictures") var look: SpectrumLookOptions
  @OptionGroup(title: "Many tracks") var batch: BatchOptions

  func validate() throws {
    try batch.requireFolder(file.folder)
    if file.folder == nil, words.isEmpty { throw ValidationError("one track is needed: an id, a path or a query") }
    switch kind {
    case .average: try extent.validateForAverage()
    case .spectrogram: try extent.validateForSpectrogram()
    }
    try file.require(SpectrumFormat.allCases.map(\.rawValue))
  }

  func run() throws {
    if let folder = file.folder { return try writeAll(into: folder) }
    let cache = try cache.makeCache()
    let word = BytePath(argument: words.joined(separator: " "))
    var extent = extent.extent
    let (spectrum, title, inputs) = try library.reading(orAnalysing: [word], for: kinds, output) { store in
      let track = try store.tracks.resolve(word)
      // A part is a range of the recording's spectrum.
      extent.part = extent.part.inRecording(of: track)
      let source = RecordingSource(track.whole, cache: cache)
      output.warn(of: RecordingSource(track, cache: cache).damage)
      return (
        try self.spectrum(of: source, in: store),
        try look.title.text(for: track, in: store, on: format?.picture), track.files
      )
    }
    let renderer = SpectrumRenderer(kind: kind, extent: extent, look: look.look)
    if let format {
      let bytes = try renderer.bytes(of: spectrum, title: title, as: format)
      try file.write(bytes, protecting: inputs + library.protectedFiles(for: file.output))
    } else {
      try StandardOutput.write(
        try renderer.drawing(of: spectrum, columns: look.width ?? Terminal.width, capabilities: output.capabilities))
    }
    output.tell(cache)
  }

  /// The products that are used of a file outside the library.
  private var kinds: Set<ProductKind> { kind == .average ? [.spectrum] : [.spectrogram] }

  private var format: SpectrumFormat? { file.resolvedFormat.flatMap(SpectrumFormat.init(rawValue:)) }

  private var renderer: SpectrumRenderer {
    SpectrumRenderer(kind: kind, extent: extent.extent, look: look.look)
  }

  private func spectrum(of source: RecordingSource, in store: MediaStore) throws -> TrackSpectrum {
    try TrackSpectrum(kind, of: source, in: store) { reason in
      StandardError.line("\(TerminalText.escaped(ErrorAdvice.text(of: reason))): shown at the stored resolution")
    }
  }

  private func writeAll(into folder: BytePath) throws {
    let format = format ?? .png
    let renderer = renderer
    let cache = try cache.makeCache()
    try library.reading(orAnalysing: words.map(BytePath.init(argument:)), for: kinds, output) { store in
      let run = BatchRun(folder: folder, ending: format.rawValue, batch: batch, output: output, library: library)
      try run(over: store.tracks.query(naming: words), in: store) { item in
        let source = RecordingSource(try store.tracks.resolve(item.path), cache: cache)
        defer { output.warn(of: source.damage) }
        return try renderer.bytes(
          of: spectrum(of: source, in: store),
          title: try look.title.text(for: source.track, in: store, on: format.picture), as: format)
      }
    }
    output.tell(cache)
  }
}

extension SpectrumKind: ExpressibleByArgument {}
