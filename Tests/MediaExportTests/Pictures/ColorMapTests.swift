import Glibc
import MediaExport
import Testing

struct ColorMapTests {
  /// Lightness of Oklab, from sRGB by its definition.
  private func lightness(_ color: PictureColor) -> Double {
    func linear(_ part: Double) -> Double { part <= 0.04045 ? part / 12.92 : pow((part + 0.055) / 1.055, 2.4) }
    let (r, g, b) = (linear(color.red), linear(color.green), linear(color.blue))
    let l = cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b)
    let m = cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b)
    let s = cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b)
    return 0.2104542553 * l + 0.7936177850 * m - 0.0040720468 * s
  }

  @Test func `equal steps of level are equal steps of lightness`() {
    let levels = ColorMap.ember.colors.map(lightness)
    #expect(levels.count == 256)
    for (low, high) in zip(levels, levels.dropFirst()) {
      #expect(abs(high - low - 0.91 / 255) < 1e-4)
    }
  }

  @Test(arguments: [(-1.0, 0), (.nan, 0), (0, 0), (0.5, 128), (1, 255), (7, 255), (.infinity, 255)])
  func `places outside are clamped`(fraction: Double, index: Int) {
    #expect(ColorMap.ember.color(at: fraction) == ColorMap.ember.colors[index])
  }
}
