/// libmpg123 decodes MPEG audio. It renames most functions by macro (mpg123_param becomes mpg123_param2).
#ifndef DEADWAX_CMPG123_H
#define DEADWAX_CMPG123_H

#include <mpg123.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_mpg123_load(void);

/// The number of the interface in the header; the library's release has no name before 1.32.
unsigned int dw_mpg123_api_version(void);

#endif
