import Testing
import TestSupport

@testable import AudioAnalysis

struct ComplexTransformTests {
  @Test(arguments: [64, 128, 256, 512, 1_024, 2_048, 4_096])
  func `equals the transform in double precision`(size: Int) {
    let real = Signal.whiteNoise(frameCount: size, rms: 0.3, seed: 1)
    let imaginary = Signal.whiteNoise(frameCount: size, rms: 0.3, seed: 2)
    let window = ReferenceSpectrum.window(size).map { Float($0) }
    let expected = ReferenceSpectrum.transform(
      real: zip(real, window).map { Double($0) * Double($1) },
      imaginary: zip(imaginary, window).map { Double($0) * Double($1) })

    let transform = ComplexTransform(size: size)
    let result = transform.transform(real: real, imaginary: imaginary, window: window)
    var largestError = 0.0
    for bin in 0..<size {
      largestError = max(largestError, abs(Double(result.real[bin]) - expected.real[bin]))
      largestError = max(largestError, abs(Double(result.imaginary[bin]) - expected.imaginary[bin]))
    }
    // The bins' RMS is 0.3 · √(0.375 · size) a part; the errors of log₂(size) passes of floats stay 120 dB below it.
    #expect(largestError < 1e-6 * 0.3 * (0.375 * Double(size)).squareRoot() * 4)
  }

  @Test(arguments: [64, 128, 2_048])
  func `an impulse becomes a flat spectrum`(size: Int) {
    let impulse = [1] + [Float](repeating: 0, count: size - 1)
    let ones = [Float](repeating: 1, count: size)
    let transform = ComplexTransform(size: size)
    let result = transform.transform(
      real: impulse, imaginary: [Float](repeating: 0, count: size), window: ones)
    #expect((0..<size).allSatisfy { abs(result.real[$0] - 1) < 1e-6 && abs(result.imaginary[$0]) < 1e-6 })
  }

  @Test func `a transform leaves nothing behind for the next`() {
    let noise = Signal.whiteNoise(frameCount: 256, rms: 0.3)
    let ones = [Float](repeating: 1, count: 256)
    let transform = ComplexTransform(size: 256)
    let fresh = transform.transform(real: noise, imaginary: noise, window: ones)
    let expected = (0..<256).map { fresh.real[$0] }
    _ = transform.transform(real: ones, imaginary: noise, window: ones)
    let again = transform.transform(real: noise, imaginary: noise, window: ones)
    #expect((0..<256).map { again.real[$0] } == expected)
  }
}
