internal import CCairo

extension Picture {
  /// The picture as the bytes of a PNG: opaque, 8 bits a channel, the same bytes for the same picture.
  package func pngBytes() throws(ExportError) -> [UInt8] {
    guard let surface = cairo_image_surface_create(CAIRO_FORMAT_RGB24, Int32(size.width), Int32(size.height)) else {
      throw .drawing(reason: "no image surface")
    }
    defer { cairo_surface_destroy(surface) }
    try check(cairo_surface_status(surface))
    guard let context = cairo_create(surface) else { throw .drawing(reason: "no context") }
    let canvas = Canvas(owning: context)
    draw(on: canvas)
    try check(cairo_status(canvas.context))
    cairo_surface_flush(surface)

    let sink = ByteSink()
    let status = cairo_surface_write_to_png_stream(
      surface,
      { closure, bytes, count in
        guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
        Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue().bytes
          .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
        return CAIRO_STATUS_SUCCESS
      }, Unmanaged.passUnretained(sink).toOpaque())
    try check(status)
    return sink.bytes
  }

  private func check(_ status: cairo_status_t) throws(ExportError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw .drawing(reason: String(cString: cairo_status_to_string(status)))
  }
}

/// Collects what Cairo's stream writer hands out.
private final class ByteSink {
  var bytes: [UInt8] = []
}
