import Testing
import TestSupport

@testable import AudioAnalysis

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
