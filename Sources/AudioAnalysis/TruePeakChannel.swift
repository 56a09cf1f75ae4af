/// One channel of a true peak meter.
///
/// A block of samples is interpolated only if the bound of ``TruePeakFilter`` exceeds the peak found so far, and of
/// it only the groups of eight samples whose own bound does. Both need no more than the largest sample and the largest
/// second difference; and that is looked for only where four times the largest sample, which it cannot exceed, would not
/// do. The peak is that of interpolating everything, to the last bit.
final class TruePeakChannel {
  private static let blockSize = PlanarChunk.blockSize
  private static let groupSize = 8
  private static let blockCount = PlanarChunk.blockCount
  /// Blocks that were there before: the last one waits for samples behind it, the filter reaches into the one before, and
  /// the second differences there begin in the one before that.
  private static let historyBlockCount = 3
  private static let historySize = historyBlockCount * blockSize
  /// Room for rounding: in the interpolation, 2⁻²⁴ for each tap.
  private static let certainty: Float = 0.9999
  /// Above it a second difference, or an interpolated value, may exceed all finite numbers.
  private static let huge: Float = 1e37

  private static let unknown: Float = -1

  private let filter: TruePeakFilter
  private let skipsWhatCannotExceed: Bool
  /// History, then the present chunk.
  private let samples = SampleBuffer(count: historySize + PlanarChunk.capacity)
  /// Largest magnitude of each block of `samples`.
  private let peaks = SampleBuffer(count: historyBlockCount + blockCount)
  /// Largest second difference of those that end in the block, or ``unknown``.
  private let bends = SampleBuffer(count: historyBlockCount + blockCount)

  init(_ filter: TruePeakFilter, skipsWhatCannotExceed: Bool) {
    precondition(TruePeakFilter.tapCount / 2 < Self.blockSize, "the filter reaches no farther than the next block")
    self.filter = filter
    self.skipsWhatCannotExceed = skipsWhatCannotExceed
  }

  /// Takes the next ``PlanarChunk/capacity`` samples and looks between those up to one block before their end.
  ///
  /// - Parameter blockPeaks: The largest magnitude of each block of them.
  func consume(_ chunk: UnsafePointer<Float>, blockPeaks: UnsafePointer<Float>, raising peak: inout Float) {
    for block in 0..<Self.historyBlockCount {
      peaks.pointer[block] = peaks.pointer[Self.blockCount + block]
      bends.pointer[block] = bends.pointer[Self.blockCount + block]
    }
    samples.pointer.update(from: samples.pointer + PlanarChunk.capacity, count: Self.historySize)
    (samples.pointer + Self.historySize).update(from: chunk, count: PlanarChunk.capacity)
    for block in 0..<Self.blockCount {
      peaks.pointer[Self.historyBlockCount + block] = blockPeaks[block]
      bends.pointer[Self.historyBlockCount + block] = Self.unknown
      peak = max(peak, blockPeaks[block])
    }
    guard !filter.phases.isEmpty else { return }
    for block in 2..<Self.blockCount + 2 { search(block, raising: &peak) }
  }

  private func largestBend(_ block: Int) -> Float {
    if bends.pointer[block] != Self.unknown { return bends.pointer[block] }
    var seconds = SIMD8<Float>.zero
    let start = block * Self.blockSize
    for index in stride(from: start, to: start + Self.blockSize, by: 8) {
      let before = samples.pointer.vector8(at: index - 1)
      let second =
        (samples.pointer.vector8(at: index) + samples.pointer.vector8(at: index - 2)) - (before + before)
      seconds = greater(seconds, magnitude(second))
    }
    bends.pointer[block] = seconds.largestLane
    return bends.pointer[block]
  }

  private func search(_ block: Int, raising peak: inout Float) {
    let start = block * Self.blockSize
    let end = max(peaks.pointer[block], abs(samples.pointer[start + Self.blockSize]))
    let largest = max(
      peaks.pointer[block - 2], peaks.pointer[block - 1], peaks.pointer[block], peaks.pointer[block + 1])
    var bend = Float.infinity
    if largest < Self.huge {
      guard canExceed(peak, line: end, bend: 4 * largest * filter.bendGain) else { return }
      bend = max(largestBend(block - 1), largestBend(block), largestBend(block + 1)) * filter.bendGain
    }
    guard canExceed(peak, line: end, bend: bend) else { return }
    for group in stride(from: start, to: start + Self.blockSize, by: Self.groupSize) {
      let ends = greater(
        magnitude(samples.pointer.vector8(at: group)), magnitude(samples.pointer.vector8(at: group + 1)))
      guard canExceed(peak, line: ends.largestLane, bend: bend) else { continue }
      peak = max(peak, largestValue(behind: group))
    }
  }

  private func canExceed(_ peak: Float, line: Float, bend: Float) -> Bool {
    !skipsWhatCannotExceed || line * filter.lineGain + bend > peak * Self.certainty
  }

  /// The largest interpolated magnitude behind each of eight samples.
  private func largestValue(behind group: Int) -> Float {
    var largest = SIMD8<Float>.zero
    let first = group - TruePeakFilter.tapCount / 2 + 1
    for phase in filter.phases {
      var sum = SIMD8<Float>.zero
      for tap in 0..<TruePeakFilter.tapCount { sum += samples.pointer.vector8(at: first + tap) * phase[tap] }
      largest = greater(largest, magnitude(sum))
    }
    return min(largest.largestLane, .greatestFiniteMagnitude)
  }
}
