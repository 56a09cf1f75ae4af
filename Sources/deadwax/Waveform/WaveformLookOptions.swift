internal import ArgumentParser
internal import MediaExport

/// How the picture of a waveform looks: audiowaveform's options, and `--style`.
struct WaveformLookOptions: ParsableArguments {
  enum BarStyle: String, CaseIterable, ExpressibleByArgument {
    case square, rounded
  }

  @Option(name: [.short, .long], help: "Colours: audacity, audition, dark or light.")
  var colors: ColorsArgument = .audacity

  @Option(help: ArgumentHelp("Instead of the scheme's: rrggbb, or rrggbbaa with an opacity.", valueName: "color"))
  var backgroundColor: PictureColor?

  @Option(
    name: [.customLong("waveform-color"), .customLong("waveform-colors")],
    help: ArgumentHelp("One, or one for each channel, parted by commas.", valueName: "color,..."))
  var waveformColors: ColorListArgument?

  @Option(help: ArgumentHelp("Of the times below the waveform.", valueName: "color"))
  var axisLabelColor: PictureColor?

  @Option(help: ArgumentHelp("Of the border and its ticks.", valueName: "color"))
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
      peaks, rms (the level inside the peaks, in pictures) or bands (red lows, green mids, blue highs); default: peaks in \
      pictures, bands in a terminal.
      """)
  var style: WaveformPicture.Style?

  @Flag(help: "Whether the time axis is drawn.")
  var axis = AxisArgument.withAxisLabels

  @OptionGroup var title: TitleOptions
  @OptionGroup var png: PNGOptions

  func validate() throws {
    try ValidationError.require("bar-width", barWidth, in: PictureSize.sides)
    try ValidationError.require("bar-gap", barGap, in: 0...PictureSize.sides.upperBound)
  }

  func apply(to picture: inout WaveformPicture) {
    var colors = colors.colors
    if let backgroundColor { colors.background = backgroundColor }
    if let waveformColors { colors.waveform = waveformColors.colors }
    if let axisLabelColor { colors.axisText = axisLabelColor }
    if let borderColor { colors.border = borderColor }
    picture.colors = colors
    picture.shape =
      waveformStyle == .bars ? .bars(width: barWidth, gap: barGap, isRounded: barStyle == .rounded) : .normal
    picture.style = style ?? .peaks
    picture.hasAxis = axis == .withAxisLabels
  }
}
