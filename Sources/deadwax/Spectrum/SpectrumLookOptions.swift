internal import ArgumentParser
internal import MediaExport

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

  @Option(name: .letter("w"), help: "Width in pixels (800) or columns (the terminal's).")
  var width: Int?

  @Option(name: .letter("h"), help: "Height in pixels (400) or lines.")
  var height: Int?

  @Option(help: "log or linear.")
  var frequency = FrequencyAxis.Scale.log

  @Option(
    parsing: .unconditional,
    help: ArgumentHelp(
      "Levels that the axis or the colours cover, such as -90..-10 (80 dB below the loudest).", valueName: "low..high"))
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
}

extension FrequencyAxis.Scale: ExpressibleByArgument {}

extension DecibelRange: ExpressibleByArgument {
  init?(argument: String) { self.init(argument) }
}
