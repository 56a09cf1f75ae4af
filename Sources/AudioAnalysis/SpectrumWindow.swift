internal import Glibc

/// The window of the spectrum's transforms: flat in its middle half, with power-complementary slopes.
///
/// At a hop of three quarters of its length the squares of overlapping windows add up to 1 everywhere. So every sample
/// weighs the same wherever it lies, and the mean power of the frames is that of the stream. A Hann window at half its
/// length needs half as many frames again, and lets a click between two frames weigh 3 dB less than one in the middle.
///
/// Its side lobes are at -13 dB next to a sine, -28 dB four bins away, -71 dB sixteen, -143 dB 256 bins. Noise bandwidth:
/// 1.17 bins. Slopes: those of the Vorbis I specification, section 4.3.1.
enum SpectrumWindow {
  static func hop(ofSize size: Int) -> Int { size / 4 * 3 }

  static func coefficients(size: Int) -> [Double] {
    let slopeLength = size / 4
    return (0..<size).map { index in
      let distance = min(index, size - 1 - index)
      guard distance < slopeLength else { return 1 }
      let rise = sin((Double(distance) + 0.5) / Double(slopeLength) * .pi / 2)
      return sin(.pi / 2 * rise * rise)
    }
  }

  /// Any size shows the same.
  private static let example = coefficients(size: 1_024)
  private static let exampleSum = example.reduce(0, +)

  /// Power of a constant in a bin, relative to that in the first.
  static func skirt(bin: Int) -> Double {
    // It is symmetric about its middle.
    let middle = Double(example.count - 1) / 2
    let amplitude = example.indices.reduce(0) { sum, index in
      sum + example[index] * cos(2 * .pi * Double(bin) * (Double(index) - middle) / Double(example.count))
    }
    let ratio = amplitude / exampleSum
    return ratio * ratio
  }
}
