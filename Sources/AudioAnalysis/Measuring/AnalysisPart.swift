package import MediaModel

/// One part of the analysis that can be timed on its own; its result is discarded.
///
/// Each part cuts the stream into chunks, which ``TrackAnalyzer`` does once for all of them; the part `chunks` does
/// only that.
package struct AnalysisPart: Sendable {
  package let name: String
  private let start: @Sendable (AudioFormat) -> (borrowing PlanarChunk) -> Void

  /// - Parameter start: Returns a closure that takes the chunks of one stream.
  init(_ name: String, start: @escaping @Sendable (AudioFormat) -> (borrowing PlanarChunk) -> Void) {
    self.name = name
    self.start = start
  }

  /// Passes a whole stream of interleaved samples through this part.
  package func run(over samples: Span<Float>, format: AudioFormat) {
    let consume = start(format)
    var assembler = ChunkAssembler(channelCount: format.channelCount)
    assembler.append(samples, consume)
    assembler.finish(consume)
  }
}

extension AnalysisPart {
  /// The parts of ``TrackAnalyzer``; to measure another one, add it here.
  package static let all = [
    AnalysisPart("chunks") { _ in { _ in } },
    AnalysisPart("peaks of the mix") { format in
      var analyzer = WaveformPeakReducer(format: format, channels: .mixed, framesPerPoint: 256, resolution: .bits8)
      return { analyzer.consume($0) }
    },
    AnalysisPart("peaks of the channels") { format in
      var analyzer = WaveformPeakReducer(
        format: format, channels: .separate(limit: 8), framesPerPoint: 512, resolution: .bits8)
      return { analyzer.consume($0) }
    },
    AnalysisPart("levels") { format in
      var analyzer = LevelAnalyzer(format: format)
      return { analyzer.consume($0) }
    },
    AnalysisPart("rms of the mix") { format in
      var analyzer = WaveformEnergyAnalyzer(format: format)
      return { analyzer.consume($0) }
    },
    AnalysisPart("spectrum pyramid") { format in
      var analyzer = SpectrumAnalyzer(format: format, framesPerRegionPoint: WaveformEnergyAnalyzer.framesPerPoint)
      return { analyzer.consume($0) }
    },
    AnalysisPart("loudness") { format in
      var analyzer = LoudnessAnalyzer(format: format)
      return { analyzer.consume($0) }
    },
    AnalysisPart("true peak") { format in
      var meter = TruePeakMeter(format: format)
      return { meter.consume($0) }
    },
    AnalysisPart("sound columns") { format in
      let columns = SoundColumns(format: format, consumers: [])
      return { columns.consume($0) }
    },
    AnalysisPart("sound columns and landmarks") { format in
      let columns = SoundColumns(format: format, consumers: [LandmarkAnalyzer()])
      return { columns.consume($0) }
    },
  ]
}
