/// Pango lays out text of people, in any script; it brings GLib and a dozen other libraries.
#ifndef DEADWAX_CPANGO_H
#define DEADWAX_CPANGO_H

/// Loads the library; call this before the functions below. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_pango_load(void);

const char *dw_pango_version(void);

/// How many characters of a text (UTF-8, ends with a zero) no font has, so that they are drawn as boxes.
int dw_pango_count_unknown(const char *text);

/// Adds the outlines of one line of text in any script to the path of a Cairo context (a cairo_t).
///
/// The pen stands at the left end of the baseline. `text` is UTF-8 and ends with a zero; `size` is in units of the
/// context; what is wider than `width` is cut, and ends with an ellipsis. Returns how wide the line is, or -1 if that
/// failed.
double dw_pango_add_line(void *cairo, const char *text, double size, double width);

#endif
