internal import Synchronization

/// The last second or so of what went to the sink, for those who want to show it.
package final class SoundTap: Sendable {
  private struct Ring {
    var frames = [Float](repeating: 0, count: 2 * SoundTap.frameCount)
    /// Frames so far.
    var end: Int64 = 0
    var sampleRateInHz = 0
  }

  private static let frameCount = 1 << 16
  private let ring = Mutex(Ring())

  /// The first two channels; a single one counts twice.
  func append(_ samples: Span<Float>, channelCount: Int, sampleRateInHz: Int) {
    ring.withLock { ring in
      ring.sampleRateInHz = sampleRateInHz
      for frame in 0..<samples.count / channelCount {
        let place = Int((ring.end + Int64(frame)) % Int64(Self.frameCount))
        ring.frames[2 * place] = samples[frame * channelCount]
        ring.frames[2 * place + 1] = samples[frame * channelCount + min(1, channelCount - 1)]
      }
      ring.end += Int64(samples.count / channelCount)
    }
  }

  /// What was heard last, of two channels, with silence before the first frame.
  ///
  /// - Parameter delay: Frames that were written and are not heard yet.
  package func latest(_ count: Int, delay: Int64) -> (left: [Float], right: [Float], sampleRateInHz: Int) {
    ring.withLock { ring in
      let last = ring.end - min(delay, Int64(Self.frameCount) / 2)
      let places = (0..<count).map { last - Int64(count - $0) }
      let left = places.map { $0 < 0 ? 0 : ring.frames[2 * Int($0 % Int64(Self.frameCount))] }
      let right = places.map { $0 < 0 ? 0 : ring.frames[2 * Int($0 % Int64(Self.frameCount)) + 1] }
      return (left, right, ring.sampleRateInHz)
    }
  }

  func clear() { ring.withLock { $0.frames = [Float](repeating: 0, count: 2 * Self.frameCount) } }
}
