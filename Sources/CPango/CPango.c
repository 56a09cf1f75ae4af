#include "CPango.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stddef.h>

// What is used of Pango 1.x, as its reference manual has it. Its headers bring those of GLib and HarfBuzz, which would have to be
// installed to build; the interface has been the same since 1.10.
typedef struct layout layout;
typedef struct line line;
typedef struct description description;
typedef struct { int x, y, width, height; } rectangle;
enum { SCALE = 1024, ELLIPSIZE_END = 3 };

static struct {
  layout *(*cairo_create_layout)(void *cairo);
  void (*cairo_layout_line_path)(void *cairo, line *line);
  description *(*font_description_new)(void);
  void (*font_description_set_family)(description *description, const char *family);
  void (*font_description_set_absolute_size)(description *description, double size);
  void (*font_description_free)(description *description);
  void (*layout_set_font_description)(layout *layout, const description *description);
  void (*layout_set_text)(layout *layout, const char *text, int length);
  void (*layout_set_single_paragraph_mode)(layout *layout, int isSingle);
  void (*layout_set_width)(layout *layout, int width);
  void (*layout_set_ellipsize)(layout *layout, int mode);
  line *(*layout_get_line_readonly)(layout *layout, int number);
  void (*layout_line_get_extents)(line *line, rectangle *ink, rectangle *logical);
} pango;

static void (*release)(void *object);
static int is_loaded;
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
  void *handle = dlopen("libpangocairo-1.0.so.0", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) return;
  // POSIX gives functions as object pointers, which ISO C does not convert. Names are sought in the libraries below, too.
#define FIND(name) (*(void **)&pango.name = dlsym(handle, "pango_" #name))
  *(void **)&release = dlsym(handle, "g_object_unref");
  is_loaded = release && FIND(cairo_create_layout) && FIND(cairo_layout_line_path) && FIND(font_description_new) &&
              FIND(font_description_set_family) && FIND(font_description_set_absolute_size) &&
              FIND(font_description_free) && FIND(layout_set_font_description) && FIND(layout_set_text) &&
              FIND(layout_set_single_paragraph_mode) && FIND(layout_set_width) && FIND(layout_set_ellipsize) &&
              FIND(layout_get_line_readonly) && FIND(layout_line_get_extents);
#undef FIND
}

int dw_pango_load(void) {
  pthread_once(&loading, load);
  return is_loaded;
}

double dw_pango_add_line(void *cairo, const char *text, double size, double width) {
  layout *layout = pango.cairo_create_layout(cairo);
  if (!layout) return -1;
  description *font = pango.font_description_new();
  pango.font_description_set_family(font, "sans-serif");
  pango.font_description_set_absolute_size(font, size * SCALE);
  pango.layout_set_font_description(layout, font);
  pango.font_description_free(font);
  pango.layout_set_single_paragraph_mode(layout, 1);
  pango.layout_set_text(layout, text, -1);
  pango.layout_set_width(layout, (int)(width * SCALE));
  pango.layout_set_ellipsize(layout, ELLIPSIZE_END);
  line *line = pango.layout_get_line_readonly(layout, 0);
  double result = -1;
  if (line) {
    rectangle logical;
    pango.layout_line_get_extents(line, NULL, &logical);
    result = (double)logical.width / SCALE;
    pango.cairo_layout_line_path(cairo, line);
  }
  release(layout);
  return result;
}
