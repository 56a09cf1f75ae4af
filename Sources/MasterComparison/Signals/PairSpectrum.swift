internal import SignalProcessing

/// Room for two lines of samples, or for the spectrum of both as one complex signal.
final class PairSpectrum {
  let real: SampleBuffer
  let imaginary: SampleBuffer

  init(size: Int) {
    real = SampleBuffer(count: size)
    imaginary = SampleBuffer(count: size)
  }

  func clear() {
    real.clear()
    imaginary.clear()
  }

  /// Takes samples of a pair, and zeros for the rest.
  func load(_ pair: SignalPair, from start: Int = 0, count: Int, at place: Int = 0) {
    clear()
    for (line, target) in [(pair.left, real.pointer), (pair.right, imaginary.pointer)] {
      line.withUnsafeBufferPointer { line in
        guard let line = line.baseAddress else { return }
        (target + place).update(from: line + start, count: count)
      }
    }
  }

  /// A bin of this spectrum times the conjugate of that of another one.
  @inline(__always)
  func product(_ bin: Int, withConjugateOf other: PairSpectrum) -> SIMD2<Float> {
    let (a, b) = (real.pointer[bin], imaginary.pointer[bin])
    let (c, d) = (other.real.pointer[bin], other.imaginary.pointer[bin])
    return SIMD2(a * c + b * d, b * c - a * d)
  }
}

/// Transforms a ``PairSpectrum`` in its place, without a window.
final class PairTransform {
  let size: Int
  private let transform: ComplexTransform
  private let ones: SampleBuffer

  init(size: Int) {
    self.size = size
    transform = ComplexTransform(size: size)
    ones = SampleBuffer([Float](repeating: 1, count: size))
  }

  func forward(_ pair: PairSpectrum) {
    let result = transform.transform(
      real: UnsafePointer(pair.real.pointer), imaginary: UnsafePointer(pair.imaginary.pointer),
      window: UnsafePointer(ones.pointer))
    pair.real.pointer.update(from: result.real, count: size)
    pair.imaginary.pointer.update(from: result.imaginary, count: size)
  }

  /// The inverse transform, times ``size``.
  func inverse(_ pair: PairSpectrum) {
    let result = transform.invert(
      real: UnsafePointer(pair.real.pointer), imaginary: UnsafePointer(pair.imaginary.pointer))
    pair.real.pointer.update(from: result.real, count: size)
    pair.imaginary.pointer.update(from: result.imaginary, count: size)
  }
}
