internal import Glibc

/// Colours for levels: equal steps of level are equal steps of perceived lightness.
package struct ColorMap: Hashable, Sendable {
  package let colors: [PictureColor]

  /// 256 colours from near black through violet, red and orange to a pale yellow.
  ///
  /// Computed in Oklab (Björn Ottosson, 2020): lightness rises evenly, the hue turns from 285° to 105°, and chroma
  /// swells in the middle, reduced where sRGB ends.
  package static let ember = ColorMap(
    colors: (0...255).map { index in
      let place = Double(index) / 255
      return color(
        lightness: 0.06 + 0.91 * place, chroma: 0.21 * pow(sin(.pi * min(0.04 + place * 0.88, 1)), 0.8),
        hueInDegrees: 285 + 180 * pow(place, 0.9))
    })

  /// 256 colours from near black through blue and green to a pale yellow, made in the same way; the hue turns from 290°
  /// to 115°.
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

  /// The colour of a place, `0...1`; what is outside is clamped.
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

  /// nil where the colour is outside of sRGB.
  private static func sRGB(lightness: Double, chroma: Double, hueInDegrees hue: Double) -> PictureColor? {
    let a = chroma * cos(hue * .pi / 180)
    let b = chroma * sin(hue * .pi / 180)
    func cubed(_ value: Double) -> Double { value * value * value }
    let l = cubed(lightness + 0.3963377774 * a + 0.2158037573 * b)
    let m = cubed(lightness - 0.1055613458 * a - 0.0638541728 * b)
    let s = cubed(lightness - 0.0894841775 * a - 1.2914855480 * b)
    let linear = [
      4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s,
      -1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s,
      -0.0041960863 * l - 0.7034186147 * m + 1.7076147010 * s,
    ]
    guard linear.allSatisfy({ (-1e-6...1 + 1e-6).contains($0) }) else { return nil }
    let encoded = linear.map { part in
      let part = max(0, min(part, 1))
      return part <= 0.0031308 ? 12.92 * part : 1.055 * pow(part, 1 / 2.4) - 0.055
    }
    return PictureColor(red: encoded[0], green: encoded[1], blue: encoded[2])
  }
}
