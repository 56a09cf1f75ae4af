/// A colour in sRGB with an opacity, each part `0...1`.
package struct PictureColor: Hashable, Sendable {
  package var red: Double
  package var green: Double
  package var blue: Double
  package var alpha: Double

  package init(red: Double, green: Double, blue: Double, alpha: Double = 1) {
    self.red = red
    self.green = green
    self.blue = blue
    self.alpha = alpha
  }

  /// From the three bytes of a pixel.
  package init(_ red: UInt8, _ green: UInt8, _ blue: UInt8, alpha: Double = 1) {
    self.init(red: Double(red) / 255, green: Double(green) / 255, blue: Double(blue) / 255, alpha: alpha)
  }

  /// From `rrggbb` or `rrggbbaa` in hexadecimal digits, with or without `#`; nil for anything else.
  package init?(hexadecimal text: String) {
    let digits = text.hasPrefix("#") ? text.dropFirst() : text[...]
    guard digits.utf8.count == 6 || digits.utf8.count == 8, digits.allSatisfy({ $0.isASCII && $0.isHexDigit }),
      let number = UInt32(digits, radix: 16)
    else { return nil }
    let color = digits.utf8.count == 8 ? number >> 8 : number
    let alpha = digits.utf8.count == 8 ? Double(number & 0xFF) / 255 : 1
    self.init(
      UInt8(truncatingIfNeeded: color >> 16), UInt8(truncatingIfNeeded: color >> 8), UInt8(truncatingIfNeeded: color),
      alpha: alpha)
  }

  /// This colour on the way to another one: 0 is this, 1 the other.
  package func mixed(with other: PictureColor, _ amount: Double) -> PictureColor {
    func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * amount }
    return PictureColor(
      red: between(red, other.red), green: between(green, other.green), blue: between(blue, other.blue),
      alpha: between(alpha, other.alpha))
  }

  package func withAlpha(_ alpha: Double) -> PictureColor {
    PictureColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// The three bytes of a pixel, as if opaque; what is out of range or no number is clamped.
  package var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
    func byte(_ part: Double) -> UInt8 { part > 0 ? UInt8((min(part, 1) * 255).rounded()) : 0 }
    return (byte(red), byte(green), byte(blue))
  }
}
