/// The upper half of a `Float`: its range with a precision of 0.4 %, for powers that are kept by the million.
struct BFloat16 {
  private let bits: UInt16

  init(_ value: Float) { bits = UInt16(truncatingIfNeeded: value.bitPattern >> 16) }

  var value: Float { Float(bitPattern: UInt32(bits) << 16) }
}
