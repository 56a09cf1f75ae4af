/// A level in one byte: steps of 0.5 dB from -120 dB (0, which also stands for everything below) to +7.5 dB (255).
package enum DecibelStep {
  package static let floorInDB: Float = -120
  package static let stepInDB: Float = 0.5

  /// The nearest step; NaN and everything below the floor become 0.
  package static func encode(_ decibels: Float) -> UInt8 {
    let steps = ((decibels - floorInDB) / stepInDB).rounded()
    return steps > 0 ? UInt8(min(steps, 255)) : 0
  }

  package static func decode(_ byte: UInt8) -> Float { floorInDB + Float(byte) * stepInDB }
}
