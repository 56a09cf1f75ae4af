import AudioAnalysis
import Foundation
import MediaModel
import Testing
import TestSupport

struct LevelAnalyzerTests {
  @Test func `a full-scale square has peak and RMS of 0 dBFS and no crest`() throws {
    let measures = measure((0..<10_000).map { $0 / 50 % 2 == 0 ? 1 : -1 })
    #expect(measures.samplePeakInDBFS == 0)
    #expect(abs(try #require(measures.rmsInDBFS)) < 1e-5)
    #expect(abs(try #require(measures.crestInDB)) < 1e-5)
    #expect(measures.clippedSampleCount == 10_000)
  }

  @Test func `a sine has a crest of 3.01 dB`() throws {
    let measures = measure(Signal.sine(hz: 441, sampleRateInHz: 44_100, frameCount: 44_100, amplitude: 0.5))
    #expect(abs(try #require(measures.samplePeakInDBFS) - 20 * log10(0.5)) < 1e-3)
    #expect(abs(try #require(measures.rmsInDBFS) - 20 * log10(0.5 / 2.0.squareRoot())) < 1e-4)
    #expect(abs(try #require(measures.crestInDB) - 3.0103) < 1e-3)
  }

  // Faults: 19
  @Test func `digital silence has no levels, and is silent at both ends`() {
    let measures = measure([Float](repeating: 0, count: 22_050))
    #expect(
      measures
        == Measures(
          dcOffset: 0, clippedSampleCount: 0, leadingSilenceInSeconds: 0.5, trailingSilenceInSeconds: 0.5))
  }

  @Test func `a stream without frames has no measures`() {
    #expect(
      measure([]) == Measures(clippedSampleCount: 0, leadingSilenceInSeconds: 0, trailingSilenceInSeconds: 0))
  }

  @Test func `the offset is that of the channel with the largest one, with its sign`() throws {
    let right = Signal.sine(hz: 100, sampleRateInHz: 44_100, frameCount: 44_100, amplitude: 0.3).map { $0 - 0.25 }
    let left = [Float](repeating: 0.125, count: 44_100)
    let offset = try #require(measure(Signal.interleave([left, right]), channelCount: 2).dcOffset)
    #expect(abs(offset + 0.25) < 1e-6)
  }

  @Test func `clipping is three samples at full scale in a row, in one channel`() {
    let edge: Float = 32_767 / 32_768
    #expect(measure([0, 1, -1, 0, 1]).clippedSampleCount == 0)
    #expect(measure([0, 1, edge, -1, 0, 1, 1]).clippedSampleCount == 3)
    #expect(measure([1, 1, 1, 1]).clippedSampleCount == 4)
    #expect(measure(Signal.interleave([[1, 0, 1, 0], [0, 1, 0, 1]]), channelCount: 2).clippedSampleCount == 0)
  }

  @Test func `a clipped run may cross any number of chunks`() {
    var samples = [Float](repeating: 0, count: 5_000)
    for index in 1_000..<4_200 { samples[index] = -1 }
    samples[4_990] = 1
    #expect(measure(samples).clippedSampleCount == 3_200)
  }

  @Test(arguments: [0, 1, 1_023, 1_024, 2_999])
  func `silence ends before the first frame above -60 dBFS and begins after the last`(loud: Int) throws {
    var left = [Float](repeating: 0.000_9, count: 3_000)
    left[loud] = -0.001_1
    let measures = measure(Signal.interleave([[Float](repeating: 0, count: 3_000), left]), channelCount: 2)
    #expect(measures.leadingSilenceInSeconds == Double(loud) / 44_100)
    #expect(measures.trailingSilenceInSeconds == Double(2_999 - loud) / 44_100)
  }

  @Test func `sums agree with double precision over a long noise`() throws {
    let noise = Signal.whiteNoise(frameCount: 300_001, rms: 0.1).map { $0 + 0.001 }
    let measures = measure(noise)
    let mean = noise.reduce(0.0) { $0 + Double($1) } / Double(noise.count)
    let square = noise.reduce(0.0) { $0 + Double($1) * Double($1) } / Double(noise.count)
    #expect(abs(try #require(measures.dcOffset) - mean) < 1e-9)
    #expect(abs(try #require(measures.rmsInDBFS) - 10 * log10(square)) < 1e-5)
  }

  private func measure(_ samples: [Float], channelCount: Int = 1) -> Measures {
    analyze(samples, channelCount: channelCount, kinds: [.measures]).measures ?? Measures()
  }
}
