internal import CCairo

extension Picture {
  /// The picture as the bytes of a PNG: opaque, 8 bits a channel, the same bytes for the same picture.
  package func pngBytes() throws(ExportError) -> [UInt8] {
    let surface = try ImageSurface(size: size)
    try surface.draw(self)
    let sink = ByteSink()
    let status = cairo_surface_write_to_png_stream(
      surface.pointer,
      { closure, bytes, count in
        guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue().bytes
          .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(sink).toOpaque())
    try ImageSurface.check(status)
    return sink.bytes
  }

  /// The picture as pixels.
  package func pixels() throws(ExportError) -> PixelImage {
    let surface = try ImageSurface(size: size)
    try surface.draw(self)
    var image = PixelImage(width: size.width, height: size.height)
    guard let bytes = cairo_image_surface_get_data(surface.pointer) else { throw .drawing(reason: "no pixels") }
    let stride = Int(cairo_image_surface_get_stride(surface.pointer))
    for y in 0..<image.height {
      for x in 0..<image.width {
        let pixel = UnsafeRawPointer(bytes).load(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
        image.pixels[y * image.width + x] = pixel & 0xFF_FFFF
      }
    }
    return image
  }
}

/// A picture drawn into memory: `init` takes the memory, `deinit` gives it back.
private struct ImageSurface: ~Copyable {
  let pointer: OpaquePointer

  init(size: PictureSize) throws(ExportError) {
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(size.width), Int32(size.height)) else {
      throw .drawing(reason: "no image surface")
    }
    pointer = surface
  }

  func draw(_ picture: some Picture) throws(ExportError) {
    try Self.check(cairo_surface_status(pointer))
    guard let context = cairo_create(pointer) else { throw .drawing(reason: "no context") }
    let canvas = Canvas(owning: context)
    picture.draw(on: canvas)
    try Self.check(cairo_status(canvas.context))
    cairo_surface_flush(pointer)
  }

  deinit { cairo_surface_destroy(pointer) }

  static func check(_ status: cairo_status_t) throws(ExportError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw .drawing(reason: String(cString: cairo_status_to_string(status)))
  }
}

/// Collects what Cairo's stream writer hands out.
private final class ByteSink {
  var bytes: [UInt8] = []
}
