#include "CPNG.h"

#include <png.h>
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(png_infop, png_create_info_struct, (png_const_structrp png), (png)) \
  F(png_structp, png_create_write_struct, (png_const_charp version, png_voidp context, png_error_ptr error, \
    png_error_ptr warning), \
    (version, context, error, warning)) \
  F(void, png_destroy_write_struct, (png_structpp png, png_infopp info), (png, info)) \
  F(png_voidp, png_get_error_ptr, (png_const_structrp png), (png)) \
  F(png_voidp, png_get_io_ptr, (png_const_structrp png), (png)) \
  F(png_const_charp, png_get_libpng_ver, (png_const_structrp png), (png)) \
  F(void, png_set_IHDR, (png_const_structrp png, png_inforp info, png_uint_32 width, png_uint_32 height, int bits, \
    int color, int interlace, int compression, int filter), \
    (png, info, width, height, bits, color, interlace, compression, filter)) \
  F(void, png_set_bKGD, (png_const_structrp png, png_inforp info, png_const_color_16p background), \
    (png, info, background)) \
  F(void, png_set_compression_level, (png_structrp png, int level), (png, level)) \
  F(void, png_set_filter, (png_structrp png, int method, int filters), (png, method, filters)) \
  F(void, png_set_write_fn, (png_structrp png, png_voidp context, png_rw_ptr write, png_flush_ptr flush), \
    (png, context, write, flush)) \
  F(void, png_write_end, (png_structrp png, png_inforp info), (png, info)) \
  F(void, png_write_info, (png_structrp png, png_const_inforp info), (png, info)) \
  F(void, png_write_row, (png_structrp png, png_const_bytep row), (png, row))

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

_Static_assert(PNG_LIBPNG_VER_SONUM == 16, "the name of another libpng's file is needed");
static struct dw_library library = {"libpng16.so.16", "libpng16-16", symbols, DW_COUNT(symbols)};

const char *dw_png_load(void) { return dw_library_load(&library); }

const char *dw_png_version(void) { return png_get_libpng_ver(NULL); }

/// libpng leaves a function that failed by a jump, which must not cross Swift.
struct escape {
  jmp_buf jump;
  struct dw_png_problem *problem;
};

static void on_error(png_structp png, png_const_charp message) {
  struct escape *escape = png_get_error_ptr(png);
  snprintf(escape->problem->text, sizeof escape->problem->text, "%s", message);
  longjmp(escape->jump, 1);
}

static void on_warning(png_structp png, png_const_charp message) {
  (void)png;
  (void)message;
}

static void on_write(png_structp png, png_bytep bytes, png_size_t size) {
  const struct dw_png_sink *sink = png_get_io_ptr(png);
  sink->write(sink->context, bytes, size);
}

static void on_flush(png_structp png) { (void)png; }

static uint32_t pixel(const struct dw_png_image *image, uint32_t x, uint32_t y) {
  uint32_t pixel;
  memcpy(&pixel, image->pixels + y * image->stride + 4 * (size_t)x, sizeof pixel);
  return pixel;
}

static int is_transparent(const struct dw_png_image *image) {
  if (!image->has_alpha) return 0;
  for (uint32_t y = 0; y < image->height; y++)
    for (uint32_t x = 0; x < image->width; x++)
      if (pixel(image, x, y) >> 24 != 255) return 1;
  return 0;
}

/// A row as PNG has it, colours divided by alpha and rounded as Cairo does.
static void convert(const struct dw_png_image *image, uint32_t y, int has_alpha, uint8_t *row) {
  for (uint32_t x = 0; x < image->width; x++) {
    const uint32_t word = pixel(image, x, y);
    const uint32_t alpha = has_alpha ? word >> 24 : 255;
    for (int shift = 16; shift >= 0; shift -= 8)
      *row++ = alpha == 0 ? 0 : (uint8_t)(((word >> shift & 255) * 255 + alpha / 2) / alpha);
    if (has_alpha) *row++ = (uint8_t)alpha;
  }
}

int dw_png_write(
    const struct dw_png_image *image, int level, int is_filtered, const struct dw_png_sink *sink,
    struct dw_png_problem *problem) {
  const int has_alpha = is_transparent(image);
  struct escape escape = {.problem = problem};
  // Not changed after setjmp, so that they are what they were after the jump.
  png_structp png = png_create_write_struct(PNG_LIBPNG_VER_STRING, &escape, on_error, on_warning);
  png_infop info = png ? png_create_info_struct(png) : NULL;
  uint8_t *row = malloc((size_t)image->width * 4);
  int result = -1;
  snprintf(problem->text, sizeof problem->text, "libpng has no memory");
  if (png && info && row && setjmp(escape.jump) == 0) {
    png_set_write_fn(png, (void *)sink, on_write, on_flush);
    if (level >= 0) png_set_compression_level(png, level);
    if (!is_filtered) png_set_filter(png, PNG_FILTER_TYPE_BASE, PNG_FILTER_NONE);
    png_set_IHDR(
        png, info, image->width, image->height, 8, has_alpha ? PNG_COLOR_TYPE_RGB_ALPHA : PNG_COLOR_TYPE_RGB,
        PNG_INTERLACE_NONE, PNG_COMPRESSION_TYPE_DEFAULT, PNG_FILTER_TYPE_DEFAULT);
    // As Cairo does.
    const png_color_16 white = {.red = 255, .green = 255, .blue = 255, .gray = 255};
    png_set_bKGD(png, info, &white);
    png_write_info(png, info);
    for (uint32_t y = 0; y < image->height; y++) {
      convert(image, y, has_alpha, row);
      png_write_row(png, row);
    }
    png_write_end(png, info);
    result = 0;
  }
  free(row);
  png_destroy_write_struct(&png, &info);
  return result;
}
