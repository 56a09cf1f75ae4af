/// libsndfile decodes PCM and the formats that it parses itself.
#ifndef DEADWAX_CSNDFILE_H
#define DEADWAX_CSNDFILE_H

#include <sndfile.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_sndfile_load(void);

#endif
