/// Separates the powers of two real signals that were transformed as one complex signal.
///
/// With Z = A + iB, A(k) = (Z(k) + Z*(N-k)) / 2 and iB(k) = (Z(k) - Z*(N-k)) / 2. The divisions are left out, so the
/// powers are four times those of A and B, and sixteen times that of their mean.
package struct PairPowers: ~Copyable {
  private let size: Int
  package let first: SampleBuffer
  package let second: SampleBuffer
  package let mean: SampleBuffer

  package init(transformSize: Int) {
    size = transformSize
    first = SampleBuffer(count: transformSize / 2 + 8)
    second = SampleBuffer(count: transformSize / 2 + 8)
    mean = SampleBuffer(count: transformSize / 2 + 8)
  }

  /// Computes bins `0...size / 2` of both signals and, with `withMean`, of their mean.
  package func split(real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, withMean: Bool) {
    let a = 2 * real[0]
    let b = 2 * imaginary[0]
    first.pointer[0] = a * a
    second.pointer[0] = b * b
    mean.pointer[0] = (a + b) * (a + b)
    // The bin at half the sample rate is its own mirror image and fits the same formula.
    var bin = 1
    while bin < size / 2 {
      let zr = real.vector4(at: bin)
      let zi = imaginary.vector4(at: bin)
      let mirroredR = Self.reversed(real.vector4(at: size - bin - 3))
      let mirroredI = Self.reversed(imaginary.vector4(at: size - bin - 3))
      let ar = zr + mirroredR
      let ai = zi - mirroredI
      let br = zi + mirroredI
      let bi = mirroredR - zr
      first.pointer.store(ar * ar + ai * ai, at: bin)
      second.pointer.store(br * br + bi * bi, at: bin)
      if withMean {
        let mr = ar + br
        let mi = ai + bi
        mean.pointer.store(mr * mr + mi * mi, at: bin)
      }
      bin += 4
    }
  }

  @inline(__always) private static func reversed(_ vector: SIMD4<Float>) -> SIMD4<Float> {
    SIMD4(vector[3], vector[2], vector[1], vector[0])
  }
}
