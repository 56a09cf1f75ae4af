package import MediaModel

/// Measures the average spectrum of a part of a recording in any bands, of the mix and of the first two channels.
package struct SpectrumSummaryAnalyzer: ~Copyable {
  private var assembler: ChunkAssembler
  private var spectrum: SpectrumAnalyzer

  package init(format: AudioFormat, bands: SpectrumBands) {
    assembler = ChunkAssembler(channelCount: format.channelCount)
    spectrum = SpectrumAnalyzer(
      format: format, bands: bands, framesPerRegionPoint: WaveformEnergyAnalyzer.framesPerPoint)
  }

  /// Adds the next block of interleaved samples: any number of whole frames, nominally in `-1...1`, finite.
  package mutating func consume(_ samples: Span<Float>) {
    var position = 0
    while assembler.fill(from: samples, at: &position) { spectrum.consume(assembler.chunk) }
  }

  /// Ends the stream; levels are in the bands that were asked for.
  package consuming func finish() -> SpectrumSummary {
    if assembler.fillRest() { spectrum.consume(assembler.chunk) }
    return spectrum.finish().summary
  }
}
