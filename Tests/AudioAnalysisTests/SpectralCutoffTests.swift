import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct SpectralCutoffTests {
  private func measure(_ samples: [Float], sampleRateInHz: Int = 44_100, channelCount: Int = 1) -> Measures {
    analyze(samples, sampleRateInHz: sampleRateInHz, channelCount: channelCount, kinds: [.measures]).measures
      ?? Measures()
  }

  /// A steep low-pass: a sinc under a Blackman window, which is 74 dB down after an edge 5.5 · rate / tapCount wide.
  private func lowPassed(_ samples: [Float], atHz edge: Double, sampleRateInHz: Int, tapCount: Int = 801) -> [Float] {
    let middle = Double(tapCount - 1) / 2
    let turn = 2 * Double.pi / Double(tapCount - 1)
    let taps = (0..<tapCount).map { index -> Float in
      let time = Double(index) - middle
      let angle = 2 * Double.pi * edge / Double(sampleRateInHz) * time
      let sinc = 2 * edge / Double(sampleRateInHz) * (time == 0 ? 1 : sin(angle) / angle)
      let window = 0.42 - 0.5 * cos(turn * Double(index)) + 0.08 * cos(2 * turn * Double(index))
      return Float(sinc * window)
    }
    return (0..<max(samples.count - tapCount + 1, 0)).map { start in
      var sum: Float = 0
      for tap in 0..<tapCount { sum += taps[tap] * samples[start + tap] }
      return sum
    }
  }

  /// As 16-bit integers, with triangular dither of two steps.
  private func dithered(_ samples: [Float], seed: UInt64 = 7) -> [Float] {
    var random = RepeatableRandom(seed: seed)
    return samples.map { sample in
      let noise = Float.random(in: -0.5...0.5, using: &random) + Float.random(in: -0.5...0.5, using: &random)
      return (sample * 32_768 + noise).rounded() / 32_768
    }
  }

  /// White noise through a chain of first-order low-passes, each with 6 dB per octave.
  private func soft(frameCount: Int, rms: Double, edgesInHz: [Double], sampleRateInHz: Double = 44_100) -> [Float] {
    edgesInHz.reduce(Signal.whiteNoise(frameCount: frameCount, rms: rms)) { samples, edge in
      let share = Float(1 - exp(-2 * Double.pi * edge / sampleRateInHz))
      var level: Float = 0
      return samples.map { sample in
        level += share * (sample - level)
        return level
      }
    }
  }

  @Test(arguments: [44_100, 48_000, 96_000], [5_000.0, 11_025, 16_000, 19_000])
  func `noise cut off by a steep filter is found there`(rate: Int, edge: Double) throws {
    let noise = lowPassed(
      Signal.whiteNoise(frameCount: 3 * rate, rms: 0.1), atHz: edge, sampleRateInHz: rate, tapCount: rate / 55)
    for samples in [noise, dithered(noise)] {
      let measures = measure(Signal.faded(samples), sampleRateInHz: rate)
      #expect(abs(try #require(measures.cutoffInHz) - edge) < 100)
      #expect(try #require(measures.cutoffConfidence) > 0.9)
    }
  }

  @Test func `a recording of 44.1 kHz in a file of 96 kHz ends at 22 kHz`() throws {
    let noise = Signal.whiteNoise(frameCount: 300_000, rms: 0.1)
    let measures = measure(
      Signal.faded(lowPassed(noise, atHz: 21_500, sampleRateInHz: 96_000, tapCount: 1_745)),
      sampleRateInHz: 96_000)
    #expect(abs(try #require(measures.cutoffInHz) - 21_500) < 100)
  }

  @Test func `the filter of a converter close to half the sample rate is no cutoff`() {
    let noise = Signal.whiteNoise(frameCount: 150_000, rms: 0.1)
    #expect(measure(Signal.faded(lowPassed(noise, atHz: 21_300, sampleRateInHz: 44_100))).cutoffInHz == nil)
  }

  @Test(
    arguments: [
      [], [8_000], [3_000, 3_000], [2_000, 2_000, 2_000], [1_000, 1_000, 4_000, 8_000], [200],
    ], [0.2, 0.01, 0.000_5])
  func `a spectrum that fades out, also into the noise of 16 bits, has no cutoff`(edges: [Double], rms: Double) {
    let samples = soft(frameCount: 200_000, rms: rms, edgesInHz: edges)
    #expect(measure(samples).cutoffInHz == nil)
    #expect(measure(dithered(samples)).cutoffInHz == nil)
  }

  @Test func `a whistle above everything else is no cutoff`() {
    let soft = soft(frameCount: 200_000, rms: 0.1, edgesInHz: [3_000, 3_000])
    let whistle = Signal.sine(hz: 15_625, sampleRateInHz: 44_100, frameCount: 200_000, amplitude: 0.03)
    #expect(measure(dithered(zip(soft, whistle).map { $0 + $1 })).cutoffInHz == nil)
  }

  @Test func `a whistle above a cutoff does not hide it`() throws {
    let noise = lowPassed(Signal.whiteNoise(frameCount: 150_000, rms: 0.1), atHz: 16_000, sampleRateInHz: 44_100)
    let whistle = Signal.sine(hz: 19_000, sampleRateInHz: 44_100, frameCount: noise.count, amplitude: 0.01)
    let measures = measure(Signal.faded(zip(noise, whistle).map { $0 + $1 }))
    #expect(abs(try #require(measures.cutoffInHz) - 16_000) < 100)
  }

  @Test func `a gap with noise above it is no cutoff`() {
    let noise = Signal.whiteNoise(frameCount: 150_000, rms: 0.1)
    let low = lowPassed(noise, atHz: 12_000, sampleRateInHz: 44_100)
    // Above 18 kHz: the part that the low-pass removes, with the same delay.
    let kept = lowPassed(noise, atHz: 18_000, sampleRateInHz: 44_100)
    let gapped = low.indices.map { low[$0] + noise[$0 + 400] - kept[$0] }
    #expect(measure(Signal.faded(gapped)).cutoffInHz == nil)
  }

  @Test func `a sine of any frequency has no cutoff`() {
    for hertz in [1_000.0, 4_000, 10_000, 16_000, 20_000] {
      let sine = Signal.sine(hz: hertz, sampleRateInHz: 44_100, frameCount: 100_000, amplitude: 0.5)
      #expect(measure(dithered(sine)).cutoffInHz == nil, "\(hertz)")
    }
  }

  @Test func `fewer than twenty windows are not enough`() {
    let noise = lowPassed(Signal.whiteNoise(frameCount: 100_000, rms: 0.1), atHz: 16_000, sampleRateInHz: 44_100)
    // 20 hops of 1,536: 0.7 s.
    #expect(measure(Array(noise.prefix(28_000))).cutoffInHz == nil)
    #expect(measure(Array(noise.prefix(33_000))).cutoffInHz != nil)
  }

  @Test(arguments: [1, 100, 5_000, 7_999, 8_000, 11_025]) func `noise at low sample rates has no cutoff`(
    rate: Int
  ) {
    let measures = measure(Signal.whiteNoise(frameCount: 60_000, rms: 0.1), sampleRateInHz: rate)
    #expect(measures.cutoffInHz == nil)
  }

  /// Bins of 20 Hz with a flat spectrum except for one step.
  @Test(arguments: zip([10.0, 13, 24, 36, 60], [nil, 1.0 / 24, 0.5, 1, 1]))
  func `the confidence grows with the height of the edge`(height: Double, confidence: Double?) throws {
    let powers = (0...1_100).map { $0 <= 800 ? 1e-7 : 1e-7 * pow(10, -height / 10) }
    let bins = BinPowers(sampleRateInHz: 44_000, means: powers, maxima: powers, frameCount: 1_000)
    let cutoff = SpectralCutoff(bins)
    #expect((cutoff == nil) == (confidence == nil))
    if let cutoff, let confidence {
      #expect(abs(cutoff.confidence - confidence) < 1e-9)
      #expect(abs(cutoff.frequencyInHz - 16_010) < 40)
    }
  }
}
