/// Packs small numbers of one width into bytes, lowest bit first; the last byte is filled up with zeros.
struct BitPacker {
  private let bitsPerValue: Int
  private var pending: UInt32 = 0
  private var pendingCount = 0
  private var whole: [UInt8] = []

  /// - Precondition: 1...8 bits.
  init(bitsPerValue: Int) { self.bitsPerValue = bitsPerValue }

  /// - Precondition: `value` needs no more than the bits of a value.
  mutating func append(_ value: UInt8) {
    pending |= UInt32(value) << UInt32(pendingCount)
    pendingCount += bitsPerValue
    while pendingCount >= 8 {
      whole.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingCount -= 8
    }
  }

  var bytes: [UInt8] { pendingCount > 0 ? whole + [UInt8(truncatingIfNeeded: pending)] : whole }
}

/// Takes small numbers of one width from bytes, lowest bit first.
struct BitUnpacker {
  private let bitsPerValue: Int
  private let bytes: [UInt8]
  private var bitCount = 0

  init(_ bytes: [UInt8], bitsPerValue: Int) {
    self.bytes = bytes
    self.bitsPerValue = bitsPerValue
  }

  /// nil where the bytes end before the value does.
  mutating func next() -> UInt8? {
    let (byte, shift) = (bitCount / 8, bitCount % 8)
    guard bitCount + bitsPerValue <= 8 * bytes.count else { return nil }
    bitCount += bitsPerValue
    let pair = UInt16(bytes[byte]) | (byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) << 8 : 0)
    return UInt8(truncatingIfNeeded: pair >> UInt16(shift)) & (UInt8.max >> UInt8(8 - bitsPerValue))
  }

  /// Bytes of which at least one bit was taken.
  var consumedByteCount: Int { (bitCount + 7) / 8 }
}
