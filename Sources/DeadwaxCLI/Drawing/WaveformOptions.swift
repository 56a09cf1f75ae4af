internal import ArgumentParser
internal import MediaDrawing
internal import MediaModel
internal import MediaRendering

/// The part of a waveform, and how fine: audiowaveform's options, and `--exact`.
struct WaveformExtentOptions: ParsableArguments {
  @Option(
    name: .letter("z"),
    help: "Frames per point (default of data: 256), or `auto` to fit the part into the width (default of pictures).")
  var zoom: ZoomArgument?

  @Option(help: ArgumentHelp("Points per second, instead of a zoom.", valueName: "count"))
  var pixelsPerSecond: Int?

  @Option(
    name: .letter("b"),
    help: "Bits of a value: 8 (stored) or 16 (decoded). Default: 8, or those of a file of peaks.")
  var bits: Int?

  @OptionGroup var part: PartOptions

  @Option(name: .letter("w"), help: "Width in pixels (default: 800) or columns (default: the terminal's).")
  var width: Int?

  @Option(name: .letter("h"), help: "Height in pixels (default: 250) or lines per channel (default: 6).")
  var height: Int?

  @Flag(help: "Show each channel separately.")
  var splitChannels = false

  @Option(help: "Amplitude factor (in pictures), or `auto` to fill the height.")
  var amplitudeScale: AmplitudeScale = .one

  @Flag(
    help: """
      Decode for pictures, too, instead of rescaling the stored waveform to a zoom that is not a multiple of its \
      own.
      """)
  var exact = false

  func validate() throws {
    if let bits, bits != 8 && bits != 16 { throw ValidationError("--bits takes 8 or 16") }
    try ValidationError.require("width", width, in: PictureSize.sides)
    try ValidationError.require("height", height, in: PictureSize.sides)
    if zoom != nil && pixelsPerSecond != nil {
      throw ValidationError("--zoom and --pixels-per-second exclude each other")
    }
    if let pixelsPerSecond, pixelsPerSecond < 1 { throw ValidationError("--pixels-per-second takes 1 or more") }
    if part.end != nil, pixelsPerSecond != nil || zoom.map({ $0 != .auto }) == true {
      throw ValidationError("--end excludes --zoom and --pixels-per-second: it chooses the zoom")
    }
  }

  var extent: WaveformExtent {
    var extent = WaveformExtent()
    extent.zoom =
      switch zoom {
      case .frames(let frames): .framesPerPoint(frames)
      case .auto: .fitting
      case nil: pixelsPerSecond.map { .pointsPerSecond($0) }
      }
    extent.resolution = bits.map { $0 == 8 ? .bits8 : .bits16 }
    extent.part = part.part
    extent.width = width
    extent.height = height
    extent.splitsChannels = splitChannels
    extent.amplitudeScale = amplitudeScale
    extent.isExact = exact
    return extent
  }
}

/// How the picture of a waveform looks: audiowaveform's options, and `--style`.
struct WaveformLookOptions: ParsableArguments {
  enum BarStyle: String, CaseIterable, ExpressibleByArgument {
    case square, rounded
  }

  @Option(name: [.short, .long], help: "Colours: audacity, audition, dark or light.")
  var colors: ColorsArgument = .audacity

  @Option(help: ArgumentHelp("Background colour: rrggbb, or rrggbbaa with opacity.", valueName: "color"))
  var backgroundColor: PictureColor?

  @Option(
    name: [.customLong("waveform-color"), .customLong("waveform-colors")],
    help: ArgumentHelp(
      "Waveform colour: one, or one for each channel, separated by commas.", valueName: "color,..."))
  var waveformColors: ColorListArgument?

  @Option(help: ArgumentHelp("Colour of the time labels below the waveform.", valueName: "color"))
  var axisLabelColor: PictureColor?

  @Option(help: ArgumentHelp("Colour of the border and its ticks.", valueName: "color"))
  var borderColor: PictureColor?

  @Option(help: "normal or bars.")
  var waveformStyle: ShapeArgument = .normal

  @Option(help: "Width of a bar in pixels.")
  var barWidth = 8

  @Option(help: "Pixels between two bars.")
  var barGap = 4

  @Option(help: "square or rounded.")
  var barStyle = BarStyle.square

  @Option(
    help: """
      peaks, rms (the level inside the peaks, in pictures) or bands (red lows, green mids, blue highs). Default: peaks \
      in pictures, bands in a terminal.
      """)
  var style: WaveformPicture.Style?

  @Flag(help: "Draw the time axis.")
  var axis = AxisArgument.withAxisLabels

  @OptionGroup var title: TitleOptions
  @OptionGroup var png: PNGOptions

  func validate() throws {
    try ValidationError.require("bar-width", barWidth, in: PictureSize.sides)
    try ValidationError.require("bar-gap", barGap, in: 0...PictureSize.sides.upperBound)
  }

  var look: WaveformLook {
    var look = WaveformLook()
    look.colors = colors.colors
    if let backgroundColor { look.colors.background = backgroundColor }
    if let waveformColors { look.colors.waveform = waveformColors.colors }
    if let axisLabelColor { look.colors.axisText = axisLabelColor }
    if let borderColor { look.colors.border = borderColor }
    look.shape =
      waveformStyle == .bars ? .bars(width: barWidth, gap: barGap, isRounded: barStyle == .rounded) : .normal
    look.style = style
    look.hasAxis = axis == .withAxisLabels
    look.compression = png.compression
    return look
  }
}
