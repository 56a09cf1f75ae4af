/// libmp3lame encodes MP3.
#ifndef DEADWAX_CLAME_H
#define DEADWAX_CLAME_H

#include <lame/lame.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_lame_load(void);

/// Keeps the encoder from writing to standard error.
void dw_lame_silence(lame_global_flags *encoder);

#endif
