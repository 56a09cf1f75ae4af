package import MediaModel

/// Turns a stream of interleaved samples into another one.
///
/// Where the stream is cut into blocks makes no difference to the bits of the result, only to when they arrive. Use an
/// effect from one thread at a time.
package protocol SoundEffect: AnyObject {
  /// The format of the output.
  var format: AudioFormat { get }

  /// The number of frames in the whole output for a number of frames in the whole input.
  func outputFrameCount(for inputFrameCount: Int64) -> Int64

  /// Takes whole frames, and appends the frames that are ready to `output`.
  func process(_ samples: Span<Float>, into output: inout [Float]) throws(EffectError)

  /// Appends a part of the remaining frames; call this at the end of the input until it returns false.
  ///
  /// - Returns: Whether more may come.
  func finish(into output: inout [Float]) throws(EffectError) -> Bool
}

/// Why samples cannot be processed, as one sentence for the user.
package struct EffectError: Error, Hashable, Sendable, CustomStringConvertible {
  package let description: String

  init(_ description: String) { self.description = description }
}

/// The range of samples between effects.
enum SoundLimits {
  /// 180 dB above full scale: without a limit a hundred bands of 24 dB, or a damaged file, would overflow a float.
  static let greatest: Float = 1e9
}

/// Cuts a stream into blocks of a fixed size, whatever the sizes of the blocks that it arrives in; only the last block
/// may be shorter.
///
/// For libraries whose results depend on how many samples each call gets.
struct FixedSizeBlocks {
  private let sampleCount: Int
  private var waiting: [Float] = []

  init(frameCount: Int, channelCount: Int) {
    sampleCount = frameCount * channelCount
    waiting.reserveCapacity(sampleCount)
  }

  /// Adds samples and passes on every block that becomes full.
  mutating func append(
    _ samples: Span<Float>, _ body: (UnsafeBufferPointer<Float>) throws(EffectError) -> Void
  ) throws(EffectError) {
    var start = 0
    while start < samples.count {
      let count = min(sampleCount - waiting.count, samples.count - start)
      samples.extracting(start..<start + count).withUnsafeBufferPointer { waiting.append(contentsOf: $0) }
      start += count
      if waiting.count == sampleCount { try passOn(body) }
    }
  }

  /// Passes on the samples that are left, if there are any.
  mutating func finish(_ body: (UnsafeBufferPointer<Float>) throws(EffectError) -> Void) throws(EffectError) {
    if !waiting.isEmpty { try passOn(body) }
  }

  private mutating func passOn(
    _ body: (UnsafeBufferPointer<Float>) throws(EffectError) -> Void
  ) throws(EffectError) {
    try waiting.withUnsafeBufferPointer { (block) throws(EffectError) in try body(block) }
    waiting.removeAll(keepingCapacity: true)
  }
}
