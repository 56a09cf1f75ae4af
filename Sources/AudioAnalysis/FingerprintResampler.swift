/// Brings the mono mix of a stream to the rate and the 16 bits that fingerprints are made from.
///
/// Rates above 40 kHz are halved first, as often as it takes, because that is cheaper than longer kernels. Below 3,520 Hz,
/// where fingerprints end, halving changes levels by less than 0.01 dB, and what folds there is 60 dB weaker.
final class FingerprintResampler {
  private static let highestDirectRate = 40_000

  private let decimators: [HalfBandDecimator]
  private let resampler: PolyphaseResampler?
  private let integers: UnsafeMutableBufferPointer<Int16>
  private let silence = SampleBuffer(count: PlanarChunk.capacity)
  /// Samples that halving is late by; they are dropped at the start.
  private let lateness: Int
  /// Frames of the stream up to now.
  private var frameCount = 0
  /// Samples that came from halving up to now, the late ones included.
  private var halvedCount = 0

  init(sampleRateInHz: Int, outputRateInHz: Int) {
    var decimators: [HalfBandDecimator] = []
    var (rate, length, lateness) = (sampleRateInHz, PlanarChunk.capacity, 0)
    while rate > Self.highestDirectRate, rate.isMultiple(of: 2), length.isMultiple(of: 16) {
      decimators.append(HalfBandDecimator(inputCount: length))
      (rate, length, lateness) = (rate / 2, length / 2, lateness / 2 + HalfBandDecimator.delay)
    }
    self.decimators = decimators
    self.lateness = lateness
    resampler =
      rate == outputRateInHz
      ? nil : PolyphaseResampler(inputRateInHz: rate, outputRateInHz: outputRateInHz, maximumCount: length)
    integers = .allocate(capacity: resampler?.maximumOutputCount ?? length)
    integers.initialize(repeating: 0)
  }

  deinit { integers.deallocate() }

  /// Takes the next chunk and lends the samples that are complete with it.
  func resample(_ chunk: PlanarChunk, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    frameCount += chunk.frameCount
    if decimators.isEmpty {
      take(chunk.mix, count: chunk.frameCount, body)
    } else {
      halve(chunk.mix, body)
    }
  }

  /// Ends the stream and lends the rest.
  func finish(_ body: (UnsafeBufferPointer<Int16>) -> Void) {
    if !decimators.isEmpty { halve(silence.pointer, body) }
    if let resampler { lend(resampler.finish(), body) }
  }

  private func halve(_ samples: UnsafePointer<Float>, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    var samples = samples
    for decimator in decimators { samples = decimator.decimate(samples) }
    let halves = 1 << decimators.count
    let count = PlanarChunk.capacity / halves
    // What stands for frames of the stream ends as late as it begins.
    let endCount = (frameCount + halves - 1) / halves + lateness
    let start = max(lateness - halvedCount, 0)
    let end = min(endCount - halvedCount, count)
    halvedCount += count
    if start < end { take(samples + start, count: end - start, body) }
  }

  private func take(_ samples: UnsafePointer<Float>, count: Int, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    lend(resampler?.resample(samples, count: count) ?? UnsafeBufferPointer(start: samples, count: count), body)
  }

  /// Rounds to the nearest integers, halves to even, clamped to 16 bits.
  private func lend(_ samples: UnsafeBufferPointer<Float>, _ body: (UnsafeBufferPointer<Int16>) -> Void) {
    guard let source = samples.baseAddress, let target = integers.baseAddress else { return }
    for index in 0..<samples.count {
      let scaled = source[index] * 32_768
      let clamped = scaled > 32_767 ? 32_767 : scaled < -32_768 ? -32_768 : scaled
      // Where 1.5 · 2²³ is added a float has no bits left for a fraction, and its lowest bits are the integer.
      target[index] = Int16(truncatingIfNeeded: (clamped + 12_582_912).bitPattern)
    }
    body(UnsafeBufferPointer(start: target, count: samples.count))
  }
}
