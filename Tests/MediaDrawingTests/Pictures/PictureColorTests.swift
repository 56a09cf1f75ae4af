import Glibc
import MediaDrawing
import MediaModel
import Testing

struct PictureColorTests {
  @Test func `six digits are a colour, eight one with its opacity`() throws {
    #expect(PictureColor(hexadecimal: "3f4d9b") == PictureColor(63, 77, 155))
    #expect(PictureColor(hexadecimal: "#3F4D9B") == PictureColor(63, 77, 155))
    #expect(PictureColor(hexadecimal: "ff000033") == PictureColor(255, 0, 0, alpha: 0.2))
  }

  @Test(arguments: ["", "#", "fff", "3f4d9", "3f4d9bf", "3f4d9g", "+f4d9b", "-00001", "３ｆ４ｄ９ｂ", "3f4d9b00f", " 3f4d9b"])
  func `anything else is none`(text: String) {
    #expect(PictureColor(hexadecimal: text) == nil)
  }

  @Test func `a background that can be seen through makes a PNG with an alpha channel`() throws {
    let peaks = WaveformPeaks(
      sampleRateInHz: 44_100, framesPerPoint: 441, channelCount: 1, resolution: .bits8, values: [])
    var picture = WaveformPicture(size: try PictureSize(width: 20, height: 20), peaks: peaks)
    // The kind of colour in the header: 2 is RGB, 6 has alpha.
    #expect(try picture.bytes(as: .png)[25] == 2)
    picture.colors.background = PictureColor(0, 0, 0, alpha: 0)
    #expect(try picture.bytes(as: .png)[25] == 6)
    #expect(try picture.bytes(as: .png, compression: PNGCompression(level: 9))[25] == 6)
  }
}

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
