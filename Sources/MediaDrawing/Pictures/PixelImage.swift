/// Opaque pixels, row by row from the top.
package struct PixelImage: Hashable, Sendable {
  package let width: Int
  package let height: Int
  /// `0x00RRGGBB`, `width * height` values.
  package internal(set) var pixels: [UInt32]

  init(width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    pixels = Array(repeating: 0, count: self.width * self.height)
  }

  /// The colour of a pixel as `0xRRGGBB`; nil outside the image.
  package subscript(x: Int, y: Int) -> UInt32? {
    (0..<width).contains(x) && (0..<height).contains(y) ? pixels[y * width + x] : nil
  }

  static func pixel(_ color: PictureColor) -> UInt32 {
    let (red, green, blue) = color.rgb
    return UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}

/// A rectangle on the grid of pixels.
struct PixelRectangle: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }
  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// The rectangle without a margin on each side; may become empty.
  func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> PixelRectangle {
    PixelRectangle(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }
}
