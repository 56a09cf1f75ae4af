import Foundation

/// Slow and plain transforms in double precision, as an oracle.
enum ReferenceSpectrum {
  /// The discrete Fourier transform by its definition.
  static func transform(real: [Double], imaginary: [Double]) -> (real: [Double], imaginary: [Double]) {
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

  /// The periodic Hann window.
  static func hann(_ size: Int) -> [Double] {
    (0..<size).map { 0.5 - 0.5 * cos(2 * .pi * Double($0) / Double(size)) }
  }
}
