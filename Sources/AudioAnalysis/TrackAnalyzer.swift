package import MediaModel

/// Computes the requested products of one recording in one pass over its samples.
///
/// ```
///  blocks ─► chunks ─┬─► peaks of the mix, peaks of the channels
///                    ├─► levels, loudness, true peak
///                    ├─► fingerprint (first two minutes)
///                    ├─► signal at 11,025 Hz ─┬─► columns ─┬─► landmarks
///                    │                        │            └─► bands ─► rhythm ─┬─► similarity
///                    │                        └─► chroma ───────────────────────┘
///                    ├─► RMS of the mix ──────┐
///                    └─► spectrum ─┬─ shares ─┴─► energy
///                                  ├─► summary, grid
///                                  └─► centroid, rolloff, flatness, cutoff (part of the measures)
/// ```
///
/// Pass consecutive blocks to ``consume(_:)``, then take the result with ``finish()``. Where the blocks are cut makes
/// no difference, to the last bit.
///
/// - Complexity: O(log n) per sample in the size n of the longest transform; allocates only if a product outgrows the
///   capacity reserved at the start.
package struct TrackAnalyzer: ~Copyable {
  private let kinds: Set<ProductKind>
  private var assembler: ChunkAssembler
  private var analyzers: Analyzers
  private var coded: CodedSoundDetector
  private let format: AudioFormat

  /// Whether the samples are frames of another codec, so that they have no loudness.
  package var isCodedSound: Bool { coded.isFound }

  /// - Parameters:
  ///   - expectedFrameCount: A guess; a wrong one costs time or at most about 64 MiB per product, and never changes the
  ///     result.
  ///   - byteLimit: What the products may take together before they become coarser, see ``ProductCoarseness``.
  package init(
    format: AudioFormat, kinds: Set<ProductKind>, expectedFrameCount: Int64 = 0,
    byteLimit: Int64 = ProductCoarseness.byteLimit
  ) {
    self.kinds = kinds
    self.format = format
    coded = CodedSoundDetector(format: format)
    assembler = ChunkAssembler(channelCount: format.channelCount)
    analyzers = Analyzers(
      format: format, kinds: kinds, expectedFrameCount: expectedFrameCount, byteLimit: byteLimit)
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    coded.consume(samples)
    assembler.append(samples) { analyzers.consume($0) }
  }

  /// Ends the stream and returns all products.
  package consuming func finish() -> TrackAnalysis {
    var products: [Product] = []
    let measures = finish { products.append($0) }
    return TrackAnalysis(products: products.sorted { $0.kind < $1.kind }, measures: measures)
  }

  /// Ends the stream and passes on one product after the other, so that the products of a long recording need not be in
  /// memory at the same time.
  package consuming func finish<Failure: Error>(
    _ emit: (Product) throws(Failure) -> Void
  ) throws(Failure) -> Measures? {
    assembler.finish { analyzers.consume($0) }
    analyzers.fit()
    let factor = analyzers.factor
    func product(_ kind: ProductKind, _ bytes: [UInt8]) -> Product {
      let recipe = ProductRecipe.current(kind).coarsened(by: factor)
      return Product(kind: kind, version: recipe.version, parameters: recipe.parameters, bytes: bytes)
    }
    if let peaks = analyzers.mixPeaks.take() { try emit(product(.waveform, peaks.finishAsDatBytes())) }
    if let peaks = analyzers.channelPeaks.take() { try emit(product(.channelWaveform, peaks.finishAsDatBytes())) }
    var measures = analyzers.levels?.finish()
    if let spectrum = analyzers.spectrum.take()?.finish() {
      measures?.take(spectrum.bins)
      if kinds.contains(.spectrum) { try emit(product(.spectrum, spectrum.summary.blob)) }
      if kinds.contains(.spectrogram) { try emit(product(.spectrogram, spectrum.grid.blob)) }
      if let energy = analyzers.energy {
        try emit(product(.waveformEnergy, energy.finish(regionPowers: spectrum.regionPowers).blob))
      }
    }
    if isCodedSound, analyzers.loudness != nil { analyzers.loudness = LoudnessAnalyzer(format: format) }
    if let loudness = analyzers.loudness.take()?.finish() {
      measures?.take(loudness)
      if kinds.contains(.loudness) { try emit(product(.loudness, loudness.blocks.blob)) }
    }
    measures?.truePeakInDBTP = isCodedSound ? nil : analyzers.truePeak?.finish()
    if let fingerprint = analyzers.fingerprint.take()?.finish() {
      try emit(product(.fingerprint, fingerprint.compressed))
    }
    if let landmarks = analyzers.takeLandmarks() { try emit(product(.landmarks, landmarks.blob)) }
    if let music = analyzers.takeMusic() {
      for (kind, bytes) in music { try emit(product(kind, bytes)) }
    }
    if measures != nil { try emit(product(.measures, [])) }
    return measures
  }
}

/// The analyzers of one recording; each is nil if no requested product needs it.
private struct Analyzers: ~Copyable {
  private let format: AudioFormat
  private let byteLimit: Int64
  private var frameCount = 0
  /// How much longer than usual points and columns are.
  private(set) var factor = 1

