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
    abstract: "Draw or export the spectrum of a track.",
    discussion: """
      80 logarithmic bands from 100 Hz to 18 kHz: the mean and maximum of the whole track, or with \
      --kind spectrogram four columns a second. Levels are in dB relative to a full-scale sine.
      """,
    helpNames: [.long])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  @Option(help: "average or spectrogram.")
  var kind = Kind.average

  @Option(help: "a (as the ear hears it) or none.")
  var weighting = FrequencyWeighting.none

  @Option(name: [.short, .long], help: ArgumentHelp("Where to start (spectrogram).", valueName: "seconds"))
  var start: SecondsArgument?

  @Option(name: [.short, .long], help: ArgumentHelp("Where to end (spectrogram).", valueName: "seconds"))
  var end: SecondsArgument?

  @Option(name: [.short, .long], help: "Width in pixels (800) or columns (the terminal's).")
  var width: Int?

  @Option(name: [.customShort("h"), .long], help: "Height in pixels (400) or lines.")
  var height: Int?

  func validate() throws {
    for (name, value) in [("width", width), ("height", height)] {
      if let value, !(1...PictureSize.maximumSide).contains(value) {
        throw ValidationError("--\(name) takes 1 to \(PictureSize.maximumSide)")
      }
    }
    if kind == .average && (start != nil || end != nil) {
      throw ValidationError("--start and --end go with --kind spectrogram: the average is of the whole track")
    }
    if let start, let end, end.seconds <= start.seconds { throw ValidationError("--end must be after --start") }
    try file.require(["json", "csv"] + PictureFormat.allCases.map(\.rawValue))
  }

  func run() throws {
    let (track, product) = try library.reading { store in
      let track = try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
      let product = try store.product(kind == .average ? .spectrum : .spectrogram, ofRecording: track.recordingID)
      guard let product else { throw TrackWithoutSound(path: track.files.first) }
      return (track, product)
    }
    let result = kind == .average ? try average(product) : try spectrogram(product)
    if file.resolvedFormat == nil {
      try StandardOutput.write(String(decoding: result, as: UTF8.self))
    } else {
      try file.write(result, protecting: track.files + [try library.path()])
    }
  }

  private func average(_ product: Product) throws -> [UInt8] {
    let table = SpectrumTable(try SpectrumSummary(blob: product.bytes), weighting: weighting)
    switch file.resolvedFormat {
    case "json": return Array(table.jsonText.utf8)
    case "csv": return Array(table.csvText.utf8)
    case let format?:
      return try SpectrumPicture(size: try pictureSize(), table: table).bytes(
        as: PictureFormat(rawValue: format) ?? .png)
    case nil:
      return Array(
        TerminalPictures.spectrum(
          table, width: width ?? Terminal.width, height: height ?? 8, capabilities: output.capabilities
        ).utf8)
    }
  }

  private func spectrogram(_ product: Product) throws -> [UInt8] {
    let section = SpectrogramSection(
      try SpectrumGrid(blob: product.bytes), weighting: weighting, startInSeconds: start?.seconds ?? 0,
      endInSeconds: end?.seconds)
    switch file.resolvedFormat {
    case "json": return Array(section.jsonText.utf8)
    case "csv": return Array(section.csvText.utf8)
    case let format?:
      return try SpectrogramPicture(size: try pictureSize(), section: section)
        .bytes(as: PictureFormat(rawValue: format) ?? .png)
    case nil:
      return Array(
        TerminalPictures.spectrogram(
          section, width: width ?? Terminal.width, height: height ?? 16, capabilities: output.capabilities
        ).utf8)
    }
  }

  private func pictureSize() throws -> PictureSize { try PictureSize(width: width ?? 800, height: height ?? 400) }
}

extension FrequencyWeighting: ExpressibleByArgument {}
