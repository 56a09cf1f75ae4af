/// Mean and maximum over time of a set of powers.
struct PowerStatistics {
  private(set) var sums: [Double]
  private(set) var maxima: [Float]

  init(count: Int) {
    sums = Array(repeating: 0, count: count)
    maxima = Array(repeating: 0, count: count)
  }

  mutating func add(_ powers: UnsafePointer<Float>) {
    for index in sums.indices {
      sums[index] += Double(powers[index])
      maxima[index] = max(maxima[index], powers[index])
    }
  }
}
