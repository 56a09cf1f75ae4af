package import MediaModel

/// How samples are written, little-endian.
package enum SampleForm: Hashable, Sendable {
  /// Signed integers of 16 or 24 bits.
  case int16, int24
  /// 32-bit floats, full scale 1.0.
  case float32

  /// The form that loses nothing of what a decoder gives, and is no wider than it must be.
  package init(holding format: MediaFormat) {
    let codec = format.codec
    let bits = format.bitsPerSample
    self =
      switch codec {
      // Eight bits that stand for 13 and 14.
      case .aLaw?, .muLaw?: .int16
      case let codec? where codec.isLossless && codec != .pcmF32 && codec != .pcmF64:
        switch bits {
        case let bits? where bits <= 16: .int16
        case let bits? where bits <= 24: .int24
        default: .float32
        }
      default: .float32
      }
  }

  package var bytesPerSample: Int {
    switch self {
    case .int16: 2
    case .int24: 3
    case .float32: 4
    }
  }
}
