internal import CCairo
internal import CPango

/// A shape with four corners, in pixels.
struct Quadrangle {
  typealias Corner = (x: Double, y: Double)

  var corners: (Corner, Corner, Corner, Corner)
}

/// A place to draw on: one Cairo context, whatever surface is behind it.
///
/// Only this type and ``DrawingSurface`` use Cairo. Coordinates are pixels from the top left corner.
package struct Canvas: ~Copyable {
  /// Where a text stands relative to its point.
  enum Alignment {
    case left
    case center
    case right
  }

  let context: OpaquePointer

  /// Takes over a context; it is destroyed with the canvas.
  init(owning context: OpaquePointer) {
    self.context = context
    // The same glyphs on every surface: no hinting to a device's pixels, no colour fringes.
    let options = cairo_font_options_create()
    cairo_font_options_set_antialias(options, CAIRO_ANTIALIAS_GRAY)
    cairo_font_options_set_hint_style(options, CAIRO_HINT_STYLE_NONE)
    cairo_font_options_set_hint_metrics(options, CAIRO_HINT_METRICS_OFF)
    cairo_set_font_options(context, options)
    cairo_font_options_destroy(options)
    cairo_select_font_face(context, "sans-serif", CAIRO_FONT_SLANT_NORMAL, CAIRO_FONT_WEIGHT_NORMAL)
  }

  deinit { cairo_destroy(context) }

  func fill(_ rectangle: PixelRectangle, with color: PictureColor) {
    fill([rectangle], with: color)
  }

  /// Fills the union of rectangles at once, so that translucent ones do not add up where they overlap.
  func fill(_ rectangles: [PixelRectangle], with color: PictureColor) {
    for rectangle in rectangles where !rectangle.isEmpty { addToPath(rectangle) }
    setSource(color)
    cairo_fill(context)
  }

  /// Fills rectangles with colours that change from the top of `area` (first) to its bottom (last).
  func fill(_ rectangles: [PixelRectangle], withGradientOver area: PixelRectangle, _ colors: [PictureColor]) {
    guard let gradient = cairo_pattern_create_linear(0, Double(area.y), 0, Double(area.bottom)) else { return }
    defer { cairo_pattern_destroy(gradient) }
    for (index, color) in colors.enumerated() {
      let offset = Double(index) / Double(max(colors.count - 1, 1))
      cairo_pattern_add_color_stop_rgba(gradient, offset, color.red, color.green, color.blue, color.alpha)
    }
    for rectangle in rectangles where !rectangle.isEmpty { addToPath(rectangle) }
    cairo_set_source(context, gradient)
    cairo_fill(context)
  }

  /// Fills rectangles whose corners are rounded.
  func fill(_ rectangles: [PixelRectangle], cornerRadius radius: Double, with color: PictureColor) {
    for rectangle in rectangles where !rectangle.isEmpty {
      let radius = min(radius, Double(rectangle.width) / 2, Double(rectangle.height) / 2)
      let (left, top) = (Double(rectangle.x) + radius, Double(rectangle.y) + radius)
      let (right, bottom) = (Double(rectangle.right) - radius, Double(rectangle.bottom) - radius)
      let quarter = Double.pi / 2
      cairo_new_sub_path(context)
      cairo_arc(context, right, top, radius, -quarter, 0)
      cairo_arc(context, right, bottom, radius, 0, quarter)
      cairo_arc(context, left, bottom, radius, quarter, 2 * quarter)
      cairo_arc(context, left, top, radius, 2 * quarter, 3 * quarter)
      cairo_close_path(context)
    }
    setSource(color)
    cairo_fill(context)
  }

  /// A frame one pixel wide, inside the edges of a rectangle.
  func stroke(_ rectangle: PixelRectangle, with color: PictureColor) {
    guard !rectangle.isEmpty else { return }
    cairo_rectangle(
      context, Double(rectangle.x) + 0.5, Double(rectangle.y) + 0.5, Double(rectangle.width - 1),
      Double(rectangle.height - 1))
    setSource(color)
    cairo_set_line_width(context, 1)
    cairo_stroke(context)
  }

  /// A line through points, antialiased; fewer than two draw nothing.
  func stroke(_ points: [(x: Double, y: Double)], width: Double, with color: PictureColor) {
    stroke([points], width: width, with: color)
  }

  /// Lines through points, each as above.
  ///
  /// - Parameter hasRoundEnds: Whether each line goes on for a half circle at both ends.
  func stroke(
    _ lines: [[(x: Double, y: Double)]], width: Double, hasRoundEnds: Bool = false, with color: PictureColor
  ) {
    for line in lines where line.count > 1 {
      cairo_move_to(context, line[0].x, line[0].y)
      for point in line.dropFirst() { cairo_line_to(context, point.x, point.y) }
    }
    setSource(color)
    cairo_set_line_width(context, width)
    cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
    cairo_set_line_cap(context, hasRoundEnds ? CAIRO_LINE_CAP_ROUND : CAIRO_LINE_CAP_BUTT)
    cairo_stroke(context)
  }

  /// A circle.
  func strokeCircle(x: Double, y: Double, radius: Double, width: Double, with color: PictureColor) {
    cairo_new_path(context)
    cairo_arc(context, x, y, radius, 0, 2 * .pi)
    cairo_close_path(context)
    setSource(color)
    cairo_set_line_width(context, width)
    cairo_stroke(context)
  }

  /// Fills the union of shapes with four corners, antialiased.
  ///
  /// Thousands of shapes take half the time of other fills: coverage is counted in sixteenths of a pixel, not in more steps.
  ///
  /// - Parameter shapes: Their corners all in one direction of turn, or they leave holes where they overlap.
  func fill(_ shapes: [Quadrangle], with color: PictureColor) {
    for shape in shapes {
      cairo_move_to(context, shape.corners.0.x, shape.corners.0.y)
      cairo_line_to(context, shape.corners.1.x, shape.corners.1.y)
      cairo_line_to(context, shape.corners.2.x, shape.corners.2.y)
      cairo_line_to(context, shape.corners.3.x, shape.corners.3.y)
      cairo_close_path(context)
    }
    setSource(color)
    cairo_set_antialias(context, CAIRO_ANTIALIAS_FAST)
    cairo_fill(context)
    cairo_set_antialias(context, CAIRO_ANTIALIAS_DEFAULT)
  }

  /// One line of text whose baseline is at `y`; a halo keeps it legible on any background.
  func text(
    _ text: String, x: Double, baseline y: Double, size: Double, align: Alignment = .left, color: PictureColor,
    halo: PictureColor? = nil
  ) {
    cairo_set_font_size(context, size)
    let shift: Double
    switch align {
    case .left: shift = 0
    case .center: shift = width(ofText: text, size: size) / 2
    case .right: shift = width(ofText: text, size: size)
    }
    if let halo {
      cairo_move_to(context, x - shift, y)
      cairo_text_path(context, text)
      setSource(halo)
      cairo_set_line_width(context, 4)
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      cairo_stroke(context)
    }
    cairo_move_to(context, x - shift, y)
    setSource(color)
    cairo_show_text(context, text)
    cairo_new_path(context)
  }

  /// How far a text moves the pen.
  func width(ofText text: String, size: Double) -> Double {
    cairo_set_font_size(context, size)
    var extents = cairo_text_extents_t()
    cairo_text_extents(context, text, &extents)
    return extents.x_advance
  }

  /// Paints an image at its own size, its top left corner at a pixel.
  func paint(_ image: PixelImage, x: Int, y: Int) {
    guard image.width > 0, image.height > 0 else { return }
    guard
      let surface = cairo_image_surface_create(
        CAIRO_FORMAT_RGB24, Int32(clamping: image.width), Int32(clamping: image.height))
    else { return }
    defer { cairo_surface_destroy(surface) }
    guard let bytes = cairo_image_surface_get_data(surface) else { return }
    let stride = Int(cairo_image_surface_get_stride(surface))
    image.pixels.withUnsafeBytes { source in
      guard let start = source.baseAddress else { return }
      for row in 0..<image.height {
        UnsafeMutableRawPointer(bytes + row * stride).copyMemory(
          from: start + row * image.width * 4, byteCount: image.width * 4)
      }
    }
    cairo_surface_mark_dirty(surface)
    cairo_set_source_surface(context, surface, Double(x), Double(y))
    cairo_rectangle(context, Double(x), Double(y), Double(image.width), Double(image.height))
    cairo_fill(context)
  }

  private func addToPath(_ rectangle: PixelRectangle) {
    cairo_rectangle(
      context, Double(rectangle.x), Double(rectangle.y), Double(rectangle.width), Double(rectangle.height))
  }

  func setSource(_ color: PictureColor) {
    cairo_set_source_rgba(context, color.red, color.green, color.blue, color.alpha)
  }
}

extension Canvas {
  /// One line of text in any script, its baseline at `y`; text wider than `width` ends with an ellipsis.
  ///
  /// If Pango is not installed, Cairo draws the characters of one font.
  func title(
    _ text: String, x: Double, baseline y: Double, width: Double, size: Double, color: PictureColor,
    halo: PictureColor? = nil
  ) {
    guard width >= size, !text.isEmpty else { return }
    guard dw_pango_load() == nil else {
      return self.text(text, x: x, baseline: y, size: size, color: color, halo: halo)
    }
    cairo_new_path(context)
    cairo_move_to(context, x, y)
    _ = dw_pango_add_line(UnsafeMutableRawPointer(context), TitleText.line(text), size, width)
    if let halo {
      setSource(halo)
      cairo_set_line_width(context, 4)
      cairo_set_line_join(context, CAIRO_LINE_JOIN_ROUND)
      cairo_stroke_preserve(context)
    }
    setSource(color)
    cairo_fill(context)
  }
}
