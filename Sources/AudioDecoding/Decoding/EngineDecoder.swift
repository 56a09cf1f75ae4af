import MediaModel

/// Makes a decoder of any engine: fills whole blocks, replaces what is not finite, counts frames.
final class EngineDecoder: AudioDecoder {
  private static let skippedFramesPerBlock = 4096

  private let engine: any DecodingEngine
  private let seekingMethod: SeekingMethod
  private var position: Int64 = 0
  private var furthestPosition: Int64 = 0
  /// An error has interrupted the engine; its position is unknown.
  private var isLost = false
  private var hasEnded = false
  /// Frames from the first to the last; nil until the end is reached.
  private var frameCount: Int64?
  /// A jump has interrupted the row of samples.
  private var hasSought = false
  private var sampleHash: ContentHash?
  private var nonFiniteSampleCount = 0

  init(_ engine: any DecodingEngine, seekingMethod: SeekingMethod = .byPosition) {
    self.engine = engine
    self.seekingMethod = seekingMethod
  }

  var format: AudioFormat { engine.format }

  var mediaFormat: MediaFormat {
    var result = engine.mediaFormat
    result.decodedFrameCount = furthestPosition
    if let frameCount, frameCount > 0, let byteCount = engine.countedByteCount {
      let bits = Double(byteCount) * 8
      result.bitRateInBitsPerSecond = Int((bits * Double(format.sampleRateInHz) / Double(frameCount)).rounded())
    }
    return result
  }

  var ownProblem: Problem? { engine.ownProblem }

  var hasMatchingChecksum: Bool { engine.hasMatchingChecksum }

  var decodedStream: DecodedStream { DecodedStream(problem: engine.streamProblem, sampleHash: sampleHash) }

  var outcome: DecodingOutcome {
    var judged = Extraction(state: .ok, problem: engine.ownProblem, format: engine.mediaFormat)
    if let frameCount {
      judged.judge(by: decodedStream, frameCount: frameCount)
    } else {
      judged.problem = judged.problem ?? engine.streamProblem
      judged.state = judged.problem == nil ? .ok : .damaged
    }
    return DecodingOutcome(
      state: judged.state, problem: judged.problem, notes: engine.notes, nonFiniteSampleCount: nonFiniteSampleCount)
  }

  func read(into samples: inout MutableSpan<Float>) throws(DecodingError) -> Int {
    let channelCount = format.channelCount
    let capacity = samples.count / channelCount
    var frameCount = 0
    var failure: DecodingError?
    samples.withUnsafeMutableBufferPointer { buffer in
      do throws(DecodingError) {
        while frameCount < capacity, !hasEnded {
          let rest = UnsafeMutableBufferPointer(
            rebasing: buffer[frameCount * channelCount..<capacity * channelCount])
          let count = try engine.decode(into: rest)
          guard count > 0 else {
            hasEnded = true
            break
          }
          frameCount += count
        }
      } catch { failure = error }
      replaceNonFinite(UnsafeMutableBufferPointer(rebasing: buffer[..<(frameCount * channelCount)]))
    }
    position += Int64(frameCount)
    furthestPosition = max(furthestPosition, position)
    if let failure {
      isLost = true
      throw failure
    }
    if hasEnded, self.frameCount == nil { finish() }
    return frameCount
  }

  private func finish() {
    frameCount = position
    engine.finish(frameCount: position)
    guard !hasSought, position > 0 else { return }
    let hash = engine.finishSampleHash()
    if engine.streamProblem == nil { sampleHash = hash }
  }

  func seek(toFrame frame: Int64, onProgress: () -> Void) throws(DecodingError) {
    let target = max(0, frame)
    guard target != position || hasEnded || isLost else { return }
    hasSought = true
    let wasLost = isLost
    isLost = true
    if seekingMethod == .byPosition || hasEnded || wasLost || target < position {
      position = try engine.seek(toFrame: seekingMethod == .byPosition ? target : 0)
      hasEnded = false
    }
    try skip(to: target, onProgress: onProgress)
    isLost = false
  }

