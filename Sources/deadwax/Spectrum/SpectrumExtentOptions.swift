internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// Which part of a spectrum is wanted, in which bands.
struct SpectrumExtentOptions: ParsableArguments {
  @Option(help: "a (as the ear hears it) or none.")
  var weighting = FrequencyWeighting.none

  @Option(help: ArgumentHelp("Bands, growing by a constant factor (average; 80).", valueName: "count"))
  var bands: Int?

  @Option(help: ArgumentHelp("The lowest frequency (100).", valueName: "hertz"))
  var from: HertzArgument?

  @Option(help: ArgumentHelp("The highest frequency (18000).", valueName: "hertz"))
  var to: HertzArgument?

  @Flag(help: "Left and right instead of the mix (average, in the 80 stored bands).")
  var splitChannels = false

  @Option(name: [.short, .long], help: ArgumentHelp("Where to start (spectrogram).", valueName: "seconds"))
  var start: SecondsArgument?

  @Option(name: [.short, .long], help: ArgumentHelp("Where to end (spectrogram).", valueName: "seconds"))
  var end: SecondsArgument?

  @Flag(help: "Smooth over seven bands, weighted 1 2 3 5 3 2 1.")
  var smooth = false

  @Option(
    help: ArgumentHelp(
      "Smooth over time: how much of a column goes into the next, 0 to 1 (spectrogram).", valueName: "amount"))
  var smoothTime: FractionArgument?

  func validateForAverage() throws {
    if start != nil || end != nil {
      throw ValidationError("--start and --end go with --kind spectrogram: the average is of the whole track")
    }
    if smoothTime != nil {
      throw ValidationError("--smooth-time goes with --kind spectrogram: the average has no time")
    }
    do throws(ExportError) {
      _ = try request
    } catch {
      throw ValidationError("\(error)")
    }
  }

  func validateForSpectrogram() throws {
    if let start, let end, end.seconds <= start.seconds { throw ValidationError("--end must be after --start") }
    if bands != nil {
      throw ValidationError("--bands goes with --kind average: a spectrogram has the 80 that are stored")
    }
    if splitChannels {
      throw ValidationError("--split-channels goes with --kind average: the spectrogram is of the mix")
    }
    let standard = SpectrumBands.standard.edgesInHz
    guard frequencies.lowerBound < frequencies.upperBound, frequencies.lowerBound < standard[standard.count - 1],
      frequencies.upperBound > standard[0]
    else { throw ValidationError("--from and --to leave nothing of 100 Hz to 18 kHz") }
  }

  var request: SpectrumRequest {
    get throws(ExportError) {
      try SpectrumRequest(
        bandCount: bands ?? 80, fromHz: from?.hertz ?? 100, toHz: to?.hertz ?? 18_000, weighting: weighting,
        splitsChannels: splitChannels, isSmoothed: smooth)
    }
  }

  private var frequencies: ClosedRange<Double> {
    let low = from?.hertz ?? 0
    return low...max(low, to?.hertz ?? .infinity)
  }

  func section(of grid: SpectrumGrid) -> SpectrogramSection {
    SpectrogramSection(
      grid, weighting: weighting, startInSeconds: start?.seconds ?? 0, endInSeconds: end?.seconds,
      frequencies: frequencies, isSmoothed: smooth, smoothing: smoothTime?.fraction ?? 0)
  }
}

/// A frequency, at least 0.
struct HertzArgument: ExpressibleByArgument {
  let hertz: Double

  init?(argument: String) {
    guard let hertz = DecimalText.parse(argument), (0...1e6).contains(hertz) else { return nil }
    self.hertz = hertz
  }
}

/// A number from 0 to 1.
struct FractionArgument: ExpressibleByArgument {
  let fraction: Double

  init?(argument: String) {
    guard let fraction = DecimalText.parse(argument), (0...1).contains(fraction) else { return nil }
    self.fraction = fraction
  }
}

extension FrequencyWeighting: ExpressibleByArgument {}
