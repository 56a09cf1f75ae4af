#pragma once

#include <FLAC/metadata.h>
#include <FLAC/stream_decoder.h>
#include <FLAC/stream_encoder.h>

// A variable of the library, which Swift takes for one that may change.
static inline const char *cflac_version(void) { return FLAC__VERSION_STRING; }