  func lookAhead() throws(DecodingError) -> Bool {
    guard seekingMethod == .byPosition, !isLost else { return false }
    isLost = true
    let isWorthMore = try engine.lookAhead()
    isLost = false
    return isWorthMore
  }

  /// Decodes up to `target` and drops the samples.
  private func skip(to target: Int64, onProgress: () -> Void) throws(DecodingError) {
    guard position < target else { return }
    let scratch = UnsafeMutableBufferPointer<Float>.allocate(
      capacity: Self.skippedFramesPerBlock * format.channelCount)
    defer { scratch.deallocate() }
    while position < target {
      let wanted = Int(min(target - position, Int64(Self.skippedFramesPerBlock))) * format.channelCount
      let count = try engine.decode(into: UnsafeMutableBufferPointer(rebasing: scratch[..<wanted]))
      guard count > 0 else {
        hasEnded = true
        return
      }
      position += Int64(count)
      furthestPosition = max(furthestPosition, position)
      onProgress()
    }
  }

  private func replaceNonFinite(_ samples: UnsafeMutableBufferPointer<Float>) {
    guard Self.containsNonFinite(samples) else { return }
    for index in samples.indices where !samples[index].isFinite {
      samples[index] = 0
      nonFiniteSampleCount += 1
    }
  }

  /// NaN and the infinities times 0 are NaN, and so is any sum with them: this needs no branch for each sample.
  private static func containsNonFinite(_ samples: UnsafeMutableBufferPointer<Float>) -> Bool {
    // With two sums, no addition waits for the one before it.
    var (sums, others) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var index = 0
    if let bytes = UnsafeRawPointer(samples.baseAddress) {
      while index + 16 <= samples.count {
        let block = bytes + index * MemoryLayout<Float>.stride
        sums += block.loadUnaligned(as: SIMD8<Float>.self) * 0
        others += block.loadUnaligned(fromByteOffset: MemoryLayout<SIMD8<Float>>.size, as: SIMD8<Float>.self) * 0
        index += 16
      }
    }
    sums += others
    var sum = sums.sum()
    while index < samples.count {
      sum += samples[index] * 0
      index += 1
    }
    return sum.isNaN
  }
}

/// The part of a decoder that differs from codec to codec; ``EngineDecoder`` is the part that does not.
protocol DecodingEngine: AnyObject {
  var format: AudioFormat { get }
  /// Without `decodedFrameCount`, which ``EngineDecoder`` counts.
  var mediaFormat: MediaFormat { get }
  /// The first thing that is wrong with the file around its packets, known when the engine is made.
  var ownProblem: Problem? { get }
  /// The first thing that was wrong with the packets so far. Not the first of all problems: neither hides the other.
  var streamProblem: Problem? { get }
  /// The bytes of the packets, if the bit rate is known only when they are decoded.
  var countedByteCount: Int64? { get }
  /// Whether the checksum of the samples that the file has was compared after the end, and agreed.
  var hasMatchingChecksum: Bool { get }
  var notes: [String] { get }

  /// Fills as much of `buffer` as one step gives: at least one frame.
  ///
  /// - Returns: the number of frames; 0 only at the end.
  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int

  /// Goes to `frame`, or to a frame before it from which decoding leads to the same samples.
  ///
  /// - Returns: the next frame.
  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64

  /// Decodes on from the furthest state that was kept, up to the next one, and comes back.
  ///
  /// - Returns: whether there is more to decode; false also if the engine keeps no states.
  func lookAhead() throws(DecodingError) -> Bool

  /// Called once after ``decode(into:)`` has returned 0. Lengths are compared by ``Extraction/judge(by:frameCount:)``.
  func finish(frameCount: Int64)

  /// The hash of all samples that were given out, if it was wanted and the codec is lossless. Called at most once,
  /// after ``finish(frameCount:)``.
  func finishSampleHash() -> ContentHash?
}

extension DecodingEngine {
  var countedByteCount: Int64? { nil }
  var hasMatchingChecksum: Bool { false }

  func lookAhead() throws(DecodingError) -> Bool { false }

  func finish(frameCount: Int64) {}

  func finishSampleHash() -> ContentHash? { nil }
}
