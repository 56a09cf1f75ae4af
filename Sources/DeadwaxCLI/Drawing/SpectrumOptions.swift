internal import ArgumentParser
internal import Base
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering

/// The part of a spectrum, and its bands.
struct SpectrumExtentOptions: ParsableArguments {
  @Option(help: "Frequency weighting: a (A-weighting) or none.")
  var weighting = FrequencyWeighting.none

  @Option(help: ArgumentHelp("Number of bands, each wider by a constant factor (default: 80).", valueName: "count"))
  var bands: Int?

  @Option(help: ArgumentHelp("The lowest frequency (default: 100).", valueName: "hertz"))
  var from: HertzArgument?

  @Option(help: ArgumentHelp("The highest frequency (default: 18000).", valueName: "hertz"))
  var to: HertzArgument?

  @Flag(help: "Show left and right instead of the mix (average).")
  var splitChannels = false

  @OptionGroup var part: PartOptions

  @Option(
    name: .letter("z"),
    help: "Frames per column, or `auto` to fit the part into the width (spectrogram; default: a quarter of a second).")
  var zoom: ZoomArgument?

  @Option(help: ArgumentHelp("Columns per second, instead of a zoom (spectrogram).", valueName: "count"))
  var pixelsPerSecond: Int?

  @Option(
    help: ArgumentHelp(
      "Frames per window, a power of two (spectrogram; default: longer windows for lower bands).", valueName: "frames"))
  var window: WindowArgument?

  @Flag(help: "Decode instead of showing the stored spectrum.")
  var exact = false

  @Flag(help: "Smooth over seven bands, weighted 1 2 3 5 3 2 1.")
  var smooth = false

  @Option(
    help: ArgumentHelp(
      "Smooth over time: how much of a column carries over to the next, 0 to 1 (spectrogram).", valueName: "amount"))
  var smoothTime: FractionArgument?

  func validate() throws {
    if zoom != nil && pixelsPerSecond != nil {
      throw ValidationError("--zoom and --pixels-per-second exclude each other")
    }
    if let pixelsPerSecond, pixelsPerSecond < 1 { throw ValidationError("--pixels-per-second takes 1 or more") }
    do throws(RenderingError) {
      _ = try extent.averageRequest()
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
      throw ValidationError("--\(name) is for --kind spectrogram: the average has no time")
    }
  }

  func validateForSpectrogram() throws {
    if splitChannels {
      throw ValidationError("--split-channels is for --kind average: the spectrogram shows the mix")
    }
  }

  var extent: SpectrumExtent {
    var extent = SpectrumExtent()
    extent.weighting = weighting
    extent.bandCount = bands
    extent.fromHz = from?.hertz
    extent.toHz = to?.hertz
    extent.splitsChannels = splitChannels
    extent.part = part.part
    extent.zoom =
      switch zoom {
      case .frames(let frames): .framesPerColumn(frames)
      case .auto: .fitting
      case nil: pixelsPerSecond.map { .columnsPerSecond($0) }
      }
    extent.windowFrameCount = window?.frameCount
    extent.isExact = exact
    extent.isSmoothed = smooth
    extent.timeSmoothing = smoothTime?.fraction ?? 0
    return extent
  }
}

/// How the picture of a spectrum looks.
struct SpectrumLookOptions: ParsableArguments {
  enum Theme: String, CaseIterable, ExpressibleByArgument {
    case dark, light

    var theme: ChartTheme { self == .dark ? .dark : .light }
  }

  enum Map: String, CaseIterable, ExpressibleByArgument {
    case ember, ocean, gray, paper

    var colors: ColorMap {
      switch self {
      case .ember: .ember
      case .ocean: .ocean
      case .gray: .gray
      case .paper: .paper
      }
    }
  }

  @Option(name: .letter("w"), help: "Width in pixels (default: 800) or columns (default: the terminal's).")
  var width: Int?

  @Option(name: .letter("h"), help: "Height in pixels (default: 400) or lines.")
  var height: Int?

  @Option(help: "log or linear.")
  var frequency = FrequencyAxis.Scale.log

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Level range of the axis or the colours, such as -90..-10 (default: 80 dB below the loudest).",
      valueName: "low..high"))
  var range: DecibelRange?

  @Option(help: "dark or light.")
  var theme = Theme.dark

  @Option(help: "Colours of levels: ember, ocean, gray, or paper (spectrogram).")
  var colorMap = Map.ember

  @OptionGroup var title: TitleOptions
  @OptionGroup var png: PNGOptions

  func validate() throws {
    try ValidationError.require("width", width, in: PictureSize.sides)
    try ValidationError.require("height", height, in: PictureSize.sides)
  }
  var look: SpectrumLook {
    var look = SpectrumLook()
    look.width = width
    look.height = height
    look.scale = frequency
    look.levels = range
    look.theme = theme.theme
    look.colors = colorMap.colors
    look.compression = png.compression
    return look
  }
}

/// The frames of a window.
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

extension FrequencyAxis.Scale: ExpressibleByArgument {}

extension DecibelRange: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
