internal import Glibc

/// The discrete Fourier transform of complex numbers as separate parts, in Stockham's self-sorting passes of radix 4 and,
/// for odd powers of two, one of radix 2.
///
/// The analyzers have a faster one, in more lines. This one is for effects, which are compiled to WebAssembly, too: its
/// vectors have four lanes, and it gives the same numbers there. Tables and buffers are allocated by the initializer.
final class FourierTransform {
  private typealias Parts = (real: UnsafeMutablePointer<Float>, imaginary: UnsafeMutablePointer<Float>)

  /// Number of complex points.
  let size: Int
  /// What is transformed: the caller fills it, and finds the result in it.
  var real: UnsafeMutablePointer<Float> { memory.pointer }
  var imaginary: UnsafeMutablePointer<Float> { memory.pointer + size }
  private let memory: SampleMemory
  private let spareMemory: SampleMemory
  /// cos, then sin of -2π · power · index / size for the powers 1, 2 and 3, `size / 4` numbers each.
  private let factors: SampleMemory

  /// - Precondition: `size` is a power of two and at least 16.
  init(size: Int) {
    precondition(size >= 16 && size & (size - 1) == 0, "the size of a transform must be a power of two of at least 16")
    self.size = size
    memory = SampleMemory(count: 2 * size)
    spareMemory = SampleMemory(count: 2 * size)
    factors = SampleMemory(count: 2 * size)
    for power in 1...3 {
      for index in 0..<size / 4 {
        let angle = -2 * Double.pi * Double(power * index) / Double(size)
        cosines[(power - 1) * size / 4 + index] = Float(cos(angle))
        sines[(power - 1) * size / 4 + index] = Float(sin(angle))
      }
    }
  }

  private var cosines: UnsafeMutablePointer<Float> { factors.pointer }
  private var sines: UnsafeMutablePointer<Float> { factors.pointer + size }
  private var spare: Parts { (spareMemory.pointer, spareMemory.pointer + size) }

  /// Replaces the numbers by their transform, in natural order.
  func transform() { run((real, imaginary), spare) }

  /// Replaces the numbers by their inverse transform times ``size``.
  func invert() { run((imaginary, real), (spare.imaginary, spare.real)) }

  private func run(_ parts: Parts, _ spare: Parts) {
    var (source, target) = (spare, parts)
    firstPass(from: parts, into: spare)
    var stride = 4
    while size / stride >= 4 {
      laterPass(stride, from: source, into: target)
      swap(&source, &target)
      stride *= 4
    }
    if size / stride == 2 {
      lastPassOfTwo(from: source, into: target)
      swap(&source, &target)
    }
    guard source.real != parts.real else { return }
    parts.real.update(from: source.real, count: size)
    parts.imaginary.update(from: source.imaginary, count: size)
  }

  /// Four neighbouring transforms of four points, each of which gives four neighbours.
  private func firstPass(from source: Parts, into target: Parts) {
    let quarter = size / 4
    for index in stride(from: 0, to: quarter, by: 4) {
      var butterfly = Butterfly(source.real + index, source.imaginary + index, distance: quarter)
      butterfly.turn(
        (cosines.lanes(at: index), sines.lanes(at: index)),
        (cosines.lanes(at: quarter + index), sines.lanes(at: quarter + index)),
        (cosines.lanes(at: 2 * quarter + index), sines.lanes(at: 2 * quarter + index)))
      for lane in 0..<4 {
        let place = 4 * (index + lane)
        target.real.store(
          SIMD4(butterfly.real.0[lane], butterfly.real.1[lane], butterfly.real.2[lane], butterfly.real.3[lane]),
          at: place)
        target.imaginary.store(
          SIMD4(
            butterfly.imaginary.0[lane], butterfly.imaginary.1[lane], butterfly.imaginary.2[lane],
            butterfly.imaginary.3[lane]), at: place)
      }
    }
  }

  /// A pass over `stride` transforms, a multiple of four, which share their factors.
  private func laterPass(_ stride: Int, from source: Parts, into target: Parts) {
    let quarter = size / 4
    for index in 0..<quarter / stride {
      let turn = index * stride
      let first = (SIMD4(repeating: cosines[turn]), SIMD4(repeating: sines[turn]))
      let second = (SIMD4(repeating: cosines[quarter + turn]), SIMD4(repeating: sines[quarter + turn]))
      let third = (SIMD4(repeating: cosines[2 * quarter + turn]), SIMD4(repeating: sines[2 * quarter + turn]))
      for lane in Swift.stride(from: 0, to: stride, by: 4) {
        var butterfly = Butterfly(source.real + turn + lane, source.imaginary + turn + lane, distance: quarter)
        butterfly.turn(first, second, third)
        let place = 4 * turn + lane
        target.real.store(butterfly.real.0, at: place)
        target.real.store(butterfly.real.1, at: place + stride)
        target.real.store(butterfly.real.2, at: place + 2 * stride)
        target.real.store(butterfly.real.3, at: place + 3 * stride)
        target.imaginary.store(butterfly.imaginary.0, at: place)
        target.imaginary.store(butterfly.imaginary.1, at: place + stride)
        target.imaginary.store(butterfly.imaginary.2, at: place + 2 * stride)
        target.imaginary.store(butterfly.imaginary.3, at: place + 3 * stride)
      }
    }
  }

  private func lastPassOfTwo(from source: Parts, into target: Parts) {
    let half = size / 2
    for index in 0..<half {
      let (a, b) = (source.real[index], source.real[index + half])
      let (c, d) = (source.imaginary[index], source.imaginary[index + half])
      (target.real[index], target.real[index + half]) = (a + b, a - b)
      (target.imaginary[index], target.imaginary[index + half]) = (c + d, c - d)
    }
  }
}

/// The transform of four complex points, in four lanes at once.
private struct Butterfly {
  typealias Lanes = SIMD4<Float>

  var real: (Lanes, Lanes, Lanes, Lanes)
  var imaginary: (Lanes, Lanes, Lanes, Lanes)

  @inline(__always)
  init(_ r: UnsafeMutablePointer<Float>, _ i: UnsafeMutablePointer<Float>, distance: Int) {
    let (ar, ai) = (r.lanes(at: 0), i.lanes(at: 0))
    let (br, bi) = (r.lanes(at: distance), i.lanes(at: distance))
    let (cr, ci) = (r.lanes(at: 2 * distance), i.lanes(at: 2 * distance))
    let (dr, di) = (r.lanes(at: 3 * distance), i.lanes(at: 3 * distance))
    let (er, ei, fr, fi) = (ar + cr, ai + ci, ar - cr, ai - ci)
    let (gr, gi, hr, hi) = (br + dr, bi + di, br - dr, bi - di)
    real = (er + gr, fr + hi, er - gr, fr - hi)
    imaginary = (ei + gi, fi - hr, ei - gi, fi + hr)
  }

  /// Multiplies all points but the first by factors.
  @inline(__always)
  mutating func turn(_ first: (Lanes, Lanes), _ second: (Lanes, Lanes), _ third: (Lanes, Lanes)) {
    let (r, i) = (real, imaginary)
    (real.1, imaginary.1) = (r.1 * first.0 - i.1 * first.1, r.1 * first.1 + i.1 * first.0)
    (real.2, imaginary.2) = (r.2 * second.0 - i.2 * second.1, r.2 * second.1 + i.2 * second.0)
    (real.3, imaginary.3) = (r.3 * third.0 - i.3 * third.1, r.3 * third.1 + i.3 * third.0)
  }
}
