import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct LiveChainTests {
  @Test(arguments: [1, 2, 6], [[128], [1, 1024, 77]])
  func `without effects every bit comes out, late by the latency`(channelCount: Int, blockSizes: [Int]) throws {
    let noise = Signal.whiteNoise(frameCount: 4000 * channelCount, rms: 0.1)
    let chain = LiveChain(format: AudioFormat(sampleRateInHz: 48_000, channelCount: channelCount))
    let found = heard(chain, noise, blockSizes: blockSizes)
    let latency = chain.latencyFrameCount * channelCount
    #expect(latency > 0)
    #expect(found[..<latency].allSatisfy { $0 == 0 })
    #expect(found[latency...].elementsEqual(noise.dropLast(latency)))
  }

  @Test func `what is heard is what rendering gives`() throws {
    let format = stereo(44_100)
    let music = Signal.interleave([
      Signal.chords(seconds: 1, sampleRateInHz: 44_100),
      Signal.chords(seconds: 1, sampleRateInHz: 44_100).map { -$0 / 2 },
    ])
    let equalizer = try GraphicEqualizer.equalizer(sliders: [6, 4, 0, -2, 1, 0, 3, -5, 2, 8], gain: 3)
    let reverberation = try Reverberation(.mediumHall, mix: 30)
    let chain = LiveChain(format: format, equalizer: equalizer)
    try chain.update(reverberation)
    try chain.update(gainInDB: 4)
    // The next sound begins with the settings.
    try chain.reset()
    let found = heard(chain, music, channelCount: 2)
    let limiter = TruePeakLimiter(format: format)
    let effects = EffectSequence(
      [
        try EffectSequence(EffectChain(equalizer: equalizer, reverberation: reverberation), format: format),
        Gain(decibels: 4, format: format), limiter,
      ], format: format)
    let expected = try output(of: effects, for: music, channelCount: 2)
    let latency = 2 * chain.latencyFrameCount
    #expect(found[latency...].elementsEqual(expected[..<(music.count - latency)]))
    #expect(limiter.greatestReductionInDB > 0.1, "the limiter had nothing to do")
  }

  enum Change: CaseIterable {
    case equalizer, reverberation, gain, all
  }

  /// A sine of 200 Hz and amplitude 0.25 moves by at most 0.0071 from one sample to the next; with 6 dB more, by twice that.
  @Test(arguments: Change.allCases)
  func `sixty changes a second make no click`(change: Change) throws {
    let rate = 44_100
    let sine = Signal.sine(hz: 200, sampleRateInHz: rate, frameCount: 2 * rate, amplitude: 0.25)
    let chain = LiveChain(format: mono(rate))
    let rooms = Reverberation.Room.allCases
    var result: [Float] = []
    for block in 0..<120 {
      if change == .equalizer || change == .all {
        let gain = 6 * sin(Double(block))
        chain.update(try Equalizer(bands: [EqualizerBand(.parametric, frequency: 200, gain: gain)]))
      }
      if change == .reverberation || change == .all {
        try chain.update(try Reverberation(rooms[block % rooms.count], mix: Double(block % 50)))
      }
      if change == .gain || change == .all { try chain.update(gainInDB: -6 * Double(block % 3)) }
      let range = block * sine.count / 120..<(block + 1) * sine.count / 120
      result += heard(chain, Array(sine[range]))
    }
    let largest = zip(result, result.dropFirst()).map { abs($1 - $0) }.max() ?? 1
    let bound: Float = change == .all ? 0.04 : 0.02
    #expect(largest < bound, "\(largest)")
    #expect(largest > 0.005, "nothing is heard")
  }

  @Test func `after changes in quick succession the last one is heard`() throws {
    let noise = Signal.whiteNoise(frameCount: 60_000, rms: 0.05)
    let chain = LiveChain(format: mono(44_100))
    for gain in [-3.0, 6, -9, -20] { try chain.update(gainInDB: gain) }
    let found = heard(chain, noise)
    let latency = chain.latencyFrameCount
    for frame in 20_000..<50_000 { #expect(abs(found[frame + latency] - noise[frame] / 10) < 1e-6) }
  }

  private func heard(
    _ chain: LiveChain, _ samples: [Float], channelCount: Int? = nil, blockSizes: [Int] = [128]
  ) -> [Float] {
    var result = samples
    result.withUnsafeMutableBufferPointer { buffer in
      var start = 0
      var turn = 0
      while start < buffer.count {
        let size = blockSizes[turn % blockSizes.count] * (channelCount ?? chain.format.channelCount)
        let end = min(buffer.count, start + size)
        chain.process(UnsafeMutableBufferPointer(rebasing: buffer[start..<end]))
        start = end
        turn += 1
      }
    }
    return result
  }
}
