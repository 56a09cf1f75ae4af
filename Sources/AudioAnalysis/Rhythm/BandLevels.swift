internal import Glibc
internal import SignalProcessing

/// Turns columns of powers into the levels of broad bands, from which onsets and timbre are taken.
///
/// Four bins wide (43 Hz) at the bottom, a third of an octave from 200 Hz on: about as fine as hearing.
struct BandLevels: ~Copyable {
  static let count = 32
  /// Below this a band is silent; so noise far below the music makes no onsets.
  static let floorInDB: Float = -72
  /// The bands below 200 Hz, where bass drums are.
  static let lowBandCount = 4

  static let edgesInHz: [Double] = {
    let low = (0...lowBandCount).map { 30 + 42.5 * Double($0) }
    let step = log(5_500.0 / 200) / Double(count - lowBandCount)
    return low.dropLast() + (0...count - lowBandCount).map { 200 * exp(step * Double($0)) }
  }()

  private let shares: BandShares
  private let powers = SampleBuffer(count: count)
  /// The levels of the last column in dB relative to a full-scale sine, at least ``floorInDB``.
  let levels = SampleBuffer(count: count)

  /// - Parameter binWidthInHz: the distance between two powers.
  init(binWidthInHz: Double, binCount: Int) {
    shares = BandShares(edgesInBins: Self.edgesInHz.map { $0 / binWidthInHz }, binCount: binCount)
  }

  /// Computes ``levels`` of a column of powers, in which a full-scale sine is 1.
  func measure(_ column: UnsafePointer<Float>) {
    shares.sum(column, scale: 1, into: powers.pointer)
    let decibelsPerOctave = SIMD8<Float>(repeating: 3.010_299_9)
    let floor = SIMD8<Float>(repeating: Self.floorInDB)
    for index in stride(from: 0, to: Self.count, by: 8) {
      let level = binaryLogarithm(powers.pointer.vector8(at: index) + 1e-9) * decibelsPerOctave
      levels.pointer.store(greater(level, floor), at: index)
    }
  }
}

/// The binary logarithm of positive numbers, to 0.00002.
///
/// The exponent is read from the bits; a polynomial through Chebyshev's nodes of 1...2 gives the rest.
@inline(__always) func binaryLogarithm(_ value: SIMD8<Float>) -> SIMD8<Float> {
  let bits = unsafeBitCast(value, to: SIMD8<Int32>.self)
  let exponent = SIMD8<Float>((bits &>> 23) &- 127)
  let mantissa = unsafeBitCast((bits & 0x7F_FFFF) | 0x3F80_0000, to: SIMD8<Float>.self)
  var sum = mantissa * 0.043_004_96 - 0.402_513_39
  sum = sum * mantissa + 1.589_474_29
  sum = sum * mantissa - 3.489_878_49
  sum = sum * mantissa + 5.047_855_41
  return exponent + (sum * mantissa - 2.787_926_21)
}
