/// Measures the dynamic range of a recording, its largest sample, and how often it is at its ceiling.
///
/// Where the stream is cut into blocks makes no difference.
struct DynamicRangeAnalyzer {
  private let channelCount: Int
  private var blocks: DynamicRangeBlocks
  private var samplePeak: Float = 0
  private var ceilings: [CeilingMeter]

  init(sampleRateInHz: Int, channelCount: Int) {
    self.channelCount = channelCount
    blocks = DynamicRangeBlocks(sampleRateInHz: sampleRateInHz, channelCount: channelCount)
    ceilings = [CeilingMeter](repeating: CeilingMeter(), count: channelCount)
  }

  /// Adds the next interleaved samples: any number of whole frames, finite.
  mutating func consume(_ samples: [Float]) {
    var frame = 0
    let frameCount = samples.count / channelCount
    for channel in 0..<channelCount { ceilings[channel].consume(samples, from: channel, step: channelCount) }
    while frame < frameCount {
      let count = min(frameCount - frame, blocks.roomInBlock)
      samples.withUnsafeBufferPointer { samples in
        for channel in 0..<channelCount {
          var (sum, peak) = (0.0, Float(0))
          var place = frame * channelCount + channel
          for _ in 0..<count {
            let sample = samples[place]
            sum += Double(sample * sample)
            peak = max(peak, abs(sample))
            place += channelCount
          }
          samplePeak = max(samplePeak, peak)
          blocks.add(channel: channel, squares: sum, peak: peak, last: samples[place - channelCount])
        }
      }
      blocks.advance(by: count)
      frame += count
    }
  }

  /// Ends the stream.
  ///
  /// - Returns: nil for fewer than two frames.
  consuming func finish() -> MeasuredDynamics? {
    let share = ceilings.map(\.share).max() ?? 0
    let peak = Double(samplePeak)
    return blocks.finish().map { MeasuredDynamics(range: $0, samplePeak: peak, shareAtCeiling: share) }
  }
}

/// The dynamic range of a recording and its largest sample.
package struct MeasuredDynamics: Hashable, Sendable {
  package let range: DynamicRange
  /// The largest magnitude of all samples.
  package let samplePeak: Double
  /// Of the channel with more, see ``CeilingMeter``.
  package let shareAtCeiling: Double
}

/// Counts samples of one channel that are in runs at its own ceiling, as clipping leaves them at any level.
///
/// The ceiling is the largest magnitude, less what rounding to 16 bits takes. A limiter reaches its ceiling often, but with
/// single samples.
struct CeilingMeter {
  private static let tolerance: Float = 2 / 32_768
  private static let shortestRun = 3
  private static let blockLength = 256

  private var peak: Float = 0
  private var run = 0
  /// Of the samples so far that reach the ceiling.
  private var foundCount = 0
  private var sampleCount = 0

  var share: Double { Double(foundCount) / Double(max(1, sampleCount)) }

  mutating func consume(_ samples: [Float], from first: Int, step: Int) {
    samples.withUnsafeBufferPointer { samples in
      var start = first
      while start < samples.count {
        let end = min(samples.count, start + Self.blockLength * step)
        var highest: Float = 0
        var place = start
        while place < end {
          highest = max(highest, abs(samples[place]))
          place += step
          sampleCount += 1
        }
        if highest > 0, highest >= peak - Self.tolerance {
          count(samples, from: start, to: end, step: step, highest: highest)
        } else {
          run = 0
        }
        start += Self.blockLength * step
      }
    }
  }

  private mutating func count(
    _ samples: UnsafeBufferPointer<Float>, from start: Int, to end: Int, step: Int, highest: Float
  ) {
    if highest > peak + Self.tolerance { (foundCount, run) = (0, 0) }
    peak = max(peak, highest)
    for place in stride(from: start, to: end, by: step) {
      guard abs(samples[place]) >= peak - Self.tolerance else {
        run = 0
        continue
      }
      run += 1
      if run == Self.shortestRun { foundCount += Self.shortestRun } else if run > Self.shortestRun { foundCount += 1 }
    }
  }
}
