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
  /// Blocks of the chunk that the filter needs behind the history to have passed the seam.
  private static let seamBlockCount = historyBlockCount + 2
  /// Room for rounding: in the interpolation, 2⁻²⁴ for each tap.
  private static let certainty: Float = 0.9999
  /// Above it a second difference, or an interpolated value, may exceed all finite numbers.
  private static let huge: Float = 1e37

  private static let unknown: Float = -1

  private let filter: TruePeakFilter
  private let skipsWhatCannotExceed: Bool
  /// History, then the beginning of the present chunk. Only what lies across the seam is copied to be in one piece.
  private let seam = SampleBuffer(count: seamBlockCount * blockSize)
  /// Largest magnitude of each block of the history and the chunk.
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
  /// - Parameter blocks: The extremes of each block of them.
  func consume(_ chunk: UnsafePointer<Float>, blocks: UnsafePointer<Extremes>, raising peak: inout Float) {
    for block in 0..<Self.historyBlockCount {
      peaks.pointer[block] = peaks.pointer[Self.blockCount + block]
      bends.pointer[block] = bends.pointer[Self.blockCount + block]
    }
    let headSize = seam.count - Self.historySize
    (seam.pointer + Self.historySize).update(from: chunk, count: headSize)
    for block in 0..<Self.blockCount {
      let blockPeak = blocks[block].magnitude
      peaks.pointer[Self.historyBlockCount + block] = blockPeak
      bends.pointer[Self.historyBlockCount + block] = Self.unknown
      peak = max(peak, blockPeak)
    }
    if !filter.phases.isEmpty {
      for block in 2..<Self.blockCount + 2 { search(block, of: chunk, raising: &peak) }
    }
    seam.pointer.update(from: chunk + PlanarChunk.capacity - Self.historySize, count: Self.historySize)
  }

  /// Where history and chunk can be read as one piece around a block: two samples before it, and one block behind it.
  private func samples(around block: Int, of chunk: UnsafePointer<Float>) -> UnsafePointer<Float> {
    block <= Self.historyBlockCount ? UnsafePointer(seam.pointer) : chunk - Self.historySize
  }

  private func largestBend(_ block: Int, of chunk: UnsafePointer<Float>) -> Float {
    if bends.pointer[block] != Self.unknown { return bends.pointer[block] }
    let samples = samples(around: block, of: chunk)
    var seconds = SIMD8<Float>.zero
    let start = block * Self.blockSize
    for index in stride(from: start, to: start + Self.blockSize, by: 8) {
      let before = samples.vector8(at: index - 1)
      let second = (samples.vector8(at: index) + samples.vector8(at: index - 2)) - (before + before)
      seconds = greater(seconds, magnitude(second))
    }
    bends.pointer[block] = seconds.largestLane
    return bends.pointer[block]
  }

  private func search(_ block: Int, of chunk: UnsafePointer<Float>, raising peak: inout Float) {
    let samples = samples(around: block, of: chunk)
    let start = block * Self.blockSize
    let end = max(peaks.pointer[block], abs(samples[start + Self.blockSize]))
    let largest = max(
      peaks.pointer[block - 2], peaks.pointer[block - 1], peaks.pointer[block], peaks.pointer[block + 1])
    var bend = Float.infinity
    if largest < Self.huge {
      guard canExceed(peak, line: end, bend: 4 * largest * filter.bendGain) else { return }
      let bends = (largestBend(block - 1, of: chunk), largestBend(block, of: chunk), largestBend(block + 1, of: chunk))
      bend = max(bends.0, bends.1, bends.2) * filter.bendGain
    }
    guard canExceed(peak, line: end, bend: bend) else { return }
    for group in stride(from: start, to: start + Self.blockSize, by: Self.groupSize) {
      let ends = greater(
        magnitude(samples.vector8(at: group)), magnitude(samples.vector8(at: group + 1)))
      guard canExceed(peak, line: ends.largestLane, bend: bend) else { continue }
      peak = max(peak, largestValue(behind: samples + group))
    }
  }

  private func canExceed(_ peak: Float, line: Float, bend: Float) -> Bool {
    !skipsWhatCannotExceed || line * filter.lineGain + bend > peak * Self.certainty
  }

  /// The largest interpolated magnitude behind each of eight samples.
  private func largestValue(behind group: UnsafePointer<Float>) -> Float {
    var largest = SIMD8<Float>.zero
    let first = group - (TruePeakFilter.tapCount / 2 - 1)
    for phase in filter.phases {
      var sum = SIMD8<Float>.zero
      for tap in 0..<TruePeakFilter.tapCount { sum += first.vector8(at: tap) * phase[tap] }
      largest = greater(largest, magnitude(sum))
    }
    return min(largest.largestLane, .greatestFiniteMagnitude)
  }
}
