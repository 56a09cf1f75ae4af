/// Sums sounds that begin at different times, and passes on what is complete.
struct MixBus {
  let channelCount: Int
  /// The frame of the first sample.
  private var origin: Int64 = 0
  private var samples: [Float] = []

  init(channelCount: Int) { self.channelCount = channelCount }

  /// Adds interleaved samples that begin at a frame that was not passed on yet.
  mutating func add(_ added: Span<Float>, at frame: Int64) {
    let first = Int(frame - origin) * channelCount
    precondition(first >= 0, "sound is added behind what was passed on")
    if samples.count < first + added.count {
      samples.append(contentsOf: repeatElement(0, count: first + added.count - samples.count))
    }
    for index in added.indices { samples[first + index] += added[index] }
  }

  /// The samples of all frames before this one; where nothing was added there is silence.
  mutating func take(upTo frame: Int64) -> [Float] {
    guard frame > origin else { return [] }
    let count = Int(frame - origin) * channelCount
    origin = frame
    if samples.count < count { samples.append(contentsOf: repeatElement(0, count: count - samples.count)) }
    defer { samples.removeFirst(count) }
    return Array(samples[..<count])
  }
}
