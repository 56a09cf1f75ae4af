/// Opaque pixels, row by row from the top.
struct PixelImage {
  let width: Int
  let height: Int
  /// `0x00RRGGBB`, `width * height` of them.
  var pixels: [UInt32]

  init(width: Int, height: Int) {
    self.width = max(width, 0)
    self.height = max(height, 0)
    pixels = Array(repeating: 0, count: self.width * self.height)
  }

  static func pixel(_ color: PictureColor) -> UInt32 {
    let (red, green, blue) = color.rgb
    return UInt32(red) << 16 | UInt32(green) << 8 | UInt32(blue)
  }
}
