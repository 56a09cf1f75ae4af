internal import ArgumentParser
internal import MediaExport
internal import MediaModel

/// Which part of a waveform is wanted, and how fine: audiowaveform's options, and `--exact`.
struct WaveformExtentOptions: ParsableArguments {
  @Option(
    name: .letter("z"),
    help: "Frames a point (data: 256), or `auto` for all that is shown in the width (pictures).")
  var zoom: ZoomArgument?

  @Option(help: ArgumentHelp("Points a second, instead of a zoom.", valueName: "count"))
  var pixelsPerSecond: Int?

  @Option(
    name: .letter("b"),
    help: "Bits of a value: 8 (from the store, the default) or 16 (decoded); of data, those that they have.")
  var bits: Int?

  @OptionGroup var part: PartOptions

  @Option(name: .letter("w"), help: "Width in pixels (800) or columns (the terminal's).")
  var width: Int?

  @Option(name: .letter("h"), help: "Height in pixels (250) or lines (6 a channel).")
  var height: Int?

  @Flag(help: "Keep the channels apart.")
  var splitChannels = false

  @Option(help: "A factor (of pictures), or `auto` to fill the height.")
  var amplitudeScale: AmplitudeScale = .one

  @Flag(help: "Decode where the stored waveform would have to be rescaled to a zoom that is no multiple of its own.")
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

  /// A zoom that was given as a number; nil for one that follows from a width.
  var fixedZoom: WaveformZoom? {
    if let pixelsPerSecond { return .pointsPerSecond(pixelsPerSecond) }
    if let zoom, case .frames(let frames) = zoom { return .framesPerPoint(frames) }
    return nil
  }

  /// The zoom of data; `standard` where nothing was said.
  func dataZoom(standard: WaveformZoom) -> WaveformZoom {
    if let fixedZoom { return fixedZoom }
    if let end = part.end {
      return .range(startInSeconds: part.start?.seconds ?? 0, endInSeconds: end.seconds, pointCount: width ?? 800)
    }
    return zoom == nil ? standard : .fitting(pointCount: width ?? 800)
  }

  /// The zoom of a picture; unless told otherwise it shows all there is from the start to the end that was given.
  func pictureZoom(of inventory: WaveformInventory, pointCount: Int) -> WaveformZoom {
    if let fixedZoom { return fixedZoom }
    guard part.isGiven else { return .fitting(pointCount: pointCount) }
    return .range(
      startInSeconds: part.start?.seconds ?? 0, endInSeconds: part.end?.seconds ?? inventory.durationInSeconds,
      pointCount: pointCount)
  }

  func request(_ zoom: WaveformZoom, of inventory: WaveformInventory) -> WaveformRequest {
    WaveformRequest(
      zoom: zoom, resolution: bits.map { $0 == 8 ? .bits8 : .bits16 } ?? inventory.preferredResolution,
      splitsChannels: splitChannels, isExact: exact)
  }
}
