internal import AudioEffects
internal import MediaModel

/// A factor for all samples that may change at any time: it moves to the new one in 30 ms, so that nothing clicks.
///
/// A factor of 1 keeps every bit.
final class SmoothGain: SoundEffect {
  private static let rampInSeconds = 0.03

  let format: AudioFormat
  private var now: Double
  private var target: Double
  private var step = 0.0
  private var remainingFrameCount = 0
  private let rampFrameCount: Int

  init(factor: Double, format: AudioFormat) {
    self.format = format
    (now, target) = (factor, factor)
    rampFrameCount = max(1, Int(Self.rampInSeconds * Double(format.sampleRateInHz)))
  }

  /// Starts the change to another factor.
  func update(factor: Double) {
    guard factor != target else { return }
    target = factor
    remainingFrameCount = rampFrameCount
    step = (target - now) / Double(rampFrameCount)
  }

  func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  func process(_ samples: Span<Float>, into output: inout [Float]) {
    guard now != 1 || remainingFrameCount > 0 else {
      return samples.withUnsafeBufferPointer { output.append(contentsOf: $0) }
    }
    output.reserveCapacity(output.count + samples.count)
    let channelCount = format.channelCount
    for frame in 0..<samples.count / channelCount {
      if remainingFrameCount > 0 {
        remainingFrameCount -= 1
        now = remainingFrameCount == 0 ? target : now + step
      }
      for index in frame * channelCount..<(frame + 1) * channelCount {
        output.append(Float(Double(samples[index]) * now))
      }
    }
  }

  func finish(into output: inout [Float]) -> Bool { false }
}
