import SignalProcessing
import Foundation
import Testing
import TestSupport

@testable import AudioAnalysis

struct LowBandSynthesisTests {
  /// Both lines at the lower rate, starting at the first sample of the signal.
  private func lowBand(of first: [Float], _ second: [Float], frameSize: Int, size: Int) -> (
    first: [Float], second: [Float]
  ) {
    let hop = SpectrumWindow.hop(ofSize: frameSize)
    let transform = ComplexTransform(size: frameSize)
    let window = SampleBuffer(SpectrumWindow.coefficients(size: frameSize).map { Float($0) })
    let synthesis = LowBandSynthesis(frameSize: frameSize, size: size)
    let padding = [Float](repeating: 0, count: hop + (frameSize - hop) / 2)
    let ending = [Float](repeating: 0, count: 2 * frameSize)
    let a = SampleBuffer(padding + first + ending)
    let b = SampleBuffer(padding + second + ending)
    var result: (first: [Float], second: [Float]) = ([], [])
    for start in stride(from: 0, through: a.count - frameSize, by: hop) {
      let frame = transform.transform(real: a.pointer + start, imaginary: b.pointer + start, window: window.pointer)
      let lines = synthesis.addLines(real: frame.real, imaginary: frame.imaginary)
      for index in 0..<synthesis.hop {
        result.first.append(lines.first[index])
        result.second.append(lines.second[index])
      }
    }
    let skipped = padding.count * size / frameSize
    return (Array(result.first.dropFirst(skipped)), Array(result.second.dropFirst(skipped)))
  }

  @Test(arguments: [(2_048, 256), (1_024, 256), (512, 256), (16_384, 256), (2_048, 512), (256, 256)])
  func `a sine in the flat part is the same sine at the lower rate, without delay`(frameSize: Int, size: Int) {
    let step = frameSize / size
    let rate = 48_000
    for part in [0.02, 0.3, 0.55] {
      let frequency = part * Double(rate) / 2 / Double(step)
      let sine = Signal.sine(hz: frequency, sampleRateInHz: rate, frameCount: 8 * frameSize, amplitude: 0.7, phase: 0.4)
      let other = Signal.sine(hz: frequency / 3, sampleRateInHz: rate, frameCount: 8 * frameSize, amplitude: 0.2)
      let low = lowBand(of: sine, other, frameSize: frameSize, size: size)
      // Not at the ends, where the sine begins and stops with a click.
      for index in 2 * size..<6 * size {
        #expect(abs(low.first[index] - sine[index * step]) < 4e-5)
        #expect(abs(low.second[index] - other[index * step]) < 4e-5)
      }
    }
  }

  @Test(arguments: [1.3, 2.5, 6.9])
  func `frequencies above the band do not fold into its flat part`(part: Double) {
    let frequency = part * 48_000 / 2 / 8
    let sine = Signal.faded(Signal.sine(hz: frequency, sampleRateInHz: 48_000, frameCount: 32_768))
    let low = lowBand(of: sine, sine.map { _ in 0 }, frameSize: 2_048, size: 256)
    #expect(low.second.allSatisfy { abs($0) < 1e-6 })
    let window = ReferenceSpectrum.window(512)
    let frame = (0..<512).map { Double(low.first[1_500 + $0]) * window[$0] }
    let spectrum = ReferenceSpectrum.transform(real: frame, imaginary: frame.map { _ in 0 })
    let sum = window.reduce(0, +)
    for bin in 0..<154 {
      #expect(20 * log10(2 * hypot(spectrum.real[bin], spectrum.imaginary[bin]) / sum) < -90, "bin \(bin)")
    }
  }
}

struct SpectrumWindowTests {
  @Test(arguments: [64, 2_048, 32_768])
  func `the squares of overlapping windows add up to 1`(size: Int) {
    let window = SpectrumWindow.coefficients(size: size)
    let hop = SpectrumWindow.hop(ofSize: size)
    #expect(hop * 4 == size * 3)
    for index in hop..<size {
      #expect(abs(window[index] * window[index] + window[index - hop] * window[index - hop] - 1) < 1e-12)
    }
    #expect(window[(size - hop)..<hop].allSatisfy { $0 == 1 })
  }

  @Test func `equals the formula of its slopes`() {
    for (made, expected) in zip(SpectrumWindow.coefficients(size: 512), ReferenceSpectrum.window(512)) {
      #expect(abs(made - expected) < 1e-12)
    }
  }
}
