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

  /// In groups of seven bits, the lowest first, bit 7 set in all bytes but the last: small numbers take one byte.
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

  /// Replaces the four bytes at `offset` by a number that was not known when they were written.
  package mutating func replace(at offset: Int, with value: UInt32) {
    withUnsafeBytes(of: value.littleEndian) { bytes.replaceSubrange(offset..<offset + 4, with: $0) }
  }

  /// A `u32` length, then the bytes.
  package mutating func append(lengthPrefixed raw: some Collection<UInt8>) {
    append(UInt32(raw.count))
    append(raw: raw)
  }
}
