package import Base
internal import CSoxr
package import MediaModel

/// Resamples a stream through libsoxr at its "very high quality".
///
/// Played at the old sample rate, the result is faster and higher, or slower and lower (varispeed). Played at the new
/// sample rate, it sounds the same; then the stream does not begin and end suddenly for the filter, which would ring, but goes on
/// as ``LinearPrediction`` expects it to. Where one track follows another without a gap, nothing clicks.
package final class SampleRateConverter: SoundEffect {
  package static var library: SharedLibrary {
    SharedLibrary(
      "libsoxr", dw_soxr_load(), version: soxr_version(),
      without:
        "presets that change the speed, and what needs another sample rate (as Opus often does), cannot be rendered")
  }

  private static let framesPerBlock = 1024
  /// As long as the filter.
  private static let leastExtensionFrameCount = 512

  package let format: AudioFormat
  private let channelCount: Int
  /// Output frames per input frame.
  private let ratio: Double
  private let soxr: soxr_t
  private var blocks: FixedSizeBlocks
  private var received: [Float]
  private var inputFrameCount: Int64 = 0
  private var producedFrameCount: Int64 = 0
  /// Before the first frame and behind the last one, so that as many whole frames come out; 0 for none.
  private let extensionFrameCount: Int
  /// Of the output, which belong to what was put before the first frame.
  private var skippedFrameCount: Int
  /// The last blocks that were taken.
  private var latest: [Float] = []

  /// Plays `rate` times as fast, at the same sample rate.
  package convenience init(playing format: AudioFormat, atRate rate: Double) throws(EffectError) {
    try self.init(format, ratio: 1 / rate, output: format, edges: (0, 0))
  }

  /// Converts to another sample rate; it sounds the same.
  package convenience init(_ format: AudioFormat, toSampleRate sampleRateInHz: Int) throws(EffectError) {
    var output = format
    output.sampleRateInHz = sampleRateInHz
    let divisor = Self.greatestCommonDivisor(format.sampleRateInHz, sampleRateInHz)
    let (own, other) = (format.sampleRateInHz / divisor, sampleRateInHz / divisor)
    let count = (Self.leastExtensionFrameCount + own - 1) / own
    try self.init(
      format, ratio: Double(sampleRateInHz) / Double(format.sampleRateInHz), output: output,
      edges: (count * own, count * other))
  }

  private static func greatestCommonDivisor(_ one: Int, _ other: Int) -> Int {
    other == 0 ? one : greatestCommonDivisor(other, one % other)
  }

  /// - Parameter edges: The frames that are put before the first one, and how many they become.
  private init(
    _ input: AudioFormat, ratio: Double, output: AudioFormat, edges: (input: Int, output: Int)
  ) throws(EffectError) {
    (extensionFrameCount, skippedFrameCount) = (edges.input, edges.output)
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
    Self.outputFrameCount(for: inputFrameCount, ratio: ratio)
  }

  /// The number of frames of a sound at another sample rate.
  package static func frameCount(_ count: Int64, from rate: Int, to other: Int) -> Int64 {
    rate == other ? count : outputFrameCount(for: count, ratio: Double(other) / Double(rate))
  }

  private static func outputFrameCount(for inputFrameCount: Int64, ratio: Double) -> Int64 {
    Int64((Double(inputFrameCount) * ratio).rounded())
  }

  package func process(_ samples: Span<Float>, into output: inout [Float]) throws(EffectError) {
    try blocks.append(samples) { (block) throws(EffectError) in try take(block, into: &output) }
  }

  package func finish(into output: inout [Float]) throws(EffectError) -> Bool {
    try blocks.finish { (block) throws(EffectError) in try take(block, into: &output) }
    let behind = extended(latest, isReversed: false)
    try behind.withUnsafeBufferPointer { (block) throws(EffectError) in try convert(block, into: &output) }
    while try convert(nil, frameCount: 0, into: &output).produced > 0 {}
    // libsoxr may give one frame more or fewer, and there is what was put behind the last one.
    let missing = outputFrameCount(for: inputFrameCount) - producedFrameCount
    if missing > 0 { output.append(contentsOf: repeatElement(0, count: Int(missing) * channelCount)) }
    if missing < 0 { output.removeLast(min(Int(-missing) * channelCount, output.count)) }
    return false
  }

  /// Takes one block of the stream.
  private func take(_ block: UnsafeBufferPointer<Float>, into output: inout [Float]) throws(EffectError) {
    if inputFrameCount == 0 {
      let before = extended(Array(block), isReversed: true)
      try before.withUnsafeBufferPointer { (block) throws(EffectError) in try convert(block, into: &output) }
    }
    inputFrameCount += Int64(block.count / channelCount)
    latest = Array(latest.suffix(max(0, Self.framesPerBlock * channelCount - block.count))) + block
    try convert(block, into: &output)
  }

  /// How interleaved samples go on, or what was before them.
  private func extended(_ samples: [Float], isReversed: Bool) -> [Float] {
    guard extensionFrameCount > 0, !samples.isEmpty else { return [] }
    var extended = [Float](repeating: 0, count: extensionFrameCount * channelCount)
    for channel in 0..<channelCount {
      let own = stride(from: channel, to: samples.count, by: channelCount).map { Double(samples[$0]) }
      let next = LinearPrediction(isReversed ? own.reversed() : own).next(extensionFrameCount)
      for frame in 0..<extensionFrameCount {
        let place = isReversed ? extensionFrameCount - 1 - frame : frame
        extended[place * channelCount + channel] = Float(next[frame])
      }
    }
    return extended
  }

  private func convert(_ block: UnsafeBufferPointer<Float>, into output: inout [Float]) throws(EffectError) {
    let frameCount = block.count / channelCount
    var done = 0
    while done < frameCount {
      let start = block.baseAddress.map { $0 + done * channelCount }
      let (consumed, produced) = try convert(start, frameCount: frameCount - done, into: &output)
      guard consumed + produced > 0 else { throw EffectError("libsoxr takes and gives no samples") }
      done += consumed
    }
  }

  private func convert(
    _ samples: UnsafePointer<Float>?, frameCount: Int, into output: inout [Float]
  ) throws(EffectError) -> (consumed: Int, produced: Int) {
    var consumed = 0
    var produced = 0
    let error = received.withUnsafeMutableBufferPointer {
      soxr_process(
        soxr, samples, frameCount, &consumed, $0.baseAddress, $0.count / channelCount, &produced)
    }
    if let error { throw EffectError("libsoxr: \(String(cString: error))") }
    let skipped = min(skippedFrameCount, produced)
    skippedFrameCount -= skipped
    output.append(contentsOf: received[skipped * channelCount..<produced * channelCount])
    producedFrameCount += Int64(produced - skipped)
    return (consumed, produced)
  }
}
