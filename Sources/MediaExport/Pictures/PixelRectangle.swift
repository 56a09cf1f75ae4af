/// A rectangle on the grid of pixels.
struct PixelRectangle: Hashable {
  var x: Int
  var y: Int
  var width: Int
  var height: Int

  var right: Int { x + width }
  var bottom: Int { y + height }
  var isEmpty: Bool { width <= 0 || height <= 0 }

  /// Without a margin on each side; may become empty.
  func inset(left: Int = 0, top: Int = 0, right: Int = 0, bottom: Int = 0) -> PixelRectangle {
    PixelRectangle(x: x + left, y: y + top, width: width - left - right, height: height - top - bottom)
  }
}
