package import MediaDrawing
internal import MediaExchange
internal import MediaModel

/// Turns a source of peaks into the bytes of a file, or into a drawing for a terminal.
package struct WaveformRenderer: Sendable {
  /// Points that web players ask for if no zoom is given.
  private static let playerPointCount = 8000

  private let extent: WaveformExtent
  private let look: WaveformLook
  private let isForPlayers: Bool

  /// - Parameter isForPlayers: Whether JSON has the shape that wavesurfer.js takes.
  package init(extent: WaveformExtent, look: WaveformLook, isForPlayers: Bool = false) {
    self.extent = extent
    self.look = look
    self.isForPlayers = isForPlayers
  }

  /// - Parameter title: Drawn on a picture.
  package func bytes(of source: some WaveformSource, title: String, as format: WaveformFormat) throws -> [UInt8] {
    if let format = format.picture {
      var picture = try picture(of: source)
      picture.title = title
      return try picture.bytes(as: format, compression: look.compression)
    }
    let peaks = try data(of: source)
    switch format {
    case .dat: return peaks.datBytes
    case .json:
      let text = isForPlayers ? peaks.playerText(durationInSeconds: source.inventory.durationInSeconds) : peaks.jsonText
      return Array(text.utf8)
    case .csv: return Array(peaks.csvText.utf8)
    case .txt, .png, .svg, .pdf: return Array(peaks.plainText.utf8)
    }
  }

  // MARK: - Data

  private func data(of source: some WaveformSource) throws -> WaveformPeaks {
    let request = dataRequest(of: source.inventory)
    return try request.result(
      from: try source.peaks(for: try request.selection(from: source.inventory)), of: source.inventory)
  }

  /// Data are what audiowaveform computes from the samples; from a file of peaks, what it rescales.
  private func dataRequest(of inventory: WaveformInventory) -> WaveformRequest {
    let standard = isForPlayers ? playerZoom(of: inventory) : inventory.preferredFramesPerPoint
    var request = extent.request(extent.dataZoom(standard: .framesPerPoint(standard)), of: inventory)
    request.scalesAutomatically = extent.amplitudeScale == .automatic
    request.isExact = extent.isExact || inventory.hasAudio
    return request
  }

  /// The finest multiple of the stored zoom that gives no more points than players ask for.
  private func playerZoom(of inventory: WaveformInventory) -> Int {
    let stored = extent.splitsChannels ? inventory.channels : inventory.mix
    let step = Int64(max(stored?.framesPerPoint ?? inventory.preferredFramesPerPoint, 1))
    let lastPoint = (max(inventory.frameCount, 1) - 1) / step
    return Int(clamping: (lastPoint / Int64(Self.playerPointCount) + 1) * step)
  }

  /// Whether data of a file of peaks are rescaled to a zoom that is not a multiple of its own, so that they are not
  /// what the samples would give.
  package func rescales(_ document: PeakDocument) throws(RenderingError) -> Bool {
    let zoom = try dataRequest(of: document.inventory).zoom.framesPerPoint(
      sampleRateInHz: document.inventory.sampleRateInHz, frameCount: document.inventory.frameCount)
    let own = document.inventory.preferredFramesPerPoint
    return zoom > own && !zoom.isMultiple(of: own) && !extent.isExact
  }

  // MARK: - Pictures

  private func picture(of source: some WaveformSource) throws -> WaveformPicture {
    let size = try extent.pictureSize()
    var zoom = extent.pictureZoom(of: source.inventory, pointCount: size.width)
    if extent.fixedZoom == nil { zoom = try source.inventory.coarsened(zoom) }
    let view = try WaveformView(
      zoom: zoom, startInSeconds: extent.startInSeconds, pointCount: size.width, of: source.inventory)
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

  /// The peaks that a view needs, and where the view begins in them and in the track.
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

  /// Lines of text; the height of the extent counts lines per channel, by default 6.
  ///
  /// - Throws: ``RenderingError/nothingInRange(_:durationInSeconds:)``, ``RenderingError/needsPicture(_:)`` and what
  ///   the source throws.
  package func drawing(
    of source: some WaveformSource, columns: Int, capabilities: TerminalCapabilities
  ) throws -> String {
    guard let zoom = extent.fixedZoom else { return try overview(of: source, columns: columns, capabilities) }
    let dots = columns * (capabilities.hasUnicode ? 2 : 1)
    let view = try WaveformView(
      zoom: zoom, startInSeconds: extent.startInSeconds, pointCount: dots, of: source.inventory)
    let shown = try self.shown(view, of: source)
    let points = (shown.firstPoint..<shown.firstPoint + dots).clamped(to: 0..<shown.peaks.pointCount)
    guard !points.isEmpty else { throw nothingInRange(of: source) }
    return TerminalPictures.waveform(
      shown.peaks, energy: try terminalEnergy(of: source), firstFrame: shown.firstFrame, points: points,
      width: max(1, points.count * columns / dots), height: extent.height ?? 6, amplitudeScale: extent.amplitudeScale,
      hasAxis: look.hasAxis, capabilities: capabilities)
  }

  /// Everything from the start to the end in the given columns, from the stored peaks, however short the part is.
  private func overview(
    of source: some WaveformSource, columns: Int, _ capabilities: TerminalCapabilities
  ) throws -> String {
    let peaks = try source.peaks(for: extent.splitsChannels ? .storedChannels : .storedMix)
    let perSecond = Double(source.inventory.sampleRateInHz) / Double(peaks.framesPerPoint)
    func point(_ seconds: Double, _ rule: FloatingPointRoundingRule) -> Int {
      Int(max(0, min((seconds * perSecond).rounded(rule), Double(peaks.pointCount))))
    }
    let first = point(extent.startInSeconds, .down)
    let last = extent.part.endInSeconds.map { point($0, .up) } ?? peaks.pointCount
    guard first < last else { throw nothingInRange(of: source) }
    return TerminalPictures.waveform(
      peaks, energy: try terminalEnergy(of: source), points: first..<last, width: columns, height: extent.height ?? 6,
      amplitudeScale: extent.amplitudeScale, hasAxis: look.hasAxis, capabilities: capabilities)
  }

  /// What colours a drawing: the bands, if they are stored, unless only peaks were asked for.
  private func terminalEnergy(of source: some WaveformSource) throws -> WaveformEnergy? {
    switch look.style {
    case nil: try source.energy()
    case .bands: try source.requiredEnergy()
    case .peaks: nil
    case .rms: throw RenderingError.needsPicture(.rms)
    }
  }

  private func nothingInRange(of source: some WaveformSource) -> RenderingError {
    .nothingInRange(source.path, durationInSeconds: source.inventory.durationInSeconds)
  }
}
