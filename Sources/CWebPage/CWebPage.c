#include "CWebPage.h"

// C23 has it; the compiler knows it in every version of C.
#pragma clang diagnostic ignored "-Wc23-extensions"

static const uint8_t index_html[] = {
#embed "web/index.html"
};

// Each file of the page has an array above and a line here; a test compares them with the folder.
#define PAGE_FILE(array, name) {name, array, sizeof array}

static const DWPageFile files[] = {
    PAGE_FILE(index_html, "index.html"),
};

size_t dw_page_file_count(void) { return sizeof files / sizeof *files; }

DWPageFile dw_page_file(size_t index) { return files[index]; }
