internal import Glibc

/// The discrete Fourier transform of a power of two of complex numbers, kept as separate real and imaginary parts.
///
/// The points are dealt to the four lanes of a vector. Each lane is transformed by Stockham's self-sorting passes of
/// radix 4 and one of radix 4 or 8 that needs no twiddle factors; a last pass of radix 4 joins the lanes. So there is no
/// bit reversal, and only the last pass moves numbers between lanes. Tables and buffers are made once; a transform
/// allocates nothing.
struct ComplexTransform: ~Copyable {
  /// One radix-4 pass: `length` is that of the transforms still to do, `stride` their number.
  struct Pass {
    let length: Int
    let stride: Int
    /// Where the pass finds its twiddle factors.
    let tableOffset: Int
  }

  /// Number of complex points.
  let size: Int
  let passes: [Pass]
  let twiddles: SampleBuffer
  let joinTableOffset: Int
  /// Real and imaginary part, twice: the passes go back and forth between the two.
  let work: SampleBuffer

  /// - Precondition: `size` is a power of two and at least 64.
  init(size: Int) {
    precondition(size >= 64 && size & (size - 1) == 0, "the transform's size is a power of two from 64 on")
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
  /// - Parameter isFlat: Whether the window is 1 in its middle half, which then costs nothing.
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
