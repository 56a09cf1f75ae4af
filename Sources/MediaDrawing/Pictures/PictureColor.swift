internal import Glibc
internal import MediaModel

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

  /// Between this colour (0) and another one (1).
  package func mixed(with other: PictureColor, _ amount: Double) -> PictureColor {
    func between(_ from: Double, _ to: Double) -> Double { from + (to - from) * amount }
    return PictureColor(
      red: between(red, other.red), green: between(green, other.green), blue: between(blue, other.blue),
      alpha: between(alpha, other.alpha))
  }

  package func withAlpha(_ alpha: Double) -> PictureColor {
    PictureColor(red: red, green: green, blue: blue, alpha: alpha)
  }

  /// The three bytes of a pixel, as if opaque; values out of range are clamped, NaN is 0.
  package var rgb: (red: UInt8, green: UInt8, blue: UInt8) {
    func byte(_ part: Double) -> UInt8 { part > 0 ? UInt8((min(part, 1) * 255).rounded()) : 0 }
    return (byte(red), byte(green), byte(blue))
  }
}

/// The colour of a moment of music: red for lows, green for mids, blue for highs, mixed by their energies.
enum BandColor {
  static let low = PictureColor(229, 57, 70)
  static let mid = PictureColor(60, 188, 120)
  static let high = PictureColor(66, 135, 245)
  static let silence = PictureColor(128, 128, 128)

  /// Factors of amplitude before the bands are compared, because music has less energy towards the highs.
  private static let lift = (low: 1.0, mid: 1.8, high: 5.0)

  static func color(of energy: BandEnergy) -> PictureColor {
    // Squares of powers, not amplitudes: the strongest band dominates, and mixes do not turn grey.
    func weight(_ power: Double, _ lift: Double) -> Double { power * lift * lift * power * lift * lift }
    let low = weight(energy.low, lift.low)
    let mid = weight(energy.mid, lift.mid)
    let high = weight(energy.high, lift.high)
    let sum = low + mid + high
    guard sum > 0 else { return silence }
    func part(_ path: KeyPath<PictureColor, Double>) -> Double {
      (Self.low[keyPath: path] * low + Self.mid[keyPath: path] * mid + Self.high[keyPath: path] * high) / sum
    }
    return PictureColor(red: part(\.red), green: part(\.green), blue: part(\.blue))
  }
}

/// Colours for levels: equal steps in level are equal steps in perceived lightness.
package struct ColorMap: Hashable, Sendable {
  package let colors: [PictureColor]

  /// 256 colours from near black through violet, red and orange to a pale yellow.
  ///
  /// Computed in Oklab (Björn Ottosson, 2020): lightness rises evenly, the hue turns from 285° to 105°, and chroma is
  /// highest in the middle, reduced to what sRGB has.
  package static let ember = ColorMap(
    colors: (0...255).map { index in
      let place = Double(index) / 255
      return color(
        lightness: 0.06 + 0.91 * place, chroma: 0.21 * pow(sin(.pi * min(0.04 + place * 0.88, 1)), 0.8),
        hueInDegrees: 285 + 180 * pow(place, 0.9))
    })

  /// 256 colours from near black through blue and green to a pale yellow, computed in the same way; the hue turns from
  /// 290° to 115°.
  package static let ocean = ColorMap(
    colors: (0...255).map { index in
      let place = Double(index) / 255
      return color(
        lightness: 0.08 + 0.89 * place, chroma: 0.17 * pow(sin(.pi * min(0.06 + place * 0.86, 1)), 0.8),
        hueInDegrees: 290 - 175 * place)
    })

  /// 256 greys.
  package static let gray = ColorMap(
    colors: (0...255).map { color(lightness: 0.04 + 0.96 * Double($0) / 255, chroma: 0, hueInDegrees: 0) })

  /// 256 greys for paper: silence is white.
  package static let paper = ColorMap(colors: Array(gray.colors.reversed()))

  /// The colour of a place in `0...1`; other places are clamped.
  package func color(at fraction: Double) -> PictureColor {
    colors[fraction > 0 ? Int((min(fraction, 1) * Double(colors.count - 1)).rounded()) : 0]
  }

  /// The colour of a lightness and hue with the largest chroma up to `chroma` that sRGB has.
  private static func color(lightness: Double, chroma: Double, hueInDegrees hue: Double) -> PictureColor {
    var (inside, outside) = (0.0, chroma)
    if let color = sRGB(lightness: lightness, chroma: chroma, hueInDegrees: hue) { return color }
    for _ in 0..<24 {
      let middle = (inside + outside) / 2
      if sRGB(lightness: lightness, chroma: middle, hueInDegrees: hue) == nil {
        outside = middle
      } else {
        inside = middle
      }
    }
    return sRGB(lightness: lightness, chroma: inside, hueInDegrees: hue)
      ?? PictureColor(red: lightness, green: lightness, blue: lightness)
  }

  /// nil if the colour is outside of sRGB.
  private static func sRGB(lightness: Double, chroma: Double, hueInDegrees hue: Double) -> PictureColor? {
    let color = OklabColor(
      lightness: lightness, a: chroma * cos(hue * .pi / 180), b: chroma * sin(hue * .pi / 180))
    return color.isInSRGB ? color.nearestInSRGB : nil
  }
}

/// A colour by perceived lightness (0 black, 1 white) and two axes of hue: Oklab (Björn Ottosson, 2020).
struct OklabColor {
  var lightness: Double
  /// Green below 0, red above.
  var a: Double
  /// Blue below 0, yellow above.
  var b: Double

  init(lightness: Double, a: Double, b: Double) {
    self.lightness = lightness
    self.a = a
    self.b = b
  }

  /// - Parameter color: Its opacity is ignored.
  init(_ color: PictureColor) {
    func linear(_ part: Double) -> Double { part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4) }
    let (red, green, blue) = (linear(color.red), linear(color.green), linear(color.blue))
    let l = cbrt(0.4122214708 * red + 0.5363325363 * green + 0.0514459929 * blue)
    let m = cbrt(0.2119034982 * red + 0.6806995451 * green + 0.1073969566 * blue)
    let s = cbrt(0.0883024619 * red + 0.2817188376 * green + 0.6299787005 * blue)
    self.init(
      lightness: 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s,
      a: 1.9779984951 * l - 2.4285922050 * m + 0.4505937099 * s,
      b: 0.0259040371 * l + 0.7827717662 * m - 0.8086757660 * s)
  }

  var isInSRGB: Bool { linear.allSatisfy { (-1e-6...1 + 1e-6).contains($0) } }

  /// Each part clamped to what sRGB has.
  var nearestInSRGB: PictureColor {
    let encoded = linear.map { part in
      let part = max(0, min(part, 1))
      return part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055
    }
    return PictureColor(red: encoded[0], green: encoded[1], blue: encoded[2])
  }

  /// Red, green and blue as amounts of light.
  private var linear: [Double] {
    func cubed(_ value: Double) -> Double { value * value * value }
    let l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b)
    return [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
  }
}
