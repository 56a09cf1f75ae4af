package import MediaModel

/// Makes the asked-for products of one recording in one pass over its samples.
///
/// ```
///  blocks ─► chunks ─┬─► peaks of the mix, peaks of the channels
///                    ├─► levels, loudness, true peak
///                    ├─► fingerprint (two minutes)
///                    ├─► RMS of the mix ──────┐
///                    └─► spectrum ─┬─ shares ─┴─► energy
///                                  ├─► summary, grid
///                                  └─► centroid, rolloff, flatness, cut-off: with the levels
/// ```
///
/// Pass consecutive blocks to ``consume(_:)``, then take the result with ``finish()``. Where the blocks are cut makes no
/// difference, to the last bit.
///
/// - Complexity: O(log n) per sample in the size of the longest transform; allocates only where a product outgrows the
///   capacity reserved at the start.
package struct TrackAnalyzer: ~Copyable {
  private static let separateChannelLimit = 8

  private let kinds: Set<ProductKind>
  private var assembler: ChunkAssembler
  private var mixPeaks: WaveformPeakAnalyzer?
  private var channelPeaks: WaveformPeakAnalyzer?
  private var levels: LevelAnalyzer?
  private var loudness: LoudnessAnalyzer?
  private var truePeak: TruePeakMeter?
  private var energy: WaveformEnergyAnalyzer?
  private var spectrum: SpectrumAnalyzer?
  private var fingerprint: FingerprintAnalyzer?

  /// - Parameter expectedFrameCount: A guess; a wrong one costs time or at most some 64 MiB a product, never the result.
  package init(format: AudioFormat, kinds: Set<ProductKind>, expectedFrameCount: Int64 = 0) {
    self.kinds = kinds
    assembler = ChunkAssembler(channelCount: format.channelCount)
    if kinds.contains(.waveform) {
      mixPeaks = WaveformPeakAnalyzer(
        format: format, channels: .mixed, framesPerPoint: 256, resolution: .bits8,
        expectedFrameCount: expectedFrameCount)
    }
    if kinds.contains(.channelWaveform) {
      channelPeaks = WaveformPeakAnalyzer(
        format: format, channels: .separate(limit: Self.separateChannelLimit), framesPerPoint: 512, resolution: .bits8,
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
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    var position = 0
    while assembler.fill(from: samples, at: &position) { consume(assembler.chunk) }
  }

  private mutating func consume(_ chunk: PlanarChunk) {
    mixPeaks?.consume(chunk)
    channelPeaks?.consume(chunk)
    levels?.consume(chunk)
    loudness?.consume(chunk)
    truePeak?.consume(chunk)
    energy?.consume(chunk)
    spectrum?.consume(chunk)
    fingerprint?.consume(chunk)
  }

  /// Ends the stream and gives all products together.
  package consuming func finish() -> TrackAnalysis {
    var products: [Product] = []
    let measures = finish { products.append($0) }
    return TrackAnalysis(products: products.sorted { $0.kind < $1.kind }, measures: measures)
  }

  /// Ends the stream and hands over one product after the other, so that those of a long recording need not be in memory
  /// together.
  package consuming func finish<Failure: Error>(
    _ emit: (Product) throws(Failure) -> Void
  ) throws(Failure) -> Measures? {
    if assembler.fillRest() { consume(assembler.chunk) }
    if let peaks = mixPeaks.take() { try emit(Self.product(.waveform, peaks.finishAsDatBytes())) }
    if let peaks = channelPeaks.take() { try emit(Self.product(.channelWaveform, peaks.finishAsDatBytes())) }
    var measures = levels?.finish()
    if let spectrum = spectrum.take()?.finish() {
      measures?.take(spectrum.bins)
      if kinds.contains(.spectrum) { try emit(Self.product(.spectrum, spectrum.summary.blob)) }
      if kinds.contains(.spectrogram) { try emit(Self.product(.spectrogram, spectrum.grid.blob)) }
      if let energy {
        try emit(Self.product(.waveformEnergy, energy.finish(regionPowers: spectrum.regionPowers).blob))
      }
    }
    if let loudness = loudness.take()?.finish() {
      measures?.take(loudness)
      if kinds.contains(.loudness) { try emit(Self.product(.loudness, loudness.blocks.blob)) }
    }
    measures?.truePeakInDBTP = truePeak?.finish()
    if let fingerprint = fingerprint.take()?.finish() { try emit(Self.product(.fingerprint, fingerprint.compressed)) }
    if measures != nil { try emit(Self.product(.measures, [])) }
    return measures
  }

  private static func product(_ kind: ProductKind, _ bytes: [UInt8]) -> Product {
    let recipe = ProductRecipe.current(kind)
    return Product(kind: kind, version: recipe.version, parameters: recipe.parameters, bytes: bytes)
  }
}
