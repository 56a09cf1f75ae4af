/// Something that can be drawn on any surface: an image, or a page of vectors.
package protocol Picture {
  var size: PictureSize { get }
  /// Whether nothing of what is below the picture shows through it.
  var isOpaque: Bool { get }
  /// Draws all of it, background first, from (0, 0) to `size`.
  func draw(on canvas: borrowing Canvas)
}

extension Picture {
  package var isOpaque: Bool { true }
}
