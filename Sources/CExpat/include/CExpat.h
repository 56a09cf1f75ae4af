/// expat, loaded when an XML document is read.
#ifndef DEADWAX_CEXPAT_H
#define DEADWAX_CEXPAT_H

#include <stddef.h>

/// Loads the library. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_expat_load(void);

/// The library must be loaded.
const char *dw_expat_version(void);

/// Who hears of the parts of a document, in its order. Strings are UTF-8; `text` need not end with a zero.
struct dw_xml_handlers {
  void *context;
  void (*start)(void *context, const char *name);
  void (*end)(void *context, const char *name);
  void (*text)(void *context, const char *bytes, int count);
};

/// Why a document was refused: a line from 1, or 0 if expat cannot be loaded, and a sentence that lives for ever.
struct dw_xml_failure {
  unsigned long line;
  const char *reason;
};

/// Parses a whole document (XML 1.0; UTF-8, UTF-16, ISO 8859-1 or US-ASCII, as it says). Reads nothing outside of it,
/// and leaves references to entities that it declares as they are written. Returns 1, or 0 with the reason.
int dw_xml_parse(
    const void *bytes, size_t count, const struct dw_xml_handlers *handlers, struct dw_xml_failure *failure);

#endif
