internal import CCairo
internal import CPango

extension Canvas {
  /// One line of text in any script, its baseline at `y`; what is wider than `width` ends with an ellipsis.
  ///
  /// Where Pango is not installed, Cairo draws what one font has.
  func title(
    _ text: String, x: Double, baseline y: Double, width: Double, size: Double, color: PictureColor,
    halo: PictureColor? = nil
  ) {
    guard width >= size, !text.isEmpty else { return }
    guard dw_pango_load() == 1 else {
      return self.text(text, x: x, baseline: y, size: size, color: color, halo: halo)
    }
    cairo_new_path(context)
    cairo_move_to(context, x, y)
    // Line breaks and their like would be drawn as boxes; a zero would end the text.
    let line = String(
      String.UnicodeScalarView(text.unicodeScalars.map { $0.properties.generalCategory == .control ? " " : $0 }))
    _ = dw_pango_add_line(UnsafeMutableRawPointer(context), line, size, width)
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
