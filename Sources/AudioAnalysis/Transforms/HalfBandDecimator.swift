internal import SignalProcessing

/// Halves the sample rate of a signal whose upper half is no longer needed.
///
/// A maximally flat half-band filter of 15 taps: below a tenth of the input's Nyquist frequency its gain is 1 within
/// 0.0002 dB, and aliases in that range are attenuated by 98 dB. The output is delayed by ``delay`` samples at the
/// output's rate.
///
/// Source of the coefficients: the Lagrange interpolator half-way between eight neighbours.
final class HalfBandDecimator {
  /// The delay of the output, in samples at its own rate.
  static let delay = 4
  private static let history = 8

  private let evens: SampleBuffer
  private let odds: SampleBuffer
  private let output: SampleBuffer

  /// - Precondition: `inputCount`, the length of every block, is a multiple of 16, because vectors have eight lanes.
  init(inputCount: Int) {
    precondition(inputCount.isMultiple(of: 16), "the length of a block must be a multiple of 16")
    evens = SampleBuffer(count: inputCount / 2 + Self.history)
    odds = SampleBuffer(count: inputCount / 2 + Self.history)
    output = SampleBuffer(count: inputCount / 2)
  }

  /// Filters one block of `inputCount` samples; the result is half as long and valid until the next call.
  func decimate(_ input: UnsafePointer<Float>) -> UnsafePointer<Float> {
    let count = output.count
    let even = evens.pointer
    let odd = odds.pointer
    // The last samples of the previous block come first.
    even.store(even.vector8(at: count), at: 0)
    odd.store(odd.vector8(at: count), at: 0)
    var index = 0
    while index < count {
      let pairs = SIMD16(lowHalf: input.vector8(at: 2 * index), highHalf: input.vector8(at: 2 * index + 8))
      even.store(pairs.evenHalf, at: index + Self.history)
      odd.store(pairs.oddHalf, at: index + Self.history)
      index += 8
    }
    let c1 = SIMD8<Float>(repeating: 1_225 / 4_096)
    let c2 = SIMD8<Float>(repeating: -245 / 4_096)
    let c3 = SIMD8<Float>(repeating: 49 / 4_096)
    let c4 = SIMD8<Float>(repeating: -5 / 4_096)
    index = 0
    while index < count {
      // The centre is the even sample four outputs ago; its odd neighbours lie half a step before and after it.
      var sum = even.vector8(at: index + 4) * 0.5
      sum += (odd.vector8(at: index + 3) + odd.vector8(at: index + 4)) * c1
      sum += (odd.vector8(at: index + 2) + odd.vector8(at: index + 5)) * c2
      sum += (odd.vector8(at: index + 1) + odd.vector8(at: index + 6)) * c3
      sum += (odd.vector8(at: index) + odd.vector8(at: index + 7)) * c4
      output.pointer.store(sum, at: index)
      index += 8
    }
    return UnsafePointer(output.pointer)
  }
}
