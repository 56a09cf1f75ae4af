/// Two channels behind the K-weighting, measured by their energy.
///
/// One channel is one lane of a vector. Each recurrence is written so that only one multiplication and one subtraction
/// wait for the sample before; the processor runs both stages side by side. In double precision, because the poles of
/// the high pass come within 10⁻³ of the unit circle.
struct KWeightedPair {
  private typealias Lanes = SIMD2<Double>

  /// 600 dB below full scale: what is left of a sound that has ended.
  private static let negligible = 1e-30

  private let b1: Lanes
  private let b2: Lanes
  private let a1: Lanes
  private let a2: Lanes
  private let c1: Lanes
  private let c2: Lanes
  /// The shelf's first coefficient, taken out of the loop.
  private let powerGain: Double

  // What the last two samples left: input, shelf, difference of the shelf's output, high pass.
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

  /// Filters the next samples of both channels; the sum of the squares of each.
  mutating func energies(
    _ left: UnsafePointer<Float>, _ right: UnsafePointer<Float>, count: Int
  ) -> SIMD2<Double> {
    // In registers: neither the samples nor the coefficients are read through `self` again.
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

  /// Ends the ringing of a sound that is over before its numbers become too small for the processor to be fast.
  ///
  /// To be called every thousand samples or so: in so many, ringing does not fall from here to the smallest numbers at any
  /// usual rate.
  mutating func forgetNegligible() {
    func isNegligible(_ lanes: Lanes) -> Bool { all(lanes .< Self.negligible) && all(lanes .> -Self.negligible) }
    guard isNegligible(x1), isNegligible(x2), isNegligible(y1), isNegligible(y2), isNegligible(difference),
      isNegligible(z1), isNegligible(z2)
    else { return }
    (x1, x2, y1, y2) = (.zero, .zero, .zero, .zero)
    (difference, z1, z2) = (.zero, .zero, .zero)
  }
}
