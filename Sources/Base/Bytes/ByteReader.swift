/// Reads little-endian numbers and raw bytes from a buffer; errors give the offset.
package struct ByteReader: Sendable {
  /// The buffer ended too early, or held an invalid value.
  package struct Failure: Error, Hashable, CustomStringConvertible {
    /// The byte offset at which reading failed.
    package var offset: Int
    package var reason: String

    package init(offset: Int, reason: String) {
      self.offset = offset
      self.reason = reason
    }

    package var description: String { "\(reason) at byte \(offset)" }
  }

  private let bytes: [UInt8]
  package private(set) var offset = 0

  package init(_ bytes: [UInt8]) { self.bytes = bytes }

  package var remainingCount: Int { bytes.count - offset }

  package mutating func read<Value: FixedWidthInteger>(_ type: Value.Type = Value.self) throws(Failure) -> Value {
    let size = MemoryLayout<Value>.size
    guard remainingCount >= size else { throw Failure(offset: offset, reason: "ends inside a \(size)-byte number") }
    let start = offset
    offset += size
    return bytes.withUnsafeBytes { Value(littleEndian: $0.loadUnaligned(fromByteOffset: start, as: Value.self)) }
  }

  package mutating func readDouble() throws(Failure) -> Double { Double(bitPattern: try read(UInt64.self)) }

  package mutating func readBytes(_ count: Int) throws(Failure) -> ArraySlice<UInt8> {
    guard count >= 0, remainingCount >= count else {
      throw Failure(offset: offset, reason: "ends before the declared \(count) bytes")
    }
    defer { offset += count }
    return bytes[offset..<offset + count]
  }

  /// A number in groups of seven bits, lowest first; bit 7 is set in all bytes except the last.
  package mutating func readCompact() throws(Failure) -> UInt32 {
    var value: UInt64 = 0
    for shift in stride(from: UInt64(0), to: 35, by: 7) {
      let byte = try read(UInt8.self)
      value |= UInt64(byte & 0x7F) << shift
      if byte < 0x80, let number = UInt32(exactly: value) { return number }
    }
    throw failure("a number of more than 32 bits")
  }

  /// A `u32` length of at most `limit`, then that many bytes.
  package mutating func readLengthPrefixed(limit: Int = .max) throws(Failure) -> ArraySlice<UInt8> {
    let count = Int(try read(UInt32.self))
    guard count <= limit else { throw Failure(offset: offset - 4, reason: "length \(count) exceeds \(limit)") }
    return try readBytes(count)
  }

  /// A `u32` count, then that many finite numbers.
  package mutating func readSamples() throws(Failure) -> [Float] {
    let count = Int(try read(UInt32.self))
    let raw = try readBytes(count * 4)
    let samples = raw.withUnsafeBytes { raw in
      [Float](unsafeUninitializedCapacity: count) { buffer, initializedCount in
        for index in 0..<count {
          let pattern = UInt32(littleEndian: raw.loadUnaligned(fromByteOffset: 4 * index, as: UInt32.self))
          buffer.initializeElement(at: index, to: Float(bitPattern: pattern))
        }
        initializedCount = count
      }
    }
    let exponent: UInt32 = 0x7F80_0000
    // A sum of flags avoids a branch per sample.
    let strangeCount = samples.reduce(into: 0) { $0 &+= ($1.bitPattern & exponent) == exponent ? 1 : 0 }
    guard strangeCount == 0 else { throw failure("\(strangeCount) of \(count) samples are not finite") }
    return samples
  }

  /// A failure at the current offset, for values that were read but are invalid.
  package func failure(_ reason: String) -> Failure { Failure(offset: offset, reason: reason) }
}
