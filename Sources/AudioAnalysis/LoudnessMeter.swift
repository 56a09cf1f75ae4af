package import MediaModel

/// Measures loudness and true peak of a stream, and nothing else: of sound that is about to be written, say.
package struct LoudnessMeter: ~Copyable {
  private var assembler: ChunkAssembler
  private var loudness: LoudnessAnalyzer
  private var truePeak: TruePeakMeter

  package init(format: AudioFormat) {
    assembler = ChunkAssembler(channelCount: format.channelCount)
    loudness = LoudnessAnalyzer(format: format)
    truePeak = TruePeakMeter(format: format)
  }

  /// Adds the next block of interleaved samples: any number of whole frames.
  package mutating func consume(_ samples: Span<Float>) {
    var position = 0
    while assembler.fill(from: samples, at: &position) { consumeChunk() }
  }

  /// - Returns: In LUFS, nil for what is too short or silent; in dBTP, nil for silence.
  package consuming func finish() -> (integratedLoudness: Double?, truePeak: Double?) {
    if assembler.fillRest() { consumeChunk() }
    return (loudness.finish().integratedInLUFS, truePeak.finish())
  }

  private mutating func consumeChunk() {
    loudness.consume(assembler.chunk)
    truePeak.consume(assembler.chunk)
  }
}
