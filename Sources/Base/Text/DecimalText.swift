/// Numbers as text with a limited number of decimals and a decimal point, independent of the locale.
package enum DecimalText {
  /// `value` rounded to `places` decimals, without trailing zeros; `null` if it is not finite.
  ///
  /// - Parameter places: `0...9`; values that are too large for them are in Swift's shortest form.
  package static func number(_ value: Double, places: Int) -> String {
    guard value.isFinite else { return "null" }
    let scale = (0..<max(0, min(places, 9))).reduce(Int64(1)) { product, _ in product * 10 }
    let scaled = (value * Double(scale)).rounded()
    guard abs(scaled) < 9e15 else { return "\(value)" }
    let magnitude = Int64(abs(scaled))
    var text = String(magnitude / scale)
    var fraction = String(magnitude % scale)
    if scale > 1, magnitude % scale > 0 {
      fraction = String(repeating: "0", count: max(0, places - fraction.count)) + fraction
      while fraction.hasSuffix("0") { fraction.removeLast() }
      text += "." + fraction
    }
    return scaled < 0 ? "-" + text : text
  }

  /// A number that a person set, in the one form in which it is stored: `07.50` is `7.5`. nil unless it consists of ASCII
  /// digits, perhaps with a point between them, and lies in `range`.
  ///
  /// - Parameter places: `0...9`, to which it is rounded.
  package static func canonical(_ text: String, in range: ClosedRange<Double>, places: Int) -> String? {
    let parts = text.utf8.split(separator: UInt8(ascii: "."), omittingEmptySubsequences: false)
    guard text.utf8.count <= 40, (1...2).contains(parts.count),
      parts.allSatisfy({ !$0.isEmpty && $0.allSatisfy { (0x30...0x39).contains($0) } }),
      let value = parse(text), range.contains(value)
    else { return nil }
    return number(value, places: places)
  }

  /// A finite number in ASCII digits, with an optional point and exponent; nil for anything else, such as `0x10`,
  /// `nan`, `1e400` or a number with a space.
  package static func parse(_ text: String) -> Double? {
    guard text.utf8.allSatisfy({ "0123456789.+-eE".utf8.contains($0) }), let value = Double(text), value.isFinite
    else { return nil }
    return value
  }
}
