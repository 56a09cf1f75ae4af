/// The decoded sound of one of two recordings that are compared. One thread at a time.
package protocol ComparedSignal: AnyObject {
  var sampleRateInHz: Int { get }
  /// At least 1.
  var channelCount: Int { get }
  var frameCount: Int { get }

  /// Interleaved, finite samples of frames; fewer only if the recording ends.
  func read(_ frames: Range<Int>) throws -> [Float]
}

/// The two lines of samples that are compared: left and right, or the mono mix and silence.
struct SignalPair {
  var left: [Float]
  var right: [Float]

  var count: Int { left.count }

  func suffix(from start: Int) -> SignalPair { SignalPair(left: Array(left[start...]), right: Array(right[start...])) }
}

extension ComparedSignal {
  /// The frames of a range; zeros for what is not there.
  ///
  /// - Parameter isMono: Whether the mean of the first two channels is taken instead of both.
  func pair(_ frames: Range<Int>, isMono: Bool) throws -> SignalPair {
    var left = [Float](repeating: 0, count: frames.count)
    var right = left
    let known = frames.clamped(to: 0..<max(0, frameCount))
    guard !known.isEmpty else { return SignalPair(left: left, right: right) }
    let samples = try read(known)
    let channelCount = channelCount
    let second = channelCount > 1 ? 1 : 0
    let place = known.lowerBound - frames.lowerBound
    let count = min(samples.count / channelCount, known.count)
    samples.withUnsafeBufferPointer { samples in
      left.withUnsafeMutableBufferPointer { left in
        right.withUnsafeMutableBufferPointer { right in
          for frame in 0..<count {
            let (first, other) = (samples[frame * channelCount], samples[frame * channelCount + second])
            if isMono {
              left[place + frame] = 0.5 * (first + other)
            } else {
              left[place + frame] = first
              right[place + frame] = other
            }
          }
        }
      }
    }
    return SignalPair(left: left, right: right)
  }
}
