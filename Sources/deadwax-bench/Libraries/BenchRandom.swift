internal import Glibc

/// Random numbers that are the same in every run and on every machine: Vigna's SplitMix64.
struct BenchRandom: RandomNumberGenerator {
  private var state: UInt64

  init(seed: UInt64) { state = seed }

  mutating func next() -> UInt64 {
    state &+= 0x9E37_79B9_7F4A_7C15
    var mixed = state
    mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
    mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
    return mixed ^ (mixed >> 31)
  }

  /// From 0 up to, not including, 1.
  mutating func unit() -> Double { Double(next() >> 11) * 0x1p-53 }

  mutating func number(_ range: ClosedRange<Int>) -> Int {
    range.lowerBound + Int(unit() * Double(range.upperBound - range.lowerBound + 1))
  }

  mutating func isTrue(_ probability: Double) -> Bool { unit() < probability }

  mutating func pick<Value>(_ choices: [Value]) -> Value { choices[number(0...choices.count - 1)] }

  /// By the method of Box and Muller, rounded to hundredths as measures of sound are worth no more.
  mutating func normal(_ mean: Double, _ deviation: Double) -> Double {
    let radius = (-2 * log(max(unit(), 1e-300))).squareRoot()
    return ((mean + deviation * radius * cos(2 * .pi * unit())) * 100).rounded() / 100
  }

  /// A rank from 0 below `count`, each taken in proportion to 1 / (rank + 1), as words of a language are.
  mutating func rank(below count: Int) -> Int { min(count - 1, Int(exp(unit() * log(Double(count) + 1))) - 1) }
}
