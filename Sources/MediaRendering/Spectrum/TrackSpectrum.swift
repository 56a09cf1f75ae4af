internal import AudioAnalysis
package import DecodingService
internal import LibraryTracks
internal import MediaModel
package import MediaStore

/// Which spectrum of a track is meant.
package enum SpectrumKind: String, CaseIterable, Sendable {
  /// Mean and maximum of each band over the whole track.
  case average
  /// Levels over time.
  case spectrogram
}

/// The spectrum of one track: what the library has of it, and the rest decoded.
package struct TrackSpectrum {
  package let sampleRateInHz: Int
  package let frameCount: Int64
  private let source: RecordingSource
  private let storedBytes: [UInt8]?
  private let onCoarserResult: @Sendable (SegmentReadingError) -> Void

  /// Reads the stored product; nothing is decoded yet.
  ///
  /// - Parameter onCoarserResult: Called with the reason if stored levels replace finer ones that could not be decoded.
  /// - Throws: ``RenderingError/noRecording(_:)`` for a track of which only the tags are known.
  package init(
    _ kind: SpectrumKind, of source: RecordingSource, in store: MediaStore,
    onCoarserResult: @escaping @Sendable (SegmentReadingError) -> Void = { _ in }
  ) throws {
    self.source = source
    self.onCoarserResult = onCoarserResult
    (sampleRateInHz, frameCount) = try source.extent()
    let product: ProductKind = kind == .average ? .spectrum : .spectrogram
    storedBytes = try store.products.product(product, ofRecording: source.track.recordingID)?.bytes
  }

  // MARK: - Average

  /// One table of the mix, or one for each channel.
  ///
  /// Bands that the stored bins cannot tell apart are decoded; if that fails, they show shares of the bins.
  ///
  /// - Parameter part: A part needs a request that is exact.
  func tables(for request: SpectrumRequest, part: TrackPart) throws -> [SpectrumTable] {
    let stored = try request.selection == .decoded ? nil : storedSummary.map(request.tables)
    if let stored, stored.allSatisfy({ $0.unresolvedBandCount == 0 }) { return stored }
    let frames = try part.frames(of: source.track)
    var exact = request
    exact.isExact = true
    do {
      return exact.tables(from: try decodedSummary(of: frames, bands: request.bands))
    } catch let error as SegmentReadingError {
      guard let stored else { throw error }
      onCoarserResult(error)
      return stored
    }
  }

  private func decodedSummary(of frames: Range<Int64>, bands: SpectrumBands) throws -> SpectrumSummary {
    let reader = try source.makeReader()
    var analyzer = SpectrumSummaryAnalyzer(format: reader.format, bands: bands)
    try reader.forEachPiece(of: frames) { analyzer.consume($0) }
    return analyzer.finish()
  }

  private var storedSummary: SpectrumSummary? { get throws { try storedBytes.map { try SpectrumSummary(blob: $0) } } }

  // MARK: - Spectrogram

  /// The levels for a request, weighted and smoothed as the extent says.
  func section(for request: SpectrogramRequest, extent: SpectrumExtent) throws -> SpectrogramSection {
    let grid = try storedBytes.map { try SpectrumGrid(blob: $0) }
    let selection = try request.selection(
      sampleRateInHz: sampleRateInHz, frameCount: frameCount, columnsPerSecond: grid?.columnsPerSecond)
    if case .decoded(let recipe) = selection {
      do {
        return SpectrogramSection(
          try decodedLevels(recipe), weighting: extent.weighting, isSmoothed: extent.isSmoothed,
          smoothing: extent.timeSmoothing)
      } catch let error as SegmentReadingError {
        guard grid != nil, request.acceptsStored else { throw error }
        onCoarserResult(error)
      }
    }
    guard let grid else { throw RenderingError.noRecording(source.track.files.first) }
    let section = SpectrogramSection(
      grid, weighting: extent.weighting, startInSeconds: request.startInSeconds, endInSeconds: request.endInSeconds,
      frequencies: extent.frequencies, isSmoothed: extent.isSmoothed, smoothing: extent.timeSmoothing)
    guard case .stored(let rate?) = selection else { return section }
    return section.coarsened(toColumnsPerSecond: rate)
  }

  /// Columns beyond the end of the recording are silent.
  private func decodedLevels(_ recipe: SpectrogramRecipe) throws -> SpectrogramLevels {
    let reader = try source.makeReader()
    let frames = SpectrogramAnalyzer.framesNeeded(for: recipe, sampleRateInHz: reader.format.sampleRateInHz)
    var analyzer = SpectrogramAnalyzer(format: reader.format, recipe)
    try reader.forEachPiece(of: frames) { analyzer.consume($0) }
    return analyzer.finish()
  }
}
