/// Text as searches see it: without case and accents.
///
/// Letters become lower case by Unicode's own mapping, whatever the locale; accents of Latin, Greek, Cyrillic, Hebrew and
/// kana are dropped, precomposed or not, marks of Arabic where they stand apart; `ß` is `ss`, `æ` is `ae`, `ø` is `o`;
/// full-width forms are plain. Syllables of Hangul are as they are written, whole or in parts.
package enum TextFolding {
  /// - Complexity: O(n); text in ASCII takes a short path.
  package static func fold(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    var isPlain = true
    for byte in text.utf8 {
      guard byte < 0x80 else {
        isPlain = false
        break
      }
      bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
    }
    return isPlain ? String(decoding: bytes, as: UTF8.self) : foldScalars(text)
  }

  private static func foldScalars(_ text: String) -> String {
    var bytes: [UInt8] = []
    bytes.reserveCapacity(text.utf8.count)
    for scalar in text.unicodeScalars {
      if scalar.isASCII {
        let byte = UInt8(truncatingIfNeeded: scalar.value)
        bytes.append(byte &- 0x41 < 26 ? byte | 0x20 : byte)
      } else if scalar.value < frequentLimit {
        bytes.append(contentsOf: frequent[Int(scalar.value)])
      } else {
        bytes.append(contentsOf: folded(scalar))
      }
    }
    return String(decoding: bytes, as: UTF8.self)
  }

  /// Latin, Greek and Cyrillic, folded once and for all.
  private static let frequentLimit: UInt32 = 0x530
  private static let frequent: [[UInt8]] = (0..<frequentLimit).map { Unicode.Scalar($0).map(folded) ?? [] }

  private static func folded(_ scalar: Unicode.Scalar) -> [UInt8] {
    var result = String.UnicodeScalarView()
    for lower in lowercased(scalar) where !isAccent(lower) {
      if let base = bases[lower] { result.append(contentsOf: base) } else { result.append(plain(lower)) }
    }
    return Array(String(result).utf8)
  }

  private static func lowercased(_ scalar: Unicode.Scalar) -> String.UnicodeScalarView {
    scalar.isASCII && !("A"..."Z").contains(scalar)
      ? String.UnicodeScalarView([scalar]) : scalar.properties.lowercaseMapping.unicodeScalars
  }

  /// Full-width ASCII as plain ASCII.
  private static func plain(_ scalar: Unicode.Scalar) -> Unicode.Scalar {
    guard (0xFF01...0xFF5E).contains(scalar.value) else { return scalar }
    return Unicode.Scalar(scalar.value - 0xFEE0) ?? scalar
  }

  private static func isAccent(_ scalar: Unicode.Scalar) -> Bool {
    switch scalar.value {
    case 0x0300...0x036F, 0x0483...0x0487, 0x0591...0x05BD, 0x05BF, 0x05C1...0x05C2, 0x05C4...0x05C5, 0x05C7: true
    case 0x0610...0x061A, 0x064B...0x065F, 0x0670, 0x1AB0...0x1AFF, 0x1DC0...0x1DFF, 0x20D0...0x20FF: true
    case 0x3099...0x309A, 0xFE20...0xFE2F: true
    default: false
    }
  }

  private static let bases: [Unicode.Scalar: String.UnicodeScalarView] = {
    var bases: [Unicode.Scalar: String.UnicodeScalarView] = [:]
    for (base, variants) in letters {
      for variant in variants.unicodeScalars { bases[variant] = base.unicodeScalars }
    }
    return bases
  }()
}
