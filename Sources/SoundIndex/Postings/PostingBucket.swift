internal import Base

/// Postings whose pairs begin with the same bits, compressed: where each pair occurs.
///
/// The postings are sorted numbers of up to 62 bits (the remaining bits of the pair above the position). Their
/// differences are stored by the code of Golomb and Rice, which is within some two percent of the best for numbers that
/// are spread at random. docs/formats.md has the layout.
enum PostingBucket {
  static let headerByteCount = 9
  /// Readers load eight bytes at once, so that many must follow the bucket in memory.
  static let padding = 16
  private static let escape = 24
  private static let escapedBitCount = 62

  /// Appends a bucket; nothing for no postings.
  static func append(_ postings: [UInt64], to bytes: inout [UInt8]) {
    guard let last = postings.last else { return }
    let parameter = parameter(span: last, count: postings.count)
    let start = bytes.count
    bytes.append(contentsOf: repeatElement(0, count: 4))
    for shift in stride(from: 0, to: 32, by: 8) { bytes.append(UInt8(truncatingIfNeeded: postings.count >> shift)) }
    bytes.append(UInt8(parameter))
    var bits = BitQueue()
    var previous: UInt64 = 0
    for posting in postings {
      let difference = posting - previous
      previous = posting
      let quotient = difference >> UInt64(parameter)
      if quotient < UInt64(escape) {
        bits.append(1 << quotient, count: Int(quotient) + 1, to: &bytes)
        bits.append(difference & (1 << UInt64(parameter) - 1), count: parameter, to: &bytes)
      } else {
        bits.append(1 << UInt64(escape), count: escape + 1, to: &bytes)
        bits.append(difference & 0x7FFF_FFFF, count: 31, to: &bytes)
        bits.append(difference >> 31, count: escapedBitCount - 31, to: &bytes)
      }
    }
    bits.flush(to: &bytes)
    let checksum = CRC32.checksum(Array(bytes[(start + 4)...]))
    for index in 0..<4 { bytes[start + index] = UInt8(truncatingIfNeeded: checksum >> UInt32(8 * index)) }
  }

  /// Calls `body` with each posting of a bucket.
  ///
  /// - Parameter bytes: The bucket, and ``padding`` bytes of room after it.
  /// - Returns: False if the bytes are not those that were written.
  static func forEach(in bytes: UnsafeRawBufferPointer, byteCount: Int, _ body: (UInt64) -> Void) -> Bool {
    guard byteCount >= headerByteCount, bytes.count >= byteCount + padding,
      bytes.loadUnaligned(as: UInt32.self).littleEndian
        == CRC32.checksum(UnsafeRawBufferPointer(rebasing: bytes[4..<byteCount]))
    else { return false }
    let count = Int(bytes.loadUnaligned(fromByteOffset: 4, as: UInt32.self).littleEndian)
    let parameter = UInt64(bytes[8])
    let end = 8 * byteCount
    let mask: UInt64 = 1 << parameter - 1
    var position = 8 * headerByteCount
    var value: UInt64 = 0
    for _ in 0..<count {
      guard position < end else { return false }
      let word = load(bytes, position)
      let quotient = word.trailingZeroBitCount
      if quotient < escape {
        value &+= UInt64(quotient) << parameter | (word >> UInt64(quotient + 1)) & mask
        position += quotient + 1 + Int(parameter)
      } else {
        position += escape + 1
        let low = load(bytes, position) & 0x7FFF_FFFF
        let high = load(bytes, position + 31) & 0x7FFF_FFFF
        value &+= high << 31 | low
        position += escapedBitCount
      }
      body(value)
    }
    return position <= end
  }

  @inline(__always) private static func load(_ bytes: UnsafeRawBufferPointer, _ position: Int) -> UInt64 {
    let byte = min(position >> 3, bytes.count - 8)
    return bytes.loadUnaligned(fromByteOffset: byte, as: UInt64.self).littleEndian >> UInt64(position & 7)
  }

  /// The number of low bits that makes the code shortest: some 0.69 of the mean difference.
  private static func parameter(span: UInt64, count: Int) -> Int {
    let mean = Double(span) / Double(count) * 0.69
    return mean < 1 ? 0 : min(31, Int(mean).bitWidth - 1 - Int(mean).leadingZeroBitCount)
  }
}

/// Bits on their way into bytes, the lowest first.
private struct BitQueue {
  private var pending: UInt64 = 0
  private var count = 0

  /// - Precondition: `count` is at most 32.
  mutating func append(_ value: UInt64, count added: Int, to bytes: inout [UInt8]) {
    pending |= value << UInt64(count)
    count += added
    while count >= 8 {
      bytes.append(UInt8(truncatingIfNeeded: pending))
      pending >>= 8
      count -= 8
    }
  }

  mutating func flush(to bytes: inout [UInt8]) {
    if count > 0 { bytes.append(UInt8(truncatingIfNeeded: pending)) }
    (pending, count) = (0, 0)
  }
}
