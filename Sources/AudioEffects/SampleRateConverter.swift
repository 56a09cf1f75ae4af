package import Base
internal import CSoxr
package import MediaModel

/// Resamples a stream through libsoxr at its "very high quality".
///
/// Played at the old sample rate, the result is faster and higher, or slower and lower (varispeed). Played at the new
/// sample rate, it sounds the same.
package final class SampleRateConverter: SoundEffect {
  package static var library: SharedLibrary {
    SharedLibrary(
      "libsoxr", dw_soxr_load(), version: soxr_version(),
      without:
        "presets that change the speed, and what needs another sample rate (as Opus often does), cannot be rendered")
  }

  private static let framesPerBlock = 1024

  package let format: AudioFormat
  private let channelCount: Int
  /// Output frames per input frame.
  private let ratio: Double
  private let soxr: soxr_t
  private var blocks: FixedSizeBlocks
  private var received: [Float]
  private var inputFrameCount: Int64 = 0
  private var producedFrameCount: Int64 = 0

  /// Plays `rate` times as fast, at the same sample rate.
  package convenience init(playing format: AudioFormat, atRate rate: Double) throws(EffectError) {
    try self.init(format, ratio: 1 / rate, output: format)
  }

  /// Converts to another sample rate; it sounds the same.
  package convenience init(_ format: AudioFormat, toSampleRate sampleRateInHz: Int) throws(EffectError) {
    var output = format
    output.sampleRateInHz = sampleRateInHz
    try self.init(format, ratio: Double(sampleRateInHz) / Double(format.sampleRateInHz), output: output)
  }

  private init(_ input: AudioFormat, ratio: Double, output: AudioFormat) throws(EffectError) {
    format = output
    channelCount = input.channelCount
    self.ratio = ratio
    blocks = FixedSizeBlocks(frameCount: Self.framesPerBlock, channelCount: channelCount)
    let capacity = Int((Double(Self.framesPerBlock) * max(ratio, 1)).rounded(.up)) + 64
    received = [Float](repeating: 0, count: capacity * channelCount)
    if let problem = dw_soxr_load() { throw EffectError(String(cString: problem)) }
    var error: soxr_error_t?
    var samples = soxr_io_spec(SOXR_FLOAT32_I, SOXR_FLOAT32_I)
    var quality = soxr_quality_spec(UInt(SOXR_VHQ), 0)
    var runtime = soxr_runtime_spec(1)
    guard
      let soxr = soxr_create(1, ratio, UInt32(channelCount), &error, &samples, &quality, &runtime), error == nil
    else {
      let reason = error.map { String(cString: $0) } ?? "out of memory"
      throw EffectError("libsoxr cannot resample by a factor of \(ratio): \(reason)")
    }
    self.soxr = soxr
  }

  deinit { soxr_delete(soxr) }

  package func outputFrameCount(for inputFrameCount: Int64) -> Int64 {
    Int64((Double(inputFrameCount) * ratio).rounded())
  }

  package func process(_ samples: Span<Float>, into output: inout [Float]) throws(EffectError) {
    try blocks.append(samples) { (block) throws(EffectError) in try convert(block, into: &output) }
  }

  package func finish(into output: inout [Float]) throws(EffectError) -> Bool {
    try blocks.finish { (block) throws(EffectError) in try convert(block, into: &output) }
    while try take(nil, frameCount: 0, into: &output).produced > 0 {}
    // libsoxr may give one frame more or fewer.
    let missing = outputFrameCount(for: inputFrameCount) - producedFrameCount
    if missing > 0 { output.append(contentsOf: repeatElement(0, count: Int(missing) * channelCount)) }
    if missing < 0 { output.removeLast(min(Int(-missing) * channelCount, output.count)) }
    return false
  }

  private func convert(_ block: UnsafeBufferPointer<Float>, into output: inout [Float]) throws(EffectError) {
    let frameCount = block.count / channelCount
    inputFrameCount += Int64(frameCount)
    var done = 0
    while done < frameCount {
      let start = block.baseAddress.map { $0 + done * channelCount }
      let (consumed, produced) = try take(start, frameCount: frameCount - done, into: &output)
      guard consumed + produced > 0 else { throw EffectError("libsoxr takes and gives no samples") }
      done += consumed
    }
  }

  private func take(
    _ samples: UnsafePointer<Float>?, frameCount: Int, into output: inout [Float]
  ) throws(EffectError) -> (consumed: Int, produced: Int) {
    var consumed = 0
    var produced = 0
    let error = received.withUnsafeMutableBufferPointer {
      soxr_process(
        soxr, samples, frameCount, &consumed, $0.baseAddress, $0.count / channelCount, &produced)
    }
    if let error { throw EffectError("libsoxr: \(String(cString: error))") }
    output.append(contentsOf: received[..<(produced * channelCount)])
    producedFrameCount += Int64(produced)
    return (consumed, produced)
  }
}
