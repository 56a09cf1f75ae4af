extension ComplexTransform {
  typealias Parts = (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>)

  /// Four butterflies of neighbouring positions at a time, the window applied; results are transposed into place.
  @inline(__always)
  func firstPass(
    _ real: UnsafePointer<Float>, _ imaginary: UnsafePointer<Float>, _ window: UnsafePointer<Float>, into target: Parts
  ) {
    let quarter = size / 4
    let table = UnsafePointer(twiddles.pointer)
    var position = 0
    while position < quarter {
      let wa = window.vector4(at: position)
      let wb = window.vector4(at: position + quarter)
      let wc = window.vector4(at: position + 2 * quarter)
      let wd = window.vector4(at: position + 3 * quarter)
      let butterfly = Butterfly4(
        ar: real.vector4(at: position) * wa, ai: imaginary.vector4(at: position) * wa,
        br: real.vector4(at: position + quarter) * wb, bi: imaginary.vector4(at: position + quarter) * wb,
        cr: real.vector4(at: position + 2 * quarter) * wc, ci: imaginary.vector4(at: position + 2 * quarter) * wc,
        dr: real.vector4(at: position + 3 * quarter) * wd, di: imaginary.vector4(at: position + 3 * quarter) * wd)
      let w1r = table.vector4(at: position)
      let w1i = table.vector4(at: position + quarter)
      let w2r = table.vector4(at: position + 2 * quarter)
      let w2i = table.vector4(at: position + 3 * quarter)
      let w3r = table.vector4(at: position + 4 * quarter)
      let w3i = table.vector4(at: position + 5 * quarter)
      storeTransposed(
        butterfly.r0, butterfly.r1 * w1r - butterfly.i1 * w1i, butterfly.r2 * w2r - butterfly.i2 * w2i,
        butterfly.r3 * w3r - butterfly.i3 * w3i, into: target.real + 4 * position)
      storeTransposed(
        butterfly.i0, butterfly.r1 * w1i + butterfly.i1 * w1r, butterfly.r2 * w2i + butterfly.i2 * w2r,
        butterfly.r3 * w3i + butterfly.i3 * w3r, into: target.imaginary + 4 * position)
      position += 4
    }
  }

  /// The second pass: four transforms side by side, one vector wide.
  @inline(__always)
  func narrowPass(_ pass: Pass, from source: Parts, into target: Parts) {
    let quarter = pass.length / 4
    let step = size / 4
    var table = UnsafePointer(twiddles.pointer) + pass.tableOffset
    for index in 0..<quarter {
      let from = 4 * index
      let to = 16 * index
      let w12 = table.vector4(at: 0)
      let w3 = table.vector4(at: 4)
      let butterfly = Butterfly4(
        ar: source.real.vector4(at: from), ai: source.imaginary.vector4(at: from),
        br: source.real.vector4(at: from + step), bi: source.imaginary.vector4(at: from + step),
        cr: source.real.vector4(at: from + 2 * step), ci: source.imaginary.vector4(at: from + 2 * step),
        dr: source.real.vector4(at: from + 3 * step), di: source.imaginary.vector4(at: from + 3 * step))
      target.real.store(butterfly.r0, at: to)
      target.imaginary.store(butterfly.i0, at: to)
      target.real.store(butterfly.r1 * w12.x - butterfly.i1 * w12.y, at: to + 4)
      target.imaginary.store(butterfly.r1 * w12.y + butterfly.i1 * w12.x, at: to + 4)
      target.real.store(butterfly.r2 * w12.z - butterfly.i2 * w12.w, at: to + 8)
      target.imaginary.store(butterfly.r2 * w12.w + butterfly.i2 * w12.z, at: to + 8)
      target.real.store(butterfly.r3 * w3.x - butterfly.i3 * w3.y, at: to + 12)
      target.imaginary.store(butterfly.r3 * w3.y + butterfly.i3 * w3.x, at: to + 12)
      table += 8
    }
  }

  /// A later pass: runs of `stride` transforms that share their twiddle factors.
  @inline(__always)
  func widePass(_ pass: Pass, from source: Parts, into target: Parts) {
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

  @inline(__always)
  func lastPassOfFour(from source: Parts, into target: Parts) {
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

  /// Eight points as two butterflies of the even and odd ones, the odd ones turned by eighths of a circle.
  @inline(__always)
  func lastPassOfEight(from source: Parts, into target: Parts) {
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

  /// Writes four vectors so that their first lanes come first, then their second ones, and so on.
  @inline(__always)
  private func storeTransposed(
    _ a: SIMD4<Float>, _ b: SIMD4<Float>, _ c: SIMD4<Float>, _ d: SIMD4<Float>, into target: UnsafeMutablePointer<Float>
  ) {
    target.store(SIMD4(a[0], b[0], c[0], d[0]), at: 0)
    target.store(SIMD4(a[1], b[1], c[1], d[1]), at: 4)
    target.store(SIMD4(a[2], b[2], c[2], d[2]), at: 8)
    target.store(SIMD4(a[3], b[3], c[3], d[3]), at: 12)
  }
}
