package import Base
internal import CSoundTouch
internal import Glibc
package import MediaModel

/// Raises or lowers the pitch without changing the length, through SoundTouch.
///
/// Where SoundTouch cuts and overlaps depends on the signal: a moment may come about 20 ms earlier (an octave higher)
/// or later.
package final class PitchShifter: SoundEffect {
  package static var library: SharedLibrary {
    SharedLibrary(
      "SoundTouch", dw_soundtouch_load(), version: dw_soundtouch_version(),
      without: "presets that change the pitch cannot be rendered")
  }

  private static let framesPerBlock = 1024

  package let format: AudioFormat
  private let engine: OpaquePointer
  private var blocks: FixedSizeBlocks
  private var received: [Float]
  private var inputFrameCount: Int64 = 0
  private var producedFrameCount: Int64 = 0

  /// - Parameter cents: −2400…2400.
  package init(cents: Double, format: AudioFormat) throws(EffectError) {
    self.format = format
    let channelCount = format.channelCount
    guard channelCount <= Int(DW_PITCH_MAXIMUM_CHANNELS) else {
      throw EffectError(
        "the pitch of at most \(DW_PITCH_MAXIMUM_CHANNELS) channels can be changed, not of \(channelCount)")
    }
    blocks = FixedSizeBlocks(frameCount: Self.framesPerBlock, channelCount: channelCount)
    received = [Float](repeating: 0, count: 4 * Self.framesPerBlock * channelCount)
    if let problem = dw_soundtouch_load() { throw EffectError(String(cString: problem)) }
    guard
      let engine = dw_pitch_create(
        UInt32(format.sampleRateInHz), UInt32(channelCount), exp2(cents / 1200))
    else { throw EffectError("SoundTouch cannot process \(format.sampleRateInHz) Hz") }
    self.engine = engine
  }

  deinit { dw_pitch_delete(engine) }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 { inputFrameCount }

  package func process(_ samples: Span<Float>, into output: inout [Float]) throws(EffectError) {
    try blocks.append(samples) { (block) throws(EffectError) in try shift(block, into: &output) }
  }

  package func finish(into output: inout [Float]) throws(EffectError) -> Bool {
    try blocks.finish { (block) throws(EffectError) in try shift(block, into: &output) }
    guard dw_pitch_flush(engine) == 0 else { throw failure }
    try take(into: &output)
    let missing = inputFrameCount - producedFrameCount
    if missing > 0 { output.append(contentsOf: repeatElement(0, count: Int(missing) * format.channelCount)) }
    if missing < 0 { output.removeLast(min(Int(-missing) * format.channelCount, output.count)) }
    return false
  }

  private func shift(_ block: UnsafeBufferPointer<Float>, into output: inout [Float]) throws(EffectError) {
    let frameCount = block.count / format.channelCount
    inputFrameCount += Int64(frameCount)
    guard dw_pitch_put(engine, block.baseAddress, frameCount) == 0 else { throw failure }
    try take(into: &output)
  }

  private func take(into output: inout [Float]) throws(EffectError) {
    let channelCount = format.channelCount
    while true {
      let count = received.withUnsafeMutableBufferPointer {
        dw_pitch_take(engine, $0.baseAddress, $0.count / channelCount)
      }
      guard count >= 0 else { throw failure }
      guard count > 0 else { return }
      output.append(contentsOf: received[..<(count * channelCount)])
      producedFrameCount += Int64(count)
    }
  }

  private var failure: EffectError { EffectError("SoundTouch failed") }
}
