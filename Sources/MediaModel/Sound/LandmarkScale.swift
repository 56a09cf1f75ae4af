internal import Glibc

/// The scale of the frequencies of landmarks: 172 units from 258 Hz to 4.2 kHz.
///
/// Units are bins of a transform of 1,024 samples at 11,025 Hz (10.77 Hz) up to bin 92, and from there steps of 1.4 %.
/// Steps of one ratio throughout would be finer than a bin at the lower end, and equal steps finer at the upper end than
/// a change of speed of a percent.
package enum LandmarkScale {
  package static let unitCount = 172
  package static let firstBin = 24
  /// Units that are one bin each.
  package static let linearCount = 69
  private static let logarithmicStart = 92.5
  private static let ratio = 1.014

  /// The frequency of a place, in bins; units are at whole numbers.
  package static func bins(atUnit unit: Double) -> Double {
    let start = Double(linearCount) - 0.5
    return unit < start ? unit + Double(firstBin) : logarithmicStart * pow(ratio, unit - start)
  }

  /// The place of a frequency in bins; the inverse of ``bins(atUnit:)``.
  package static func unit(atBins bins: Double) -> Double {
    bins < logarithmicStart
      ? bins - Double(firstBin) : Double(linearCount) - 0.5 + log(bins / logarithmicStart) / log(ratio)
  }

  /// The bins of each unit, which are at least one.
  package static let binRanges: [Range<Int>] = (0..<unitCount).map { unit in
    guard unit >= linearCount else { return firstBin + unit..<firstBin + unit + 1 }
    return Int(bins(atUnit: Double(unit) - 0.5).rounded(.up))..<Int(bins(atUnit: Double(unit) + 0.5).rounded(.up))
  }

  /// The four bands, each of which has peaks of its own: to 600 Hz, 1.3 kHz, 2.6 kHz and 4.2 kHz.
  ///
  /// So what a telephone or a low-pass removes takes only some of the peaks along.
  package static let bandEnds = [32, 88, 138, 172]

  /// The band of each unit.
  package static let bandOfUnit: [Int] = (0..<unitCount).map { unit in bandEnds.firstIndex { unit < $0 } ?? 0 }
}
