/// Width and height of a picture in pixels (points, where a picture has no pixels).
package struct PictureSize: Hashable, Sendable {
  /// How long a side may be: as far as Cairo's images go.
  package static let sides = 1...32_767
  /// What fits into 256 MB.
  package static let maximumPixelCount = 64_000_000

  package let width: Int
  package let height: Int

  /// - Throws: ``ExportError/pictureSize(width:height:)`` for a picture that is empty or too large.
  package init(width: Int, height: Int) throws(ExportError) {
    guard Self.sides.contains(width), Self.sides.contains(height),
      width * height <= Self.maximumPixelCount
    else { throw .pictureSize(width: width, height: height) }
    self.width = width
    self.height = height
  }
}
