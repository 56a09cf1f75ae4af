import AudioEffects
import MediaModel

// The limiter of the sum of two tracks that overlap, for the page's transitions: samples go in and come out through the memory
// that `dw_overlap_begin` lends.

nonisolated(unsafe) private var limiter: OverlapLimiter?
nonisolated(unsafe) private var memory = UnsafeMutableBufferPointer<Float>(start: nil, count: 0)
nonisolated(unsafe) private var channelCount = 1

/// Begins with an overlap of some frames.
///
/// - Returns: the memory for `LiveChain.maximumFrameCount` interleaved frames; nil for numbers out of range.
@_cdecl("dw_overlap_begin")
package func dw_overlap_begin(
  _ sampleRate: Int32, _ channels: Int32, _ frameCount: Int32
) -> UnsafeMutablePointer<Float>? {
  guard sampleRate > 0, (1...64).contains(channels), frameCount > 0 else { return nil }
  let format = AudioFormat(sampleRateInHz: Int(sampleRate), channelCount: Int(channels))
  let begun = OverlapLimiter(format, frameCount: Int(frameCount))
  let count = max(LiveChain.maximumFrameCount, begun.latencyFrameCount) * format.channelCount
  if memory.count < count {
    memory.deallocate()
    memory = .allocate(capacity: count)
    memory.initialize(repeating: 0)
  }
  (limiter, channelCount) = (begun, format.channelCount)
  return memory.baseAddress
}

/// Takes the first frames of the memory; those that are ready take their place.
///
/// - Returns: how many are ready.
@_cdecl("dw_overlap_process")
package func dw_overlap_process(_ frameCount: Int32) -> Int32 {
  let count = Int(max(0, min(frameCount, Int32(LiveChain.maximumFrameCount)))) * channelCount
  var passed: [Float] = []
  limiter?.process(UnsafeBufferPointer(rebasing: memory[..<min(count, memory.count)]).span, into: &passed)
  return lend(passed)
}

/// Gives what is left after the last frame of the overlap.
///
/// - Returns: how many frames.
@_cdecl("dw_overlap_finish")
package func dw_overlap_finish() -> Int32 {
  var passed: [Float] = []
  limiter?.finish(into: &passed)
  limiter = nil
  return lend(passed)
}

private func lend(_ samples: [Float]) -> Int32 {
  for index in samples.indices { memory[index] = samples[index] }
  return Int32(samples.count / channelCount)
}
