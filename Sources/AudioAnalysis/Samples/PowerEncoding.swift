internal import Glibc
internal import MediaModel

/// The upper half of a `Float`: the same range in two bytes, for powers that are kept by the million.
///
/// The lower half is cut off, so a value is at most 0.8 % too small.
struct BFloat16 {
  private let bits: UInt16

  init(_ value: Float) { bits = UInt16(truncatingIfNeeded: value.bitPattern >> 16) }

  var value: Float { Float(bitPattern: UInt32(bits) << 16) }
}

extension DecibelStep {
  /// The level of a power in dB relative to 1, at least ``floorInDB``.
  static func level(ofPower power: Double) -> Float {
    power > 0 ? max(Float(10 * log10(power)), floorInDB) : floorInDB
  }

  /// The level of a power in dB relative to 1, at least ``floorInDB``.
  static func level(ofPower power: Float) -> Float {
    power > 0 ? max(10 * log10(power), floorInDB) : floorInDB
  }

  /// The power of a stored step.
  static func power(_ step: UInt8) -> Float { pow(10, decode(step) / 10) }
}
