/// The files of the page, as bytes in the program.
#ifndef DEADWAX_CWEBPAGE_H
#define DEADWAX_CWEBPAGE_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
  const char *name;
  const uint8_t *bytes;
  size_t size;
} DWPageFile;

size_t dw_page_file_count(void);

/// The index is below the count.
DWPageFile dw_page_file(size_t index);

#endif
