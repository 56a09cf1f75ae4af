/// The compressed form as text: base64 with `-` and `_` (RFC 4648, section 5) and without padding.
extension AcoustIDFingerprint {
  private static let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)
  private static let values: [UInt8: UInt32] = Dictionary(
    uniqueKeysWithValues: digits.enumerated().map { ($1, UInt32($0)) })

  package var text: String {
    let bytes = compressed
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count * 4 + 2) / 3)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for digit in 0...group.count { text.append(Self.digits[Int(bits >> UInt32(18 - 6 * digit)) & 63]) }
    }
    return String(decoding: text, as: UTF8.self)
  }

  /// The words in decimal, parted by commas, as `fpcalc -raw` prints them.
  package var rawText: String { words.map { String($0) }.joined(separator: ",") }

  /// - Throws: where the text is no base64 of that kind, or the bytes are no fingerprint.
  package init(text: String) throws(ByteReader.Failure) {
    var bytes: [UInt8] = []
    var (bits, bitCount) = (UInt32(0), 0)
    for (offset, digit) in text.utf8.enumerated() {
      guard let value = Self.values[digit] else {
        throw ByteReader.Failure(offset: offset, reason: "not a digit of URL-safe base64")
      }
      bits = bits << 6 | value
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    try self.init(compressed: bytes)
  }
}
