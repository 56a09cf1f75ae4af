import Foundation

/// Slow and simple transforms in double precision, as a reference.
package enum ReferenceSpectrum {
  /// The discrete Fourier transform by its definition.
  package static func transform(real: [Double], imaginary: [Double]) -> (real: [Double], imaginary: [Double]) {
    let size = real.count
    let cosines = (0..<size).map { cos(2 * .pi * Double($0) / Double(size)) }
    let sines = (0..<size).map { sin(2 * .pi * Double($0) / Double(size)) }
    var result = (real: [Double](repeating: 0, count: size), imaginary: [Double](repeating: 0, count: size))
    for bin in 0..<size {
      var index = 0
      for point in 0..<size {
        result.real[bin] += real[point] * cosines[index] + imaginary[point] * sines[index]
        result.imaginary[bin] += imaginary[point] * cosines[index] - real[point] * sines[index]
        index = (index + bin) & (size - 1)
      }
    }
    return result
  }

  /// A window whose slopes, a quarter of its length, are those of Vorbis: sin(π/2 · sin²(π/2 · x)).
  package static func window(_ size: Int) -> [Double] {
    (0..<size).map { index in
      let fromEdge = min(Double(index) + 0.5, Double(size - index) - 0.5)
      let x = min(4 * fromEdge / Double(size), 1)
      return sin(.pi / 2 * pow(sin(.pi / 2 * x), 2))
    }
  }
}
