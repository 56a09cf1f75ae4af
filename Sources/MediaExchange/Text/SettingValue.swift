internal import Base

/// Numbers and switches as the settings of other programs spell them, or people who edit these.
enum SettingValue {
  /// A finite number: with a point or a comma before its decimals, with any minus sign of Unicode, and perhaps with
  /// spaces that group its digits. Of a comma and a point, the last one is before the decimals. nil for anything else.
  static func number(_ text: some StringProtocol) -> Double? {
    var digits = String.UnicodeScalarView()
    for scalar in withPlainSigns(text.trimmingBlanks()).unicodeScalars where !isGrouping(scalar) {
      digits.append(scalar)
    }
    guard let comma = digits.firstIndex(of: ",") else { return DecimalText.parse(String(digits)) }
    guard digits.count(where: { $0 == "," }) == 1 else { return nil }
    if let point = digits.lastIndex(of: "."), comma < point {
      digits.remove(at: comma)
    } else {
      digits = String.UnicodeScalarView(digits.filter { $0 != "." }.map { $0 == "," ? "." : $0 })
    }
    return DecimalText.parse(String(digits))
  }

  /// A number of a document, which may be written as a string; nil for anything else.
  static func number(_ value: JSONValue?) -> Double? {
    if let text = value?.string { return number(text) }
    guard let number = value?.double, number.isFinite else { return nil }
    return number
  }

  /// A switch of a document, which may be written as a string or a number; nil for anything else.
  static func isOn(_ value: JSONValue?) -> Bool? {
    if let isOn = value?.bool { return isOn }
    switch value?.string?.trimmingBlanks().lowercased() ?? number(value).map({ DecimalText.number($0, places: 3) }) {
    case "true", "on", "yes", "1": return true
    case "false", "off", "no", "0": return false
    default: return nil
    }
  }

  /// The text with hyphens for all signs that look like a minus, as word processors and web pages put them.
  static func withPlainSigns(_ text: some StringProtocol) -> String {
    var plain = String.UnicodeScalarView()
    for scalar in text.unicodeScalars {
      switch scalar.value {
      // Hyphens, dashes, minus signs, and the full-width and small forms.
      case 0x2010...0x2015, 0x2212, 0x207B, 0x208B, 0xFE58, 0xFE63, 0xFF0D: plain.append("-")
      case 0xFF0B, 0xFE62: plain.append("+")
      default: plain.append(scalar)
      }
    }
    return String(plain)
  }

  private static func isGrouping(_ scalar: Unicode.Scalar) -> Bool {
    ["\u{A0}", "\u{2009}", "\u{202F}"].contains(scalar)
  }
}
