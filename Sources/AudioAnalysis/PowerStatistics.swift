/// Mean and maximum over time of a set of powers: of the bins of a transform, or of bands.
final class PowerStatistics {
  /// Frames that are summed as floats before they go to the doubles.
  private static let groupSize = 64

  private let count: Int
  private let groupSums: SampleBuffer
  private let peaks: SampleBuffer
  private var groupFrameCount = 0
  private var sums: [Double]

  init(count: Int) {
    self.count = count
    // Rounded up, so that the last vector has room.
    groupSums = SampleBuffer(count: count + 8)
    peaks = SampleBuffer(count: count + 8)
    sums = Array(repeating: 0, count: count)
  }

  /// - Parameter powers: `count` numbers and up to seven more that may be read and mean nothing.
  func add(_ powers: UnsafePointer<Float>) {
    let sums = groupSums.pointer
    let maxima = peaks.pointer
    var bin = 0
    while bin < count {
      let vector = powers.vector8(at: bin)
      sums.store(sums.vector8(at: bin) + vector, at: bin)
      maxima.store(greater(maxima.vector8(at: bin), vector), at: bin)
      bin += 8
    }
    groupFrameCount += 1
    if groupFrameCount == Self.groupSize { closeGroup() }
  }

  /// The sum over time and the maximum of each.
  func finish() -> (sums: [Double], maxima: [Float]) {
    closeGroup()
    return (sums, (0..<count).map { peaks.pointer[$0] })
  }

  private func closeGroup() {
    for bin in 0..<count {
      sums[bin] += Double(groupSums.pointer[bin])
      groupSums.pointer[bin] = 0
    }
    groupFrameCount = 0
  }
}
