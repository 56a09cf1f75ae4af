internal import Glibc

/// Where the power of a recording is in its mean spectrum, as single numbers.
///
/// A DC offset is inaudible, but the window spreads it over the bins beside the first. So the lowest bins are ignored
/// as long as an offset explains half of their power. Within a bin, power is assumed to be spread evenly.
struct SpectralShape {
  /// The lowest bin that can count: 43 Hz at 44.1 kHz, 47 Hz at 48 kHz.
  static let firstBin = 2
  /// Flatness is measured up to here, the limit of hearing; what is above depends on anti-aliasing filters.
  static let flatnessTopInHz = 20_000.0
  /// The smallest power, relative to the mean, that a bin counts with in the flatness (-100 dB): a single empty bin
  /// would make the geometric mean 0.
  static let flatnessFloor = 1e-10

  let centroidInHz: Double
  let rolloff85InHz: Double
  let rolloff95InHz: Double
  /// The geometric mean of the power divided by the arithmetic mean, `0...1`.
  let flatness: Double

  /// nil for digital silence.
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

/// The mean power over time of every linear bin of the mono mix, from 0 Hz to half the sample rate.
///
/// A sine of amplitude 1 on a bin has the power 1 there. A bin extends half its width to either side of its frequency.
struct BinPowers {
  let sampleRateInHz: Int
  /// At least two, unless nothing was measured.
  let means: [Double]
  let maxima: [Double]
  /// The length of the stream in windows; windows overlap by a quarter.
  let frameCount: Double

  var binWidthInHz: Double { Double(sampleRateInHz) / 2 / Double(max(means.count - 1, 1)) }
}
