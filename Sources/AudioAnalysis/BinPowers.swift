/// The mean power over time of every linear bin of the mono mix, from 0 Hz to half the sample rate.
///
/// A sine of amplitude 1 on a bin has the power 1 there. A bin covers half a width on either side of its frequency.
struct BinPowers {
  let sampleRateInHz: Int
  /// At least two.
  let means: [Double]
  let maxima: [Double]
  /// How many whole windows the stream filled; windows overlap by a quarter.
  let frameCount: Double

  var binWidthInHz: Double { Double(sampleRateInHz) / 2 / Double(max(means.count - 1, 1)) }
}