  var mixPeaks: WaveformPeakReducer?
  var channelPeaks: WaveformPeakReducer?
  var levels: LevelAnalyzer?
  var loudness: LoudnessAnalyzer?
  var truePeak: TruePeakMeter?
  var energy: WaveformEnergyAnalyzer?
  var spectrum: SpectrumAnalyzer?
  var fingerprint: FingerprintAnalyzer?
  private var landmarks: LandmarkAnalyzer?
  private var music: MusicAnalyzer?
  /// What all of sound search is computed from.
  private var soundColumns: SoundColumns?

  init(format: AudioFormat, kinds: Set<ProductKind>, expectedFrameCount: Int64, byteLimit: Int64) {
    self.format = format
    self.byteLimit = byteLimit
    if kinds.contains(.waveform) {
      mixPeaks = WaveformPeakReducer(
        format: format, channels: .mixed, framesPerPoint: StoredProducts.framesPerMixPoint, resolution: .bits8,
        expectedFrameCount: expectedFrameCount)
    }
    if kinds.contains(.channelWaveform) {
      channelPeaks = WaveformPeakReducer(
        format: format, channels: .separate(limit: StoredProducts.maximumChannelCount),
        framesPerPoint: StoredProducts.framesPerChannelPoint, resolution: .bits8,
        expectedFrameCount: expectedFrameCount)
    }
    if kinds.contains(.measures) {
      levels = LevelAnalyzer(format: format)
      truePeak = TruePeakMeter(format: format)
    }
    if !kinds.isDisjoint(with: [.measures, .loudness]) { loudness = LoudnessAnalyzer(format: format) }
    if kinds.contains(.waveformEnergy) {
      energy = WaveformEnergyAnalyzer(format: format, expectedFrameCount: expectedFrameCount)
    }
    if !kinds.isDisjoint(with: [.measures, .waveformEnergy, .spectrum, .spectrogram]) {
      spectrum = SpectrumAnalyzer(
        format: format, framesPerRegionPoint: WaveformEnergyAnalyzer.framesPerPoint,
        expectedFrameCount: expectedFrameCount)
    }
    if kinds.contains(.fingerprint) { fingerprint = FingerprintAnalyzer(format: format) }
    if kinds.contains(.landmarks) {
      landmarks = LandmarkAnalyzer(
        expectedColumnCount: SoundColumns.columnCount(expectedFrameCount, sampleRateInHz: format.sampleRateInHz))
    }
    if !kinds.isDisjoint(with: MusicAnalyzer.kinds) {
      music = MusicAnalyzer(
        kinds: kinds,
        expectedColumnCount: SoundColumns.columnCount(expectedFrameCount, sampleRateInHz: format.sampleRateInHz))
    }
    let consumers: [(any SoundColumnConsumer)?] = [landmarks, music]
    if consumers.contains(where: { $0 != nil }) {
      soundColumns = SoundColumns(format: format, consumers: consumers.compactMap { $0 })
    }
  }

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    mixPeaks?.consume(chunk)
    channelPeaks?.consume(chunk)
    levels?.consume(chunk)
    loudness?.consume(chunk)
    truePeak?.consume(chunk)
    energy?.consume(chunk)
    spectrum?.consume(chunk)
    fingerprint?.consume(chunk)
    soundColumns?.consume(chunk)
    frameCount += chunk.frameCount
    // All points are complete here, and their number is even.
    if frameCount.isMultiple(of: 2 * factor * WaveformEnergyAnalyzer.framesPerPoint) { fit() }
  }

  /// Ends the stream for them; nil if they were not requested.
  mutating func takeLandmarks() -> Landmarks? {
    soundColumns.take()?.finish()
    return landmarks.take()?.finish()
  }

  /// The same for rhythm, chroma and similarity.
  mutating func takeMusic() -> [(ProductKind, [UInt8])]? {
    soundColumns.take()?.finish()
    return music.take()?.finish()
  }

  /// Makes everything coarser until it fits.
  mutating func fit() {
    let needed = ProductCoarseness.factor(
      frameCount: Int64(frameCount), sampleRateInHz: format.sampleRateInHz, channelCount: format.channelCount,
      byteLimit: byteLimit)
    while factor < needed {
      mixPeaks?.coarsen()
      channelPeaks?.coarsen()
      energy?.coarsen()
      spectrum?.coarsen()
      factor *= 2
    }
  }
}

/// Everything that was computed from one recording.
package struct TrackAnalysis: Hashable, Sendable {
  /// Ascending by kind; the product of the kind `measures` has no bytes.
  package var products: [Product]
  /// nil if they were not requested.
  package var measures: Measures?

  package init(products: [Product], measures: Measures?) {
    self.products = products
    self.measures = measures
  }
}

extension Measures {
  /// Adds what follows from the mean spectrum.
  fileprivate mutating func take(_ bins: BinPowers) {
    let shape = SpectralShape(bins)
    spectralCentroidInHz = shape?.centroidInHz
    rolloff85InHz = shape?.rolloff85InHz
    rolloff95InHz = shape?.rolloff95InHz
    spectralFlatness = shape?.flatness
    let cutoff = shape == nil ? nil : SpectralCutoff(bins)
    cutoffInHz = cutoff?.frequencyInHz
    cutoffConfidence = cutoff?.confidence
  }

  /// Adds the loudness.
  fileprivate mutating func take(_ loudness: LoudnessAnalyzer.Result) {
    integratedLoudnessInLUFS = loudness.integratedInLUFS
    loudnessRangeInLU = loudness.rangeInLU
    momentaryMaximumInLUFS = loudness.momentaryMaximumInLUFS
    shortTermMaximumInLUFS = loudness.shortTermMaximumInLUFS
  }
}
