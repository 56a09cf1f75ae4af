/// libsoxr converts sample rates.
#ifndef DEADWAX_CSOXR_H
#define DEADWAX_CSOXR_H

#include <soxr.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_soxr_load(void);

#endif
