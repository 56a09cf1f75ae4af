/// Takes apart the transform of two real signals that were transformed as one complex signal.
///
/// With Z = A + iB, A(k) = (Z(k) + Z*(N-k)) / 2 and iB(k) = (Z(k) - Z*(N-k)) / 2. The powers come out without the
/// divisions: four times those of A and B, sixteen times that of their mean.
struct PairPowers: ~Copyable {
  private let size: Int
  let first: SampleBuffer
  let second: SampleBuffer
  let mean: SampleBuffer

  init(transformSize: Int) {
    size = transformSize
    first = SampleBuffer(count: transformSize / 2 + 8)
    second = SampleBuffer(count: transformSize / 2 + 8)
    mean = SampleBuffer(count: transformSize / 2 + 8)
  }

  /// Bins `0...size / 2` of the first two, and of the mean of both signals where asked for.
  @inline(__always)
  func split(real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, withMean: Bool) {
    let a = 2 * real[0]
    let b = 2 * imaginary[0]
    first.pointer[0] = a * a
    second.pointer[0] = b * b
    mean.pointer[0] = (a + b) * (a + b)
    // The bin at half the rate is its own mirror image and fits the same formula.
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
