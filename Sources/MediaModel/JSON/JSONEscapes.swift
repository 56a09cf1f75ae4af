/// The escapes of a JSON string (RFC 8259, section 7).
enum JSONEscapes {
  /// What lies between the quotes, without escapes; nil if an escape does not exist or is cut off.
  static func resolve(_ raw: ArraySlice<UInt8>) -> String? {
    var units: [UInt16] = []
    var plain: [UInt8] = []
    var index = raw.startIndex
    func flush() {
      units.append(contentsOf: String(decoding: plain, as: UTF8.self).utf16)
      plain.removeAll(keepingCapacity: true)
    }
    while index < raw.endIndex {
      guard raw[index] == UInt8(ascii: "\\") else {
        plain.append(raw[index])
        index += 1
        continue
      }
      guard index + 1 < raw.endIndex else { return nil }
      flush()
      let mark = raw[index + 1]
      index += 2
      if mark == UInt8(ascii: "u") {
        guard raw.endIndex - index >= 4,
          raw[index..<index + 4].allSatisfy({ ($0 as UInt8).isHexDigit }),
          let unit = UInt16(String(decoding: raw[index..<index + 4], as: UTF8.self), radix: 16)
        else { return nil }
        units.append(unit)
        index += 4
      } else if let unit = letters[mark] {
        units.append(unit)
      } else {
        return nil
      }
    }
    flush()
    return String(decoding: units, as: UTF16.self)
  }

  private static let letters: [UInt8: UInt16] = [
    UInt8(ascii: "\""): 0x22, UInt8(ascii: "\\"): 0x5C, UInt8(ascii: "/"): 0x2F, UInt8(ascii: "b"): 8,
    UInt8(ascii: "f"): 12, UInt8(ascii: "n"): 10, UInt8(ascii: "r"): 13, UInt8(ascii: "t"): 9,
  ]
}

extension UInt8 {
  fileprivate var isHexDigit: Bool {
    (0x30...0x39).contains(self) || (0x41...0x46).contains(self) || (0x61...0x66).contains(self)
  }
}
