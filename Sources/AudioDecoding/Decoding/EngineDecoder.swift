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
  private var hasFinished = false
  private var nonFiniteSampleCount = 0

  init(_ engine: any DecodingEngine, seekingMethod: SeekingMethod = .byPosition) {
    self.engine = engine
    self.seekingMethod = seekingMethod
  }

  var format: AudioFormat { engine.format }

  var mediaFormat: MediaFormat {
    var result = engine.mediaFormat
    result.decodedFrameCount = furthestPosition
    return result
  }

  var outcome: DecodingOutcome {
    var state = FileState.ok
    var problem = engine.problem
    if hasFinished, furthestPosition == 0, problem == nil {
      problem = Problem(code: "empty", reason: "no audio frames")
      state = .empty
    } else if problem != nil {
      state = .damaged
    }
    return DecodingOutcome(
      state: state, problem: problem, notes: engine.notes, nonFiniteSampleCount: nonFiniteSampleCount)
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
    if hasEnded, !hasFinished {
      hasFinished = true
      engine.finish(frameCount: position)
    }
    return frameCount
  }

  func seek(toFrame frame: Int64, onProgress: () -> Void) throws(DecodingError) {
    let target = max(0, frame)
    guard target != position || hasEnded || isLost else { return }
    let wasLost = isLost
    isLost = true
    if seekingMethod == .byPosition || hasEnded || wasLost || target < position {
      position = try engine.seek(toFrame: seekingMethod == .byPosition ? target : 0)
      hasEnded = false
    }
    try skip(to: target, onProgress: onProgress)
    isLost = false
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
  /// The first damage found so far.
  var problem: Problem? { get }
  var notes: [String] { get }

  /// Fills as much of `buffer` as one step gives: at least one frame.
  ///
  /// - Returns: the number of frames; 0 only at the end.
  func decode(into buffer: UnsafeMutableBufferPointer<Float>) throws(DecodingError) -> Int

  /// Goes to `frame`, or to a frame before it from which decoding leads to the same samples.
  ///
  /// - Returns: the next frame.
  func seek(toFrame frame: Int64) throws(DecodingError) -> Int64

  /// Called once after ``decode(into:)`` has returned 0, to look for problems that only the number of frames shows.
  func finish(frameCount: Int64)
}
