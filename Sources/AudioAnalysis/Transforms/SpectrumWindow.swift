internal import Glibc

/// The window of the spectrum's transforms: flat in its middle half, with power-complementary slopes.
///
/// At a hop of three quarters of its length the squares of overlapping windows add up to 1 everywhere. So every sample
/// has the same weight, and the mean power of the frames is that of the stream. A Hann window at a hop of half its
/// length needs 1.5 times as many frames, and a click between two frames has 3 dB less weight than one in the middle of
/// a frame.
///
/// Its side lobes are at -13 dB next to a sine, -28 dB four bins away, -71 dB sixteen, -143 dB 256 bins. Noise
/// bandwidth: 1.17 bins. Slopes: those of the Vorbis I specification, section 4.3.1.
enum SpectrumWindow {
  static func hop(ofSize size: Int) -> Int { size / 4 * 3 }

  /// `size` coefficients in `0...1`.
  static func coefficients(size: Int) -> [Double] {
    let slopeLength = size / 4
    return (0..<size).map { index in
      let distance = min(index, size - 1 - index)
      guard distance < slopeLength else { return 1 }
      let rise = sin((Double(distance) + 0.5) / Double(slopeLength) * .pi / 2)
      return sin(.pi / 2 * rise * rise)
    }
  }

  /// The result does not depend on the size.
  private static let example = coefficients(size: 1_024)
  private static let exampleSum = example.reduce(0, +)

  /// The power of a constant in a bin, relative to its power in the first bin.
  static func skirt(bin: Int) -> Double {
    // The window is symmetric about its middle.
    let middle = Double(example.count - 1) / 2
    let amplitude = example.indices.reduce(0) { sum, index in
      sum + example[index] * cos(2 * .pi * Double(bin) * (Double(index) - middle) / Double(example.count))
    }
    let ratio = amplitude / exampleSum
    return ratio * ratio
  }
}
