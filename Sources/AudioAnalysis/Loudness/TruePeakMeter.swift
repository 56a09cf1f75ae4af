internal import Base
internal import MediaModel
internal import SignalProcessing

/// Finds the true peak of a stream: the largest magnitude at and between its samples.
///
/// Source: ITU-R BS.1770-4, annex 2.
///
/// - Complexity: O(1) per sample and in memory. In music fewer than one sample in a hundred is interpolated.
struct TruePeakMeter {
  private let channels: [TruePeakChannel]
  /// The largest magnitude so far, over all channels.
  private(set) var peak: Float = 0

  /// - Parameter skipsWhatCannotExceed: false interpolates everything, with the same result.
  init(format: AudioFormat, skipsWhatCannotExceed: Bool = true) {
    let filter = TruePeakFilter(sampleRateInHz: format.sampleRateInHz)
    var channels: [TruePeakChannel] = []
    for _ in 0..<format.channelCount {
      channels.append(TruePeakChannel(filter, skipsWhatCannotExceed: skipsWhatCannotExceed))
    }
    self.channels = channels
  }

  mutating func consume(_ chunk: borrowing PlanarChunk) {
    for (index, channel) in channels.enumerated() {
      chunk.withChannel(index) { samples in
        chunk.withBlocks(ofChannel: index) { channel.consume(samples, blocks: $0, raising: &peak) }
      }
    }
  }

  /// Ends the stream, which zeros are assumed to follow.
  ///
  /// - Returns: The true peak in dBTP, nil for silence.
  consuming func finish() -> Double? {
    let silence = SampleBuffer(count: PlanarChunk.capacity)
    let blocks = [Extremes](repeating: Extremes(low: 0, high: 0), count: PlanarChunk.blockCount)
    for channel in channels { channel.consume(silence.pointer, blocks: blocks, raising: &peak) }
    return peak > 0 ? Decibels.level(ofAmplitude: Double(peak)) : nil
  }
}

/// One channel of a true peak meter.
///
/// A block of samples is interpolated only if the bound of ``TruePeakFilter`` exceeds the peak found so far, and within
/// the block only the groups of eight samples whose own bound does. Both bounds need only the largest sample and the
/// largest second difference. The latter cannot exceed four times the largest sample, and is computed only if that
/// limit is not enough. The result equals that of interpolating everything, to the last bit.
final class TruePeakChannel {
  private static let blockSize = PlanarChunk.blockSize
  private static let groupSize = 8
  private static let blockCount = PlanarChunk.blockCount
  /// The number of earlier blocks that are kept: the last one waits for the samples after it, the filter reaches into
  /// the one before, and the second differences there begin in the one before that.
  private static let historyBlockCount = 3
  private static let historySize = historyBlockCount * blockSize
  /// The number of blocks in the seam: the history, and as much of the chunk as the filter needs after it.
  private static let seamBlockCount = historyBlockCount + 2
  /// A margin for rounding: in the interpolation 2⁻²⁴ for each tap.
  private static let certainty: Float = 0.9999
  /// Above this a second difference or an interpolated value may overflow.
  private static let huge: Float = 1e37
  /// Marks a second difference that has not been computed.
  private static let unknown: Float = -1

  private let filter: TruePeakFilter
  private let skipsWhatCannotExceed: Bool
  /// The history, followed by the start of the current chunk: only what crosses the boundary is copied to be
  /// contiguous.
  private let seam = SampleBuffer(count: seamBlockCount * blockSize)
  /// The largest magnitude of each block of the history and the chunk.
  private let peaks = SampleBuffer(count: historyBlockCount + blockCount)
  /// The largest second difference that ends in each block, or ``unknown``.
  private let bends = SampleBuffer(count: historyBlockCount + blockCount)

  init(_ filter: TruePeakFilter, skipsWhatCannotExceed: Bool) {
    precondition(TruePeakFilter.tapCount / 2 < Self.blockSize, "the filter must not reach farther than the next block")
    self.filter = filter
    self.skipsWhatCannotExceed = skipsWhatCannotExceed
  }

  /// Takes the next ``PlanarChunk/capacity`` samples and searches up to one block before their end.
  ///
  /// - Parameters:
  ///   - blocks: The extremes of each block of the chunk.
  ///   - peak: Raised to the largest magnitude found.
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

  /// Where history and chunk are contiguous around a block, from two samples before it to one block after it.
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
      peak = max(peak, largestValue(after: samples + group))
    }
  }

  private func canExceed(_ peak: Float, line: Float, bend: Float) -> Bool {
    !skipsWhatCannotExceed || line * filter.lineGain + bend > peak * Self.certainty
  }

  /// The largest interpolated magnitude after any of eight samples.
  private func largestValue(after group: UnsafePointer<Float>) -> Float {
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

extension TruePeakFilter {
  /// Four times oversampling below 96 kHz, as the recommendation has at 48 kHz; twice below 192 kHz; none from there
  /// on.
  init(sampleRateInHz: Int) {
    self.init(pointCount: sampleRateInHz < 96_000 ? 4 : sampleRateInHz < 192_000 ? 2 : 1)
  }
}
