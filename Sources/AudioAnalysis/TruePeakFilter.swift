internal import Glibc

/// An interpolator between samples, and what its output cannot exceed.
///
/// A sinc of 48 taps a phase in a Kaiser window (β = 6), each phase scaled to a gain of 1 at 0 Hz. Up to 0.46 of the
/// sample rate (20.3 kHz at 44.1 kHz) a phase departs from the ideal delay by less than -55 dB, or 0.015 dB; half the sample
/// rate comes out 6 dB too low or lower.
///
/// Every phase can be written as `a·x[0] + b·x[1] + Σ d[k]·Δ²x[k]`, a straight line and what bends: the filter without the line
/// has a double zero at 0 Hz, so it can be divided by (1 − z⁻¹)². Therefore no value between two samples is larger than
/// ``lineGain`` times the larger of them and ``bendGain`` times the largest second difference in reach.
struct TruePeakFilter {
  /// Taps of a phase; the output lies between the two in the middle.
  static let tapCount = 48
  private static let beta = 6.0

  /// One array of taps for each position between two samples; empty where nothing need be interpolated.
  let phases: [[Float]]
  /// Largest |a| + |b| of the phases.
  let lineGain: Float
  /// Largest Σ |d| of the phases.
  let bendGain: Float

  /// Four times the sample rate below 96 kHz, as the recommendation does at 48 kHz; twice below 192 kHz.
  init(sampleRateInHz: Int) {
    let factor = sampleRateInHz < 96_000 ? 4 : sampleRateInHz < 192_000 ? 2 : 1
    phases = (1..<factor).map { Self.phase(Double($0) / Double(factor)).map { Float($0) } }
    // Of the rounded coefficients, and rounded up.
    let gains = phases.map { Self.gains(of: $0.map { Double($0) }) }
    lineGain = Float(gains.map(\.line).max() ?? 0).nextUp
    bendGain = Float(gains.map(\.bend).max() ?? 0).nextUp
  }

  /// The taps that give the signal at a fraction of the way between the two samples in the middle.
  static func phase(_ fraction: Double) -> [Double] {
    let half = Double(tapCount / 2)
    let taps = (0..<tapCount).map { index in
      let distance = Double(index - tapCount / 2 + 1) - fraction
      return sin(.pi * distance) / (.pi * distance) * KaiserWindow.weight(at: distance / half, beta: beta)
    }
    let sum = taps.reduce(0, +)
    return taps.map { $0 / sum }
  }

  private static func gains(of taps: [Double]) -> (line: Double, bend: Double) {
    let middle = tapCount / 2 - 1
    let sum = taps.reduce(0, +)
    let slope = taps.indices.reduce(0) { $0 + Double($1 - middle) * taps[$1] }
    var rest = taps
    rest[middle] -= sum - slope
    rest[middle + 1] -= slope
    // The quotient by 1 − 2z⁻¹ + z⁻², which leaves no remainder.
    var (bend, last, lastButOne) = (0.0, 0.0, 0.0)
    for index in 0..<tapCount - 2 {
      (last, lastButOne) = (rest[index] + 2 * last - lastButOne, last)
      bend += abs(last)
    }
    return (abs(sum - slope) + abs(slope), bend)
  }
}
