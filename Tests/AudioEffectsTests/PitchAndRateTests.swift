import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct PitchAndRateTests {
  @Test(arguments: [(1200.0, 2.0), (-1200, 0.5), (700, 1.498307), (-2400, 0.25), (2400, 4), (1, 1.000578)])
  func `a sine has the new pitch within a cent, and the same length`(cents: Double, factor: Double) throws {
    let sine = Signal.sine(hz: 440, sampleRateInHz: 44_100, frameCount: 44_100 * 6, amplitude: 0.5)
    let result = try output(of: PitchShifter(cents: cents, format: mono(44_100)), for: sine)
    #expect(result.count == sine.count)
    let found = frequency(of: result[44_100..<44_100 * 5], sampleRate: 44_100)
    #expect(abs(1200 * log2(found / (440 * factor))) < 1)
  }

  @Test(arguments: [(0.5, 88_202), (2.0, 22_051), (0.25, 176_404), (4, 11_025), (1.0594630943592953, 41_626)])
  func `a rate divides the length and multiplies the frequency`(rate: Double, frameCount: Int) throws {
    let sine = Signal.sine(hz: 1000, sampleRateInHz: 44_100, frameCount: 44_101, amplitude: 0.5)
    let effect = try SampleRateConverter(playing: mono(44_100), atRate: rate)
    let result = try output(of: effect, for: sine)
    #expect(result.count == frameCount)
    #expect(effect.outputFrameCount(for: 44_101) == Int64(frameCount))
    let found = frequency(of: result[1000..<(frameCount - 1000)], sampleRate: 44_100)
    #expect(abs(found - 1000 * rate) < 0.01 * rate)
  }

  @Test(arguments: [44_100, 22_050, 96_000, 8000])
  func `another sample rate keeps time, frequency and amplitude`(rate: Int) throws {
    let sine = Signal.sine(hz: 1000, sampleRateInHz: rate, frameCount: 2 * rate, amplitude: 0.5)
    let result = try output(of: try SampleRateConverter(mono(rate), toSampleRate: 48_000), for: sine)
    #expect(result.count == 96_000)
    // The same sine computed at the new rate: no delay, and the same level.
    let expected = Signal.sine(hz: 1000, sampleRateInHz: 48_000, frameCount: 96_000, amplitude: 0.5)
    for frame in 10_000..<86_000 { #expect(abs(result[frame] - expected[frame]) < 2e-6) }
  }

  @Test(arguments: [(48_000, 44_100), (44_100, 48_000), (96_000, 44_100), (22_050, 48_000)])
  func `sound that goes on in another stream goes on without a click`(from: Int, to: Int) throws {
    func chord(_ rate: Int, _ seconds: Range<Int>) -> [Float] {
      (seconds.lowerBound * rate..<seconds.upperBound * rate).map { frame in
        let time = Double(frame) / Double(rate)
        return Float([97, 440, 1_000, 5_003].reduce(0) { $0 + 0.2 * sin(2 * .pi * $1 * time + $1) })
      }
    }
    let format = mono(from)
    var joined = chord(to, 0..<1)
    joined += try output(of: try SampleRateConverter(format, toSampleRate: to), for: chord(from, 1..<2))
    joined += chord(to, 2..<3)
    let expected = chord(to, 0..<3)
    try #require(joined.count == expected.count)
    #expect(try #require(zip(joined, expected).map { abs($0 - $1) }.max()) < 1e-5)
  }

  @Test(arguments: [1, 2, 5])
  func `cutting the stream into blocks changes no bit`(channelCount: Int) throws {
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: channelCount)
    let noise = Signal.whiteNoise(frameCount: 20_000 * channelCount, rms: 0.2)
    try expectSameWhereverCut(noise, channelCount: channelCount) { PitchShifter(cents: 350, format: format) }
    try expectSameWhereverCut(noise, channelCount: channelCount) {
      try SampleRateConverter(playing: format, atRate: 0.943874)
    }
    try expectSameWhereverCut(noise, channelCount: channelCount) {
      try SampleRateConverter(format, toSampleRate: 48_000)
    }
  }

  @Test(arguments: [0, 1, 5, 700])
  func `short and empty streams keep their length, too`(frameCount: Int) throws {
    let samples = [Float](repeating: 0.25, count: frameCount)
    #expect(try output(of: PitchShifter(cents: -500, format: mono(44_100)), for: samples).count == frameCount)
    #expect(
      try output(of: try SampleRateConverter(playing: mono(44_100), atRate: 0.5), for: samples).count
        == 2 * frameCount)
  }

  @Test func `tones keep their purity at another pitch`() throws {
    // What is left of a chord after the sines that it should consist of are taken away.
    let tones = [220, 277.18, 329.63, 440, 660, 880, 1320]
    for (cents, most) in [(300.0, -55.0), (-500, -50), (1200, -40)] {
      let chord = (0..<132_300).map { frame in
        Float(tones.reduce(0) { $0 + 0.1 * sin(2 * .pi * $1 * Double(frame) / 44_100 + $1) })
      }
      let result = try output(of: PitchShifter(cents: cents, format: mono(44_100)), for: chord)
      let factor = exp2(cents / 1200)
      #expect(
        residual(of: Array(result[55_000..<77_050]), sinesAt: tones.map { $0 * factor }, sampleRate: 44_100) < most)
    }
  }

  @Test(arguments: [300.0, -500, 1200])
  func `a click comes at its moment`(cents: Double) throws {
    var clicks = [Float](repeating: 0, count: 88_200)
    for click in 1..<8 {
      for frame in 0..<200 {
        clicks[click * 11_025 + frame] = Float(exp(-Double(frame) / 40)) * (frame % 2 == 0 ? 1 : -1)
      }
    }
    let result = try output(of: PitchShifter(cents: cents, format: mono(44_100)), for: clicks)
    for click in 2..<7 {
      let around = (click * 11_025 - 5000..<click * 11_025 + 5000).map { result[$0] * result[$0] }
      let loudest = try #require(around.indices.max { around[$0] < around[$1] })
      // Within 4 ms, and most of its energy within 12 ms.
      #expect(abs(loudest - 5000) < 180)
      #expect(around[4730..<5270].reduce(0, +) > 0.55 * around.reduce(0, +))
    }
  }

  @Test func `both channels are shifted alike`() throws {
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: 2)
    let noise = Signal.whiteNoise(frameCount: 30_000, rms: 0.2)
    let result = try output(
      of: PitchShifter(cents: 400, format: format), for: noise.flatMap { [$0, -0.5 * $0] }, channelCount: 2)
    for frame in 0..<30_000 { #expect(abs(result[2 * frame + 1] + 0.5 * result[2 * frame]) < 1e-5) }
  }

  /// The power that is left after the best sines at these frequencies are taken away, in decibels below the whole.
  private func residual(of samples: [Float], sinesAt frequencies: [Double], sampleRate: Double) -> Double {
    var left = samples.map(Double.init)
    let whole = left.reduce(0) { $0 + $1 * $1 }
    let base = frequencies.flatMap { frequency in
      let step = 2 * Double.pi * frequency / sampleRate
      return [samples.indices.map { cos(step * Double($0)) }, samples.indices.map { sin(step * Double($0)) }]
    }
    // The sines are nearly orthogonal: a few rounds of projections reach the least squares.
    for _ in 0..<20 {
      for vector in base {
        let factor = zip(left, vector).reduce(0) { $0 + $1.0 * $1.1 } / vector.reduce(0) { $0 + $1 * $1 }
        for index in left.indices { left[index] -= factor * vector[index] }
      }
    }
    return 10 * log10(left.reduce(0) { $0 + $1 * $1 } / whole)
  }
}
