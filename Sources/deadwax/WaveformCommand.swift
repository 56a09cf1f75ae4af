internal import ArgumentParser
internal import MediaExport
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// `deadwax waveform`: a waveform as data, as a picture or in the terminal.
struct WaveformCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "waveform",
    abstract: "Draw or export the waveform of a track.",
    discussion: """
      Without -o the waveform is drawn in the terminal. The options have audiowaveform's names and meanings. What the \
      library holds (8 bit, 256 frames a point and coarser) is answered without opening the audio; 16 bit and finer \
      zooms are decoded. Data always cover the whole track, as audiowaveform's do: --start, --end and --width then only \
      choose the zoom. Pictures show all from --start to --end, unless a zoom is given.
      """,
    helpNames: [.long])

  @OptionGroup var library: LibraryOptions
  @OptionGroup var output: OutputOptions
  @OptionGroup var file: OutputFileOptions

  @Argument(help: ArgumentHelp("The track: an id, a path, or a query that finds exactly one.", valueName: "track"))
  var words: [String]

  @Option(
    name: [.short, .long],
    help: "Frames a point (data: 256), or `auto` for all that is shown in the width (pictures).")
  var zoom: ZoomArgument?

  @Option(help: ArgumentHelp("Points a second, instead of a zoom.", valueName: "count"))
  var pixelsPerSecond: Int?

  @Option(name: [.short, .long], help: "Bits of a value: 8 (from the store) or 16 (decoded).")
  var bits = 8

  @Option(name: [.short, .long], help: ArgumentHelp("Where to start.", valueName: "seconds"))
  var start: SecondsArgument?

  @Option(name: [.short, .long], help: ArgumentHelp("Where to end.", valueName: "seconds"))
  var end: SecondsArgument?

  @Option(name: [.short, .long], help: "Width in pixels (800) or columns (the terminal's).")
  var width: Int?

  @Option(name: [.customShort("h"), .long], help: "Height in pixels (250) or lines (6 a channel).")
  var height: Int?

  @Flag(help: "Keep the channels apart.")
  var splitChannels = false

  @Option(help: "A factor, or `auto` to fill the height.")
  var amplitudeScale: AmplitudeScale = .one

  @Option(help: "audacity or audition.")
  var colors: ColorsArgument = .audacity

  @Option(help: "normal or bars.")
  var waveformStyle: ShapeArgument = .normal

  @Option(help: "peaks, rms or bands.")
  var style: WaveformPicture.Style = .peaks

  @Flag(help: "Whether the time axis is drawn.")
  var axis = AxisArgument.withAxisLabels

  @Flag(help: "Decode where the stored waveform would have to be rescaled to a zoom that is no multiple of its own.")
  var exact = false

  func validate() throws {
    guard bits == 8 || bits == 16 else { throw ValidationError("--bits takes 8 or 16") }
    for (name, value) in [("width", width), ("height", height)] {
      if let value, !(1...PictureSize.maximumSide).contains(value) {
        throw ValidationError("--\(name) takes 1 to \(PictureSize.maximumSide)")
      }
    }
    if let start, let end, end.seconds <= start.seconds { throw ValidationError("--end must be after --start") }
    if zoom != nil && pixelsPerSecond != nil {
      throw ValidationError("--zoom and --pixels-per-second exclude each other")
    }
    if let pixelsPerSecond, pixelsPerSecond < 1 { throw ValidationError("--pixels-per-second takes 1 or more") }
    if end != nil, pixelsPerSecond != nil || zoom.map({ $0 != .auto }) == true {
      throw ValidationError("--end excludes --zoom and --pixels-per-second: it chooses the zoom")
    }
    if style == .rms && splitChannels {
      throw ValidationError("--style rms shows the level of the mix and excludes --split-channels")
    }
    try file.require(["dat", "json", "csv", "txt", "png"])
  }

  func run() throws {
    let reading = try library.reading { store in
      let track = try store.resolveTrack(BytePath(argument: words.joined(separator: " ")))
      return try WaveformReading(track: track, store: store)
    }
    guard let format = file.resolvedFormat else {
      return try StandardOutput.write(try drawing(of: reading))
    }
    let bytes = format == "png" ? try picture(of: reading) : Array(try data(of: reading, format: format))
    try file.write(bytes, protecting: reading.track.files + [try library.path()])
  }
}

// MARK: - Data

extension WaveformCommand {
  private func data(of reading: WaveformReading, format: String) throws -> [UInt8] {
    let request = WaveformRequest(
      zoom: try dataZoom(of: reading), resolution: bits == 8 ? .bits8 : .bits16, splitsChannels: splitChannels,
      scalesAutomatically: amplitudeScale == .automatic, isExact: exact)
    let peaks = try request.result(
      from: try reading.peaks(for: try request.selection(from: reading.inventory)), of: reading.inventory)
    switch format {
    case "dat": return peaks.datBytes
    case "json": return Array(peaks.jsonText.utf8)
    case "csv": return Array(peaks.csvText.utf8)
    default: return Array(peaks.plainText.utf8)
    }
  }

