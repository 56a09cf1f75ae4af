internal import AudioEffects
package import MediaModel

/// Sums sounds that begin at different times, and passes on what is complete.
///
/// Where only one sounds, its samples keep every bit. Where two tracks sound together a limiter keeps the sum below full
/// scale.
package struct MixBus {
  package let format: AudioFormat
  private let limitsOverlaps: Bool
  /// The frame of the first sample.
  private var origin: Int64
  private var samples: [Float] = []
  /// Ascending; the first one may have begun.
  private var overlaps: [Range<Int64>] = []
  private var limiter: OverlapLimiter?

  /// - Parameter origin: The first frame that is passed on.
  package init(_ format: AudioFormat, origin: Int64 = 0, limitsOverlaps: Bool = true) {
    (self.format, self.origin, self.limitsOverlaps) = (format, origin, limitsOverlaps)
  }

  private var channelCount: Int { format.channelCount }

  /// Adds interleaved samples that begin at a frame that was not passed on yet.
  mutating func add(_ added: Span<Float>, at frame: Int64) {
    let first = Int(frame - origin) * channelCount
    precondition(first >= 0, "sound is added behind what was passed on")
    if samples.count < first { samples.append(contentsOf: repeatElement(0, count: first - samples.count)) }
    let shared = min(samples.count - first, added.count)
    for index in 0..<shared { samples[first + index] += added[index] }
    added.extracting(shared..<added.count).withUnsafeBufferPointer { samples.append(contentsOf: $0) }
  }

  /// Adds a block of a track with the gain of its place. What is skipped or cut is left out.
  ///
  /// - Parameters:
  ///   - channelCount: Of the block: that of the sum, or 1.
  ///   - position: Of its first frame, which may be before the first one that is heard.
  package mutating func add(
    _ block: Span<Float>, ofChannels channelCount: Int, at position: Int64, in entry: RadioPlan.Entry
  ) {
    let heard = (position..<position + Int64(block.count / channelCount)).clamped(to: entry.frames)
    guard !heard.isEmpty else { return }
    let first = Int(heard.lowerBound - position)
    if channelCount == self.channelCount, entry.isPlain(in: heard) {
      return add(
        block.extracting(first * channelCount..<(first + heard.count) * channelCount), at: heard.lowerBound)
    }
    var placed: [Float] = []
    placed.reserveCapacity(heard.count * self.channelCount)
    for frame in 0..<heard.count {
      let gain = entry.gain(at: heard.lowerBound + Int64(frame))
      for channel in 0..<self.channelCount {
        let sample = block[(first + frame) * channelCount + min(channel, channelCount - 1)]
        placed.append(gain == 1 ? sample : Float(Double(sample) * gain))
      }
    }
    add(placed.span, at: heard.lowerBound)
  }

  /// Says where two tracks sound together, before any of these frames is passed on.
  package mutating func overlap(_ frames: Range<Int64>) {
    let start = max(frames.lowerBound, overlaps.last?.upperBound ?? origin, origin)
    guard limitsOverlaps, start < frames.upperBound else { return }
    overlaps.append(start..<frames.upperBound)
  }

  /// The samples of all frames before this one that were not passed on yet; where nothing was added there is silence. Inside
  /// an overlap the last ones come later, because the limiter looks ahead.
  package mutating func take(upTo frame: Int64) -> [Float] {
    guard let overlap = overlaps.first, overlap.lowerBound < frame else { return sum(upTo: frame) }
    var passed = sum(upTo: overlap.lowerBound)
    let limiter = limiter ?? OverlapLimiter(format, frameCount: overlap.count)
    self.limiter = limiter
    let summed = sum(upTo: min(frame, overlap.upperBound))
    limiter.process(summed.span, into: &passed)
    guard frame >= overlap.upperBound else { return passed }
    limiter.finish(into: &passed)
    self.limiter = nil
    overlaps.removeFirst()
    return passed + take(upTo: frame)
  }

  private mutating func sum(upTo frame: Int64) -> [Float] {
    guard frame > origin else { return [] }
    let count = Int(frame - origin) * channelCount
    origin = frame
    if samples.count < count { samples.append(contentsOf: repeatElement(0, count: count - samples.count)) }
    guard samples.count > count else {
      defer { samples = [] }
      return samples
    }
    defer { samples.removeFirst(count) }
    return Array(samples[..<count])
  }
}
