/// Something that can be drawn on any surface: an image, or a page of vectors.
package protocol Picture {
  var size: PictureSize { get }
  /// Whether nothing below the picture shows through it.
  var isOpaque: Bool { get }
  /// Whether libpng may replace pixels by differences of neighbours, as it does for photographs; pictures of many shapes in few
  /// colours are smaller and made faster without.
  var filtersRows: Bool { get }
  /// Draws all of it, background first, from (0, 0) to `size`.
  func draw(on canvas: borrowing Canvas)
}

extension Picture {
  package var isOpaque: Bool { true }
  package var filtersRows: Bool { true }

  /// The picture as a file of a format; the same bytes for the same picture, on a machine with the same fonts.
  ///
  /// - Parameter compression: Of a PNG; nil for zlib's own choice. The other formats have none to choose.
  package func bytes(as format: PictureFormat, compression: PNGCompression? = nil) throws(DrawingError) -> [UInt8] {
    switch format {
    case .png:
      let surface = try DrawingSurface(pixelsOf: size, isOpaque: isOpaque)
      try surface.draw(self)
      return try surface.png(size, compression, filtersRows: filtersRows)
    case .svg: return SVGNumbering.renumbered(try document(as: .svg))
    case .pdf: return try document(as: .pdf)
    }
  }

  /// The picture as pixels, on black where it is transparent.
  package func pixels() throws(DrawingError) -> PixelImage {
    let surface = try DrawingSurface(pixelsOf: size, isOpaque: true)
    try surface.draw(self)
    return try surface.pixels(size)
  }

  private func document(as format: PictureFormat) throws(DrawingError) -> [UInt8] {
    let surface = try DrawingSurface(vectorsOf: size, as: format)
    try surface.draw(self)
    return try surface.document()
  }
}

/// The kinds of file that a picture can become; the raw value is the extension of their names.
package enum PictureFormat: String, CaseIterable, Sendable {
  /// 8 bits a channel, without transparency if no pixel has any.
  case png
  case svg
  case pdf
}

/// How hard the bytes of a PNG are compressed: zlib's levels.
package struct PNGCompression: Hashable, Sendable {
  package static let levels = -1...9

  /// 0 (none) to 9 (most), or -1 for zlib's own choice.
  package let level: Int

  /// nil for a level that zlib does not have.
  package init?(level: Int) {
    guard Self.levels.contains(level) else { return nil }
    self.level = level
  }
}

/// Width and height of a picture in pixels, or in points if it has no pixels.
package struct PictureSize: Hashable, Sendable {
  /// How long a side may be: the limit of Cairo's images.
  package static let sides = 1...32_767
  /// What fits into 256 MB.
  package static let maximumPixelCount = 64_000_000

  package let width: Int
  package let height: Int

  /// - Throws: ``DrawingError/pictureSize(width:height:)`` for a picture that is empty or too large.
  package init(width: Int, height: Int) throws(DrawingError) {
    guard Self.sides.contains(width), Self.sides.contains(height),
      width * height <= Self.maximumPixelCount
    else { throw .pictureSize(width: width, height: height) }
    self.width = width
    self.height = height
  }
}

/// Why there is no picture.
package enum DrawingError: Error, Hashable, CustomStringConvertible {
  /// A picture that is empty or needs more memory than pictures may take.
  case pictureSize(width: Int, height: Int)
  /// A library that draws failed or is missing; `reason` is its own message.
  case drawing(reason: String)

  package var description: String {
    switch self {
    case .pictureSize(let width, let height):
      "a picture of \(width) x \(height) pixels cannot be drawn: each side is 1 to "
        + "\(PictureSize.sides.upperBound), both together at most \(PictureSize.maximumPixelCount) pixels"
    case .drawing(let reason): "drawing failed: \(reason)"
    }
  }
}
