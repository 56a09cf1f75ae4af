import Foundation
import MediaModel
import Testing
import TestSupport

@testable import AudioAnalysis

struct SpectralShapeTests {
  private func measure(_ samples: [Float], sampleRateInHz: Int = 44_100, channelCount: Int = 1) -> Measures {
    analyze(samples, sampleRateInHz: sampleRateInHz, channelCount: channelCount, kinds: [.measures]).measures
      ?? Measures()
  }

  private static let sines: [(hertz: Double, rate: Int)] = [
    (440, 22_050), (1_234.5, 22_050), (440, 44_100), (1_234.5, 44_100), (9_999, 44_100), (16_000, 44_100),
    (440, 96_000),
    (1_234.5, 96_000), (9_999, 96_000), (16_000, 96_000),
  ]

  @Test(arguments: sines)
  func `a sine has its frequency as centroid and rolloff, and no flatness`(hertz: Double, rate: Int) throws {
    let sine = Signal.sine(hz: hertz, sampleRateInHz: rate, frameCount: 3 * rate, amplitude: 0.5)
    let measures = measure(Signal.faded(sine), sampleRateInHz: rate)
    #expect(abs(try #require(measures.spectralCentroidInHz) - hertz) < 0.5)
    // The window spreads the sine over three or four bins.
    #expect(abs(try #require(measures.rolloff85InHz) - hertz) < 48)
    #expect(abs(try #require(measures.rolloff95InHz) - hertz) < 48)
    #expect(try #require(measures.spectralFlatness) < 1e-4)
  }

  @Test(arguments: [8_000, 44_100, 48_000, 192_000])
  func `white noise is flat, with the centroid at a quarter of the sample rate`(rate: Int) throws {
    let measures = measure(Signal.whiteNoise(frameCount: 30 * rate, rms: 0.1), sampleRateInHz: rate)
    let half = Double(rate) / 2
    #expect(abs(try #require(measures.spectralCentroidInHz) / half - 0.5) < 0.005)
    #expect(abs(try #require(measures.rolloff85InHz) / half - 0.85) < 0.005)
    #expect(abs(try #require(measures.rolloff95InHz) / half - 0.95) < 0.005)
    #expect(try #require(measures.spectralFlatness) > 0.99)
    #expect(measures.cutoffInHz == nil && measures.cutoffConfidence == nil)
  }

  /// Computes frames of 2,048 samples at the places where the analyzer has them, in double precision.
  @Test func `all four equal those of the transform in double precision`() throws {
    // Brown noise and a tone are far from flat, so that every weight matters.
    var level = 0.0
    let noise = Signal.whiteNoise(frameCount: 12_288, rms: 0.1).map { sample in
      level = 0.9 * level + Double(sample)
      return level
    }
    let signal = noise.indices.map { 0.3 * noise[$0] + 0.2 * sin(2 * .pi * 3_000 * Double($0) / 44_100) }
    let window = ReferenceSpectrum.window(2_048)
    var means = [Double](repeating: 0, count: 1_025)
    for start in stride(from: -256 - 1_536, to: 12_288, by: 1_536) {
      let frame = (0..<2_048).map { signal.indices.contains(start + $0) ? signal[start + $0] * window[$0] : 0 }
      let result = ReferenceSpectrum.transform(real: frame, imaginary: [Double](repeating: 0, count: 2_048))
      for bin in 0...1_024 {
        let power = result.real[bin] * result.real[bin] + result.imaginary[bin] * result.imaginary[bin]
        means[bin] += power * (bin % 1_024 == 0 ? 0.25 : 1)
      }
    }
    let width = 44_100.0 / 2_048
    let counted = 2...1_024
    let total = counted.reduce(0) { $0 + means[$1] }
    let centroid = counted.reduce(0) { $0 + Double($1) * width * means[$1] } / total
    func rolloff(_ share: Double) -> Double {
      // By bisection of the power below a frequency, with rectangular bins.
      func powerBelow(_ hertz: Double) -> Double {
        counted.reduce(0) { $0 + means[$1] * min(max(hertz / width - Double($1) + 0.5, 0), 1) }
      }
      var (low, high) = (0.0, 22_050.0)
      for _ in 0..<60 {
        let middle = (low + high) / 2
        if powerBelow(middle) < share * total { low = middle } else { high = middle }
      }
      return low
    }
    let heard = (2...1_024).filter { Double($0) * width <= 20_000 }.map { means[$0] }
    let geometric = exp(heard.reduce(0) { $0 + log($1) } / Double(heard.count))
    let flatness = geometric / (heard.reduce(0, +) / Double(heard.count))

    let measures = measure(signal.map { Float($0) })
    #expect(abs(try #require(measures.spectralCentroidInHz) / centroid - 1) < 1e-4)
    #expect(abs(try #require(measures.rolloff85InHz) / rolloff(0.85) - 1) < 1e-4)
    #expect(abs(try #require(measures.rolloff95InHz) / rolloff(0.95) - 1) < 1e-4)
    #expect(abs(try #require(measures.spectralFlatness) / flatness - 1) < 1e-3)
  }

