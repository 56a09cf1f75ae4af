/// libFLAC decodes and encodes FLAC.
#ifndef DEADWAX_CFLAC_H
#define DEADWAX_CFLAC_H

#include <FLAC/metadata.h>
#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_flac_load(void);

/// The version of the library that is loaded.
const char *dw_flac_version(void);

#endif
