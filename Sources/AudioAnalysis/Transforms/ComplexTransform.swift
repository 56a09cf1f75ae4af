internal import Glibc

/// The discrete Fourier transform of complex numbers, a power of two of them, as separate real and imaginary parts.
///
/// The points are dealt to the four lanes of a vector. Each lane is transformed by Stockham's self-sorting passes of
/// radix 4 and one of radix 4 or 8 that needs no twiddle factors; a last pass of radix 4 joins the lanes. So there is
/// no bit reversal, and only the last pass moves numbers between lanes. Tables and buffers are allocated by the
/// initializer; a transform allocates nothing.
struct ComplexTransform: ~Copyable {
  /// One radix-4 pass: `length` is the length of the transforms still to do, `stride` their number.
  struct Pass {
    let length: Int
    let stride: Int
    /// Where the pass's twiddle factors begin.
    let tableOffset: Int
  }

  /// Number of complex points.
  let size: Int
  let passes: [Pass]
  let twiddles: SampleBuffer
  let joinTableOffset: Int
  /// Real and imaginary part, twice: the passes alternate between the two.
  let work: SampleBuffer

  /// - Precondition: `size` is a power of two and at least 64.
  init(size: Int) {
    precondition(size >= 64 && size & (size - 1) == 0, "the size of a transform must be a power of two of at least 64")
    self.size = size
    var passes: [Pass] = []
    var table: [Float] = []
    var length = size / 4
    while length > 8 {
      let isFirst = passes.isEmpty
      passes.append(Pass(length: length, stride: size / length, tableOffset: table.count))
      for index in 0..<length / 4 {
        for power in 1...3 {
          let factor = Self.unitRoot(index * power, of: length)
          // The first pass uses each factor once, so its table holds whole vectors.
          for _ in 0..<(isFirst ? 4 : 1) { table.append(factor.real) }
          for _ in 0..<(isFirst ? 4 : 1) { table.append(factor.imaginary) }
        }
        if !isFirst { table += [0, 0] }
      }
      length /= 4
    }
    joinTableOffset = table.count
    for power in 1...3 {
      table += (0..<size / 4).map { Self.unitRoot($0 * power, of: size).real }
      table += (0..<size / 4).map { Self.unitRoot($0 * power, of: size).imaginary }
    }
    self.passes = passes
    twiddles = SampleBuffer(table)
    work = SampleBuffer(count: 4 * size)
  }

  /// exp(-2πi · index / count).
  private static func unitRoot(_ index: Int, of count: Int) -> (real: Float, imaginary: Float) {
    let angle = -2 * Double.pi * Double(index) / Double(count)
    return (Float(cos(angle)), Float(sin(angle)))
  }

  /// Transforms `real + i·imaginary`, each multiplied by `window`, into natural order.
  ///
  /// - Parameter isFlat: Whether the window is 1 in its middle half, which is then not multiplied.
  /// - Returns: The parts of the result, `size` numbers each, valid until the next transform.
  func transform(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, window: UnsafePointer<Float>, isFlat: Bool = false
  ) -> (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>) {
    var source = (work.pointer, work.pointer + size)
    var target = (work.pointer + 2 * size, work.pointer + 3 * size)
    if isFlat {
      firstPass(real, imaginary, window, isFlat: true, into: source)
    } else {
      firstPass(real, imaginary, window, isFlat: false, into: source)
    }
    for pass in passes.dropFirst() {
      widePass(pass, from: source, into: target)
      swap(&source, &target)
    }
    if passes[passes.count - 1].length == 16 {
      closingPassOfFour(from: source, into: target)
    } else {
      closingPassOfEight(from: source, into: target)
    }
    joinLanes(from: target, into: source)
    return (UnsafePointer(source.0), UnsafePointer(source.1))
  }
}

/// Separates the powers of two real signals that were transformed as one complex signal.
///
/// With Z = A + iB, A(k) = (Z(k) + Z*(N-k)) / 2 and iB(k) = (Z(k) - Z*(N-k)) / 2. The divisions are left out, so the
/// powers are four times those of A and B, and sixteen times that of their mean.
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

  /// Computes bins `0...size / 2` of both signals and, with `withMean`, of their mean.
  @inline(__always)
  func split(real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, withMean: Bool) {
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
