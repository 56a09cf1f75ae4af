import Foundation
import Testing
import TestSupport

@testable import AudioAnalysis

struct PolyphaseResamplerTests {
  private static let rates = [8_000, 16_000, 22_050, 32_000, 37_800, 39_999]
  private let outputRate = 11_025

  @Test(arguments: rates)
  func `a tone keeps its phase and, in the middle of the band, its level`(rate: Int) {
    let tone = { Signal.sine(hz: 441, sampleRateInHz: $0, frameCount: $0, amplitude: 0.5) }
    let output = resample(tone(rate), from: rate)
    let expected = tone(outputRate)
    #expect(output.count == outputRate)
    // The resampler mirrors the ends, but a tone is not symmetric there.
    for index in 40..<output.count - 40 { #expect(abs(output[index] - expected[index]) < 1e-3) }
  }

  @Test(arguments: rates)
  func `a constant stays constant, up to the ends`(rate: Int) {
    let output = resample([Float](repeating: 0.25, count: rate / 2), from: rate)
    #expect(output.allSatisfy { abs($0 - 0.25) < 1e-6 })
  }

  @Test(arguments: [22_050, 32_000, 37_800, 39_999])
  func `frequencies that would fold into the band are attenuated`(rate: Int) {
    // 7,505 Hz folds to 3,520 Hz.
    for hz in stride(from: 7_505.0, to: Double(rate) / 2, by: 300) {
      let output = resample(Signal.sine(hz: hz, sampleRateInHz: rate, frameCount: rate / 4), from: rate)
      #expect(output.dropFirst(40).dropLast(40).allSatisfy { abs($0) < 0.001 }, "\(hz) Hz")
    }
  }

  @Test(arguments: [8_000, 22_050, 39_999], [60, 61, 256, 1_000])
  func `the length of the blocks makes no difference`(rate: Int, blockSize: Int) {
    let noise = Signal.whiteNoise(frameCount: 10_007, rms: 0.3)
    #expect(resample(noise, from: rate, blockSize: blockSize) == resample(noise, from: rate))
  }

  @Test(arguments: [0, 1, 2, 39, 40, 41])
  func `a stream shorter than the kernel has the right length`(count: Int) {
    let output = resample([Float](repeating: 1, count: count), from: 22_050)
    #expect(output.count == (count + 1) / 2)
  }

  private func resample(_ samples: [Float], from rate: Int, blockSize: Int = 20_000) -> [Float] {
    let resampler = PolyphaseResampler(inputRateInHz: rate, outputRateInHz: outputRate, maximumCount: blockSize)
    var output: [Float] = []
    for start in stride(from: 0, to: samples.count, by: blockSize) {
      let block = Array(samples[start..<min(start + blockSize, samples.count)])
      output += Array(resampler.resample(block, count: block.count))
    }
    return output + Array(resampler.finish())
  }
}
