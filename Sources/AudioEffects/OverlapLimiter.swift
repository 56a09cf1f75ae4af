package import MediaModel

/// A limiter of true peaks for the frames in which two sounds overlap. It fades in and out within them, so that all others
/// stay as they are.
package final class OverlapLimiter {
  private static let rampInSeconds = 0.03

  private let limiter: TruePeakLimiter
  private let channelCount: Int
  private let frameCount: Int
  private let rampFrameCount: Int
  /// Of the next frame that is passed on.
  private var place = 0
  /// The samples that came in, of which the limiter has not given its own yet.
  private var plain: [Float] = []
  private var limited: [Float] = []

  /// - Parameter frameCount: Of the overlap.
  package init(_ format: AudioFormat, frameCount: Int) {
    limiter = TruePeakLimiter(format: format, ceilingInDBTP: 0)
    channelCount = format.channelCount
    self.frameCount = frameCount
    rampFrameCount = max(1, min(Int(Self.rampInSeconds * Double(format.sampleRateInHz)), frameCount / 4))
  }

  /// By how many frames the output is behind the input until the end.
  package var latencyFrameCount: Int { limiter.latencyFrameCount }

  /// Appends what is ready: the last frames come later, because the limiter looks ahead.
  package func process(_ samples: Span<Float>, into output: inout [Float]) {
    samples.withUnsafeBufferPointer { plain.append(contentsOf: $0) }
    limiter.process(samples, into: &limited)
    passOn(into: &output)
  }

  /// Appends what is left, after the last frame of the overlap.
  package func finish(into output: inout [Float]) {
    _ = limiter.finish(into: &limited)
    passOn(into: &output)
  }

  private func passOn(into output: inout [Float]) {
    for frame in 0..<limited.count / channelCount {
      let range = frame * channelCount..<(frame + 1) * channelCount
      let distance = min(place + 1, frameCount - place)
      place += 1
      if distance >= rampFrameCount {
        output.append(contentsOf: limited[range])
      } else {
        let part = Float(distance) / Float(rampFrameCount)
        for index in range { output.append(plain[index] + (limited[index] - plain[index]) * part) }
      }
    }
    plain.removeFirst(limited.count)
    limited.removeAll(keepingCapacity: true)
  }
}
