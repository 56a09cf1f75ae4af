/// Sums of the energies of the last 400 ms and 3 s, renewed every 10 ms.
///
/// Sums of ten are kept and added up anew each time, so nothing that was loud leaves a rounding error behind.
struct LoudnessWindows {
  /// Spans of 10 ms in a hop of the gating blocks.
  static let hopLength = 10
  static let momentaryLength = 40
  static let shortTermLength = 300

  /// The last spans of 10 ms, as a ring.
  private var spans = [Double](repeating: 0, count: hopLength)
  /// The sum of ten spans up to each of the last ones, as a ring.
  private var hops = [Double](repeating: 0, count: shortTermLength)
  /// Spans so far.
  private(set) var count = 0

  mutating func append(_ energy: Double) {
    spans[count % Self.hopLength] = energy
    hops[count % Self.shortTermLength] = spans.reduce(0, +)
    count += 1
  }

  /// Sum over the last spans; nil as long as there are fewer.
  ///
  /// - Parameter length: ``momentaryLength`` or ``shortTermLength``.
  func sum(ofLast length: Int) -> Double? {
    guard count >= length else { return nil }
    var sum = 0.0
    for back in stride(from: 1, to: length, by: Self.hopLength) {
      sum += hops[(count - back) % Self.shortTermLength]
    }
    return sum
  }
}
