import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct TruePeakLimiterTests {
  enum Sound: CaseIterable {
    case noise, burst, square, highSine, impulses, clippedMusic
  }

  @Test(arguments: Sound.allCases)
  func `no true peak remains above -1 dBTP`(sound: Sound) throws {
    let rate = 44_100
    var samples: [Float] =
      switch sound {
      // Up to 19 kHz: true peak meters are not exact in the last tenth below half the sample rate.
      case .noise:
        try output(
          of: try SampleRateConverter(mono(38_000), toSampleRate: rate),
          for: Signal.whiteNoise(frameCount: 19_000, rms: 1))
      case .burst:
        (0..<rate / 2).map { $0 / 3000 % 2 == 0 ? 0.1 : Float(2.5 * sin(0.3 * Double($0))) }
      case .square: (0..<rate / 2).map { $0 / 37 % 2 == 0 ? 1 : -1 }
      // A quarter of the rate, sampled between its peaks: 3 dB above its samples.
      case .highSine:
        Signal.sine(hz: 11_025, sampleRateInHz: rate, frameCount: rate / 2, amplitude: 1.4, phase: .pi / 4)
      case .impulses: (0..<rate / 2).map { $0 % 1777 == 5 ? 8 : 0 }
      case .clippedMusic:
        Signal.chords(seconds: 0.5, sampleRateInHz: rate).map { max(-1, min(1, 6 * $0)) }
      }
    samples[0] = 0.9
    let result = try output(of: TruePeakLimiter(format: mono(rate)), for: samples)
    #expect(result.count == samples.count)
    let peak = truePeak(result)
    #expect(peak <= -1, "\(sound): \(peak) dBTP")
    // The gain is reduced no more than necessary.
    if sound != .impulses { #expect(peak > -1.6, "\(sound): \(peak) dBTP") }
  }

  @Test func `samples below the ceiling keep every bit, also after a loud moment`() throws {
    var samples = Signal.whiteNoise(frameCount: 200_000, rms: 0.1)
    let quiet = try output(of: TruePeakLimiter(format: mono(44_100)), for: samples)
    #expect(quiet == samples)
    samples[10_000] = 1.5
    let limiter = TruePeakLimiter(format: mono(44_100))
    let result = try output(of: limiter, for: samples)
    #expect(result[..<9000].elementsEqual(samples[..<9000]))
    #expect(result[150_000...].elementsEqual(samples[150_000...]))
    #expect(abs(limiter.greatestReductionInDB - (20 * log10(1.5) + 1.15)) < 0.5)
  }

  @Test func `both channels get the same gain`() throws {
    let left = Signal.sine(hz: 300, sampleRateInHz: 44_100, frameCount: 30_000, amplitude: 1.8)
    let right = left.map { $0 / 4 }
    let result = try output(
      of: TruePeakLimiter(format: stereo(44_100)), for: Signal.interleave([left, right]), channelCount: 2)
    for frame in 0..<30_000 { #expect(abs(result[2 * frame] / 4 - result[2 * frame + 1]) < 1e-6) }
  }

  @Test(arguments: [1, 2])
  func `cutting the stream into blocks changes no bit`(channelCount: Int) throws {
    let noise = Signal.whiteNoise(frameCount: 9000 * channelCount, rms: 0.7)
    let format = AudioFormat(sampleRateInHz: 44_100, channelCount: channelCount)
    try expectSameWhereverCut(noise, channelCount: channelCount) { TruePeakLimiter(format: format) }
  }

  @Test(arguments: [0, 1, 20, 300])
  func `short streams come out whole`(frameCount: Int) throws {
    let samples = (0..<frameCount).map { Float($0 % 3) * 0.3 }
    #expect(try output(of: TruePeakLimiter(format: mono(44_100)), for: samples) == samples)
  }

  /// With a sinc of 400 frames at 32 points per frame, in double precision.
  private func truePeak(_ samples: [Float]) -> Double {
    let loud = (samples.map { abs($0) }.max() ?? 0) * 0.6
    var peak = 0.0
    let half = 200
    let kernels: [[Double]] = (0..<32).map { phase in
      (-half + 1...half).map { tap in
        let x = Double(tap) - Double(phase) / 32
        let window = 0.5 + 0.5 * cos(.pi * x / Double(half + 1))
        return x == 0 ? 1 : sin(.pi * x) / (.pi * x) * window
      }
    }
    for frame in samples.indices
    where abs(samples[frame]) > loud || (frame + 1 < samples.count && abs(samples[frame + 1]) > loud) {
      for kernel in kernels {
        var sum = 0.0
        for tap in 0..<2 * half {
          let index = frame + tap - half + 1
          if samples.indices.contains(index) { sum += kernel[tap] * Double(samples[index]) }
        }
        peak = max(peak, abs(sum))
      }
    }
    return 20 * log10(peak)
  }

  @Test func `the reduction is finite for any input`() throws {
    let limiter = TruePeakLimiter(format: mono(44_100))
    _ = try output(of: limiter, for: [0, 0, 1e30, 0, 0])
    #expect(limiter.greatestReductionInDB.isFinite && limiter.greatestReductionInDB > 200)
  }
}
