#include "CCairo.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(void, cairo_arc, (cairo_t *cr, double xc, double yc, double radius, double angle1, double angle2), \
    (cr, xc, yc, radius, angle1, angle2)) \
  F(void, cairo_close_path, (cairo_t *cr), (cr)) \
  F(cairo_t *, cairo_create, (cairo_surface_t *target), (target)) \
  F(void, cairo_destroy, (cairo_t *cr), (cr)) \
  F(void, cairo_fill, (cairo_t *cr), (cr)) \
  F(cairo_font_options_t *, cairo_font_options_create, (void), ()) \
  F(void, cairo_font_options_destroy, (cairo_font_options_t *options), (options)) \
  F(void, cairo_font_options_set_antialias, (cairo_font_options_t *options, cairo_antialias_t antialias), \
    (options, antialias)) \
  F(void, cairo_font_options_set_hint_metrics, (cairo_font_options_t *options, cairo_hint_metrics_t hint_metrics), \
    (options, hint_metrics)) \
  F(void, cairo_font_options_set_hint_style, (cairo_font_options_t *options, cairo_hint_style_t hint_style), \
    (options, hint_style)) \
  F(cairo_surface_t *, cairo_image_surface_create, (cairo_format_t format, int width, int height), \
    (format, width, height)) \
  F(unsigned char *, cairo_image_surface_get_data, (cairo_surface_t *surface), (surface)) \
  F(cairo_format_t, cairo_image_surface_get_format, (cairo_surface_t *surface), (surface)) \
  F(int, cairo_image_surface_get_stride, (cairo_surface_t *surface), (surface)) \
  F(void, cairo_line_to, (cairo_t *cr, double x, double y), (cr, x, y)) \
  F(void, cairo_move_to, (cairo_t *cr, double x, double y), (cr, x, y)) \
  F(void, cairo_new_path, (cairo_t *cr), (cr)) \
  F(void, cairo_new_sub_path, (cairo_t *cr), (cr)) \
  F(void, cairo_pattern_add_color_stop_rgba, (cairo_pattern_t *pattern, double offset, double red, double green, \
    double blue, double alpha), \
    (pattern, offset, red, green, blue, alpha)) \
  F(cairo_pattern_t *, cairo_pattern_create_linear, (double x0, double y0, double x1, double y1), (x0, y0, x1, y1)) \
  F(void, cairo_pattern_destroy, (cairo_pattern_t *pattern), (pattern)) \
  F(cairo_surface_t *, cairo_pdf_surface_create_for_stream, (cairo_write_func_t write_func, void *closure, \
    double width, double height), \
    (write_func, closure, width, height)) \
  F(void, cairo_pdf_surface_set_metadata, (cairo_surface_t *surface, cairo_pdf_metadata_t metadata, \
    const char *utf8), \
    (surface, metadata, utf8)) \
  F(void, cairo_rectangle, (cairo_t *cr, double x, double y, double width, double height), (cr, x, y, width, height)) \
  F(void, cairo_select_font_face, (cairo_t *cr, const char *family, cairo_font_slant_t slant, \
    cairo_font_weight_t weight), \
    (cr, family, slant, weight)) \
  F(void, cairo_set_antialias, (cairo_t *cr, cairo_antialias_t antialias), (cr, antialias)) \
  F(void, cairo_set_font_options, (cairo_t *cr, const cairo_font_options_t *options), (cr, options)) \
  F(void, cairo_set_font_size, (cairo_t *cr, double size), (cr, size)) \
  F(void, cairo_set_line_cap, (cairo_t *cr, cairo_line_cap_t line_cap), (cr, line_cap)) \
  F(void, cairo_set_line_join, (cairo_t *cr, cairo_line_join_t line_join), (cr, line_join)) \
  F(void, cairo_set_line_width, (cairo_t *cr, double width), (cr, width)) \
  F(void, cairo_set_source, (cairo_t *cr, cairo_pattern_t *source), (cr, source)) \
  F(void, cairo_set_source_rgba, (cairo_t *cr, double red, double green, double blue, double alpha), \
    (cr, red, green, blue, alpha)) \
  F(void, cairo_set_source_surface, (cairo_t *cr, cairo_surface_t *surface, double x, double y), (cr, surface, x, y)) \
  F(void, cairo_show_text, (cairo_t *cr, const char *utf8), (cr, utf8)) \
  F(cairo_status_t, cairo_status, (cairo_t *cr), (cr)) \
  F(const char *, cairo_status_to_string, (cairo_status_t status), (status)) \
  F(void, cairo_stroke, (cairo_t *cr), (cr)) \
  F(void, cairo_stroke_preserve, (cairo_t *cr), (cr)) \
  F(void, cairo_surface_destroy, (cairo_surface_t *surface), (surface)) \
  F(void, cairo_surface_finish, (cairo_surface_t *surface), (surface)) \
  F(void, cairo_surface_flush, (cairo_surface_t *surface), (surface)) \
  F(void, cairo_surface_mark_dirty, (cairo_surface_t *surface), (surface)) \
  F(cairo_status_t, cairo_surface_status, (cairo_surface_t *surface), (surface)) \
  F(cairo_surface_t *, cairo_svg_surface_create_for_stream, (cairo_write_func_t write_func, void *closure, \
    double width, double height), \
    (write_func, closure, width, height)) \
  F(void, cairo_svg_surface_set_document_unit, (cairo_surface_t *surface, cairo_svg_unit_t unit), (surface, unit)) \
  F(void, cairo_text_extents, (cairo_t *cr, const char *utf8, cairo_text_extents_t *extents), (cr, utf8, extents)) \
  F(void, cairo_text_path, (cairo_t *cr, const char *utf8), (cr, utf8)) \
  F(const char *, cairo_version_string, (void), ())

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libcairo.so.2", "libcairo2", symbols, DW_COUNT(symbols)};

const char *dw_cairo_load(void) { return dw_library_load(&library); }
