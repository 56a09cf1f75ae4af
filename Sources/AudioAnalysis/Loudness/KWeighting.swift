internal import Glibc
internal import MediaModel
internal import SignalProcessing

/// The K-weighting of loudness measurement for any sample rate: a shelf that models the head, then a high pass.
///
/// The standard gives coefficients for 48 kHz; these are computed from the analogue prototypes behind them. The
/// numerator of the high pass is 1, −2, 1 at every rate.
///
/// Source: ITU-R BS.1770-4, annex 1; the prototypes are those of libebur128, which give the annex's table at 48 kHz.
struct KWeighting {
  /// `y = x − 2·x₁ + x₂ − a1·y₁ − a2·y₂`
  struct HighPass {
    var a1: Double
    var a2: Double
  }

  /// Below this rate the shelf's corner at 1.7 kHz is too close to half the sample rate, or above it.
  static let lowestSampleRateInHz = 4_000

  let shelf: BiquadCoefficients
  let highPass: HighPass

  /// nil below ``lowestSampleRateInHz``.
  init?(sampleRateInHz rate: Int) {
    guard rate >= Self.lowestSampleRateInHz else { return nil }
    shelf = Self.shelf(sampleRateInHz: Double(rate))
    highPass = Self.highPass(sampleRateInHz: Double(rate))
  }

  private static func shelf(sampleRateInHz rate: Double) -> BiquadCoefficients {
    let k = tan(.pi * 1_681.974_450_955_533 / rate)
    let q = 0.707_175_236_955_419_6
    let high = pow(10, 3.999_843_853_973_347 / 20)
    let band = pow(high, 0.499_666_774_154_541_6)
    let a0 = 1 + k / q + k * k
    return BiquadCoefficients(
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

/// The energy of two channels after K-weighting.
///
/// Each channel is one lane of a vector. Each recurrence is written so that only one multiplication and one subtraction
/// depend on the previous sample; the processor runs both stages in parallel. The calculation is in double precision,
/// because the poles of the high pass come within 10⁻³ of the unit circle.
struct KWeightedPair {
  private typealias Lanes = SIMD2<Double>

  /// 600 dB below full scale: only ringing after the end of all sound.
  private static let negligible = 1e-30

  private let b1: Lanes
  private let b2: Lanes
  private let a1: Lanes
  private let a2: Lanes
  private let c1: Lanes
  private let c2: Lanes
  /// The square of the shelf's first coefficient, which is taken out of the loop.
  private let powerGain: Double

  // The state after the last two samples: input, shelf, difference of the shelf's output, high pass.
  private var x1 = Lanes.zero
  private var x2 = Lanes.zero
  private var y1 = Lanes.zero
  private var y2 = Lanes.zero
  private var difference = Lanes.zero
  private var z1 = Lanes.zero
  private var z2 = Lanes.zero

  init(_ weighting: KWeighting) {
    let shelf = weighting.shelf
    b1 = Lanes(repeating: shelf.b1 / shelf.b0)
    b2 = Lanes(repeating: shelf.b2 / shelf.b0)
    a1 = Lanes(repeating: shelf.a1)
    a2 = Lanes(repeating: shelf.a2)
    c1 = Lanes(repeating: weighting.highPass.a1)
    c2 = Lanes(repeating: weighting.highPass.a2)
    powerGain = shelf.b0 * shelf.b0
  }

  /// Filters the next `count` samples of both channels and gives the sum of the squares of each.
  mutating func energies(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int
  ) -> SIMD2<Double> {
    // Local copies, so that the compiler keeps them in registers.
    let (b1, b2, a1, a2, c1, c2) = (b1, b2, a1, a2, c1, c2)
    var (x1, x2, y1, y2, difference, z1, z2) = (x1, x2, y1, y2, difference, z1, z2)
    var sum = Lanes.zero
    @inline(__always) func step(_ x: Lanes) {
      let forward = ((x + b1 * x1) + b2 * x2) - a2 * y2
      let y = forward - a1 * y1
      // 1, −2, 1 is the difference of two differences.
      let newDifference = y - y1
      let high = (newDifference - difference) - c2 * z2
      let z = high - c1 * z1
      sum += z * z
      (x2, x1, y2, y1, difference, z2, z1) = (x1, x, y1, y, newDifference, z1, z)
    }
    var index = 0
    while index + 4 <= count {
      let lefts = left.vector4(at: index)
      let rights = right.vector4(at: index)
      step(Lanes(Double(lefts[0]), Double(rights[0])))
      step(Lanes(Double(lefts[1]), Double(rights[1])))
      step(Lanes(Double(lefts[2]), Double(rights[2])))
      step(Lanes(Double(lefts[3]), Double(rights[3])))
      index += 4
    }
    while index < count {
      step(Lanes(Double(left[index]), Double(right[index])))
      index += 1
    }
    (self.x1, self.x2, self.y1, self.y2, self.difference, self.z1, self.z2) = (x1, x2, y1, y2, difference, z1, z2)
    return sum * powerGain
  }

  /// Ends the ringing after a sound before its numbers become subnormal, which are slow to compute with.
  ///
  /// Call this about every thousand samples: within that time ringing does not fall from ``negligible`` to subnormal
  /// numbers at any usual sample rate.
  mutating func forgetNegligible() {
    func isNegligible(_ lanes: Lanes) -> Bool { all(lanes .< Self.negligible) && all(lanes .> -Self.negligible) }
    guard isNegligible(x1), isNegligible(x2), isNegligible(y1), isNegligible(y2), isNegligible(difference),
      isNegligible(z1), isNegligible(z2)
    else { return }
    (x1, x2, y1, y2) = (.zero, .zero, .zero, .zero)
    (difference, z1, z2) = (.zero, .zero, .zero)
  }
}
