internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// Which part of a spectrum is wanted, in which bands.
struct SpectrumExtentOptions: ParsableArguments {
  @Option(help: "a (as the ear hears it) or none.")
  var weighting = FrequencyWeighting.none

  @Option(help: ArgumentHelp("Bands, growing by a constant factor (80).", valueName: "count"))
  var bands: Int?

  @Option(help: ArgumentHelp("The lowest frequency (100).", valueName: "hertz"))
  var from: HertzArgument?

  @Option(help: ArgumentHelp("The highest frequency (18000).", valueName: "hertz"))
  var to: HertzArgument?

  @Flag(help: "Left and right instead of the mix (average).")
  var splitChannels = false

  @OptionGroup var part: PartOptions

  @Option(
    name: .letter("z"),
    help: "Frames a column, or `auto` for all that is shown in the width (spectrogram; a quarter of a second).")
  var zoom: ZoomArgument?

  @Option(help: ArgumentHelp("Columns a second, instead of a zoom (spectrogram).", valueName: "count"))
  var pixelsPerSecond: Int?

  @Option(
    help: ArgumentHelp(
      "Frames of a window, a power of two (spectrogram; longer ones for lower bands).", valueName: "frames"))
  var window: WindowArgument?

  @Flag(help: "Decode instead of showing what is stored.")
  var exact = false

  @Flag(help: "Smooth over seven bands, weighted 1 2 3 5 3 2 1.")
  var smooth = false

  @Option(
    help: ArgumentHelp(
      "Smooth over time: how much of a column goes into the next, 0 to 1 (spectrogram).", valueName: "amount"))
  var smoothTime: FractionArgument?

  func validate() throws {
    if zoom != nil && pixelsPerSecond != nil {
      throw ValidationError("--zoom and --pixels-per-second exclude each other")
    }
    if let pixelsPerSecond, pixelsPerSecond < 1 { throw ValidationError("--pixels-per-second takes 1 or more") }
    do throws(ExportError) {
      _ = try averageRequest
    } catch {
      throw ValidationError("\(error)")
    }
  }

  func validateForAverage() throws {
    let options = [
      ("smooth-time", smoothTime != nil), ("zoom", zoom != nil), ("pixels-per-second", pixelsPerSecond != nil),
      ("window", window != nil),
    ]
    for (name, isGiven) in options where isGiven {
      throw ValidationError("--\(name) goes with --kind spectrogram: the average has no time")
    }
  }

  func validateForSpectrogram() throws {
    if splitChannels {
      throw ValidationError("--split-channels goes with --kind average: the spectrogram is of the mix")
    }
  }

  var averageRequest: SpectrumRequest {
    get throws(ExportError) {
      try SpectrumRequest(
        bandCount: bands ?? 80, fromHz: from?.hertz ?? 100, toHz: to?.hertz ?? 18_000, weighting: weighting,
        splitsChannels: splitChannels, isSmoothed: smooth, isExact: exact || part.isGiven)
    }
  }

  /// What is asked of the data of a spectrogram; of a picture, too, but for its zoom.
  var spectrogramRequest: SpectrogramRequest {
    var request = SpectrogramRequest()
    request.startInSeconds = part.start?.seconds ?? 0
    request.endInSeconds = part.end?.seconds
    request.bandCount = bands
    request.fromHz = from?.hertz
    request.toHz = to?.hertz
    request.windowFrameCount = window?.frameCount
    request.isExact = exact
    if let pixelsPerSecond { request.zoom = .columnsPerSecond(pixelsPerSecond) }
    if case .frames(let frames) = zoom { request.zoom = .framesPerColumn(frames) }
    return request
  }

  /// The bands of a stored spectrogram that are kept.
  var frequencies: ClosedRange<Double> {
    let low = from?.hertz ?? 0
    return low...max(low, to?.hertz ?? .infinity)
  }
}

/// Frames of a window.
struct WindowArgument: ExpressibleByArgument {
  let frameCount: Int

  init?(argument: String) {
    guard let count = Int(argument), SpectrogramRecipe.windowFrameCounts.contains(count), count & (count - 1) == 0
    else { return nil }
    frameCount = count
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
