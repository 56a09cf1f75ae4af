internal import ArgumentParser
internal import Base
internal import LibraryQueries
internal import LibraryTracks
internal import MediaExchange
internal import MediaModel
internal import MediaStore
internal import UserData

/// `deadwax preset match`: an equalizer made from an example.
struct PresetMatchCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "match",
    abstract: "Create a preset that gives tracks the tonal balance of a reference.",
    discussion: """
      Compares stored mean spectra in thirds of octaves and creates a preset with at most ten bands within ±9 dB (±6 dB \
      above 10 kHz), at the same loudness. Nothing is corrected where either has nothing: below 30 Hz, above what a \
      codec or sample rate left, and 60 dB below the maximum. The preset is an ordinary one: edit it, assign it, \
      export it. What it leaves of the difference is printed. The method is described in docs/presets.md.

      REFERENCE is a track, a query (album:…, list:…), or a text file with a curve: a frequency in Hz and a level in dB \
      a line, where pink noise would be flat.

      Examples: deadwax preset match 17 --to 42 --assign
                deadwax preset match album:Harbour --to album:Tides --strength 70
                deadwax preset match house.txt --to 42 --name House --dry-run
      """)

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions

  @Option(help: ArgumentHelp("The tracks to correct: an id, a path, or a query.", valueName: "tracks"))
  var to: String

  @Option(help: ArgumentHelp("How much of the difference to correct, 1 to 100 percent.", valueName: "percent"))
  var strength = 50.0

  @Option(help: "The name of the preset (default: 'Like' and the reference).")
  var name: String?

  @Flag(help: "Replace a preset of the same name; its assignments are kept.")
  var replace = false

  @Flag(help: "Assign the preset to the tracks of --to.")
  var assign = false

  @Flag(help: "Print the preset without creating it.")
  var dryRun = false

  @Flag(help: "Print a JSON document with the preset and what it leaves.")
  var json = false

  @Argument(help: ArgumentHelp("The example.", valueName: "reference"))
  var reference: String

  func validate() throws {
    guard (1...100).contains(strength) else { throw ValidationError("--strength takes 1 to 100") }
    if dryRun, assign { throw ValidationError("--dry-run and --assign exclude each other") }
  }

  /// A library's spectra: of each track, and what limits its gain.
  private struct Tracks {
    var profile: SpectralProfile
    var label: String
    var sampleRate = 48_000.0
    /// The highest of all.
    var truePeak = -200.0
  }

  func run() throws {
    let curve = try curve()
    let name = try name.map { try PresetName($0) }
    let (preset, match) =
      try dryRun ? library.reading { try made($0, curve, name) } : library.writing { try created($0, curve, name) }
    if json { return try StandardOutput.line(document(preset, match).prettyText) }
    guard !output.quiet else { return }
    try StandardOutput.line(TerminalText.escaped("\(preset.name): \(PresetText.summary(preset.chain))"))
    for band in preset.chain.equalizer.bands { try StandardOutput.line("  " + band.text) }
    try StandardOutput.line(
      "differences up to \(NumberText.decimal(match.largestDifferenceInDB, 1)) dB; at \(NumberText.decimal(strength, 0)) % "
        + "the preset is \(match.residual)")
  }

  private func created(_ store: MediaStore, _ curve: SpectralProfile?, _ name: PresetName?) throws -> (
    Preset, SpectrumMatch
  ) {
    let result = try made(store, curve, name)
    try store.presets.importAll([result.0], replacing: replace)
    if assign {
      let subjects = try store.presets.subjects(.track, of: store.tracks.query(naming: [to]))
      _ = try store.presets.assign(named: result.0.name.text, to: subjects, for: .owner)
    }
    return result
  }

  private func made(_ store: MediaStore, _ curve: SpectralProfile?, _ name: PresetName?) throws -> (
    Preset, SpectrumMatch
  ) {
    let target = try tracks(to, in: store)
    let example = curve.map {
      Tracks(profile: $0, label: BytePath(argument: reference).lastComponent.displayString)
    }
    let found = try example ?? tracks(reference, in: store)
    let match = try SpectrumMatch(
      target.profile, to: found.profile, strength: strength / 100, sampleRate: target.sampleRate,
      truePeak: target.truePeak)
    let chain = try EffectChain(equalizer: match.equalizer)
    return (Preset(name: try name ?? PresetName("Like \(found.label)"), chain: chain), match)
  }

  /// - Throws: `TrackError` if nothing is found, `ValidationError` if no spectrum is stored or all is silent.
  private func tracks(_ words: String, in store: MediaStore) throws -> Tracks {
    let ids = try store.tracks.recordingIDs(naming: [words])
    guard let first = ids.first else { throw TrackError.nothing(named: [words]) }
    var profiles: [SpectralProfile] = []
    var result: (rate: Double, peak: Double) = (48_000, -200)
    var missingCount = 0
    for id in ids {
      guard let product = try store.products.product(.spectrum, ofRecording: id),
        let spectrum = try? SpectrumSummary(blob: product.bytes)
      else {
        missingCount += 1
        continue
      }
      let measures = try store.products.measures(ofRecording: id)
      guard let profile = SpectralProfile(spectrum, cutoffInHz: measures?.cutoffInHz) else { continue }
      profiles.append(profile)
      result = (Double(spectrum.sampleRateInHz), max(result.peak, measures?.truePeakInDBTP ?? 0))
    }
    guard let profile = SpectralProfile(meanOf: profiles) else {
      throw ValidationError(
        missingCount > 0
          ? "no spectrum of '\(words)' is stored; `deadwax reanalyze --missing` computes it"
          : "'\(words)' is silent: there is no spectrum to compare")
    }
    let label =
      try ids.count == 1
      ? store.tracks.resolve(BytePath(argument: "\(first)")).label : TerminalText.escaped(words)
    return Tracks(profile: profile, label: label, sampleRate: result.rate, truePeak: result.peak)
  }

  /// The reference, if it is a text file.
  private func curve() throws -> SpectralProfile? {
    let path = BytePath(argument: reference)
    guard ["txt", "csv", "frd"].contains(path.pathExtension.lowercased()) else { return nil }
    let bytes = try InputFile.bytes(of: path, limit: PresetImport.maximumByteCount)
    do throws(PresetError) {
      return try SpectralProfile(curve: String(decoding: bytes, as: UTF8.self))
    } catch {
      throw InputFile.Failure(path: path, reason: "\(error)")
    }
  }

  private func document(_ preset: Preset, _ match: SpectrumMatch) -> JSONValue {
    .object([
      "schema": .integer(1), "preset": preset.document, "strength_percent": .number(strength),
      "largest_difference_db": .number(match.largestDifferenceInDB),
      "residual_max_db": .number(match.residual.maximum), "residual_max_hz": .number(match.residual.frequency),
      "residual_rms_db": .number(match.residual.rootMeanSquare),
    ])
  }
}
