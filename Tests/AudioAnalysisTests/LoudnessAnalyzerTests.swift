import SignalProcessing
import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct LoudnessAnalyzerTests {
  private static let surroundGain = 10 * log10(1.41)

  /// The filters go on for ever, far below what anybody measures: EBU Tech 3341 shows nothing below -59 LUFS.
  @Test func `what is left of the filters in digital silence is silence`() throws {
    let tone = Signal.sine(hz: 997, sampleRateInHz: 48_000, frameCount: 48_000)
    let quiet = Signal.sine(hz: 997, sampleRateInHz: 48_000, frameCount: 48_000, amplitude: pow(10, -110.0 / 20))
    var analyzer = LoudnessCourseAnalyzer(format: AudioFormat(sampleRateInHz: 48_000, channelCount: 1))
    analyzer.consume((tone + [Float](repeating: 0, count: 4 * 48_000) + quiet).span)
    let course = analyzer.finish()
    let levels = (course.momentaryInLUFS + course.shortTermInLUFS).compactMap { $0 }
    #expect(try #require(levels.min()) > -120 && levels.max() ?? -200 > -4)
    // Two seconds after the tone, and at the end of the quiet one, which is not silence.
    #expect(course.momentaryInLUFS[30] == nil)
    #expect(abs(try #require(course.momentaryInLUFS.last ?? nil) + 113.01) < 0.1)
  }

  @Test func `a full-scale sine of 997 Hz in one channel has -3.01 LKFS`() throws {
    let sine = Signal.sine(hz: 997, sampleRateInHz: 48_000, frameCount: 48_000 * 5)
    #expect(abs(try #require(measure([sine]).integratedLoudnessInLUFS) + 3.01) < 0.01)
  }

  @Test(
    arguments: [
      8_000, 11_025, 22_050, 32_000, 44_100, 48_000, 88_200, 96_000, 176_400, 192_000, 352_800, 384_000,
    ])
  func `1 kHz at -23 dBFS in stereo has -23 LUFS at every rate`(rate: Int) throws {
    let sine = Signal.sine(hz: 1_000, sampleRateInHz: rate, frameCount: rate * 4, amplitude: pow(10, -23.0 / 20))
    let measures = measure([sine, sine], sampleRateInHz: rate)
    #expect(abs(try #require(measures.integratedLoudnessInLUFS) + 23) < 0.1)
    #expect(abs(try #require(measures.momentaryMaximumInLUFS) + 23) < 0.1)
    #expect(abs(try #require(measures.shortTermMaximumInLUFS) + 23) < 0.1)
    #expect(try #require(measures.loudnessRangeInLU) < 0.05)
  }

  @Test(
    arguments: [
      (.standard, [0]), (.standard, [0, 0]), (.standard, [0, 0, 0]), (.standard, [0, 0, 1, 1]),
      (.standard, [0, 0, 0, 1, 1]), (.standard, [0, 0, 0, nil, 1, 1]), (.standard, [0, 0, 0, nil, 0, 1, 1]),
      (.standard, [0, 0, 0, nil, 0, 0, 1, 1]), (.standard, [0, 0, 0, 0, 0, 0, 0, 0, 0]),
      (.vorbis, [0, 0, 0, 1, 1, nil]), (.vorbis, [0, 0, 0, 1, 1, 0, nil]), (.vorbis, [0, 0, 0, 1, 1, 0, 0, nil]),
      (.unspecified, [0, 0, 0, 0, 0, 0]),
    ] as [(AudioFormat.ChannelOrder, [Double?])])
  func `the weight of a channel depends on its loudspeaker, and low-frequency effects do not count`(
    order: AudioFormat.ChannelOrder, gains: [Double?]
  ) throws {
    try expect(
      gains, of: AudioFormat(sampleRateInHz: 48_000, channelCount: gains.count, channelOrder: order))
  }

  /// 3.1, 2.1, 4.0, 6.0, 5.1 with side and with back channels, 7.1, quadraphony, and a mask with another number of
  /// channels.
  @Test(
    arguments: [
      (0x0F, [0, 0, 0, nil]), (0x0B, [0, 0, nil]), (0x107, [0, 0, 0, 0]), (0x707, [0, 0, 0, 0, 1, 1]),
      (0x60F, [0, 0, 0, nil, 1, 1]), (0x3F, [0, 0, 0, nil, 1, 1]), (0x63F, [0, 0, 0, nil, 0, 0, 1, 1]),
      (0x33, [0, 0, 1, 1]), (0x3, [0, 0, 1, 1]),
    ] as [(UInt32, [Double?])])
  func `a mask of loudspeakers gives the weight of each channel`(mask: UInt32, gains: [Double?]) throws {
    try expect(gains, of: AudioFormat(sampleRateInHz: 48_000, channelCount: gains.count, channelMask: mask))
  }

  /// - Parameter gains: The gain of each channel in units of the surround gain; nil for a channel that does not count.
  private func expect(_ gains: [Double?], of format: AudioFormat) throws {
    let sine = Signal.sine(hz: 997, sampleRateInHz: 48_000, frameCount: 48_000)
    let silence = [Float](repeating: 0, count: 48_000)
    for (channel, gain) in gains.enumerated() {
      let samples = Signal.interleave(gains.indices.map { $0 == channel ? sine : silence })
      var analyzer = TrackAnalyzer(format: format, kinds: [.measures])
      analyzer.consume(samples.span)
      let loudness = analyzer.finish().measures?.integratedLoudnessInLUFS
      if let gain {
        #expect(abs(try #require(loudness) + 3.01 - gain * Self.surroundGain) < 0.02, "channel \(channel)")
      } else {
        #expect(loudness == nil)
      }
    }
  }

  @Test(arguments: [44_100, 48_000, 96_000, 192_000], [1, 2, 3, 6])
  func `all numbers are as defined`(rate: Int, channelCount: Int) throws {
    let channels = (0..<channelCount).map {
      Self.music(seconds: rate > 50_000 ? 6 : 15, sampleRateInHz: rate, seed: UInt64($0 + 1))
    }
    let reference = try #require(
      ReferenceLoudness(
        channels, weights: channelCount == 6 ? [1, 1, 1, 0, 1.41, 1.41] : [1, 1, 1], sampleRateInHz: rate))
    let measures = measure(channels, sampleRateInHz: rate)
    func difference(_ value: Double?, _ expected: Double?) throws -> Double {
      abs(try #require(value) - (try #require(expected)))
    }
    #expect(try difference(measures.integratedLoudnessInLUFS, reference.integrated) < 0.005)
    #expect(try difference(measures.loudnessRangeInLU, reference.range) < 0.02)
    #expect(try difference(measures.momentaryMaximumInLUFS, reference.momentaryMaximum) < 1e-6)
    #expect(try difference(measures.shortTermMaximumInLUFS, reference.shortTermMaximum) < 1e-6)
    #expect(try #require(measures.loudnessRangeInLU) > 0.5)
  }

  @Test(arguments: [8_000, 11_025, 44_100])
  func `a frame less than 400 ms has no loudness, a frame less than 3 s no range`(rate: Int) {
    func noise(_ frameCount: Int) -> Measures {
      measure([Signal.whiteNoise(frameCount: frameCount, rms: 0.1)], sampleRateInHz: rate)
    }
    let (block, window) = (rate * 4 / 10, rate * 3)
    #expect(noise(block - 1).integratedLoudnessInLUFS == nil && noise(block - 1).momentaryMaximumInLUFS == nil)
    #expect(noise(block).integratedLoudnessInLUFS != nil && noise(block).momentaryMaximumInLUFS != nil)
    #expect(noise(window - 1).shortTermMaximumInLUFS == nil && noise(window - 1).loudnessRangeInLU == nil)
    #expect(noise(window).shortTermMaximumInLUFS != nil && noise(window).loudnessRangeInLU == 0)
  }

  @Test func `silence has no loudness`() {
    let measures = measure([[Float](repeating: 0, count: 200_000)])
    #expect(measures.integratedLoudnessInLUFS == nil && measures.loudnessRangeInLU == nil)
    #expect(measures.momentaryMaximumInLUFS == nil && measures.shortTermMaximumInLUFS == nil)
    #expect(measures.truePeakInDBTP == nil && measures.replayGainInDB == nil)
  }

  @Test func `a signal below -70 LUFS has maxima, which are not gated, but no loudness`() throws {
    let measures = SteppedTone.measure([(-80, 5)])
    #expect(measures.integratedLoudnessInLUFS == nil && measures.loudnessRangeInLU == nil)
    #expect(abs(try #require(measures.momentaryMaximumInLUFS) + 80) < 0.1)
    #expect(abs(try #require(measures.shortTermMaximumInLUFS) + 80) < 0.1)
  }

  @Test func `at sample rates too low for the weighting there is no loudness, and no blocks`() throws {
    let noise = Signal.whiteNoise(frameCount: 20_000, rms: 0.1)
    let analysis = analyze(noise, sampleRateInHz: 3_000, kinds: [.measures, .loudness])
    #expect(analysis.measures?.integratedLoudnessInLUFS == nil && analysis.measures?.truePeakInDBTP != nil)
    #expect(try GatingHistogram(blob: analysis.bytes(.loudness)).isEmpty)
  }

  @Test func `samples far beyond full scale are loud, and finite`() throws {
    let square = (0..<48_000).map { $0 / 24 % 2 == 0 ? Float.greatestFiniteMagnitude : -.greatestFiniteMagnitude }
    let measures = measure([square, square])
    let loudness = try #require(measures.integratedLoudnessInLUFS)
    #expect(loudness.isFinite && loudness > 770)
  }

  @Test(arguments: [44_100, 48_000], [5.0, 60, 240])
  func `the stored histogram gives the loudness of the track, in less than 1 KB`(rate: Int, seconds: Double) throws {
    let music = Self.music(seconds: seconds, sampleRateInHz: rate, seed: 9)
    let analysis = analyze(music, sampleRateInHz: rate, kinds: [.measures, .loudness])
    let blob = try analysis.bytes(.loudness)
    let loudness = try #require(analysis.measures?.integratedLoudnessInLUFS)
    #expect(abs(try #require(try GatingHistogram(blob: blob).integratedLoudness) - loudness) < 0.02)
    #expect(blob.count < 1_000)
  }

  @Test func `an album is as loud as its tracks in one file`() throws {
    // With silence around each track, so that the blocks across the joints equal those at the ends.
    let silence = [Float](repeating: 0, count: 24_000)
    let tracks = [-14.0, -26, -20].enumerated().map { index, level in
      let music = Self.music(seconds: 20, sampleRateInHz: 48_000, seed: UInt64(index))
      return silence + music.map { $0 * Float(pow(10, level / 20)) } + silence
    }
    var album = GatingHistogram()
    for track in tracks {
      let analysis = analyze(track, sampleRateInHz: 48_000, kinds: [.loudness])
      album.formUnion(try GatingHistogram(blob: analysis.bytes(.loudness)))
    }
    let whole = try #require(measure([tracks.flatMap { $0 }]).integratedLoudnessInLUFS)
    #expect(abs(try #require(album.integratedLoudness) - whole) < 0.02)
  }

  @Test func `nothing is left ringing a second after a sound has ended`() throws {
    var pair = KWeightedPair(try #require(KWeighting(sampleRateInHz: 48_000)))
    let sound = SampleBuffer(Signal.whiteNoise(frameCount: PlanarChunk.capacity, rms: 0.5))
    let silence = SampleBuffer(count: PlanarChunk.capacity)
    #expect(pair.energies(sound.pointer, silence.pointer, count: PlanarChunk.capacity).y == 0)
    for _ in 0..<40 {
      pair.forgetNegligible()
      _ = pair.energies(silence.pointer, silence.pointer, count: PlanarChunk.capacity)
    }
    #expect(pair.energies(silence.pointer, silence.pointer, count: PlanarChunk.capacity) == .zero)
  }

  /// Noise with changing colour and level and with pauses, similar to music.
  static func music(seconds: Double, sampleRateInHz rate: Int, seed: UInt64) -> [Float] {
    var random = RepeatableRandom(seed: seed)
    let noise = Signal.whiteNoise(frameCount: Int(seconds * Double(rate)), rms: 0.5, seed: seed)
    var level = 0.0
    var smooth = 0.0
    var colour = 0.5
    return noise.enumerated().map { index, sample in
      if index.isMultiple(of: rate / 5) {
        level = pow(10, Double.random(in: -2 ... -0.1, using: &random))
        colour = Double.random(in: 0.02...1, using: &random)
      }
      smooth += colour * (Double(sample) - smooth)
      return Float(smooth * level)
    }
  }
}
