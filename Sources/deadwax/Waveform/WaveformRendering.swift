internal import ArgumentParser
internal import MediaExport
internal import MediaModel
internal import MediaStore

/// From a source of peaks to the bytes of a file, or to a drawing for the terminal.
struct WaveformRendering: Sendable {
  /// Formats of data; those of pictures are ``PictureFormat``'s.
  static let dataFormats = ["dat", "json", "csv", "txt"]
  static var formats: [String] { dataFormats + PictureFormat.allCases.map(\.rawValue) }

  /// Points that web players ask for where no zoom is given.
  private static let playerPointCount = 8000

  let extent: WaveformExtentOptions
  let look: WaveformLookOptions
  /// Whether JSON has the shape that wavesurfer.js takes.
  let isForPlayers: Bool

  /// - Parameter title: what a picture says of the source.
  func bytes(of source: some WaveformSource, title: String, format: String) throws -> [UInt8] {
    if let format = PictureFormat(rawValue: format) {
      var picture = try picture(of: source)
      picture.title = title
      return try picture.bytes(as: format, compression: look.png.compression)
    }
    let peaks = try data(of: source)
    switch format {
    case "dat": return peaks.datBytes
    case "json":
      return Array(
        (isForPlayers ? peaks.playerText(durationInSeconds: source.inventory.durationInSeconds) : peaks.jsonText).utf8)
    case "csv": return Array(peaks.csvText.utf8)
    default: return Array(peaks.plainText.utf8)
    }
  }

  // MARK: - Data

  private func data(of source: some WaveformSource) throws -> WaveformPeaks {
    let inventory = source.inventory
    var standard = WaveformZoom.framesPerPoint(inventory.preferredFramesPerPoint)
    if isForPlayers {
      let frames = (max(inventory.frameCount, 0) + Int64(Self.playerPointCount) - 1) / Int64(Self.playerPointCount)
      standard = .framesPerPoint(max(inventory.preferredFramesPerPoint, Int(clamping: frames)))
    }
    var request = extent.request(extent.dataZoom(standard: standard), of: inventory)
    request.scalesAutomatically = extent.amplitudeScale == .automatic
    return try request.result(from: try source.peaks(for: try request.selection(from: inventory)), of: inventory)
  }

  // MARK: - Pictures

  private func picture(of source: some WaveformSource) throws -> WaveformPicture {
    let size = try PictureSize(width: extent.width ?? 800, height: extent.height ?? 250)
    var zoom = extent.pictureZoom(of: source.inventory, pointCount: size.width)
    if extent.fixedZoom == nil { zoom = try source.inventory.coarsened(zoom) }
    let view = try WaveformView(
      zoom: zoom, startInSeconds: extent.part.start?.seconds ?? 0, pointCount: size.width, of: source.inventory)
    let shown = try self.shown(view, of: source)
    var picture = WaveformPicture(size: size, peaks: shown.peaks)
    picture.firstFrame = shown.firstFrame
    picture.firstPoint = shown.firstPoint
    picture.startInSeconds = view.startInSeconds
    picture.amplitudeScale = extent.amplitudeScale
    look.apply(to: &picture)
    if picture.style != .peaks { picture.energy = try source.requiredEnergy() }
    return picture
  }

  /// What colours a drawing for the terminal: bands as far as there are any, unless peaks alone were asked for.
  private func shownEnergy(of source: some WaveformSource) throws -> WaveformEnergy? {
    switch look.style {
    case nil: try source.energy()
    case .bands: try source.requiredEnergy()
    case .peaks: nil
    case .rms: throw ValidationError("--style rms is for pictures: name one with -o")
    }
  }

  /// The peaks that a view needs, and where in them and in the track it begins.
  private func shown(
    _ view: WaveformView, of source: some WaveformSource
  ) throws -> (peaks: WaveformPeaks, firstPoint: Int, firstFrame: Int64) {
    let request = extent.request(.framesPerPoint(view.framesPerPoint), of: source.inventory)
    let selection = try request.selection(from: source.inventory, showing: view)
    let peaks = try request.result(from: try source.peaks(for: selection), of: source.inventory)
    if case .decoded = selection { return (peaks, 0, view.frames.lowerBound) }
    return (peaks, view.firstPoint, 0)
  }

  // MARK: - Terminal

  func drawing(of source: some WaveformSource, columns: Int, capabilities: TerminalCapabilities) throws -> String {
    guard let zoom = extent.fixedZoom else { return try overview(of: source, columns: columns, capabilities) }
    let dots = columns * (capabilities.hasUnicode ? 2 : 1)
    let view = try WaveformView(
      zoom: zoom, startInSeconds: extent.part.start?.seconds ?? 0, pointCount: dots, of: source.inventory)
    let shown = try self.shown(view, of: source)
    let points = (shown.firstPoint..<shown.firstPoint + dots).clamped(to: 0..<shown.peaks.pointCount)
    guard !points.isEmpty else { throw ValidationError("nothing lies after --start") }
    return TerminalPictures.waveform(
      shown.peaks, energy: try shownEnergy(of: source), firstFrame: shown.firstFrame, points: points,
      width: max(1, points.count * columns / dots), height: extent.height ?? 6, amplitudeScale: extent.amplitudeScale,
      hasAxis: look.axis == .withAxisLabels, capabilities: capabilities)
  }

  /// All from the start to the end in the width of the terminal, from what is stored, however short it is.
  private func overview(
    of source: some WaveformSource, columns: Int, _ capabilities: TerminalCapabilities
  ) throws -> String {
    let peaks = try source.peaks(for: extent.splitChannels ? .storedChannels : .storedMix)
    let perSecond = Double(source.inventory.sampleRateInHz) / Double(peaks.framesPerPoint)
    func point(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int {
      Int(max(0, min((seconds * perSecond).rounded(rule), Double(peaks.pointCount))))
    }
    let first = point(extent.part.start?.seconds ?? 0, .down)
    let last = extent.part.end.map { point($0.seconds, .up) } ?? peaks.pointCount
    guard first < last else { throw ValidationError("nothing lies between --start and --end") }
    return TerminalPictures.waveform(
      peaks, energy: try shownEnergy(of: source), points: first..<last, width: columns, height: extent.height ?? 6,
      amplitudeScale: extent.amplitudeScale, hasAxis: look.axis == .withAxisLabels, capabilities: capabilities)
  }
}