  @Test func `gain changes nothing`() throws {
    let loud = Signal.whiteNoise(frameCount: 88_200, rms: 0.2)
    let one = measure(loud)
    let other = measure(loud.map { $0 / 1_024 })
    #expect(abs(try #require(one.spectralCentroidInHz) - (try #require(other.spectralCentroidInHz))) < 1e-3)
    #expect(abs(try #require(one.spectralFlatness) - (try #require(other.spectralFlatness))) < 1e-6)
  }

  @Test func `a DC offset does not count`() throws {
    let noise = Signal.whiteNoise(frameCount: 200_000, rms: 0.01)
    let plain = try #require(measure(noise).spectralCentroidInHz)
    // Faded, because a constant that begins abruptly contains all frequencies.
    let offset = Signal.faded([Float](repeating: 0.3, count: 200_000))
    let shifted = try #require(measure(zip(noise, offset).map { $0 + $1 }).spectralCentroidInHz)
    #expect(abs(shifted / plain - 1) < 0.01)
  }

  @Test func `empty bins lower the flatness, but not to nothing`() throws {
    var powers = [Double](repeating: 1, count: 1_025)
    for bin in 512...1_024 { powers[bin] = 0 }
    let bins = BinPowers(sampleRateInHz: 44_100, means: powers, maxima: powers, frameCount: 100)
    // 510 of the bins 2...928 have power; each of the others counts with 10^-10.
    let share = 510.0 / 927
    let expected = pow(1 / share, share) * pow(1e-10, 1 - share)
    #expect(abs(try #require(SpectralShape(bins)).flatness / expected - 1) < 1e-9)
  }

  @Test(arguments: [0, 1, 100, 44_100]) func `silence of any length has no shape`(frameCount: Int) {
    let measures = measure([Float](repeating: 0, count: frameCount))
    #expect(measures.spectralCentroidInHz == nil && measures.rolloff85InHz == nil && measures.rolloff95InHz == nil)
    #expect(measures.spectralFlatness == nil && measures.cutoffInHz == nil && measures.cutoffConfidence == nil)
  }

  @Test(arguments: [1, 100, 3_000, 8_000, 384_000], [1, 10, 5_000])
  func `any rate and length give finite numbers in their range`(rate: Int, frameCount: Int) throws {
    let measures = measure(Signal.whiteNoise(frameCount: frameCount, rms: 0.1), sampleRateInHz: rate)
    let half = Double(rate) / 2
    #expect((0...half).contains(try #require(measures.spectralCentroidInHz)))
    let rolloff = try #require(measures.rolloff85InHz)
    #expect((0...half).contains(rolloff))
    #expect((rolloff...half).contains(try #require(measures.rolloff95InHz)))
    #expect((0...1.000_001).contains(try #require(measures.spectralFlatness)))
  }

  @Test func `samples far beyond full scale give a number or none`() {
    let measures = measure((0..<12_000).map { $0 % 2 == 0 ? 3e38 : -1e38 })
    #expect(measures.spectralCentroidInHz?.isFinite ?? true)
    #expect(measures.spectralFlatness?.isFinite ?? true)
    #expect(measures.cutoffConfidence?.isFinite ?? true)
  }
}
