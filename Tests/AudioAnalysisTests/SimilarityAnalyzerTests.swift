import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

struct SimilarityAnalyzerTests {
  private func statistics(_ samples: [Float], rate: Int = 22_050) throws -> SimilarityStatistics {
    try SimilarityStatistics(
      blob: analyze(samples, sampleRateInHz: rate, kinds: [.similarity]).bytes(.similarity))
  }

  @Test func `the gain changes hardly anything`() throws {
    let music = Signal.chords(seconds: 20, sampleRateInHz: 22_050)
    let loud = try statistics(music).values
    let soft = try statistics(music.map { $0 / 2 }).values
    // Noise that falls below the floor of the bands is all that may differ.
    let distance = zip(loud, soft).map { abs($0 - $1) / (abs($0) + abs($1) + 1) }.reduce(0, +)
    #expect(distance / Float(loud.count) < 0.02)
  }

  @Test(arguments: [0, 1, 1_000, 100_000])
  func `short and silent recordings have finite statistics`(count: Int) throws {
    #expect(try statistics([Float](repeating: 0, count: count)).values.allSatisfy(\.isFinite))
    #expect(try statistics(Signal.whiteNoise(frameCount: count, rms: 0.3)).values.allSatisfy(\.isFinite))
  }

  @Test func `a rhythm repeats at its lag`() throws {
    // Bursts twice a second: of the 24 lags from 0.2 to 2 s, those at 0.5 and 1 s stand out.
    var samples = [Float](repeating: 0, count: 22_050 * 30)
    let burst = Signal.whiteNoise(frameCount: 1_000, rms: 0.3)
    for start in stride(from: 0, to: samples.count - 1_000, by: 11_025) {
      for (index, value) in burst.enumerated() { samples[start + index] = value }
    }
    let values = try statistics(samples).values[SimilarityStatistics.Group.rhythm.range]
    let middle = Array(values.dropFirst(24).prefix(24))
    let lags = (0..<24).map { 0.2 * pow(10, Double($0) / 23) }
    let best = try #require(middle.indices.max { middle[$0] < middle[$1] })
    #expect([0.5, 1, 1.5, 2].contains { abs($0 / lags[best] - 1) < 0.06 })
    let between = try #require(lags.indices.min { abs(lags[$0] - 0.75) < abs(lags[$1] - 0.75) })
    #expect(middle[best] > 0.5 && middle[between] < 0.1)
  }
}
