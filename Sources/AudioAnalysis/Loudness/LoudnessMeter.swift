package import MediaModel

/// Measures only the loudness and the true peak of a stream, for example of one that is about to be written.
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
    assembler.append(samples) { chunk in
      loudness.consume(chunk)
      truePeak.consume(chunk)
    }
  }

  /// Ends the stream.
  ///
  /// - Returns: The loudness in LUFS, nil if the stream is too short or silent; the true peak in dBTP, nil for silence.
  package consuming func finish() -> (integratedLoudness: Double?, truePeak: Double?) {
    assembler.finish { chunk in
      loudness.consume(chunk)
      truePeak.consume(chunk)
    }
    return (loudness.finish().integratedInLUFS, truePeak.finish())
  }
}
