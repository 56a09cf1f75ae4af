/// Pango lays out text of people, in any script; it brings GLib and a dozen other libraries.
#ifndef DEADWAX_CPANGO_H
#define DEADWAX_CPANGO_H

/// Loads the library. Returns 1, or 0 if it is not installed. Opens files.
///
/// Must have returned 1 once, in any thread, before the function below is called.
int dw_pango_load(void);

/// Adds the outlines of one line of text in any script to the path of a Cairo context (a cairo_t).
///
/// The pen stands at the left end of the baseline. `text` is UTF-8 and ends with a zero; `size` is in units of the
/// context; what is wider than `width` is cut, and ends with an ellipsis. Returns how wide the line is, or -1 if that
/// failed.
double dw_pango_add_line(void *cairo, const char *text, double size, double width);

#endif
