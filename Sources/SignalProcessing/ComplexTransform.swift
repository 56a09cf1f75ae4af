internal import Glibc

/// The discrete Fourier transform of complex numbers, a power of two of them, as separate real and imaginary parts.
///
/// The points are dealt to the four lanes of a vector. Each lane is transformed by Stockham's self-sorting passes of
/// radix 4 and one of radix 4 or 8 that needs no twiddle factors; a last pass of radix 4 joins the lanes. So there is
/// no bit reversal, and only the last pass moves numbers between lanes. Tables and buffers are allocated by the
/// initializer; a transform allocates nothing.
package struct ComplexTransform: ~Copyable {
  /// One radix-4 pass: `length` is the length of the transforms still to do, `stride` their number.
  private struct Pass {
    let length: Int
    let stride: Int
    /// Where the pass's twiddle factors begin.
    let tableOffset: Int
  }

  /// Number of complex points.
  package let size: Int
  private let passes: [Pass]
  private let twiddles: SampleBuffer
  private let joinTableOffset: Int
  /// Real and imaginary part, twice: the passes alternate between the two.
  private let work: SampleBuffer

  /// - Precondition: `size` is a power of two and at least 64.
  package init(size: Int) {
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
  package func transform(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, window: UnsafePointer<Float>, isFlat: Bool = false
  ) -> (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>) {
    let parts = (work.pointer, work.pointer + size)
    if isFlat {
      firstPass(real, imaginary, window, .edges, into: parts)
    } else {
      firstPass(real, imaginary, window, .everywhere, into: parts)
    }
    return laterPasses(from: parts)
  }

  /// The inverse transform of `real + i·imaginary`, times ``size``.
  ///
  /// - Returns: The parts of the result, `size` numbers each, valid until the next transform.
  package func invert(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>
  ) -> (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>) {
    // Transforming with exchanged parts inverts.
    let parts = (work.pointer, work.pointer + size)
    firstPass(imaginary, real, imaginary, .nowhere, into: parts)
    let result = laterPasses(from: parts)
    return (result.imaginary, result.real)
  }

  private func laterPasses(from parts: Parts) -> (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>) {
    var source = parts
    var target: Parts = (work.pointer + 2 * size, work.pointer + 3 * size)
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

// MARK: - Passes

extension ComplexTransform {
  private typealias Parts = (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>)

  /// In which quarters the samples are multiplied by the window.
  private enum Windowing { case everywhere, edges, nowhere }

  /// The first pass: applies the window and works on the four lanes, which stay separate until the last pass.
  @inline(__always)
  private func firstPass(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ window: UnsafePointer<Float>,
    _ windowing: Windowing, into target: Parts
  ) {
    let step = size / 4
    var table = UnsafePointer(twiddles.pointer)
    var from = 0
    var to = 0
    while from < step {
      var (ar, ai) = (real.vector4(at: from), imaginary.vector4(at: from))
      var (br, bi) = (real.vector4(at: from + step), imaginary.vector4(at: from + step))
      var (cr, ci) = (real.vector4(at: from + 2 * step), imaginary.vector4(at: from + 2 * step))
      var (dr, di) = (real.vector4(at: from + 3 * step), imaginary.vector4(at: from + 3 * step))
      if windowing != .nowhere {
        let (wa, wd) = (window.vector4(at: from), window.vector4(at: from + 3 * step))
        (ar, ai, dr, di) = (ar * wa, ai * wa, dr * wd, di * wd)
      }
      if windowing == .everywhere {
        let (wb, wc) = (window.vector4(at: from + step), window.vector4(at: from + 2 * step))
        (br, bi, cr, ci) = (br * wb, bi * wb, cr * wc, ci * wc)
      }
      let butterfly = Butterfly4(ar: ar, ai: ai, br: br, bi: bi, cr: cr, ci: ci, dr: dr, di: di)
      let w1r = table.vector4(at: 0)
      let w1i = table.vector4(at: 4)
      let w2r = table.vector4(at: 8)
      let w2i = table.vector4(at: 12)
      let w3r = table.vector4(at: 16)
      let w3i = table.vector4(at: 20)
      target.real.store(butterfly.r0, at: to)
      target.imaginary.store(butterfly.i0, at: to)
      target.real.store(butterfly.r1 * w1r - butterfly.i1 * w1i, at: to + 4)
      target.imaginary.store(butterfly.r1 * w1i + butterfly.i1 * w1r, at: to + 4)
      target.real.store(butterfly.r2 * w2r - butterfly.i2 * w2i, at: to + 8)
      target.imaginary.store(butterfly.r2 * w2i + butterfly.i2 * w2r, at: to + 8)
      target.real.store(butterfly.r3 * w3r - butterfly.i3 * w3i, at: to + 12)
      target.imaginary.store(butterfly.r3 * w3i + butterfly.i3 * w3r, at: to + 12)
      table += 24
      from += 4
      to += 16
    }
  }

  /// A later pass: runs of `stride` transforms that share their twiddle factors.
  @inline(__always)
  private func widePass(_ pass: Pass, from source: Parts, into target: Parts) {
    let quarter = pass.length / 4
    let step = size / 4
    let stride = pass.stride
    var table = UnsafePointer(twiddles.pointer) + pass.tableOffset
    for index in 0..<quarter {
      let w12 = table.vector4(at: 0)
      let w3 = table.vector4(at: 4)
      let w1r = SIMD4(repeating: w12.x)
      let w1i = SIMD4(repeating: w12.y)
      let w2r = SIMD4(repeating: w12.z)
      let w2i = SIMD4(repeating: w12.w)
      let w3r = SIMD4(repeating: w3.x)
      let w3i = SIMD4(repeating: w3.y)
      var from = index * stride
      var to = 4 * index * stride
      let end = from + stride
      while from < end {
        let butterfly = Butterfly4(
          ar: source.real.vector4(at: from), ai: source.imaginary.vector4(at: from),
          br: source.real.vector4(at: from + step), bi: source.imaginary.vector4(at: from + step),
          cr: source.real.vector4(at: from + 2 * step), ci: source.imaginary.vector4(at: from + 2 * step),
          dr: source.real.vector4(at: from + 3 * step), di: source.imaginary.vector4(at: from + 3 * step))
        target.real.store(butterfly.r0, at: to)
        target.imaginary.store(butterfly.i0, at: to)
        target.real.store(butterfly.r1 * w1r - butterfly.i1 * w1i, at: to + stride)
        target.imaginary.store(butterfly.r1 * w1i + butterfly.i1 * w1r, at: to + stride)
        target.real.store(butterfly.r2 * w2r - butterfly.i2 * w2i, at: to + 2 * stride)
        target.imaginary.store(butterfly.r2 * w2i + butterfly.i2 * w2r, at: to + 2 * stride)
        target.real.store(butterfly.r3 * w3r - butterfly.i3 * w3i, at: to + 3 * stride)
        target.imaginary.store(butterfly.r3 * w3i + butterfly.i3 * w3r, at: to + 3 * stride)
        from += 4
        to += 4
      }
      table += 8
    }
  }

  /// The last pass within each lane if four points are left.
  @inline(__always)
  private func closingPassOfFour(from source: Parts, into target: Parts) {
    let step = size / 4
    var position = 0
    while position < step {
      let butterfly = Butterfly4(
        ar: source.real.vector4(at: position), ai: source.imaginary.vector4(at: position),
        br: source.real.vector4(at: position + step), bi: source.imaginary.vector4(at: position + step),
        cr: source.real.vector4(at: position + 2 * step), ci: source.imaginary.vector4(at: position + 2 * step),
        dr: source.real.vector4(at: position + 3 * step), di: source.imaginary.vector4(at: position + 3 * step))
      target.real.store(butterfly.r0, at: position)
      target.imaginary.store(butterfly.i0, at: position)
      target.real.store(butterfly.r1, at: position + step)
      target.imaginary.store(butterfly.i1, at: position + step)
      target.real.store(butterfly.r2, at: position + 2 * step)
      target.imaginary.store(butterfly.i2, at: position + 2 * step)
      target.real.store(butterfly.r3, at: position + 3 * step)
      target.imaginary.store(butterfly.i3, at: position + 3 * step)
      position += 4
    }
  }

  /// The last pass within each lane if eight points are left: one butterfly of the even points and one of the odd
  /// points, which are turned by eighths of a circle.
  @inline(__always)
  private func closingPassOfEight(from source: Parts, into target: Parts) {
    let step = size / 8
    let diagonal = SIMD4<Float>(repeating: Float(0.5.squareRoot()))
    var position = 0
    while position < step {
      let even = Butterfly4(
        ar: source.real.vector4(at: position), ai: source.imaginary.vector4(at: position),
        br: source.real.vector4(at: position + 2 * step), bi: source.imaginary.vector4(at: position + 2 * step),
        cr: source.real.vector4(at: position + 4 * step), ci: source.imaginary.vector4(at: position + 4 * step),
        dr: source.real.vector4(at: position + 6 * step), di: source.imaginary.vector4(at: position + 6 * step))
      let odd = Butterfly4(
        ar: source.real.vector4(at: position + step), ai: source.imaginary.vector4(at: position + step),
        br: source.real.vector4(at: position + 3 * step), bi: source.imaginary.vector4(at: position + 3 * step),
        cr: source.real.vector4(at: position + 5 * step), ci: source.imaginary.vector4(at: position + 5 * step),
        dr: source.real.vector4(at: position + 7 * step), di: source.imaginary.vector4(at: position + 7 * step))
      let r1 = (odd.r1 + odd.i1) * diagonal
      let i1 = (odd.i1 - odd.r1) * diagonal
      let r3 = (odd.i3 - odd.r3) * diagonal
      let i3 = (odd.r3 + odd.i3) * diagonal
      target.real.store(even.r0 + odd.r0, at: position)
      target.imaginary.store(even.i0 + odd.i0, at: position)
      target.real.store(even.r0 - odd.r0, at: position + 4 * step)
      target.imaginary.store(even.i0 - odd.i0, at: position + 4 * step)
      target.real.store(even.r1 + r1, at: position + step)
      target.imaginary.store(even.i1 + i1, at: position + step)
      target.real.store(even.r1 - r1, at: position + 5 * step)
      target.imaginary.store(even.i1 - i1, at: position + 5 * step)
      target.real.store(even.r2 + odd.i2, at: position + 2 * step)
      target.imaginary.store(even.i2 - odd.r2, at: position + 2 * step)
      target.real.store(even.r2 - odd.i2, at: position + 6 * step)
      target.imaginary.store(even.i2 + odd.r2, at: position + 6 * step)
      target.real.store(even.r3 + r3, at: position + 3 * step)
      target.imaginary.store(even.i3 - i3, at: position + 3 * step)
      target.real.store(even.r3 - r3, at: position + 7 * step)
      target.imaginary.store(even.i3 + i3, at: position + 7 * step)
      position += 4
    }
  }

  /// The last pass: joins the four lanes, four neighbouring results at a time.
  @inline(__always)
  private func joinLanes(from source: Parts, into target: Parts) {
    let step = size / 4
    let table = UnsafePointer(twiddles.pointer) + joinTableOffset
    var position = 0
    while position < step {
      let (r0, r1, r2, r3) = transposed(UnsafePointer(source.real) + 4 * position)
      let (i0, i1, i2, i3) = transposed(UnsafePointer(source.imaginary) + 4 * position)
      let w1r = table.vector4(at: position)
      let w1i = table.vector4(at: position + step)
      let w2r = table.vector4(at: position + 2 * step)
      let w2i = table.vector4(at: position + 3 * step)
      let w3r = table.vector4(at: position + 4 * step)
      let w3i = table.vector4(at: position + 5 * step)
      let butterfly = Butterfly4(
        ar: r0, ai: i0,
        br: r1 * w1r - i1 * w1i, bi: r1 * w1i + i1 * w1r,
        cr: r2 * w2r - i2 * w2i, ci: r2 * w2i + i2 * w2r,
        dr: r3 * w3r - i3 * w3i, di: r3 * w3i + i3 * w3r)
      target.real.store(butterfly.r0, at: position)
      target.imaginary.store(butterfly.i0, at: position)
      target.real.store(butterfly.r1, at: position + step)
      target.imaginary.store(butterfly.i1, at: position + step)
      target.real.store(butterfly.r2, at: position + 2 * step)
      target.imaginary.store(butterfly.i2, at: position + 2 * step)
      target.real.store(butterfly.r3, at: position + 3 * step)
      target.imaginary.store(butterfly.i3, at: position + 3 * step)
      position += 4
    }
  }

  /// Reads sixteen numbers as the columns of a four by four matrix.
  @inline(__always)
  private func transposed(
    _ source: UnsafePointer<Float>
  ) -> (SIMD4<Float>, SIMD4<Float>, SIMD4<Float>, SIMD4<Float>) {
    let a = source.vector4(at: 0)
    let b = source.vector4(at: 4)
    let c = source.vector4(at: 8)
    let d = source.vector4(at: 12)
    return (
      SIMD4(a.x, b.x, c.x, d.x), SIMD4(a.y, b.y, c.y, d.y), SIMD4(a.z, b.z, c.z, d.z), SIMD4(a.w, b.w, c.w, d.w)
    )
  }
}

/// The Fourier transform of four complex points, in four lanes at once.
private struct Butterfly4 {
  let r0, i0, r1, i1, r2, i2, r3, i3: SIMD4<Float>

  @inline(__always)
  init(
    ar: SIMD4<Float>, ai: SIMD4<Float>, br: SIMD4<Float>, bi: SIMD4<Float>,
    cr: SIMD4<Float>, ci: SIMD4<Float>, dr: SIMD4<Float>, di: SIMD4<Float>
  ) {
    let sumACr = ar + cr
    let sumACi = ai + ci
    let differenceACr = ar - cr
    let differenceACi = ai - ci
    let sumBDr = br + dr
    let sumBDi = bi + di
    let differenceBDr = br - dr
    let differenceBDi = bi - di
    r0 = sumACr + sumBDr
    i0 = sumACi + sumBDi
    r1 = differenceACr + differenceBDi
    i1 = differenceACi - differenceBDr
    r2 = sumACr - sumBDr
    i2 = sumACi - sumBDi
    r3 = differenceACr - differenceBDi
    i3 = differenceACi + differenceBDr
  }
}
