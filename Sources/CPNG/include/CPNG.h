/// libpng writes pictures with a chosen compression; Cairo, which uses it, offers none.
#ifndef DEADWAX_CPNG_H
#define DEADWAX_CPNG_H

#include <stddef.h>
#include <stdint.h>

/// Loads the library; call this before the functions below. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_png_load(void);

const char *dw_png_version(void);

/// The pixels of a Cairo image: 0xAARRGGBB in words of 32 bits, colours multiplied by alpha.
struct dw_png_image {
  const uint8_t *pixels;
  /// Bytes from one row to the next.
  size_t stride;
  uint32_t width;
  uint32_t height;
  /// 0 if the upper byte of each word means nothing.
  int has_alpha;
};

/// Gets the bytes of a file, in order.
struct dw_png_sink {
  void *context;
  void (*write)(void *context, const uint8_t *bytes, size_t size);
};

/// Why libpng gave up.
struct dw_png_problem {
  char text[128];
};

/// Writes an image with 8 bits a channel, and with transparency only if a pixel has some. `level` is zlib's: 0 to 9, or
/// -1 for its default, which gives the bytes that Cairo writes if rows are filtered, too. `is_filtered` is 0 if pixels are to be
/// compressed as they are, not as differences of neighbours. Returns 0, or -1 with a problem.
int dw_png_write(
    const struct dw_png_image *image, int level, int is_filtered, const struct dw_png_sink *sink,
    struct dw_png_problem *problem);

#endif
