package import MediaModel

/// The pitch and the rate of sound that is being heard, both of which may change at any time without a click.
///
/// The frames that go in are not as many as those that come out, so the listener asks: it gives input until enough is
/// ready. What is heard is what `PitchShifter` and a change of the rate give one after the other; where the pitch makes
/// up for the rate, only the length changes, and nothing is resampled. Nothing is allocated after the initializer.
package final class LiveSpeed {
  private let channelCount: Int
  /// nil if the pitch is left to the rate.
  private let stretcher: TimeStretcher?
  private let resampler: VariableResampler
  private var stretched: [Float] = []
  private var ready: [Float] = []
  private var inputFrameCount = 0

  /// - Parameters:
  ///   - cents: the change of pitch, within `EffectChain.pitches`; a `LiveSpeed` that begins with 0 cannot change it.
  ///   - rate: within `EffectChain.rates`.
  package init(format: AudioFormat, cents: Double, rate: Double) {
    channelCount = format.channelCount
    let factor = EffectChain.factor(ofCents: cents)
    stretcher = cents == 0 ? nil : TimeStretcher(format: format, factor: factor)
    resampler = VariableResampler(format: format, step: factor * rate)
    let capacity = 16 * TimeStretcher.reservedFrameCount * channelCount
    stretched.reserveCapacity(capacity)
    ready.reserveCapacity(capacity)
  }

  package func update(cents: Double, rate: Double) {
    let factor = stretcher == nil ? 1 : EffectChain.factor(ofCents: cents)
    stretcher?.factor = factor
    resampler.step = factor * rate
  }

  package var readyFrameCount: Int { ready.count / channelCount }

  /// How many of the frames that were given have not been taken yet.
  package var delayFrameCount: Double {
    let readyInput = Double(readyFrameCount) * resampler.step
    guard let stretcher else { return Double(inputFrameCount) - resampler.inputPosition + readyInput }
    let waiting = Double(stretchedFrameCount) - resampler.inputPosition + readyInput
    return Double(inputFrameCount) - stretcher.inputPosition + waiting / stretcher.factor
  }

  private var stretchedFrameCount = 0

  /// Takes some frames, at most `TimeStretcher.reservedFrameCount`.
  package func give(_ samples: UnsafeBufferPointer<Float>) {
    inputFrameCount += samples.count / channelCount
    guard let stretcher else { return resampler.process(samples, into: &ready) }
    stretched.removeAll(keepingCapacity: true)
    stretcher.process(samples, into: &stretched)
    stretchedFrameCount += stretched.count / channelCount
    stretched.withUnsafeBufferPointer { resampler.process($0, into: &ready) }
  }

  /// Moves the next frames into `samples`.
  ///
  /// - Precondition: as many are ready.
  package func take(into samples: UnsafeMutableBufferPointer<Float>) {
    for index in samples.indices { samples[index] = ready[index] }
    ready.removeFirst(samples.count)
  }
}