  private func dataZoom(of reading: WaveformReading) throws -> WaveformZoom {
    if let fixedZoom { return fixedZoom }
    if let end {
      return .range(startInSeconds: start?.seconds ?? 0, endInSeconds: end.seconds, pointCount: width ?? 800)
    }
    return zoom == nil ? .framesPerPoint(256) : .fitting(pointCount: width ?? 800)
  }
}

// MARK: - Pictures

extension WaveformCommand {
  private func picture(of reading: WaveformReading) throws -> [UInt8] {
    let size = try PictureSize(width: width ?? 800, height: height ?? 250)
    let view = try WaveformView(
      zoom: try pictureZoom(of: reading, pointCount: size.width), startInSeconds: start?.seconds ?? 0,
      pointCount: size.width, of: reading.inventory)
    let shown = try self.shown(view, of: reading)
    var picture = WaveformPicture(size: size, peaks: shown.peaks)
    picture.firstFrame = shown.firstFrame
    picture.firstPoint = shown.firstPoint
    picture.startInSeconds = view.startInSeconds
    picture.shape = waveformStyle == .bars ? .bars : .normal
    picture.style = style
    if style != .peaks { picture.energy = try reading.energy() }
    picture.amplitudeScale = amplitudeScale
    picture.colors = colors == .audacity ? .audacity : .audition
    picture.hasAxis = axis == .withAxisLabels
    return try picture.pngBytes()
  }

  /// The peaks that a view needs, and where in them and in the track it begins.
  private func shown(
    _ view: WaveformView, of reading: WaveformReading
  ) throws -> (peaks: WaveformPeaks, firstPoint: Int, firstFrame: Int64) {
    let request = WaveformRequest(
      zoom: .framesPerPoint(view.framesPerPoint), resolution: bits == 8 ? .bits8 : .bits16,
      splitsChannels: splitChannels, isExact: exact)
    let selection = try request.selection(from: reading.inventory, showing: view)
    let peaks = try request.result(from: try reading.peaks(for: selection), of: reading.inventory)
    if case .decoded = selection { return (peaks, 0, view.frames.lowerBound) }
    return (peaks, view.firstPoint, 0)
  }

  /// A zoom that was given as a number; nil for one that follows from a width.
  private var fixedZoom: WaveformZoom? {
    if let pixelsPerSecond { return .pointsPerSecond(pixelsPerSecond) }
    if let zoom, case .frames(let frames) = zoom { return .framesPerPoint(frames) }
    return nil
  }

  /// Unless told otherwise a picture shows all there is from the start to the end that was given.
  private func pictureZoom(of reading: WaveformReading, pointCount: Int) throws -> WaveformZoom {
    if let fixedZoom { return fixedZoom }
    guard start != nil || end != nil else { return .fitting(pointCount: pointCount) }
    return .range(
      startInSeconds: start?.seconds ?? 0, endInSeconds: end?.seconds ?? reading.inventory.durationInSeconds,
      pointCount: pointCount)
  }
}

// MARK: - Terminal

extension WaveformCommand {
  private func drawing(of reading: WaveformReading) throws -> String {
    let columns = width ?? Terminal.width
    let capabilities = output.capabilities
    guard let zoom = fixedZoom else { return try overview(of: reading, columns: columns, capabilities) }
    let dots = columns * (capabilities.hasUnicode ? 2 : 1)
    let view = try WaveformView(
      zoom: zoom, startInSeconds: start?.seconds ?? 0, pointCount: dots, of: reading.inventory)
    let shown = try self.shown(view, of: reading)
    let points = (shown.firstPoint..<shown.firstPoint + dots).clamped(to: 0..<shown.peaks.pointCount)
    guard !points.isEmpty else { throw ValidationError("nothing lies after --start") }
    return TerminalPictures.waveform(
      shown.peaks, energy: try reading.energy(), firstFrame: shown.firstFrame, points: points,
      width: max(1, points.count * columns / dots), height: height ?? 6, amplitudeScale: amplitudeScale,
      hasAxis: axis == .withAxisLabels, capabilities: capabilities)
  }

  /// All from the start to the end in the width of the terminal, from what is stored, however short it is.
  private func overview(
    of reading: WaveformReading, columns: Int, _ capabilities: TerminalCapabilities
  ) throws -> String {
    let peaks = try reading.peaks(for: splitChannels ? .storedChannels : .storedMix)
    let perSecond = Double(reading.inventory.sampleRateInHz) / Double(peaks.framesPerPoint)
    func point(_ seconds: Double) -> Int { Int(max(0, min(seconds * perSecond, Double(peaks.pointCount)))) }
    let first = point(start?.seconds ?? 0)
    let last = end.map { point($0.seconds) } ?? peaks.pointCount
    guard first < last else { throw ValidationError("nothing lies between --start and --end") }
    return TerminalPictures.waveform(
      peaks, energy: try reading.energy(), points: first..<last, width: columns, height: height ?? 6,
      amplitudeScale: amplitudeScale, hasAxis: axis == .withAxisLabels, capabilities: capabilities)
  }
}
