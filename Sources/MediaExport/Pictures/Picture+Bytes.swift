extension Picture {
  /// The picture as a file of a format; the same bytes for the same picture, on a machine with the same fonts.
  ///
  /// - Parameter compression: of a PNG; zlib's own choice without it. The other formats have none to choose.
  package func bytes(as format: PictureFormat, compression: PNGCompression? = nil) throws(ExportError) -> [UInt8] {
    switch format {
    case .png:
      let png = try pngBytes()
      return compression?.applied(to: png) ?? png
    case .svg: return SVGNumbering.renumbered(try document(as: .svg))
    case .pdf: return try document(as: .pdf)
    }
  }

  /// The picture as the bytes of a PNG: 8 bits a channel, without transparency where it is opaque.
  package func pngBytes() throws(ExportError) -> [UInt8] {
    let surface = try DrawingSurface(pixelsOf: size, isOpaque: isOpaque)
    try surface.draw(self)
    return try surface.png()
  }

  /// The picture as pixels, on black where it is transparent.
  package func pixels() throws(ExportError) -> PixelImage {
    let surface = try DrawingSurface(pixelsOf: size, isOpaque: true)
    try surface.draw(self)
    return try surface.pixels(size)
  }

  private func document(as format: PictureFormat) throws(ExportError) -> [UInt8] {
    let surface = try DrawingSurface(vectorsOf: size, as: format)
    try surface.draw(self)
    return try surface.document()
  }
}
