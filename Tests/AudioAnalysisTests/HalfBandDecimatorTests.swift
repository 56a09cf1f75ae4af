import Foundation
import Testing
import TestSupport

@testable import AudioAnalysis

struct HalfBandDecimatorTests {
  /// The interpolator halfway between eight neighbours, and the centre.
  private let taps: [Double] =
    [-5, 0, 49, 0, -245, 0, 1_225, 2_048, 1_225, 0, -245, 0, 49, 0, -5].map { $0 / 4_096 }

  @Test func `equals the filter by its definition`() {
    let input = Signal.whiteNoise(frameCount: 512, rms: 0.3)
    let output = decimate(input, blockSize: 128)
    for index in HalfBandDecimator.delay + 4..<output.count {
      let centre = 2 * (index - HalfBandDecimator.delay)
      let expected = taps.indices.reduce(0) { $0 + taps[$1] * Double(input[centre - 7 + $1]) }
      #expect(abs(Double(output[index]) - expected) < 1e-6)
    }
  }

  @Test(arguments: [16, 64, 1_024])
  func `the length of the blocks makes no difference`(blockSize: Int) {
    let input = Signal.whiteNoise(frameCount: 4_096, rms: 0.3)
    #expect(decimate(input, blockSize: blockSize) == decimate(input, blockSize: 4_096))
  }

  @Test(arguments: [0.001, 0.01, 0.03, 0.05])
  func `the pass band keeps its level, and its aliases are attenuated`(frequency: Double) {
    // Frequencies relative to the sample rate of the input.
    #expect(abs(levelInDB(frequency)) < 0.001)
    #expect(levelInDB(0.5 - frequency) < -96)
  }

  private func levelInDB(_ frequency: Double) -> Double {
    let input = Signal.sine(hz: frequency * 48_000, sampleRateInHz: 48_000, frameCount: 16_384, phase: 0.3)
    let output = decimate(input, blockSize: 1_024).dropFirst(192)
    // A least-squares fit of sine and cosine, so that no whole number of periods is needed.
    let step = 4 * Double.pi * frequency
    var sums = (cc: 0.0, ss: 0.0, cs: 0.0, xc: 0.0, xs: 0.0)
    for (index, sample) in output.enumerated() {
      let c = cos(step * Double(index))
      let s = sin(step * Double(index))
      sums = (
        sums.cc + c * c, sums.ss + s * s, sums.cs + c * s, sums.xc + Double(sample) * c, sums.xs + Double(sample) * s
      )
    }
    let determinant = sums.cc * sums.ss - sums.cs * sums.cs
    let a = (sums.xc * sums.ss - sums.xs * sums.cs) / determinant
    let b = (sums.xs * sums.cc - sums.xc * sums.cs) / determinant
    return 10 * log10(a * a + b * b)
  }

  private func decimate(_ input: [Float], blockSize: Int) -> [Float] {
    let decimator = HalfBandDecimator(inputCount: blockSize)
    var output: [Float] = []
    for start in stride(from: 0, to: input.count, by: blockSize) {
      let half = decimator.decimate(Array(input[start..<start + blockSize]))
      output += (0..<blockSize / 2).map { half[$0] }
    }
    return output
  }
}
