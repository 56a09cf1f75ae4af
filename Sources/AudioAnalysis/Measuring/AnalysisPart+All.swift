internal import MediaModel

extension AnalysisPart {
  /// The parts of ``TrackAnalyzer``; a new one is one line here.
  package static let all = [
    AnalysisPart("chunks") { _ in { _ in } },
    AnalysisPart("peaks of the mix") { format in
      var analyzer = WaveformPeakAnalyzer(format: format, channels: .mixed, framesPerPoint: 256, resolution: .bits8)
      return { analyzer.consume($0) }
    },
    AnalysisPart("peaks of the channels") { format in
      var analyzer = WaveformPeakAnalyzer(
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
  ]
}
