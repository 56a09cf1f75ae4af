internal import Base
internal import SignalProcessing

/// Changes the sample rate of a stream without delay: output sample `k` lies exactly at input sample `k · step`.
///
/// The signal is mirrored at its first and last sample, as FFmpeg's resampler does. Where the stream is cut makes no
/// difference.
///
/// - Complexity: One multiplication per tap of the kernel and output sample.
final class PolyphaseResampler {
  private let kernel: ResamplingKernel
  /// The input that is still needed; the window of the next output sample begins at `next`.
  private let buffer: SampleBuffer
  private let output: SampleBuffer
  /// The largest number of samples that one call lends.
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

  /// Takes a block of at most `maximumCount` samples and lends the samples that it completes, valid until the next
  /// call.
  ///
  /// The start is mirrored from the first block; if that is shorter than half a kernel, zeros replace the rest.
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
    // One sample more than a window: the nearest phase may be the first phase of the next position.
    return produce(until: filled - kernel.tapCount)
  }

  /// Ends the stream and lends the remaining samples, up to the position of the last input sample.
  func finish() -> UnsafeBufferPointer<Float> {
    let end = filled
    for distance in 0..<kernel.tapCount {
      buffer.pointer[end + distance] = distance < end ? buffer.pointer[end - 1 - distance] : 0
    }
    return produce(until: end - kernel.center)
  }

  /// Computes the output samples whose windows begin before `end`.
  private func produce(until end: Int) -> UnsafeBufferPointer<Float> {
    let (numerator, denominator) = kernel.step
    let (wholeStep, rest) = (numerator / denominator, numerator % denominator)
    let (phaseCount, tapCount) = (kernel.phaseCount, kernel.tapCount)
    let (input, taps, result) = (UnsafePointer(buffer.pointer), kernel.taps, output.pointer)
    var (position, remainder, count) = (next, remainder, 0)
    if denominator == 1 {
      // The step is a whole number, so there is only one phase: four samples at a time.
      while position + 3 * wholeStep < end {
        result.store(Self.products(input + position, step: wholeStep, taps, count: tapCount), at: count)
        count += 4
        position += 4 * wholeStep
      }
    }
    while position < end {
      var (start, phase) = (position, remainder)
      if phaseCount < denominator {
        // The nearest phase in the table, which may be the first phase of the next position.
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

  /// The dot products of the taps with the samples at four positions, `step` apart.
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
    // The halves, quarters and eighths of each sum are added in the same order as in `product`, for the same bits.
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

  /// The dot product of the taps with the samples.
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

/// The coefficients of a resampler: a windowed sinc, sampled at as many phases as the ratio of the two rates needs.
///
/// The kernel is the one that `fpcalc` uses: 16 zero crossings long, with a cutoff at 0.8 of the lower Nyquist
/// frequency, under a Kaiser window with β = 9. At 11,025 Hz its slope reaches from 2.4 to 6.4 kHz. That is partly
/// below 3,520 Hz, the upper end of what fingerprints use, so a fingerprint equals those of others only with the same
/// slope.
///
/// The coefficients of every phase add up to 1.
private struct ResamplingKernel: ~Copyable {
  private static let zeroCrossingCount = 16.0
  private static let cutoff = 0.8
  private static let beta = 9.0
  /// More phases would not fit into the caches; if the rates need more, the nearest one is used, with an error of -66
  /// dB.
  private static let mostPhases = 512

  /// Input samples per output sample, in lowest terms.
  let step: (numerator: Int, denominator: Int)
  let phaseCount: Int
  /// Input samples for one output sample; a multiple of 8.
  let tapCount: Int
  /// Taps before the one at the position of the output sample.
  let center: Int
  private let coefficients: SampleBuffer

  init(inputRateInHz: Int, outputRateInHz: Int) {
    let divisor = Self.greatestCommonDivisor(inputRateInHz, outputRateInHz)
    step = (inputRateInHz / divisor, outputRateInHz / divisor)
    phaseCount = min(step.denominator, Self.mostPhases)
    let bandwidth = min(Double(outputRateInHz) * Self.cutoff / Double(inputRateInHz), 1)
    let length = Int((Self.zeroCrossingCount / bandwidth).rounded(.up))
    let tapCount = (length + 7) / 8 * 8
    self.tapCount = tapCount
    center = (length - 1) / 2
    coefficients = SampleBuffer(count: phaseCount * tapCount)

    var values = [Double](repeating: 0, count: length)
    for phase in 0..<phaseCount {
      let fraction = Double(phase) / Double(phaseCount)
      var sum = 0.0
      for tap in values.indices {
        let distance = Double(tap - center) - fraction
        let angle = Double.pi * bandwidth * distance
        let window = WindowedSinc.kaiserWeight(at: 2 * distance / Double(length), beta: Self.beta)
        values[tap] = WindowedSinc.sinc(angle) * window
        sum += values[tap]
      }
      for tap in values.indices { coefficients.pointer[phase * tapCount + tap] = Float(values[tap] / sum) }
    }
  }

  /// `tapCount` coefficients for each phase, phase after phase.
  var taps: UnsafePointer<Float> { UnsafePointer(coefficients.pointer) }

  private static func greatestCommonDivisor(_ first: Int, _ second: Int) -> Int {
    var (a, b) = (first, second)
    while b != 0 { (a, b) = (b, a % b) }
    return a
  }
}
