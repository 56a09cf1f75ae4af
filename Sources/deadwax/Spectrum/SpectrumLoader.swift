internal import AudioDecoding
internal import MediaExport
internal import MediaImport
internal import MediaModel
internal import MediaStore

/// What the library holds of one track's spectrum, and the way to what it does not hold.
struct SpectrumLoader {
  let track: TrackReference
  let sampleRateInHz: Int
  let frameCount: Int64
  private let cache: SegmentCache
  private let storedBytes: [UInt8]?

  /// - Parameter cache: what is decoded goes through it.
  init(_ kind: SpectrumCommand.Kind, of track: TrackReference, store: MediaStore, cache: SegmentCache) throws {
    self.track = track
    self.cache = cache
    guard let rate = track.format.sampleRateInHz, let frameCount = track.format.decodedFrameCount else {
      throw TrackFailure.noSound(track.files.first)
    }
    sampleRateInHz = rate
    self.frameCount = frameCount
    storedBytes = try store.product(kind == .average ? .spectrum : .spectrogram, ofRecording: track.recordingID)?.bytes
  }

  func tables(for request: SpectrumRequest, _ extent: SpectrumExtentOptions) throws -> [SpectrumTable] {
    if request.selection != .decoded, let summary = try storedSummary { return request.tables(from: summary) }
    guard let frames = try extent.part.frames(of: track) else {
      throw ExportError.spectrum(reason: "nothing lies between --start and --end")
    }
    var exact = request
    exact.isExact = true
    return exact.tables(
      from: try SpectrumReader.summary(from: try track.makeReader(cache: cache), frames: frames, bands: request.bands))
  }

  func section(for request: SpectrogramRequest, _ extent: SpectrumExtentOptions) throws -> SpectrogramSection {
    let grid = try storedBytes.map { try SpectrumGrid(blob: $0) }
    let selection = try request.selection(
      sampleRateInHz: sampleRateInHz, frameCount: frameCount, columnsPerSecond: grid?.columnsPerSecond)
    if case .decoded(let recipe) = selection {
      do {
        return SpectrogramSection(
          try SpectrumReader.levels(from: try track.makeReader(cache: cache), recipe), weighting: extent.weighting,
          isSmoothed: extent.smooth, smoothing: extent.smoothTime?.fraction ?? 0)
      } catch let error as SoundReadingError {
        guard grid != nil, request.acceptsStored else { throw error }
        StandardError.line("\(TerminalText.escaped(error.description)): coarser, as it is stored")
      }
    }
    guard let grid else { throw TrackFailure.noSound(track.files.first) }
    let section = SpectrogramSection(
      grid, weighting: extent.weighting, startInSeconds: request.startInSeconds, endInSeconds: request.endInSeconds,
      frequencies: extent.frequencies, isSmoothed: extent.smooth, smoothing: extent.smoothTime?.fraction ?? 0)
    guard case .stored(let rate?) = selection else { return section }
    return section.coarsened(toColumnsPerSecond: rate)
  }

  /// What must be known of the levels of bands that were asked for; nil where there is nothing.
  func remark(on request: SpectrumRequest) throws -> String? {
    guard request.selection == .bins, let summary = try storedSummary, let table = request.tables(from: summary).first,
      let width = table.resolutionInHz, table.unresolvedBandCount > 0
    else { return nil }
    return "\(NumberText.count(table.unresolvedBandCount, "band")) narrower than the "
      + "\(DecimalText.number(width, places: 1)) Hz that are stored: neighbours share what is known; --exact decodes"
  }

  private var storedSummary: SpectrumSummary? { get throws { try storedBytes.map { try SpectrumSummary(blob: $0) } } }
}
