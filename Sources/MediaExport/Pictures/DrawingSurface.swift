internal import CCairo

/// What a picture is drawn into: `init` makes a surface of Cairo's, `deinit` gives it back.
struct DrawingSurface: ~Copyable {
  private let pointer: OpaquePointer
  /// Where a surface of vectors is written to; it must live as long as the surface does.
  private let sink: ByteSink?

  /// Pixels in memory.
  init(pixelsOf size: PictureSize, isOpaque: Bool) throws(ExportError) {
    let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
    try self.init(cairo_image_surface_create(format, Int32(size.width), Int32(size.height)), sink: nil)
  }

  /// A document of vectors, one unit a pixel: pixels of SVG, points of PDF.
  init(vectorsOf size: PictureSize, as format: PictureFormat) throws(ExportError) {
    let sink = ByteSink()
    let closure = Unmanaged.passUnretained(sink).toOpaque()
    let (width, height) = (Double(size.width), Double(size.height))
    let surface: OpaquePointer?
    if format == .pdf {
      surface = cairo_pdf_surface_create_for_stream(ByteSink.append, closure, width, height)
      // No date: the same picture gives the same bytes tomorrow.
      if let surface { cairo_pdf_surface_set_metadata(surface, CAIRO_PDF_METADATA_CREATE_DATE, "") }
    } else {
      surface = cairo_svg_surface_create_for_stream(ByteSink.append, closure, width, height)
      if let surface { cairo_svg_surface_set_document_unit(surface, CAIRO_SVG_UNIT_PX) }
    }
    try self.init(surface, sink: sink)
  }

  private init(_ surface: OpaquePointer?, sink: ByteSink?) throws(ExportError) {
    guard let surface else { throw .drawing(reason: "no surface") }
    pointer = surface
    self.sink = sink
  }

  deinit { cairo_surface_destroy(pointer) }

  func draw(_ picture: some Picture) throws(ExportError) {
    try Self.check(cairo_surface_status(pointer))
    guard let context = cairo_create(pointer) else { throw .drawing(reason: "no context") }
    let canvas = Canvas(owning: context)
    picture.draw(on: canvas)
    try Self.check(cairo_status(canvas.context))
    cairo_surface_flush(pointer)
  }

  /// The pixels that were drawn, where they are opaque.
  func pixels(_ size: PictureSize) throws(ExportError) -> PixelImage {
    guard let bytes = cairo_image_surface_get_data(pointer) else { throw .drawing(reason: "no pixels") }
    var image = PixelImage(width: size.width, height: size.height)
    let stride = Int(cairo_image_surface_get_stride(pointer))
    for y in 0..<image.height {
      for x in 0..<image.width {
        let pixel = UnsafeRawPointer(bytes).load(fromByteOffset: y * stride + 4 * x, as: UInt32.self)
        image.pixels[y * image.width + x] = pixel & 0xFF_FFFF
      }
    }
    return image
  }

  func png() throws(ExportError) -> [UInt8] {
    let sink = ByteSink()
    try Self.check(
      cairo_surface_write_to_png_stream(pointer, ByteSink.append, Unmanaged.passUnretained(sink).toOpaque()))
    return sink.bytes
  }

  /// Ends a document of vectors.
  func document() throws(ExportError) -> [UInt8] {
    cairo_surface_finish(pointer)
    try Self.check(cairo_surface_status(pointer))
    return sink?.bytes ?? []
  }

  private static func check(_ status: cairo_status_t) throws(ExportError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw .drawing(reason: String(cString: cairo_status_to_string(status)))
  }
}

/// Collects what Cairo writes to a stream.
private final class ByteSink {
  private(set) var bytes: [UInt8] = []

  static let append: cairo_write_func_t = { closure, bytes, count in
    guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
    Unmanaged<ByteSink>.fromOpaque(closure).takeUnretainedValue().bytes
      .append(contentsOf: UnsafeBufferPointer(start: bytes, count: Int(count)))
    return CAIRO_STATUS_SUCCESS
  }
}
