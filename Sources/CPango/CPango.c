#include "CPango.h"

#include <stddef.h>

#include "CLoader.h"

// What is used of Pango 1.x, as its reference manual has it. Its headers bring those of GLib and HarfBuzz, which would
// have to be installed to build; the interface has been the same since 1.22.
typedef struct layout layout;
typedef struct line line;
typedef struct description description;
typedef struct { int x, y, width, height; } rectangle;
enum { SCALE = 1024, ELLIPSIZE_END = 3 };

static layout *(*cairo_create_layout)(void *cairo);
static void *(*cairo_font_map_get_default)(void);
static void *(*font_map_create_context)(void *map);
static layout *(*layout_new)(void *context);
static int (*layout_get_unknown_glyphs_count)(layout *layout);
static void (*cairo_layout_line_path)(void *cairo, line *line);
static description *(*font_description_new)(void);
static void (*font_description_set_family)(description *description, const char *family);
static void (*font_description_set_absolute_size)(description *description, double size);
static void (*font_description_free)(description *description);
static void (*layout_set_font_description)(layout *layout, const description *description);
static void (*layout_set_text)(layout *layout, const char *text, int length);
static void (*layout_set_single_paragraph_mode)(layout *layout, int isSingle);
static void (*layout_set_width)(layout *layout, int width);
static void (*layout_set_ellipsize)(layout *layout, int mode);
static line *(*layout_get_line_readonly)(layout *layout, int number);
static void (*layout_line_get_extents)(line *line, rectangle *ink, rectangle *logical);
static const char *(*version_string)(void);
static void (*release)(void *object);

// Names are looked up in the libraries that it brings, too.
static const struct dw_symbol symbols[] = {
    {"pango_cairo_create_layout", (void **)&cairo_create_layout},
    {"pango_cairo_font_map_get_default", (void **)&cairo_font_map_get_default},
    {"pango_font_map_create_context", (void **)&font_map_create_context},
    {"pango_layout_new", (void **)&layout_new},
    {"pango_layout_get_unknown_glyphs_count", (void **)&layout_get_unknown_glyphs_count},
    {"pango_cairo_layout_line_path", (void **)&cairo_layout_line_path},
    {"pango_font_description_new", (void **)&font_description_new},
    {"pango_font_description_set_family", (void **)&font_description_set_family},
    {"pango_font_description_set_absolute_size", (void **)&font_description_set_absolute_size},
    {"pango_font_description_free", (void **)&font_description_free},
    {"pango_layout_set_font_description", (void **)&layout_set_font_description},
    {"pango_layout_set_text", (void **)&layout_set_text},
    {"pango_layout_set_single_paragraph_mode", (void **)&layout_set_single_paragraph_mode},
    {"pango_layout_set_width", (void **)&layout_set_width},
    {"pango_layout_set_ellipsize", (void **)&layout_set_ellipsize},
    {"pango_layout_get_line_readonly", (void **)&layout_get_line_readonly},
    {"pango_layout_line_get_extents", (void **)&layout_line_get_extents},
    {"pango_version_string", (void **)&version_string},
    {"g_object_unref", (void **)&release},
};

static struct dw_library library = {"libpangocairo-1.0.so.0", "libpangocairo-1.0-0", symbols, DW_COUNT(symbols)};

const char *dw_pango_load(void) { return dw_library_load(&library); }

const char *dw_pango_version(void) { return version_string(); }

static void set_text(layout *layout, const char *text, double size) {
  description *font = font_description_new();
  font_description_set_family(font, "sans-serif");
  font_description_set_absolute_size(font, size * SCALE);
  layout_set_font_description(layout, font);
  font_description_free(font);
  layout_set_single_paragraph_mode(layout, 1);
  layout_set_text(layout, text, -1);
}

int dw_pango_count_unknown(const char *text) {
  void *context = font_map_create_context(cairo_font_map_get_default());
  layout *layout = layout_new(context);
  set_text(layout, text, 12);
  int count = layout_get_unknown_glyphs_count(layout);
  release(layout);
  release(context);
  return count;
}

double dw_pango_add_line(void *cairo, const char *text, double size, double width) {
  layout *layout = cairo_create_layout(cairo);
  if (!layout) return -1;
  set_text(layout, text, size);
  layout_set_width(layout, (int)(width * SCALE));
  layout_set_ellipsize(layout, ELLIPSIZE_END);
  line *line = layout_get_line_readonly(layout, 0);
  double result = -1;
  if (line) {
    rectangle logical;
    layout_line_get_extents(line, NULL, &logical);
    result = (double)logical.width / SCALE;
    cairo_layout_line_path(cairo, line);
  }
  release(layout);
  return result;
}
