package import Base
internal import CCairo
internal import CPNG
internal import CPango

/// The libraries that draw, as they are on this machine.
package enum DrawingLibraries {
  package static var all: [SharedLibrary] {
    [
      SharedLibrary(
        "Cairo", dw_cairo_load(), version: cairo_version_string(), without: "pictures cannot be drawn"),
      SharedLibrary("libpng", dw_png_load(), version: dw_png_version(), without: "pictures can only be SVG or PDF"),
      SharedLibrary(
        "Pango", dw_pango_load(), version: dw_pango_version(),
        without: "titles of pictures are drawn in one font, whose missing scripts become boxes"),
    ]
  }
}
