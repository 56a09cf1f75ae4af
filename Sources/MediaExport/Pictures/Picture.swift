/// Something that can be drawn on any surface: an image today, a page of vectors tomorrow.
package protocol Picture {
  var size: PictureSize { get }
  /// Draws all of it, background first, from (0, 0) to `size`.
  func draw(on canvas: borrowing Canvas)
}
