import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

/// Tempi of made-up rhythms, from samples to the product.
struct TempoAnalysisTests {
  private static let rate = 22_050

  /// Short bursts of noise: a loud one at each beat, a soft one between two beats.
  private func rhythm(bpm: Double, seconds: Double, gain: Float = 0.5) -> [Float] {
    var samples = Signal.whiteNoise(frameCount: Int(seconds * Double(Self.rate)), rms: 1e-4)
    let burst = Signal.whiteNoise(frameCount: Self.rate / 20, rms: 0.3, seed: 9)
    for half in 0..<Int(seconds * bpm / 30) {
      let start = Int((Double(half) * 30 / bpm * Double(Self.rate)).rounded())
      let level = gain * (half.isMultiple(of: 2) ? 1 : 0.1)
      for (index, value) in burst.enumerated() where start + index < samples.count {
        samples[start + index] += level * value * exp(-Float(index) / 300)
      }
    }
    return samples
  }

  private func summary(_ samples: [Float]) throws -> RhythmSummary {
    try RhythmSummary(blob: analyze(samples, sampleRateInHz: Self.rate, kinds: [.rhythm]).bytes(.rhythm))
  }

  @Test(arguments: [80.0, 97.3, 120, 128, 140.25])
  func `the tempo of a steady rhythm is exact`(bpm: Double) throws {
    let tempo = try #require(try summary(rhythm(bpm: bpm, seconds: 60)).tempo())
    #expect(abs(tempo.beatsPerMinute / bpm - 1) < 0.0005, "\(tempo)")
    #expect(tempo.stability > 0.9)
  }

  @Test func `the gain does not matter`() throws {
    let loud = try #require(try summary(rhythm(bpm: 100, seconds: 40, gain: 1)).tempo())
    let soft = try #require(try summary(rhythm(bpm: 100, seconds: 40, gain: 0.1)).tempo())
    #expect(abs(loud.beatsPerMinute / soft.beatsPerMinute - 1) < 0.001)
  }

  @Test func `a recording of two tempi is less stable than one of one`() throws {
    let changing = rhythm(bpm: 90, seconds: 40) + rhythm(bpm: 107, seconds: 40)
    #expect(try summary(changing).stability < 0.7)
  }

  @Test func `silence and a few seconds have no tempo`() throws {
    #expect(try summary([Float](repeating: 0, count: 60 * Self.rate)).tempo() == nil)
    #expect(try summary(rhythm(bpm: 120, seconds: 3)).tempo() == nil)
    #expect(try summary([]).onsets.isEmpty)
  }

  @Test func `an onset is where a sound begins`() throws {
    var samples = [Float](repeating: 0, count: 4 * Self.rate)
    for index in 2 * Self.rate..<3 * Self.rate { samples[index] = Float(sin(0.3 * Double(index))) * 0.5 }
    let summary = try summary(samples)
    let column = try #require(summary.onsets.indices.max { summary.onsets[$0] < summary.onsets[$1] })
    #expect(abs(Double(column) / summary.columnsPerSecond - 2) < 0.05)
    // Where it ends nothing begins.
    #expect(summary.onsets[Int(3.2 * summary.columnsPerSecond)...].allSatisfy { $0 == 0 })
  }

  @Test func `the logarithm is that of the library`() {
    for exponent in stride(from: -30.0, through: 30, by: 0.37) {
      let value = Float(exp2(exponent))
      #expect(abs(binaryLogarithm(SIMD8(repeating: value))[0] - log2(value)) < 3e-5)
    }
  }
}
