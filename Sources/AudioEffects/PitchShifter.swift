package import MediaModel

/// Raises or lowers the pitch without changing the length: the sound is stretched, then played faster by the same
/// factor, or the other way round.
///
/// No moment comes earlier or later, and the channels stay together.
package final class PitchShifter: SoundEffect {
  package let format: AudioFormat
  private let stretcher: TimeStretcher
  private let resampler: VariableResampler
  private var stretched: [Float] = []
  private var inputFrameCount: Int64 = 0
  private var producedFrameCount: Int64 = 0

  /// - Parameter cents: within `EffectChain.pitches`.
  package init(cents: Double, format: AudioFormat) {
    self.format = format
    let factor = EffectChain.factor(ofCents: cents)
    stretcher = TimeStretcher(format: format, factor: factor)
    resampler = VariableResampler(format: format, step: factor)
  }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    inputFrameCount += Int64(samples.count / format.channelCount)
    samples.withUnsafeBufferPointer { shift($0, into: &output) }
  }

  package func finish(into output: inout [Float]) -> Bool {
    let silence = [Float](repeating: 0, count: TimeStretcher.reservedFrameCount * format.channelCount)
    while producedFrameCount < inputFrameCount { silence.withUnsafeBufferPointer { shift($0, into: &output) } }
    return false
  }

  private func shift(_ samples: UnsafeBufferPointer<Float>, into output: inout [Float]) {
    stretched.removeAll(keepingCapacity: true)
    stretcher.process(samples, into: &stretched)
    let start = output.count
    stretched.withUnsafeBufferPointer { resampler.process($0, into: &output) }
    producedFrameCount += Int64((output.count - start) / format.channelCount)
    let surplus = producedFrameCount - inputFrameCount
    // What follows the last frame is the tail of the windows.
    guard surplus > 0 else { return }
    output.removeLast(Int(surplus) * format.channelCount)
    producedFrameCount = inputFrameCount
  }
}
