internal import SignalProcessing

/// Converts one signal of a stream of chunks to another sample rate, without delay.
///
/// High rates are first halved, because that is cheaper than longer kernels: one half-band filter costs a fifth of a
/// kernel that halves. What is left of the ratio is up to a ``PolyphaseResampler``. Where the chunks are cut makes no
/// difference, if all but the last one are full.
///
/// - Complexity: O(1) per sample.
final class MonoResampler {
  private let decimators: [HalfBandDecimator]
  private let resampler: PolyphaseResampler?
  private let silence = SampleBuffer(count: PlanarChunk.capacity)
  /// The delay of halving in samples; as many are dropped at the start.
  private let delay: Int
  /// The number of frames of the stream so far.
  private var frameCount = 0
  /// The number of samples from halving so far, including those that were dropped.
  private var halvedCount = 0
  /// The largest number of samples that is lent at once.
  let maximumOutputCount: Int

  /// - Parameter highestResampledRateInHz: Rates above it are halved while they are even.
  init(inputRateInHz: Int, outputRateInHz: Int, highestResampledRateInHz: Int) {
    var decimators: [HalfBandDecimator] = []
    var (rate, length, delay) = (inputRateInHz, PlanarChunk.capacity, 0)
    while rate > highestResampledRateInHz, rate.isMultiple(of: 2), length.isMultiple(of: 16) {
      decimators.append(HalfBandDecimator(inputCount: length))
      (rate, length, delay) = (rate / 2, length / 2, delay / 2 + HalfBandDecimator.delay)
    }
    self.decimators = decimators
    self.delay = delay
    resampler =
      rate == outputRateInHz
      ? nil : PolyphaseResampler(inputRateInHz: rate, outputRateInHz: outputRateInHz, maximumCount: length)
    maximumOutputCount = resampler?.maximumOutputCount ?? length
  }

  /// Takes the samples of the next chunk and lends those that it completes.
  ///
  /// - Parameter samples: ``PlanarChunk/capacity`` samples, of which those after `frameCount` are 0.
  func resample(_ samples: UnsafePointer<Float>, frameCount count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
    frameCount += count
    if decimators.isEmpty {
      take(samples, count: count, body)
    } else {
      halve(samples, body)
    }
  }

  /// Ends the stream and lends the remaining samples.
  func finish(_ body: (UnsafeBufferPointer<Float>) -> Void) {
    if !decimators.isEmpty { halve(silence.pointer, body) }
    if let resampler { body(resampler.finish()) }
  }

  private func halve(_ samples: UnsafePointer<Float>, _ body: (UnsafeBufferPointer<Float>) -> Void) {
    var samples = samples
    for decimator in decimators { samples = decimator.decimate(samples) }
    let halves = 1 << decimators.count
    let count = PlanarChunk.capacity / halves
    // The samples of the stream end with the same delay as they begin.
    let endCount = (frameCount + halves - 1) / halves + delay
    let start = max(delay - halvedCount, 0)
    let end = min(endCount - halvedCount, count)
    halvedCount += count
    if start < end { take(samples + start, count: end - start, body) }
  }

  private func take(_ samples: UnsafePointer<Float>, count: Int, _ body: (UnsafeBufferPointer<Float>) -> Void) {
    body(resampler?.resample(samples, count: count) ?? UnsafeBufferPointer(start: samples, count: count))
  }
}
