internal import ArgumentParser
internal import AudioEffects
internal import MediaModel

/// `deadwax-bench effects`: the cost of each effect of a preset.
struct EffectsCommand: ParsableCommand {
  static let configuration = CommandConfiguration(
    commandName: "effects",
    abstract: "Send a minute of stereo noise through each effect of a preset.",
    discussion: """
      One thread; the noise is at 44.1 kHz and so loud that the limiter always works. The last column is the time of a \
      minute of silence after the noise as a fraction of the time of the noise: decaying numbers must not cost more.
      """)

  /// As a multiple of real time, for ten bands on stereo.
  private static let equalizerGoal = 300.0
  private static let seconds = 60
  private static let format = AudioFormat(sampleRateInHz: 44_100, channelCount: 2)
  private static let blockSampleCount = 2 * 4096

  @OptionGroup var repeats: RepeatOptions
  @OptionGroup var report: ReportOptions

  func run() throws {
    let noise = Self.noise()
    let silence = [Float](repeating: 0, count: noise.count)
    var table = ResultTable(
      "effects", title: "A minute of stereo through each effect",
      columns: [
        .init("effect", "effect"), .init("processor_s", "CPU s"), .init("times_real_time", "x real time"),
        .init("goal", "goal"), .init("silence_ratio", "silence behind it"),
      ])
    let graphic = try GraphicEqualizer.equalizer(sliders: [6, 4, 2, 1, -1, -2, 1, 3, 5, 6], gain: -6)
    let effects: [(String, Double?, () throws -> any SoundEffect)] = [
      ("equalizer, ten bands", Self.equalizerGoal, { EqualizerProcessor(graphic, format: Self.format) }),
      ("pitch", nil, { PitchShifter(cents: 300, format: Self.format) }),
      (
        "reverberation", nil,
        { try ReverberationProcessor(try Reverberation(.largeHall, mix: 30), format: Self.format) }
      ),
      ("rate", nil, { try SampleRateConverter(playing: Self.format, atRate: 1.0594630943592953) }),
      ("limiter", nil, { TruePeakLimiter(format: Self.format, ceilingInDBTP: -20) }),
      ("limiter with nothing to do", nil, { TruePeakLimiter(format: Self.format, ceilingInDBTP: 6) }),
      ("dither", nil, { Dither(bits: 16, format: Self.format) }),
    ]
    for (name, goal, make) in effects {
      var seconds = Samples()
      var silences = Samples()
      for _ in 0..<repeats.count {
        let effect = try make()
        seconds.add(try Self.processorSeconds(of: effect, on: noise))
        silences.add(try Self.processorSeconds(of: effect, on: silence))
      }
      table.add([
        .text(name), .number(seconds.median, digits: 3),
        .number(seconds.median.map { Double(Self.seconds) / $0 }, digits: 0), .number(goal, digits: 0),
        .number(silences.ratios(to: seconds).median, digits: 2),
      ])
    }
    try report.write([table])
  }

  private static func processorSeconds(of effect: any SoundEffect, on noise: [Float]) throws -> Double {
    var output: [Float] = []
    return try BenchClock.processor.measure {
      for start in stride(from: 0, to: noise.count, by: blockSampleCount) {
        output.removeAll(keepingCapacity: true)
        try effect.process(noise.span.extracting(start..<min(start + blockSampleCount, noise.count)), into: &output)
      }
    }
  }

  /// White, between -0.5 and 0.5.
  private static func noise() -> [Float] {
    var state: UInt64 = 1
    return (0..<seconds * format.sampleRateInHz * format.channelCount).map { _ in
      state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
      return Float(Int32(truncatingIfNeeded: state >> 32)) / 0x1p32
    }
  }
}
