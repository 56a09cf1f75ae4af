#if canImport(Glibc)
  internal import Glibc
#endif

/// The discrete Fourier transform of a power of two of complex numbers, kept as separate real and imaginary parts.
///
/// Stockham's self-sorting order with radix 4 and a last pass of radix 4 or 8 without twiddle factors: no bit reversal,
/// every pass reads and writes runs of neighbours. Tables and buffers are made once; a transform allocates nothing.
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
  /// Real and imaginary part, twice: the passes go back and forth between the two.
  let work: SampleBuffer

  /// - Precondition: `size` is a power of two and at least 64.
  init(size: Int) {
    precondition(size >= 64 && size & (size - 1) == 0, "the transform's size is a power of two from 64 on")
    self.size = size
    var passes: [Pass] = []
    var table: [Float] = []
    var length = size
    while length > 8 {
      passes.append(Pass(length: length, stride: size / length, tableOffset: table.count))
      let quarter = length / 4
      let factors = (0..<3 * quarter).map { -2 * Double.pi * Double($0) / Double(length) }
      if length == size {
        // The first pass takes four butterflies at a time: six runs, the parts of w, w² and w³.
        for power in 1...3 {
          table += (0..<quarter).map { Float(cos(factors[$0 * power])) }
          table += (0..<quarter).map { Float(sin(factors[$0 * power])) }
        }
      } else {
        for index in 0..<quarter {
          for power in 1...3 {
            table += [Float(cos(factors[index * power])), Float(sin(factors[index * power]))]
          }
          table += [0, 0]
        }
      }
      length /= 4
    }
    self.passes = passes
    twiddles = SampleBuffer(table)
    work = SampleBuffer(count: 4 * size)
  }

  /// Transforms `real + i·imaginary`, each multiplied by `window`, into natural order.
  ///
  /// - Returns: The parts of the result, `size` numbers each, valid until the next transform.
  func transform(
    real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>, window: UnsafePointer<Float>
  ) -> (real: UnsafePointer<Float>, imaginary: UnsafePointer<Float>) {
    var source = (work.pointer, work.pointer + size)
    var target = (work.pointer + 2 * size, work.pointer + 3 * size)
    firstPass(real, imaginary, window, into: source)
    for pass in passes.dropFirst() {
      if pass.stride == 4 {
        narrowPass(pass, from: source, into: target)
      } else {
        widePass(pass, from: source, into: target)
      }
      swap(&source, &target)
    }
    if passes[passes.count - 1].length == 16 {
      lastPassOfFour(from: source, into: target)
    } else {
      lastPassOfEight(from: source, into: target)
    }
    return (UnsafePointer(target.0), UnsafePointer(target.1))
  }
}
