import MediaModel

/// What a packet has given and is not given out yet, interleaved.
struct PendingSamples {
  /// 32 bits each: floats, or integers that are filled up from below.
  private var samples: [UInt32] = []
  private var first = 0
  private let channelCount: Int
  private let isInteger: Bool
  private let hasher: SampleHasher?

  /// - Parameter hasher: gets what is given out.
  init(channelCount: Int, isInteger: Bool, hasher: SampleHasher?) {
    self.channelCount = channelCount
    self.isInteger = isInteger
    self.hasher = hasher
  }

  var frameCount: Int { (samples.count - first) / channelCount }

  /// Replaces everything by what a packet gives.
  mutating func fill<Result, Failure>(
    _ decode: (inout [UInt32]) throws(Failure) -> Result
  ) throws(Failure) -> Result {
    first = 0
    return try decode(&samples)
  }

  mutating func removeAll() {
    samples.removeAll(keepingCapacity: true)
    first = 0
  }

  mutating func drop(_ frameCount: Int) { first += frameCount * channelCount }

  /// Adds silence up to `frameCount` frames.
  mutating func fill(to frameCount: Int) {
    let missing = frameCount * channelCount - samples.count
    if missing > 0 { samples.append(contentsOf: repeatElement(0, count: missing)) }
  }

  /// Gives out the next frames, for which `buffer` has room.
  mutating func give(_ frameCount: Int, to buffer: UnsafeMutableBufferPointer<Float>) {
    let count = frameCount * channelCount
    samples.withUnsafeBytes { samples in
      guard let source = samples.baseAddress.map({ $0 + 4 * first }),
        let target = UnsafeMutableRawPointer(buffer.baseAddress)
      else { return }
      hasher?.add(UnsafeRawBufferPointer(start: source, count: 4 * count))
      if isInteger {
        FullScale.convert(source, to: target, count: count)
      } else {
        target.copyMemory(from: source, byteCount: 4 * count)
      }
    }
    first += count
  }

  func finishHash(_ format: AudioFormat) -> ContentHash? { hasher?.finish(format) }
}
