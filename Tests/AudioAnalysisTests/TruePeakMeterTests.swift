import SignalProcessing
import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct TruePeakMeterTests {
  private func peak(_ channels: [[Float]], sampleRateInHz rate: Int = 44_100, skips: Bool = true) -> Double? {
    var assembler = ChunkAssembler(channelCount: channels.count)
    var meter = TruePeakMeter(
      format: AudioFormat(sampleRateInHz: rate, channelCount: channels.count), skipsWhatCannotExceed: skips)
    let samples = Signal.interleave(channels)
    assembler.append(samples.span) { meter.consume($0) }
    assembler.finish { meter.consume($0) }
    return meter.finish()
  }

  /// Sines of random frequencies up to a part of the sample rate, faded in and out: band-limited, and known at any
  /// time.
  private struct Chord {
    static let frameCount = 3_000
    let waves: [(frequency: Double, phase: Double)]

    init(seed: UInt64, upTo limit: Double) {
      var random = RepeatableRandom(seed: seed)
      waves = (0..<40).map { _ in
        (Double.random(in: 0.001...limit, using: &random), Double.random(in: 0...(2 * .pi), using: &random))
      }
    }

    func value(at frame: Double) -> Double {
      let envelope = 0.5 - 0.5 * cos(2 * .pi * frame / Double(Self.frameCount))
      return envelope * waves.reduce(0) { $0 + 0.05 * sin(2 * .pi * $1.frequency * frame + $1.phase) }
    }

    var samples: [Float] { (0..<Self.frameCount).map { Float(value(at: Double($0))) } }

    func peakInDB(oversampling factor: Int) -> Double {
      let peak = (0..<factor * Self.frameCount).reduce(0) { max($0, abs(value(at: Double($1) / Double(factor)))) }
      return 20 * log10(peak)
    }
  }

  @Test(arguments: 1...10)
  func `the peak is that of the continuous signal at the oversampled points`(seed: UInt64) throws {
    let chord = Chord(seed: seed, upTo: 0.45)
    let found = try #require(peak([chord.samples]))
    #expect(abs(found - chord.peakInDB(oversampling: 4)) < 0.02)
    let atTwice = try #require(peak([chord.samples], sampleRateInHz: 96_000))
    #expect(abs(atTwice - chord.peakInDB(oversampling: 2)) < 0.02)
  }

  @Test(arguments: 1...10)
  func `four times oversampling misses at most half a decibel of a peak`(seed: UInt64) throws {
    let chord = Chord(seed: seed, upTo: 0.4)
    let exact = chord.peakInDB(oversampling: 32)
    let found = try #require(peak([chord.samples]))
    #expect(found < exact + 0.02 && found > exact - 0.45)
  }

  @Test(arguments: [44_100, 96_000, 192_000])
  func `skipping blocks does not change a bit`(rate: Int) {
    let noise = Signal.whiteNoise(frameCount: 30_001, rms: 0.3)
    var impulses = [Float](repeating: 0, count: 20_000)
    for (index, frame) in stride(from: 3, to: 20_000, by: 97).enumerated() {
      impulses[frame] = index % 3 == 0 ? -0.9 : 0.9
    }
    let signals: [[Float]] = [
      noise, impulses, noise.map { max(-0.2, min(0.2, $0)) },
      Signal.faded(Signal.sine(hz: 10_003, sampleRateInHz: 44_100, frameCount: 40_000)),
      Signal.sine(hz: 21_000, sampleRateInHz: 44_100, frameCount: 5_000),
      LoudnessAnalyzerTests.music(seconds: 3, sampleRateInHz: 44_100, seed: 4),
      // A crescendo and a decrescendo.
      noise.enumerated().map { $1 * Float($0) / 30_000 }, noise.enumerated().map { $1 * (1 - Float($0) / 30_002) },
      noise.map { $0 * 1e38 }, [1], [],
    ]
    for signal in signals {
      let channels = [signal, Array(signal.reversed())]
      #expect(peak(channels, sampleRateInHz: rate) == peak(channels, sampleRateInHz: rate, skips: false))
    }
  }

  @Test(arguments: [0, 1, 23, 24, 63, 64, 1_000, 1_022, 1_023, 1_024, 1_047, 1_087, 1_088, 2_047])
  func `a peak between two samples is found wherever they lie`(frame: Int) throws {
    func pulse(at frame: Int, frameCount: Int) -> [Float] {
      var samples = [Float](repeating: 0, count: frameCount)
      samples[frame] = 0.5
      samples[frame + 1] = 0.5
      return samples
    }
    let expected = try #require(peak([pulse(at: 500, frameCount: 3_000)]))
    // The interpolator gives twice sin(π/2)/(π/2) there, except for its window.
    #expect(abs(expected - 20 * log10(2 / .pi)) < 0.1)
    #expect(peak([pulse(at: frame, frameCount: 3_000)]) == expected)
    // The last two samples of a stream, too.
    #expect(peak([pulse(at: frame, frameCount: frame + 2)]) == expected)
  }

  @Test func `the loudest channel counts, and never less than its loudest sample`() throws {
    let quiet = Signal.whiteNoise(frameCount: 5_000, rms: 0.01)
    var loud = quiet
    loud[1_234] = -0.75
    #expect(try #require(peak([quiet, quiet, loud])) >= 20 * log10(0.75))
    #expect(peak([quiet, quiet, loud]) == peak([loud]))
    #expect(peak([loud], sampleRateInHz: 192_000) == 20 * log10(0.75))
  }

  @Test(arguments: [44_100, 96_000])
  func `huge samples have a finite peak`(rate: Int) throws {
    let huge = (0..<5_000).map { Float.greatestFiniteMagnitude * [1, -1, 1, 1, -1, -1, 0][$0 % 7] }
    #expect(try #require(peak([huge], sampleRateInHz: rate)).isFinite)
  }

  @Test(arguments: [
    (8_000, 4), (44_100, 4), (88_200, 4), (95_999, 4), (96_000, 2), (176_400, 2), (192_000, 1), (384_000, 1),
  ])
  func `the sample rate decides the oversampling`(rate: Int, factor: Int) {
    #expect(TruePeakFilter(sampleRateInHz: rate).phases.count == factor - 1)
  }
}
