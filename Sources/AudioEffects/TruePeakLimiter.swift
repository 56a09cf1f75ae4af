internal import Base
internal import Glibc
package import MediaModel
internal import SignalProcessing

/// Reduces the gain smoothly wherever the true peak would exceed a ceiling.
///
/// All channels get the same gain. The limiter looks four milliseconds ahead, so that the gain is low enough when the
/// peak arrives, and returns to 1 within some tenths of a second. Parts that stay below the ceiling by the margin keep
/// every bit.
package final class TruePeakLimiter: SoundEffect {
  /// What interpolation may miss plus what the changing gain may add, in decibels.
  private static let margin = 0.15
  private static let halfLookaheadInSeconds = 0.002
  private static let releaseInSeconds = 0.15
  /// A gain of 1 as an integer: integers make the sums of gains exact.
  private static let one: Int64 = 1 << 40

  package let format: AudioFormat
  /// The largest gain reduction so far in decibels, 0 or more.
  package var greatestReductionInDB: Double { -Decibels.level(ofAmplitude: lowestGain) }
  private var lowestGain = 1.0

  private let ceiling: Float
  /// If all samples in reach are below this, no true peak can exceed the ceiling.
  private let harmless: Float
  private let half: Int
  private let releaseFactor: Double
  private let detector: TruePeakDetector
  private var minimum: SlidingMinimum
  private var released = TruePeakLimiter.one
  private var first: SlidingSum
  private var second: SlidingSum
  private let fullSum: Double
  /// The frames that are still needed, with silence before the first.
  private var frames: [Float]
  /// The number of `frames` before the next interval.
  private let frameCountBehind: Int
  /// The first frame of the next interval, which ends with the frame after it; the first intervals begin before the
  /// stream.
  private var interval = Int64(-TruePeakDetector.lookahead)
  private var lastLoudFrame = Int64.min / 2

  /// - Parameter ceilingInDBTP: Kept for meters of any oversampling.
  package init(format: AudioFormat, ceilingInDBTP: Double = -1) {
    self.format = format
    let sampleRate = Double(format.sampleRateInHz)
    ceiling = Float(Decibels.amplitude(ceilingInDBTP - Self.margin))
    detector = TruePeakDetector(ceiling: ceiling)
    harmless = ceiling / TruePeakDetector.greatestGrowth
    half = max(1, Int(Self.halfLookaheadInSeconds * sampleRate))
    releaseFactor = 1 - exp(-1 / (Self.releaseInSeconds * sampleRate))
    // From the interval before a frame to the last interval that affects the frame's gain.
    minimum = SlidingMinimum(length: 2 * half + 3)
    first = SlidingSum(length: half, initial: Self.one)
    second = SlidingSum(length: half, initial: Self.one * Int64(half))
    fullSum = Double(Self.one) * Double(half) * Double(half)
    frameCountBehind = max(TruePeakDetector.history, 2 * half)
    frames = [Float](
      repeating: 0, count: (frameCountBehind + TruePeakDetector.lookahead) * format.channelCount)
  }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    samples.withUnsafeBufferPointer { frames.append(contentsOf: $0) }
    run(into: &output)
  }

  /// By how many frames the output is behind the input until the end.
  package var latencyFrameCount: Int { 2 * half + TruePeakDetector.lookahead }

  package func finish(into output: inout [Float]) -> Bool {
    frames.append(contentsOf: repeatElement(0, count: latencyFrameCount * format.channelCount))
    run(into: &output)
    return false
  }

  private func run(into output: inout [Float]) {
    let channelCount = format.channelCount
    let count = frames.count / channelCount - frameCountBehind - TruePeakDetector.lookahead
    guard count > 0 else { return }
    output.reserveCapacity(output.count + count * channelCount)
    frames.withUnsafeBufferPointer { frames in
      guard let start = frames.baseAddress else { return }
      for index in 0..<count {
        let frame = start + (index + frameCountBehind) * channelCount
        let gain = nextGain(for: frame)
        if interval >= Int64(2 * half) {
          let late = frame - 2 * half * channelCount
          for channel in 0..<channelCount { output.append(Float(Double(late[channel]) * gain)) }
        }
        interval += 1
      }
    }
    frames.removeFirst(count * channelCount)
  }

  /// The gain of the frame that is `2 × half` frames before the interval that begins at `frame`.
  private func nextGain(for frame: UnsafePointer<Float>) -> Double {
    let smallest = minimum.next(neededGain(for: frame))
    released = min(smallest, released + Int64(Double(Self.one - released) * releaseFactor) + 1, Self.one)
    let gain = Double(second.next(first.next(released))) / fullSum
    lowestGain = min(lowestGain, gain)
    return gain
  }

  private func neededGain(for frame: UnsafePointer<Float>) -> Int64 {
    let channelCount = format.channelCount
    let newest = frame + TruePeakDetector.lookahead * channelCount
    let newestFrame = interval + Int64(TruePeakDetector.lookahead)
    for channel in 0..<channelCount where abs(newest[channel]) > harmless { lastLoudFrame = newestFrame }
    guard interval - lastLoudFrame <= Int64(TruePeakDetector.history) else { return Self.one }
    var peak: Float = 0
    for channel in 0..<channelCount { peak = max(peak, detector.peak(at: frame + channel, stride: channelCount)) }
    return peak > ceiling ? max(1, Int64(Double(ceiling) / Double(peak) * Double(Self.one))) : Self.one
  }
}

