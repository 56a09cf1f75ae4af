/// Width and height of a picture in pixels (points, where a picture has no pixels).
package struct PictureSize: Hashable, Sendable {
  /// The longest side that Cairo's images may have.
  package static let maximumSide = 32_767
  /// What fits into 256 MB.
  package static let maximumPixelCount = 64_000_000

  package let width: Int
  package let height: Int

  /// - Throws: ``ExportError/pictureSize(width:height:)`` for a picture that is empty or too large.
  package init(width: Int, height: Int) throws(ExportError) {
    guard (1...Self.maximumSide).contains(width), (1...Self.maximumSide).contains(height),
      width * height <= Self.maximumPixelCount
    else { throw .pictureSize(width: width, height: height) }
    self.width = width
    self.height = height
  }
}
