internal import Glibc
package import MediaModel

/// Turns the sound down where its true peak would exceed a ceiling, smoothly and in time.
///
/// All channels are turned down alike. It looks four milliseconds ahead, so that the gain is where it must be when the peak
/// comes, and returns within some tenths of a second. Where nothing comes within the margin of the ceiling, every bit stays.
package final class TruePeakLimiter: SoundEffect {
  /// What interpolation may miss, and what the moving gain may add, in decibels.
  private static let margin = 0.15
  private static let halfLookaheadInSeconds = 0.002
  private static let releaseInSeconds = 0.15
  /// A gain of 1; gains are integers, so that their sums are exact.
  private static let one: Int64 = 1 << 40

  package let format: AudioFormat
  /// Decibels by which the loudest moment was turned down: 0 or more.
  package var greatestReductionInDB: Double { -20 * log10(lowestGain) }
  private var lowestGain = 1.0

  private let ceiling: Float
  /// Below it, nothing in the neighbourhood can exceed the ceiling.
  private let harmless: Float
  private let half: Int
  private let releaseFactor: Double
  private let detector: TruePeakDetector
  private var minimum: SlidingMinimum
  private var released = TruePeakLimiter.one
  private var first: SlidingSum
  private var second: SlidingSum
  private let fullSum: Double
  /// Frames that are still looked at, with silence before the first.
  private var frames: [Float]
  /// Of `frames`: how many lie before the next interval.
  private let frameCountBehind: Int
  /// The next interval, from one frame to the next; the first ones reach into the stream, but begin before it.
  private var interval = Int64(-TruePeakDetector.lookahead)
  private var lastLoudFrame = Int64.min / 2

  /// - Parameter ceilingInDBTP: By whatever oversampling it is measured.
  package init(format: AudioFormat, ceilingInDBTP: Double = -1) {
    self.format = format
    let sampleRate = Double(format.sampleRateInHz)
    ceiling = Float(pow(10, (ceilingInDBTP - Self.margin) / 20))
    detector = TruePeakDetector(ceiling: ceiling)
    harmless = ceiling / TruePeakDetector.greatestGrowth
    half = max(1, Int(Self.halfLookaheadInSeconds * sampleRate))
    releaseFactor = 1 - exp(-1 / (Self.releaseInSeconds * sampleRate))
    // From the interval before a frame to the last that the frame's gain must know of.
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

  package func finish(into output: inout [Float]) -> Bool {
    let lateness = 2 * half + TruePeakDetector.lookahead
    frames.append(contentsOf: repeatElement(0, count: lateness * format.channelCount))
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

  /// The gain of the frame that lies `2 × half` before the interval that begins at `frame`.
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
