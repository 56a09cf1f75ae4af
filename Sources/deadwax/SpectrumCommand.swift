internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// `deadwax spectrum`: a spectrum as data, as a picture or in the terminal; always from the store.
struct SpectrumCommand: ParsableCommand {
  enum Kind: String, CaseIterable, ExpressibleByArgument {
    case average, spectrogram
  }

  static let configuration = CommandConfiguration(
    commandName: "spectrum",
    abstract: "Draw or export the spectrum of a track, or of many.",
    discussion: """
      80 logarithmic bands from 100 Hz to 18 kHz: the mean and maximum of the whole track, or with \
      --kind spectrogram four columns a second. Levels are in dB relative to a full-scale sine.

      Other --bands --from --to are added up from 1,025 linear bins of the mix, which are 21.5 Hz apart at 44.1 kHz. \
      A spectrogram keeps its bands; --from and --to then choose among them.

      Where -o is a folder, the words are a query, and each track that it finds becomes a file there, a PNG unless \
      --format says otherwise.

      Examples: deadwax spectrum 17 --bands 31 --from 20 --to 20000 --weighting a
                deadwax spectrum 17 --kind spectrogram --frequency linear -o x.png
      """,
    helpNames: [.long])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String] = []

  @Option(help: "average or spectrogram.")
  var kind = Kind.average

  @OptionGroup(title: "Part and bands") var extent: SpectrumExtentOptions
  @OptionGroup(title: "Pictures") var look: SpectrumLookOptions
  @OptionGroup(title: "Many tracks") var batch: BatchOptions

  func validate() throws {
    if file.folder == nil {
      if words.isEmpty { throw ValidationError("one track is needed: an id, a path or a query") }
      if batch.name != nil { throw ValidationError("--name names files in a folder; give one with -o") }
    }
    switch kind {
    case .average: try extent.validateForAverage()
    case .spectrogram: try extent.validateForSpectrogram()
    }
    try file.require(SpectrumRendering.formats)
  }

  func run() throws {
    if let folder = file.folder { return try writeAll(into: folder) }
    let (track, product) = try library.reading { store in
      let track = try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
      return (track, try self.product(of: track.recordingID, track.files.first, in: store))
    }
    if let format = file.resolvedFormat {
      let bytes = try rendering.bytes(of: product, format: format)
      try file.write(bytes, protecting: track.files + [try library.path()])
    } else {
      try StandardOutput.write(
        try rendering.drawing(of: product, columns: look.width ?? Terminal.width, capabilities: output.capabilities))
    }
    if kind == .average, !output.quiet, let remark = try rendering.remark(on: product) { StandardError.line(remark) }
  }

  private var rendering: SpectrumRendering { SpectrumRendering(kind: kind, extent: extent, look: look) }

  private func writeAll(into folder: BytePath) throws {
    let format = file.resolvedFormat ?? PictureFormat.png.rawValue
    let rendering = rendering
    try library.reading { store in
      let run = BatchRun(
        plan: try BatchPlan(
          of: try store.query(words.joined(separator: " ")), in: store, template: try batch.template, folder: folder,
          ending: format),
        folder: folder, jobCount: batch.jobCount, showsProgress: output.showsProgress,
        protectedFiles: [try library.path()])
      try run { item in
        try rendering.bytes(of: try product(of: item.recordingID, item.path, in: store), format: format)
      }
    }
  }

  private func product(of id: Int64, _ path: BytePath?, in store: MediaStore) throws -> Product {
    let product = try store.product(kind == .average ? .spectrum : .spectrogram, ofRecording: id)
    guard let product else { throw TrackWithoutSound(path: path) }
    return product
  }
}
