/// Bytes as text of 64 letters (RFC 4648 section 4).
package enum Base64Text {
  private static let letters = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/".utf8)
  /// The value of each letter; 0xFF for others.
  private static let values: [UInt8] = {
    var values = [UInt8](repeating: 0xFF, count: 256)
    for (value, letter) in letters.enumerated() { values[Int(letter)] = UInt8(value) }
    return values
  }()

  /// The bytes; white space is skipped, and padding may be missing. nil if there is anything else, or nothing.
  package static func decoded(_ text: some Collection<UInt8>) -> [UInt8]? {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.count / 4 * 3)
    var (bits, bitCount): (UInt32, Int) = (0, 0)
    for letter in text {
      let value = values[Int(letter)]
      if value == 0xFF {
        // Padding ends the text.
        if letter == UInt8(ascii: "=") || letter == 0 { break }
        guard letter == 0x20 || (0x09...0x0D).contains(letter) else { return nil }
        continue
      }
      bits = bits << 6 | UInt32(value)
      bitCount += 6
      if bitCount >= 8 {
        bitCount -= 8
        bytes.append(UInt8(truncatingIfNeeded: bits >> UInt32(bitCount)))
      }
    }
    return bytes.isEmpty ? nil : bytes
  }

  /// The text of bytes (RFC 4648 section 4), padded, without line breaks.
  package static func encoded(_ bytes: [UInt8]) -> String {
    var text: [UInt8] = []
    text.reserveCapacity((bytes.count + 2) / 3 * 4)
    for start in stride(from: 0, to: bytes.count, by: 3) {
      let group = bytes[start..<min(start + 3, bytes.count)]
      let bits = group.reduce(UInt32(0)) { $0 << 8 | UInt32($1) } << UInt32(8 * (3 - group.count))
      for index in 0..<4 {
        text.append(index <= group.count ? letters[Int(bits >> UInt32(18 - 6 * index) & 63)] : UInt8(ascii: "="))
      }
    }
    return String(decoding: text, as: UTF8.self)
  }
}
