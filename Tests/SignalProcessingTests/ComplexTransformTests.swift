import SignalProcessing
import TestSupport
import Testing

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
    // Each part of the bins has an RMS of 0.3 · √(0.375 · size); the rounding errors of log₂(size) passes stay 120 dB
    // below.
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

  @Test(arguments: [64, 128, 256, 512, 4_096])
  func `the inverse of a transform is what was transformed, times the size`(size: Int) {
    let real = Signal.whiteNoise(frameCount: size, rms: 0.3, seed: 5)
    let imaginary = Signal.whiteNoise(frameCount: size, rms: 0.3, seed: 6)
    let there = ReferenceSpectrum.transform(real: real.map { Double($0) }, imaginary: imaginary.map { Double($0) })
    let transform = ComplexTransform(size: size)
    let back = transform.invert(real: there.real.map { Float($0) }, imaginary: there.imaginary.map { Float($0) })
    for index in 0..<size {
      #expect(abs(back.real[index] / Float(size) - real[index]) < 1e-5)
      #expect(abs(back.imaginary[index] / Float(size) - imaginary[index]) < 1e-5)
    }
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

struct PairPowersTests {
  @Test func `two signals in one transform come out as if transformed alone`() {
    let size = 256
    let left = Signal.whiteNoise(frameCount: size, rms: 0.3, seed: 3)
    let right = Signal.whiteNoise(frameCount: size, rms: 0.1, seed: 4)
    let joint = ReferenceSpectrum.transform(real: left.map { Double($0) }, imaginary: right.map { Double($0) })
    let powers = PairPowers(transformSize: size)
    powers.split(real: joint.real.map { Float($0) }, imaginary: joint.imaginary.map { Float($0) }, withMean: true)

    let mean = zip(left, right).map { ($0 + $1) / 2 }
    expect(powers.first.pointer, factor: 4, isPowerOf: left)
    expect(powers.second.pointer, factor: 4, isPowerOf: right)
    expect(powers.mean.pointer, factor: 16, isPowerOf: mean)
  }

  private func expect(
    _ powers: UnsafeMutablePointer<Float>, factor: Double, isPowerOf signal: [Float],
    sourceLocation: SourceLocation = #_sourceLocation
  ) {
    let size = signal.count
    let alone = ReferenceSpectrum.transform(
      real: signal.map { Double($0) }, imaginary: [Double](repeating: 0, count: size))
    for bin in 0...size / 2 {
      let power = alone.real[bin] * alone.real[bin] + alone.imaginary[bin] * alone.imaginary[bin]
      #expect(
        abs(Double(powers[bin]) / factor - power) < 1e-4 * Double(size), "bin \(bin)", sourceLocation: sourceLocation)
    }
  }
}
