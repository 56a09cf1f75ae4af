/// Cairo draws every picture through one context, whatever surface is behind it.
#ifndef DEADWAX_CCAIRO_H
#define DEADWAX_CCAIRO_H

#include <cairo/cairo.h>
#include <cairo/cairo-pdf.h>
#include <cairo/cairo-svg.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_cairo_load(void);

#endif
