/// Appends little-endian numbers and raw bytes to a growing buffer.
package struct ByteWriter: Sendable {
  package private(set) var bytes: [UInt8] = []

  package init(capacity: Int = 0) { bytes.reserveCapacity(capacity) }

  package mutating func append(_ value: some FixedWidthInteger) {
    withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
  }

  package mutating func append(_ value: Float) { append(value.bitPattern) }

  package mutating func append(_ value: Double) { append(value.bitPattern) }

  package mutating func append(raw: some Sequence<UInt8>) { bytes.append(contentsOf: raw) }

  /// In groups of seven bits, lowest first; bit 7 is set in all bytes except the last. Small numbers take one byte.
  package mutating func append(compact value: UInt32) {
    var rest = value
    while rest >= 0x80 {
      append(UInt8(truncatingIfNeeded: rest) | 0x80)
      rest >>= 7
    }
    append(UInt8(truncatingIfNeeded: rest))
  }

  /// A `u32` count, then the values.
  package mutating func append(samples: [Float]) {
    append(UInt32(samples.count))
    guard 1.littleEndian == 1 else {
      for sample in samples { append(sample) }
      return
    }
    samples.withUnsafeBytes { bytes.append(contentsOf: $0) }
  }

  /// Replaces the four bytes at `offset`, for a number that was unknown when they were written.
  package mutating func replace(at offset: Int, with value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
  }

  /// A `u32` length, then the bytes.
  package mutating func append(lengthPrefixed raw: some Collection<UInt8>) {
    append(UInt32(raw.count))
    append(raw: raw)
  }
}

/// Packs numbers of a fixed bit width into bytes, lowest bit first; the last byte is padded with zeros.
package struct BitPacker {
  private let bitsPerValue: Int
  private var pending: UInt32 = 0
  private var pendingCount = 0
  private var whole: [UInt8] = []

  /// - Precondition: 1...8 bits.
  package init(bitsPerValue: Int) { self.bitsPerValue = bitsPerValue }

  /// - Precondition: `value` fits into the bit width.
  package mutating func append(_ value: UInt8) {
    pending |= UInt32(value) << UInt32(pendingCount)
    pendingCount += bitsPerValue
    while pendingCount >= 8 {
      whole.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      pendingCount -= 8
    }
  }

  package var bytes: [UInt8] { pendingCount > 0 ? whole + [UInt8(truncatingIfNeeded: pending)] : whole }
}

/// Reads numbers of a fixed bit width from bytes, lowest bit first.
package struct BitUnpacker {
  private let bitsPerValue: Int
  private let bytes: [UInt8]
  private var bitCount = 0

  package init(_ bytes: [UInt8], bitsPerValue: Int) {
    self.bytes = bytes
    self.bitsPerValue = bitsPerValue
  }

  /// nil if the bytes end before the value is complete.
  package mutating func next() -> UInt8? {
    let (byte, shift) = (bitCount / 8, bitCount % 8)
    guard bitCount + bitsPerValue <= 8 * bytes.count else { return nil }
    bitCount += bitsPerValue
    let pair = UInt16(bytes[byte]) | (byte + 1 < bytes.count ? UInt16(bytes[byte + 1]) << 8 : 0)
    return UInt8(truncatingIfNeeded: pair >> UInt16(shift)) & (UInt8.max >> UInt8(8 - bitsPerValue))
  }

  /// The number of bytes of which at least one bit was read.
  package var consumedByteCount: Int { (bitCount + 7) / 8 }
}
