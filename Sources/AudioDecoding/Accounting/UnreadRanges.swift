/// Ranges of a file that a walk over its frames or pages passed over, in ascending order.
struct UnreadRanges: Hashable {
  private static let maximumCount = 1_000

  private(set) var ranges: [Range<Int64>] = []

  /// Adds a range behind all others. If there are too many, the last one grows over what is between them.
  mutating func add(_ range: Range<Int64>) {
    guard !range.isEmpty else { return }
    if let last = ranges.last, last.upperBound == range.lowerBound || ranges.count == Self.maximumCount {
      ranges[ranges.count - 1] = last.lowerBound..<range.upperBound
    } else {
      ranges.append(range)
    }
  }
}
