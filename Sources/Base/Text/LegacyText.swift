/// Text of unknown encoding: UTF-16 with a byte order mark, otherwise UTF-8 if it is valid, otherwise Windows code page
/// 1252.
package enum LegacyText {
  /// Code page 1252 where it differs from Latin-1: 0x80…0x9F. The five undefined bytes stay control characters.
  private static let special: [UInt32] = [
    0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D, 0x017D,
    0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A, 0x0153, 0x9D,
    0x017E, 0x0178,
  ]

  /// Whether the bytes start with a byte order mark of UTF-16, as some Windows programs write.
  package static func isWide(_ bytes: [UInt8]) -> Bool {
    bytes.starts(with: [0xFF, 0xFE]) || bytes.starts(with: [0xFE, 0xFF])
  }

  package static func decoded(_ bytes: ArraySlice<UInt8>) -> String {
    if bytes.starts(with: [0xFF, 0xFE]) { return wide(bytes.dropFirst(2), isLittleEndian: true) }
    if bytes.starts(with: [0xFE, 0xFF]) { return wide(bytes.dropFirst(2), isLittleEndian: false) }
    let rest = bytes.starts(with: [0xEF, 0xBB, 0xBF]) ? bytes.dropFirst(3) : bytes
    return String(validating: rest, as: UTF8.self) ?? western(rest)
  }

  /// Text in code page 1252.
  package static func western(_ bytes: ArraySlice<UInt8>) -> String {
    var text = String.UnicodeScalarView()
    for byte in bytes {
      let value = (0x80...0x9F).contains(byte) ? special[Int(byte) - 0x80] : UInt32(byte)
      text.append(Unicode.Scalar(value) ?? "\u{FFFD}")
    }
    return String(text)
  }

  /// The text in code page 1252, with question marks for missing characters, and whether none is missing.
  package static func encoded(_ text: String) -> (bytes: [UInt8], isWhole: Bool) {
    var isWhole = true
    let bytes = text.unicodeScalars.map { scalar -> UInt8 in
      if let index = special.firstIndex(of: scalar.value) { return UInt8(0x80 + index) }
      if scalar.value < 0x80 || (0xA0...0xFF).contains(scalar.value) { return UInt8(scalar.value) }
      isWhole = false
      return UInt8(ascii: "?")
    }
    return (bytes, isWhole)
  }

  private static func wide(_ bytes: ArraySlice<UInt8>, isLittleEndian: Bool) -> String {
    var units: [UInt16] = []
    var index = bytes.startIndex
    while index + 1 < bytes.endIndex {
      let (first, second) = (UInt16(bytes[index]), UInt16(bytes[index + 1]))
      units.append(isLittleEndian ? first | second << 8 : first << 8 | second)
      index += 2
    }
    return String(decoding: units, as: UTF16.self)
  }
}
