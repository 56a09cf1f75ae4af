internal import CCairo
internal import CPNG

/// A surface of Cairo that a picture is drawn on: `init` creates it, `deinit` destroys it.
struct DrawingSurface: ~Copyable {
  private let pointer: OpaquePointer
  /// What a surface of vectors is written to; it must live as long as the surface.
  private let sink: ByteSink?

  /// Pixels in memory.
  init(pixelsOf size: PictureSize, isOpaque: Bool) throws(DrawingError) {
    try Self.loadCairo()
    let format = isOpaque ? CAIRO_FORMAT_RGB24 : CAIRO_FORMAT_ARGB32
    try self.init(cairo_image_surface_create(format, Int32(size.width), Int32(size.height)), sink: nil)
  }

  /// A document of vectors, in which a pixel is a pixel of SVG or a point of PDF.
  init(vectorsOf size: PictureSize, as format: PictureFormat) throws(DrawingError) {
    try Self.loadCairo()
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

  private init(_ surface: OpaquePointer?, sink: ByteSink?) throws(DrawingError) {
    guard let surface else { throw .drawing(reason: "no surface") }
    pointer = surface
    self.sink = sink
  }

  deinit { cairo_surface_destroy(pointer) }

  private static func loadCairo() throws(DrawingError) {
    if let problem = dw_cairo_load() { throw .drawing(reason: String(cString: problem)) }
  }

  func draw(_ picture: some Picture) throws(DrawingError) {
    try Self.check(cairo_surface_status(pointer))
    guard let context = cairo_create(pointer) else { throw .drawing(reason: "no context") }
    let canvas = Canvas(owning: context)
    picture.draw(on: canvas)
    try Self.check(cairo_status(canvas.context))
    cairo_surface_flush(pointer)
  }

  /// The pixels that were drawn on an opaque surface.
  func pixels(_ size: PictureSize) throws(DrawingError) -> PixelImage {
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

  /// The pixels that were drawn, as a PNG with 8 bits a channel.
  ///
  /// - Parameter filtersRows: See ``Picture/filtersRows``.
  func png(_ size: PictureSize, _ compression: PNGCompression?, filtersRows: Bool) throws(DrawingError) -> [UInt8] {
    if let problem = dw_png_load() { throw .drawing(reason: String(cString: problem)) }
    guard let bytes = cairo_image_surface_get_data(pointer) else { throw .drawing(reason: "no pixels") }
    var image = dw_png_image(
      pixels: bytes, stride: Int(cairo_image_surface_get_stride(pointer)), width: UInt32(size.width),
      height: UInt32(size.height), has_alpha: cairo_image_surface_get_format(pointer) == CAIRO_FORMAT_ARGB32 ? 1 : 0)
    let collected = ByteSink()
    var sink = dw_png_sink(context: Unmanaged.passUnretained(collected).toOpaque(), write: ByteSink.appendPart)
    var problem = dw_png_problem()
    let result = withExtendedLifetime(collected) {
      dw_png_write(&image, Int32(compression?.level ?? -1), filtersRows ? 1 : 0, &sink, &problem)
    }
    guard result == 0 else {
      throw .drawing(
        reason: withUnsafeBytes(of: problem.text) { String(decoding: $0.prefix { $0 != 0 }, as: UTF8.self) })
    }
    return collected.bytes
  }

  /// Ends a document of vectors.
  func document() throws(DrawingError) -> [UInt8] {
    cairo_surface_finish(pointer)
    try Self.check(cairo_surface_status(pointer))
    return sink?.bytes ?? []
  }

  private static func check(_ status: cairo_status_t) throws(DrawingError) {
    guard status != CAIRO_STATUS_SUCCESS else { return }
    throw .drawing(reason: String(cString: cairo_status_to_string(status)))
  }
}

/// Collects what Cairo and libpng write.
private final class ByteSink {
  private(set) var bytes: [UInt8] = []

  static let append: cairo_write_func_t = { closure, bytes, count in
    guard let closure, let bytes else { return CAIRO_STATUS_WRITE_ERROR }
    appendPart(closure, bytes, Int(count))
    return CAIRO_STATUS_SUCCESS
  }

  static let appendPart: @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<UInt8>?, Int) -> Void = {
    context, bytes, count in
    guard let context else { return }
    Unmanaged<ByteSink>.fromOpaque(context).takeUnretainedValue().bytes
      .append(contentsOf: UnsafeBufferPointer(start: bytes, count: count))
  }
}

/// Renumbers the names in an SVG of Cairo's.
///
/// Cairo names images and groups by a count over all surfaces of the process (`surface17`, `image21`), so the bytes of
/// a picture would depend on what was drawn before it.
enum SVGNumbering {
  /// What comes before a name, in the attributes that define one or refer to it.
  private static let beginnings = [" id=\"", "href=\"#", "url(#"].map { Array($0.utf8) }

  /// The document with names numbered in the order in which they appear.
  ///
  /// - Complexity: O(n).
  static func renumbered(_ svg: [UInt8]) -> [UInt8] {
    var result: [UInt8] = []
    result.reserveCapacity(svg.count)
    var names: [ArraySlice<UInt8>: [UInt8]] = [:]
    var counts: [ArraySlice<UInt8>: Int] = [:]
    var index = 0
    while index < svg.count {
      guard let beginning = beginning(in: svg, at: index) else {
        result.append(svg[index])
        index += 1
        continue
      }
      let start = index + beginning.count
      let end = svg[start...].firstIndex { $0 == UInt8(ascii: "\"") || $0 == UInt8(ascii: ")") } ?? svg.count
      let name = svg[start..<end]
      let kind = name.prefix { (0x61...0x7A).contains($0 | 0x20) }
      let new =
        names[name]
        ?? {
          let number = counts[kind, default: 0] + 1
          counts[kind] = number
          let new = Array(kind) + Array(String(number).utf8)
          names[name] = new
          return new
        }()
      result += beginning + new
      index = end
    }
    return result
  }

  private static func beginning(in svg: [UInt8], at index: Int) -> [UInt8]? {
    switch svg[index] {
    case UInt8(ascii: " "), UInt8(ascii: "h"), UInt8(ascii: "u"): break
    default: return nil
    }
    return beginnings.first { svg[index...].starts(with: $0) }
  }
}
