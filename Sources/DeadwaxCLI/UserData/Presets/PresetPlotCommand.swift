internal import ArgumentParser
internal import Base
internal import LibraryTracks
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering
internal import MediaStore
internal import UserData

/// `deadwax preset plot`: the curves of an equalizer.
struct PresetPlotCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "plot",
    abstract: "Plot the frequency response of a preset and its bands.",
    discussion: """
      Takes the name of a preset, or a track: then its preset is drawn at the track's sample rate, over its mean \
      spectrum before and after. Without -o it is drawn in the terminal.

      Examples: deadwax preset plot Warm
                deadwax preset plot Warm --over 17 -o warm.svg
      """,
    helpNames: [.long])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions

  @Option(help: ArgumentHelp("The track over whose spectrum a named preset is drawn.", valueName: "track"))
  var over: String?

  @Flag(help: "Draw only the curves, without the spectrum of the track.")
  var noSpectrum = false

  @Option(name: .letter("w"), help: "Width in pixels (default: 800) or columns (default: the terminal's).")
  var width: Int?

  @Option(name: .letter("h"), help: "Height in pixels (default: 400) or lines (default: 12).")
  var height: Int?

  @Argument(help: ArgumentHelp("A preset, or a track: an id, a path, or a query.", valueName: "preset|track"))
  var words: [String]

  func validate() throws {
    try ValidationError.require("width", width, in: PictureSize.sides)
    try ValidationError.require("height", height, in: PictureSize.sides)
    try file.requireFile()
    try file.require(PictureFormat.allCases.map(\.rawValue))
  }

  func run() throws {
    let (preset, track, summary) = try library.reading { store in
      let (preset, track) = try subject(in: store)
      let product =
        try noSpectrum
        ? nil : track.flatMap { try store.products.product(.spectrum, ofRecording: $0.recordingID) }
      return (preset, track, try product.map { try SpectrumSummary(blob: $0.bytes) })
    }
    let rate = track?.format.sampleRateInHz.map(Double.init) ?? 48_000
    let chart = EqualizerChart(equalizer: preset.chain.equalizer, sampleRate: rate, over: summary)
    guard let format = file.resolvedFormat else { return try StandardOutput.write(drawing(chart)) }
    let size = try PictureSize(width: width ?? 800, height: height ?? 400)
    let title = [preset.name.text, track.flatMap(Self.title)].compactMap { $0 }.joined(separator: " · ")
    MissingCharacters.tell(of: title)
    let picture = EqualizerPicture(size: size, chart: chart, title: title)
    try file.write(
      try picture.bytes(as: PictureFormat(rawValue: format) ?? .png),
      protecting: (track?.files ?? []) + library.protectedFiles(for: file.output))
  }

  /// The curves, and below them the spectrum before and after.
  private func drawing(_ chart: EqualizerChart) -> String {
    let (width, height) = (width ?? Terminal.width, height ?? 12)
    let capabilities = output.capabilities
    let curves = TerminalPictures.equalizer(chart, width: width, height: height, capabilities: capabilities)
    let spectrum = TerminalPictures.equalizedSpectrum(
      chart, width: width, height: max(2, height / 2), capabilities: capabilities)
    return spectrum.isEmpty ? curves : curves + "\n" + spectrum
  }

  /// The words name a preset, or a track if there is no such preset.
  private func subject(in store: MediaStore) throws -> (Preset, TrackReference?) {
    let text = words.joined(separator: " ")
    do {
      let preset = try store.presets.preset(named: text).preset()
      return (preset, try over.map { try store.tracks.resolve(BytePath(argument: $0)) })
    } catch StoreError.noSuchPreset(let name, let near) {
      guard over == nil else { throw StoreError.noSuchPreset(name, near: near) }
      let track: TrackReference
      do {
        track = try store.tracks.resolve(BytePath(argument: text))
      } catch TrackError.nothingMatches {
        // The words may have been meant as either.
        throw StoreError.noSuchPreset(name, near: near)
      }
      guard let preset = try RenderedTrack.preset(of: track, in: store) else {
        throw RenderingError.noPreset(id: track.recordingID)
      }
      return (preset, track)
    }
  }

  private static func title(_ track: TrackReference) -> String? {
    let parts = [track.artist, track.title].compactMap { $0 }
    return parts.isEmpty ? track.files.first?.lastComponent.displayString : parts.joined(separator: " - ")
  }
}
