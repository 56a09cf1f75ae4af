import MediaModel

/// A filter on two channels at once, with what it remembers: transposed direct form II in double precision.
struct BiquadLane {
  typealias Pair = SIMD2<Double>

  var b0: Pair
  var b1: Pair
  var b2: Pair
  var a1: Pair
  var a2: Pair
  var s1 = Pair.zero
  var s2 = Pair.zero

  /// One filter for each channel; none lets the samples through.
  init(_ left: BiquadCoefficients?, _ right: BiquadCoefficients?) {
    let (left, right) = (left ?? .identity, right ?? .identity)
    b0 = Pair(left.b0, right.b0)
    b1 = Pair(left.b1, right.b1)
    b2 = Pair(left.b2, right.b2)
    a1 = Pair(left.a1, right.a1)
    a2 = Pair(left.a2, right.a2)
  }

  /// Other coefficients, the same memory.
  mutating func take(_ other: BiquadLane) {
    (b0, b1, b2, a1, a2) = (other.b0, other.b1, other.b2, other.a1, other.a2)
  }

  @inline(__always) mutating func step(_ x: Pair) -> Pair {
    let y = b0 * x + s1
    s1 = b1 * x - a1 * y + s2
    s2 = b2 * x - a2 * y
    return y
  }

  /// Forgets what is too small to be heard, long before it becomes a subnormal number, which costs a hundredfold.
  mutating func flush() {
    s1.replace(with: 0, where: s1 .< 1e-30 .& s1 .> -1e-30)
    s2.replace(with: 0, where: s2 .< 1e-30 .& s2 .> -1e-30)
  }
}
