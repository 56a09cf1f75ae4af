#include "CWebPage.h"

// C23 has #embed; the compiler knows it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

#include "page-files.h"

size_t dw_page_file_count(void) { return sizeof files / sizeof *files; }

DWPageFile dw_page_file(size_t index) { return files[index]; }
