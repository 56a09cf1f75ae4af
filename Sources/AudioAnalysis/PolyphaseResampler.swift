/// Changes the sample rate of a stream without delay: output sample `k` lies exactly at input sample `k · step`.
///
/// Before its first and behind its last sample the signal is mirrored, as FFmpeg's resampler does. Where the stream is cut
/// makes no difference.
///
/// - Complexity: a multiplication for each tap of the kernel and output sample.
final class PolyphaseResampler {
  private let kernel: ResamplingKernel
  /// What is still needed of the input; the window of the next output sample begins at `next`.
  private let buffer: SampleBuffer
  private let output: SampleBuffer
  /// The most samples that one call lends.
  var maximumOutputCount: Int { output.count }
  private var filled = 0
  private var next = 0
  private var remainder = 0
  private var hasBegun = false

  /// - Precondition: `maximumCount`, the length of the longest block, is at least 1.
  init(inputRateInHz: Int, outputRateInHz: Int, maximumCount: Int) {
    kernel = ResamplingKernel(inputRateInHz: inputRateInHz, outputRateInHz: outputRateInHz)
    let capacity = kernel.center + 2 * kernel.tapCount + maximumCount
    buffer = SampleBuffer(count: capacity)
    output = SampleBuffer(count: (capacity + 1) * kernel.step.denominator / kernel.step.numerator + 1)
  }

  /// Takes a block of at most `maximumCount` samples and lends the samples that are complete with it, until the next call.
  ///
  /// The first block must hold half a kernel for the signal to be mirrored; in a shorter one zeros stand for the rest.
  func resample(_ samples: UnsafePointer<Float>, count: Int) -> UnsafeBufferPointer<Float> {
    if !hasBegun {
      filled = kernel.center
      hasBegun = true
      for distance in 1..<max(min(kernel.center + 1, count), 1) {
        buffer.pointer[kernel.center - distance] = samples[distance]
      }
    }
    (buffer.pointer + filled).update(from: samples, count: count)
    filled += count
    // One more than a window: the nearest phase may be the first of the next position.
    return produce(until: filled - kernel.tapCount)
  }

  /// Ends the stream and lends the last samples: those up to the position of the last input sample.
  func finish() -> UnsafeBufferPointer<Float> {
    let end = filled
    for distance in 0..<kernel.tapCount {
      buffer.pointer[end + distance] = distance < end ? buffer.pointer[end - 1 - distance] : 0
    }
    return produce(until: end - kernel.center)
  }

  /// Makes the output samples whose windows begin before `end`.
  private func produce(until end: Int) -> UnsafeBufferPointer<Float> {
    let (numerator, denominator) = kernel.step
    let (wholeStep, rest) = (numerator / denominator, numerator % denominator)
    let (phaseCount, tapCount) = (kernel.phaseCount, kernel.tapCount)
    let (input, taps, result) = (UnsafePointer(buffer.pointer), kernel.taps, output.pointer)
    var (position, remainder, count) = (next, remainder, 0)
    if denominator == 1 {
      // A whole step: the one phase serves four samples at a time.
      while position + 3 * wholeStep < end {
        result.store(Self.products(input + position, step: wholeStep, taps, count: tapCount), at: count)
        count += 4
        position += 4 * wholeStep
      }
    }
    while position < end {
      var (start, phase) = (position, remainder)
      if phaseCount < denominator {
        // The nearest of the phases there are, which may be the first of the next position.
        phase = (remainder * phaseCount + denominator / 2) / denominator
        if phase == phaseCount { (start, phase) = (position + 1, 0) }
      }
      result[count] = Self.product(input + start, taps + phase * tapCount, count: tapCount)
      count += 1
      position += wholeStep
      remainder += rest
      if remainder >= denominator {
        remainder -= denominator
        position += 1
      }
    }
    (next, self.remainder) = (position, remainder)
    dropConsumed()
    return UnsafeBufferPointer(start: output.pointer, count: count)
  }

  /// Four products, of samples `step` apart.
  @inline(__always) private static func products(
    _ samples: UnsafePointer<Float>, step: Int, _ taps: UnsafePointer<Float>, count: Int
  ) -> SIMD4<Float> {
    var (first, second) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var (third, fourth) = (SIMD8<Float>.zero, SIMD8<Float>.zero)
    var tap = 0
    while tap < count {
      let weights = taps.vector8(at: tap)
      first += samples.vector8(at: tap) * weights
      second += samples.vector8(at: tap + step) * weights
      third += samples.vector8(at: tap + 2 * step) * weights
      fourth += samples.vector8(at: tap + 3 * step) * weights
      tap += 8
    }
    // The halves, quarters and eighths of each are added in the order of `product`.
    let pairs = SIMD8(lowHalf: first.lowHalf + first.highHalf, highHalf: second.lowHalf + second.highHalf)
    let others = SIMD8(lowHalf: third.lowHalf + third.highHalf, highHalf: fourth.lowHalf + fourth.highHalf)
    let low = SIMD8(
      lowHalf: SIMD4(lowHalf: pairs.lowHalf.lowHalf, highHalf: pairs.highHalf.lowHalf),
      highHalf: SIMD4(lowHalf: others.lowHalf.lowHalf, highHalf: others.highHalf.lowHalf))
    let high = SIMD8(
      lowHalf: SIMD4(lowHalf: pairs.lowHalf.highHalf, highHalf: pairs.highHalf.highHalf),
      highHalf: SIMD4(lowHalf: others.lowHalf.highHalf, highHalf: others.highHalf.highHalf))
    let sums = low + high
    return sums.evenHalf + sums.oddHalf
  }

  @inline(__always) private static func product(
    _ samples: UnsafePointer<Float>, _ taps: UnsafePointer<Float>, count: Int
  ) -> Float {
    var sum = SIMD8<Float>.zero
    var tap = 0
    while tap < count {
      sum += samples.vector8(at: tap) * taps.vector8(at: tap)
      tap += 8
    }
    let four = sum.lowHalf + sum.highHalf
    let two = four.lowHalf + four.highHalf
    return two.x + two.y
  }

  private func dropConsumed() {
    let consumed = min(next, filled)
    guard consumed > 0 else { return }
    buffer.pointer.update(from: buffer.pointer + consumed, count: filled - consumed)
    filled -= consumed
    next -= consumed
  }
}
