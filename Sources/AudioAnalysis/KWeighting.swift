internal import Glibc

/// The filter that loudness is measured behind, for any sample rate: a shelf for the head, then a high pass.
///
/// The standard gives coefficients for 48 kHz; these come from the analogue prototypes behind them. The high pass's
/// numerator is 1, −2, 1 at every rate.
///
/// Source: ITU-R BS.1770-4, annex 1; the prototypes are those that libebur128 uses, which give the annex's table at 48 kHz.
struct KWeighting {
  /// `y = b0·x + b1·x₁ + b2·x₂ − a1·y₁ − a2·y₂`
  struct Shelf {
    var b0: Double
    var b1: Double
    var b2: Double
    var a1: Double
    var a2: Double
  }

  /// `y = x − 2·x₁ + x₂ − a1·y₁ − a2·y₂`
  struct HighPass {
    var a1: Double
    var a2: Double
  }

  /// Below it the shelf's corner at 1.7 kHz comes too close to half the sample rate, or lies beyond.
  static let lowestSampleRateInHz = 4_000

  let shelf: Shelf
  let highPass: HighPass

  /// nil below ``lowestSampleRateInHz``.
  init?(sampleRateInHz rate: Int) {
    guard rate >= Self.lowestSampleRateInHz else { return nil }
    shelf = Self.shelf(sampleRateInHz: Double(rate))
    highPass = Self.highPass(sampleRateInHz: Double(rate))
  }

  private static func shelf(sampleRateInHz rate: Double) -> Shelf {
    let k = tan(.pi * 1_681.974_450_955_533 / rate)
    let q = 0.707_175_236_955_419_6
    let high = pow(10, 3.999_843_853_973_347 / 20)
    let band = pow(high, 0.499_666_774_154_541_6)
    let a0 = 1 + k / q + k * k
    return Shelf(
      b0: (high + band * k / q + k * k) / a0, b1: 2 * (k * k - high) / a0, b2: (high - band * k / q + k * k) / a0,
      a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
  }

  private static func highPass(sampleRateInHz rate: Double) -> HighPass {
    let k = tan(.pi * 38.135_470_876_024_44 / rate)
    let q = 0.500_327_037_323_877_3
    let a0 = 1 + k / q + k * k
    return HighPass(a1: 2 * (k * k - 1) / a0, a2: (1 - k / q + k * k) / a0)
  }
}
