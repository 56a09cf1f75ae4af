import AudioEffects
import Foundation
import MediaModel
import Testing
import TestSupport

struct DitherTests {
  @Test(arguments: [16, 24])
  func `every sample becomes a whole number of steps`(bits: Int) throws {
    let noise = Signal.whiteNoise(frameCount: 20_000, rms: 0.2)
    let result = try output(of: Dither(bits: bits, format: mono(44_100)), for: noise)
    let scale = Float(1 << (bits - 1))
    #expect(result.allSatisfy { ($0 * scale).rounded() == $0 * scale })
    // At most one step of noise and half a step of rounding.
    #expect(zip(result, noise).allSatisfy { abs($0 - $1) * scale <= 1.5 })
  }

  @Test func `the mean error is 0, and the power of the error does not depend on the value`() throws {
    for value in [Float(0), 0.25, 0.5, 0.8] {
      let step: Float = 1 / 32_768
      let samples = [Float](repeating: value * step, count: 200_000)
      let errors = try output(of: Dither(bits: 16, format: mono(44_100)), for: samples).map {
        Double($0 / step) - Double(value)
      }
      let mean = errors.reduce(0, +) / Double(errors.count)
      let power = errors.reduce(0) { $0 + $1 * $1 } / Double(errors.count)
      #expect(abs(mean) < 0.01)
      // The variance of triangular noise is 1/6, that of rounding 1/12.
      #expect(abs(power - 0.25) < 0.005)
    }
  }

  @Test func `cutting the stream into blocks changes no bit`() throws {
    let noise = Signal.whiteNoise(frameCount: 3000, rms: 0.2)
    try expectSameWhereverCut(noise, channelCount: 2) { Dither(bits: 16, format: stereo(44_100)) }
  }
}
