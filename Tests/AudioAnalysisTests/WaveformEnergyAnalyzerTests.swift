import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct WaveformEnergyAnalyzerTests {
  @Test(arguments: [22_050, 44_100, 48_000, 96_000, 192_000, 384_000])
  func `a sine is in the region of its frequency`(rate: Int) throws {
    for (frequency, part) in [(200.0, 0), (1_500, 1), (8_000, 2)] where frequency < Double(rate) / 2 {
      let sine = Signal.sine(hz: frequency, sampleRateInHz: rate, frameCount: 2 * rate, amplitude: 0.5)
      let energy = try analyze(sine, sampleRateInHz: rate, kinds: [.waveformEnergy]).energy
      #expect(energy.points.count == (2 * rate + 1_023) / 1_024)
      // Not at the ends, where the sine begins and stops with a click.
      for point in energy.points.dropFirst(16).dropLast(16) {
        let parts = [point.low, point.mid, point.high].map { DecibelStep.decode($0) }
        #expect(abs(parts[part] + 9.03) < 0.8)
        #expect((0..<3).allSatisfy { $0 == part || parts[$0] < -50 })
      }
    }
  }

  @Test func `a sine at the border of two regions is in both equally`() throws {
    for split in [600.0, 4_000] {
      let sine = Signal.sine(hz: split, sampleRateInHz: 48_000, frameCount: 48_000)
      let point = try analyze(sine, sampleRateInHz: 48_000, kinds: [.waveformEnergy]).energy.points[20]
      let pair = split == 600 ? (point.low, point.mid) : (point.mid, point.high)
      #expect(abs(DecibelStep.decode(pair.0) + 6) < 1.6)
      #expect(abs(DecibelStep.decode(pair.1) + 6) < 1.6)
    }
  }

  @Test func `the regions of noise have their shares of its power`() throws {
    let noise = Signal.whiteNoise(frameCount: 44_100 * 10, rms: 0.1)
    let points = try analyze(noise, kinds: [.waveformEnergy]).energy.points
    // The mean power relative to that of the noise.
    func share(_ part: KeyPath<WaveformEnergy.Point, UInt8>) -> Double {
      let powers = points.map { pow(10, Double(DecibelStep.decode($0[keyPath: part])) / 10) }
      return powers.reduce(0, +) / Double(powers.count) / 0.01
    }
    #expect(abs(share(\.rms) - 1) < 0.02)
    #expect(abs(share(\.low) - 600.0 / 22_050) < 0.002)
    #expect(abs(share(\.mid) - 3_400.0 / 22_050) < 0.007)
    #expect(abs(share(\.high) - 18_050.0 / 22_050) < 0.02)
  }

  @Test func `RMS is exactly that of the point's samples, also for the short last point`() throws {
    let signal = [Float](repeating: 0.5, count: 1_024) + [Float](repeating: 0.25, count: 1_024) + [1, 1, 1]
    let points = try analyze(signal, kinds: [.waveformEnergy]).energy.points
    #expect(points.map { DecibelStep.decode($0.rms) } == [-6, -12, 0])
  }

  @Test func `RMS is that of the mono mix`() throws {
    let noise = Signal.whiteNoise(frameCount: 4_096, rms: 0.1)
    let samples = Signal.interleave([noise, noise.map { -$0 }])
    #expect(try analyze(samples, channelCount: 2, kinds: [.waveformEnergy]).energy.points.allSatisfy { $0.rms == 0 })
  }

  @Test func `a beat is loud only where it is`() throws {
    var signal = [Float](repeating: 0, count: 20 * 1_024)
    let beat = Signal.sine(hz: 100, sampleRateInHz: 44_100, frameCount: 1_024)
    signal.replaceSubrange(10 * 1_024..<11 * 1_024, with: beat)
    let points = try analyze(signal, kinds: [.waveformEnergy]).energy.points
    #expect(points.enumerated().allSatisfy { ($0.element.rms > 0) == ($0.offset == 10) })
    #expect(points[10].low > points[10].mid && points[10].mid > points[10].high)
  }
}
