internal import Glibc
internal import MediaModel

/// Where the power of a recording lies in its mean spectrum, as single numbers; nil for digital silence.
///
/// A DC offset is no sound, but the window spreads it over the bins beside the first. So the lowest bins do not count, as
/// far as an offset explains half of what is in them. Within a bin, power is taken as spread evenly.
struct SpectralShape {
  /// The first bin that may count: 43 Hz at 44.1 kHz, 47 Hz at 48 kHz.
  static let firstBin = 2
  /// Flatness ends here in Hz, where hearing does: what anti-aliasing filters do above is no property of the sound.
  static let flatnessTopInHz = 20_000.0
  /// Power relative to the mean below which a bin counts as that in the flatness (-100 dB): the geometric mean of
  /// anything with one empty bin would be 0.
  static let flatnessFloor = 1e-10

  let centroidInHz: Double
  let rolloff85InHz: Double
  let rolloff95InHz: Double
  /// Geometric over arithmetic mean of the power, `0...1`.
  let flatness: Double

  init?(_ bins: BinPowers) {
    guard bins.means.count > Self.firstBin else { return nil }
    let counted = Self.firstBin(of: bins)..<bins.means.count
    let total = counted.reduce(0) { $0 + bins.means[$1] }
    guard total > 0, total.isFinite else { return nil }
    let width = bins.binWidthInHz
    centroidInHz = width * counted.reduce(0) { $0 + Double($1) * bins.means[$1] } / total
    rolloff85InHz = Self.rolloff(0.85, of: bins, counted, total: total)
    rolloff95InHz = Self.rolloff(0.95, of: bins, counted, total: total)
    let heard = counted.filter { Double($0) * width <= Self.flatnessTopInHz }
    flatness = Self.flatness(heard.map { bins.means[$0] })
  }

  private static func firstBin(of bins: BinPowers) -> Int {
    guard bins.means[0] > 0 else { return firstBin }
    // The spectrum is one-sided: all bins but the first hold twice the amplitude.
    return (firstBin..<bins.means.count - 1).first { bin in
      bins.means[bin] > 2 * 4 * bins.means[0] * SpectrumWindow.skirt(bin: bin)
    } ?? firstBin
  }

  private static func rolloff(_ share: Double, of bins: BinPowers, _ counted: Range<Int>, total: Double) -> Double {
    var below = 0.0
    for bin in counted {
      let power = bins.means[bin]
      if below + power >= share * total, power > 0 {
        let edge = Double(bin) - 0.5 + (share * total - below) / power
        return min(edge, Double(bins.means.count - 1)) * bins.binWidthInHz
      }
      below += power
    }
    return Double(bins.means.count - 1) * bins.binWidthInHz
  }

  private static func flatness(_ powers: [Double]) -> Double {
    let mean = powers.reduce(0, +) / Double(max(powers.count, 1))
    guard mean > 0 else { return 0 }
    let logarithms = powers.reduce(0) { $0 + log(max($1 / mean, flatnessFloor)) }
    return exp(logarithms / Double(powers.count))
  }
}
