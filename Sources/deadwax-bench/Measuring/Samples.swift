/// Repeated measurements of one thing.
struct Samples {
  private(set) var values: [Double] = []

  init(_ values: [Double] = []) { self.values = values }

  mutating func add(_ value: Double) { values.append(value) }

  /// The middle one, or the mean of the two in the middle; nil for none.
  var median: Double? {
    guard !values.isEmpty else { return nil }
    let sorted = values.sorted()
    let upper = sorted[sorted.count / 2]
    return sorted.count.isMultiple(of: 2) ? (sorted[sorted.count / 2 - 1] + upper) / 2 : upper
  }

  var least: Double? { values.min() }
  var largest: Double? { values.max() }

  /// Round by round over those of something else: a machine that slows down for some rounds slows both.
  ///
  /// Rounds in which the other measured nothing do not count.
  func ratios(to other: Samples) -> Samples {
    Samples(zip(values, other.values).filter { $1 > 0 }.map { $0 / $1 })
  }
}