/// The smallest of the last values, at an amortised cost of O(1) per value.
private struct SlidingMinimum {
  private let length: Int64
  /// Ascending values with their times, as a ring.
  private var entries: [(time: Int64, value: Int64)]
  private var head = 0
  private var count = 0
  private var time: Int64 = 0

  init(length: Int) {
    self.length = Int64(length)
    entries = [(time: Int64, value: Int64)](repeating: (0, 0), count: length + 1)
  }

  /// Adds a value and gives the smallest of the last `length` values.
  mutating func next(_ value: Int64) -> Int64 {
    while count > 0, entries[place(count - 1)].value >= value { count -= 1 }
    entries[place(count)] = (time, value)
    count += 1
    if entries[head].time <= time - length {
      head = place(1)
      count -= 1
    }
    time += 1
    return entries[head].value
  }

  private func place(_ index: Int) -> Int {
    let place = head + index
    return place < entries.count ? place : place - entries.count
  }
}

/// The sum of the last values, which is exact because they are integers.
private struct SlidingSum {
  private var values: [Int64]
  private var position = 0
  private var sum: Int64

  init(length: Int, initial: Int64) {
    values = [Int64](repeating: initial, count: length)
    sum = initial * Int64(length)
  }

  /// Adds a value and gives the sum of the last `length` values.
  mutating func next(_ value: Int64) -> Int64 {
    sum += value - values[position]
    values[position] = value
    position += 1
    if position == values.count { position = 0 }
    return sum
  }
}

/// Finds the largest magnitude between two frames by interpolation: with four points per frame and a short filter if that is
/// well below the ceiling, and otherwise with eight points and a long one.
private struct TruePeakDetector {
  /// The number of frames that an interval needs after its first frame, and before it.
  static let lookahead = TruePeakFilter.tapCount / 2
  static let history = lookahead - 1

  /// For each frame of the neighbourhood its weight at each of the points, of which the first is the frame before them.
  private static let coarse: [SIMD4<Float>] = weights(TruePeakFilter(pointCount: 4, tapCount: 20))
  private static let fine: [SIMD8<Float>] = weights(TruePeakFilter(pointCount: 8))
  /// No interval has a larger magnitude than the largest sample of its neighbourhood times this.
  static let greatestGrowth = TruePeakFilter(pointCount: 8).greatestGrowth

  private static func weights<Points: SIMD<Float>>(_ filter: TruePeakFilter) -> [Points] {
    let tapCount = filter.phases[0].count
    return (0..<tapCount).map { tap in
      var points = Points(repeating: 0)
      points[0] = tap == tapCount / 2 - 1 ? 1 : 0
      for (index, taps) in filter.phases.enumerated() { points[index + 1] = taps[tap] }
      return points
    }
  }

  private let coarse = TruePeakDetector.coarse
  private let fine = TruePeakDetector.fine
  /// Up to this the coarse result is returned.
  private let limit: Float

  /// - Parameter ceiling: Magnitudes above this, and near it, are measured with the longer filter.
  init(ceiling: Float) { limit = 0.8 * ceiling }

  /// The largest magnitude from a frame to the next, of one channel of interleaved samples.
  ///
  /// - Parameter frame: The first of the two.
  func peak(at frame: UnsafePointer<Float>, stride: Int) -> Float {
    var sums = SIMD4<Float>.zero
    var place = frame - (coarse.count / 2 - 1) * stride
    for weights in coarse {
      sums += weights * place.pointee
      place += stride
    }
    let peak = max(sums.max(), -sums.min())
    guard peak > limit else { return peak }
    var more = SIMD8<Float>.zero
    place = frame - Self.history * stride
    for weights in fine {
      more += weights * place.pointee
      place += stride
    }
    return max(more.max(), -more.min())
  }
}
