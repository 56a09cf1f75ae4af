import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

/// The minimum requirements of EBU Tech 3341, with the numbers of its cases; 7, 8 and 20 to 23 need official
/// recordings.
struct EBUTech3341Tests {
  typealias Step = SteppedTone.Step

  private func isClose(_ value: Double?, _ expected: Double) throws -> Bool {
    abs(try #require(value) - expected) <= 0.1
  }

  @Test(arguments: [(1, -23.0), (2, -33)])
  func `case 1, 2: a steady tone is as loud at every scale`(number: Int, level: Double) throws {
    let measures = SteppedTone.measure([(level, 20)])
    #expect(try isClose(measures.integratedLoudnessInLUFS, level))
    #expect(try isClose(measures.momentaryMaximumInLUFS, level))
    #expect(try isClose(measures.shortTermMaximumInLUFS, level))
  }

  @Test(
    arguments: [
      (3, [(-36, 10), (-23, 60), (-36, 10)]),
      (4, [(-72, 10), (-36, 10), (-23, 60), (-36, 10), (-72, 10)]),
      (5, [(-26, 20), (-20, 20.1), (-26, 20)]),
    ] as [(Int, [Step])])
  func `case 3, 4, 5: the gates leave out quiet parts`(number: Int, steps: [Step]) throws {
    #expect(try isClose(SteppedTone.measure(steps).integratedLoudnessInLUFS, -23))
  }

  @Test func `case 6: surround channels count for more`() throws {
    let channels = [-28, -28, -24, -30, -30].map { SteppedTone.samples([($0, 20)]) }
    #expect(try isClose(measure(channels).integratedLoudnessInLUFS, -23))
  }

  @Test func `case 9: short-term loudness is steady over a beat of 3 s`() throws {
    let measures = SteppedTone.measure((0..<5).flatMap { _ in [(-20, 1.34), (-30, 1.66)] as [Step] })
    #expect(try isClose(measures.shortTermMaximumInLUFS, -23))
    // The 10th and the 95th percentile are equal.
    #expect(try #require(measures.loudnessRangeInLU) <= 0.1)
  }

  @Test(arguments: 0..<20)
  func `case 10: 3 s are found wherever they begin`(segment: Int) throws {
    let measures = SteppedTone.measure([(nil, Double(segment) * 0.15), (-23, 3), (nil, 1)])
    #expect(try isClose(measures.shortTermMaximumInLUFS, -23))
  }

  @Test func `case 11: one short-term maximum after the other`() throws {
    let steps = (0..<20).flatMap { segment -> [Step] in
      let offset = Double(segment) * 0.15
      return [(nil, offset), (Double(segment) - 38, 3), (nil, 3 - offset)]
    }
    for segment in 0..<20 {
      let measures = SteppedTone.measure(Array(steps.prefix(3 * segment + 3)))
      #expect(try isClose(measures.shortTermMaximumInLUFS, Double(segment) - 38), "segment \(segment)")
    }
  }

  @Test func `case 12: momentary loudness is steady over a beat of 400 ms`() throws {
    let samples = SteppedTone.samples((0..<25).flatMap { _ in [(-20, 0.18), (-30, 0.22)] as [Step] })
    let analysis = analyze(
      Signal.interleave([samples, samples]), sampleRateInHz: SteppedTone.rate, channelCount: 2,
      kinds: [.measures, .loudness])
    #expect(try isClose(analysis.measures?.momentaryMaximumInLUFS, -23))
    let bins = try GatingHistogram(blob: analysis.bytes(.loudness)).bins
    // From -23.1 to -22.9 LUFS.
    #expect(bins[469].count + bins[470].count == 97 && bins.reduce(0) { $0 + $1.count } == 97)
  }

  @Test(arguments: 0..<20)
  func `case 13: 400 ms are found wherever they begin`(segment: Int) throws {
    let measures = SteppedTone.measure([(nil, Double(segment) * 0.02), (-23, 0.4), (nil, 1)])
    #expect(try isClose(measures.momentaryMaximumInLUFS, -23))
  }

  @Test func `case 14: one momentary maximum after the other`() throws {
    let steps = (0..<20).flatMap { segment -> [Step] in
      let offset = Double(segment) * 0.02
      return [(nil, offset), (Double(segment) - 38, 0.4), (nil, 0.4 - offset)]
    }
    for segment in 0..<20 {
      let measures = SteppedTone.measure(Array(steps.prefix(3 * segment + 3)))
      #expect(try isClose(measures.momentaryMaximumInLUFS, Double(segment) - 38), "segment \(segment)")
    }
  }

  @Test(
    arguments: [(15, 4.0, 0.50, 0.0), (16, 4, 0.50, 45), (17, 6, 0.50, 60), (18, 8, 0.50, 67.5), (19, 4, 1.41, 45)])
  func `case 15 to 19: the peak of a sine is found between its samples`(
    number: Int, framesPerPeriod: Double, amplitude: Double, phaseInDegrees: Double
  ) throws {
    var sine = Signal.sine(
      hz: 48_000 / framesPerPeriod, sampleRateInHz: 48_000, frameCount: 48_000, amplitude: amplitude,
      phase: phaseInDegrees / 180 * .pi)
    for frame in 0..<480 {
      sine[frame] *= Float(frame) / 480
      sine[sine.count - 1 - frame] *= Float(frame) / 480
    }
    let peak = try #require(measure([sine, sine]).truePeakInDBTP)
    let expected = amplitude > 1 ? 3.0 : -6
    #expect(peak >= expected - 0.4 && peak <= expected + 0.2, "\(peak) dBTP")
  }
}

/// The minimum requirements of EBU Tech 3342 that need no official recordings, with the numbers of its cases.
struct EBUTech3342Tests {
  @Test(
    arguments: [
      (1, [-20, -30], 10), (2, [-20, -15], 5), (3, [-40, -20], 20), (4, [-50, -35, -20, -35, -50], 15),
    ] as [(Int, [Double], Double)])
  func `case 1 to 4: the range of tones of 20 s`(number: Int, levels: [Double], range: Double) throws {
    let measures = SteppedTone.measure(levels.map { ($0, 20) })
    #expect(abs(try #require(measures.loudnessRangeInLU) - range) <= 1)
  }
}

/// Synthetic signals of EBU Tech 3341 and 3342: sines of 1 kHz at 48 kHz whose level changes in steps.
enum SteppedTone {
  static let rate = 48_000

  /// A level in dBFS, nil for silence, and how long it lasts.
  typealias Step = (level: Double?, seconds: Double)

  /// One channel; the phase is continuous over the steps.
  static func samples(_ steps: [Step]) -> [Float] {
    var samples: [Float] = []
    for step in steps {
      let amplitude = step.level.map { pow(10, $0 / 20) } ?? 0
      let frameCount = Int((step.seconds * Double(rate)).rounded())
      for _ in 0..<frameCount {
        samples.append(Float(amplitude * sin(2 * .pi * 1_000 / Double(rate) * Double(samples.count))))
      }
    }
    return samples
  }

  /// Measures a stereo recording with the same samples in both channels.
  static func measure(_ steps: [Step]) -> Measures {
    let samples = samples(steps)
    return AudioAnalysisTests.measure([samples, samples], sampleRateInHz: rate)
  }
}

/// Measures channels of equal length.
func measure(_ channels: [[Float]], sampleRateInHz: Int = 48_000) -> Measures {
  analyze(
    Signal.interleave(channels), sampleRateInHz: sampleRateInHz, channelCount: channels.count, kinds: [.measures]
  ).measures ?? Measures()
}
