internal import CXXHash

/// A 128-bit hash (XXH3) of a stream or a picture.
///
/// Written as 32 lower-case hexadecimal digits, most significant first (the canonical form of XXH128).
package struct ContentHash: Hashable, Sendable, CustomStringConvertible {
  package let high: UInt64
  package let low: UInt64

  package init(high: UInt64, low: UInt64) {
    self.high = high
    self.low = low
  }

  /// From the 16 canonical (big-endian) bytes; nil for any other length.
  package init?(bytes: some Collection<UInt8>) {
    guard bytes.count == 16 else { return nil }
    func word(_ part: some Sequence<UInt8>) -> UInt64 { part.reduce(0) { $0 << 8 | UInt64($1) } }
    self.init(high: word(bytes.prefix(8)), low: word(bytes.dropFirst(8)))
  }

  /// Parses a ``description``, in upper or lower case; nil for anything else.
  package init?(hexadecimal text: String) {
    let digits = Array(text.utf8)
    guard digits.count == 32, digits.allSatisfy({ Character(Unicode.Scalar($0)).isHexDigit }),
      let high = UInt64(text.prefix(16), radix: 16), let low = UInt64(text.suffix(16), radix: 16)
    else { return nil }
    self.init(high: high, low: low)
  }

  /// The 16 canonical (big-endian) bytes.
  package var bytes: [UInt8] {
    [high, low].flatMap { word in (0..<8).map { UInt8(truncatingIfNeeded: word >> (56 - 8 * UInt64($0))) } }
  }

  package var description: String {
    let digits = Array("0123456789abcdef".utf8)
    let text = bytes.flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }
    return String(decoding: text, as: UTF8.self)
  }
}

extension ContentHash {
  /// XXH3 with 128 bits of some bytes.
  package init(of bytes: [UInt8]) {
    let hash = bytes.withUnsafeBytes { XXH3_128bits($0.baseAddress, $0.count) }
    self.init(high: hash.high64, low: hash.low64)
  }
}
