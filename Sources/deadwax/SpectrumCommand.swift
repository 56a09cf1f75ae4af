internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// `deadwax spectrum`: a spectrum as data, as a picture or in the terminal; from the store, else decoded.
struct SpectrumCommand: ParsableCommand {
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case average, spectrogram
  }

  static let configuration = CommandConfiguration(
    commandName: "spectrum",
    abstract: "Draw or export the spectrum of a track, or of many.",
    discussion: """
      80 logarithmic bands from 100 Hz to 18 kHz: the mean and maximum of the whole track, or with \
      --kind spectrogram four columns a second. Levels are in dB relative to a full-scale sine. All this is stored, and \
      the audio need not be at hand.

      Other --bands --from --to of the average are added up from 1,025 linear bins of the mix, which are 21.5 Hz apart \
      at 44.1 kHz. What is finer is decoded: the average of a part (--start --end), left and right in other bands, a \
      spectrogram in other bands or at a --zoom of less than a quarter of a second; --exact decodes in any case.

      Where -o is a folder, the words are ids, paths or a query, and each track that they find becomes a file there, a PNG \
      unless --format says otherwise.

      Examples: deadwax spectrum 17 --bands 31 --from 20 --to 20000 --weighting a
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
  var kind = Kind.average

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
    try file.require(SpectrumRendering.formats)
  }

  func run() throws {
    if let folder = file.folder { return try writeAll(into: folder) }
    let cache = try cache.makeCache()
    let (reading, title) = try library.reading { store in
      let track = try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
      return (
        try SpectrumLoader(kind, of: track, store: store, cache: cache), try look.title.text(for: track, in: store)
      )
    }
    if let format = file.resolvedFormat {
      let bytes = try rendering.bytes(of: reading, title: title, format: format)
      try file.write(bytes, protecting: reading.track.files + library.protectedFiles(for: file.output))
    } else {
      try StandardOutput.write(
        try rendering.drawing(of: reading, columns: look.width ?? Terminal.width, capabilities: output.capabilities))
    }
    if kind == .average, !output.quiet, let remark = try reading.remark(on: try extent.averageRequest) {
      StandardError.line(remark)
    }
    output.tell(cache)
  }

  private var rendering: SpectrumRendering { SpectrumRendering(kind: kind, extent: extent, look: look) }

  private func writeAll(into folder: BytePath) throws {
    let format = file.resolvedFormat ?? PictureFormat.png.rawValue
    let rendering = rendering
    let cache = try cache.makeCache()
    try library.reading { store in
      let run = BatchRun(folder: folder, ending: format, batch: batch, output: output, library: library)
      try run(over: store.query(naming: words), in: store) { item in
        let track = try store.resolveTrack(item.path)
        return try rendering.bytes(
          of: SpectrumLoader(kind, of: track, store: store, cache: cache),
          title: try look.title.text(for: track, in: store), format: format)
      }
    }
    output.tell(cache)
  }
}
