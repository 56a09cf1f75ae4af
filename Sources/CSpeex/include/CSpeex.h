/// libspeex decodes Speex packets.
#ifndef DEADWAX_CSPEEX_H
#define DEADWAX_CSPEEX_H

#include <stddef.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_speex_load(void);

/// Such as "speex-1.2.1". The library must be loaded.
const char *dw_speex_version(void);

typedef struct dw_speex_decoder dw_speex_decoder;

/// `mode` is 0 for narrowband, 1 for wideband, 2 for ultra-wideband; `channel_count` is 1 or 2. NULL if there is no memory.
dw_speex_decoder *dw_speex_open(int mode, int channel_count);
void dw_speex_close(dw_speex_decoder *decoder);

/// Decodes the frames of one packet: coded frames of 20 ms, `frame_count` of them. `samples` gets all of them
/// interleaved, nominally from -32768 to 32768; those that the packet lacks are silent.
///
/// Returns whether the packet is intact. One may end early.
int dw_speex_decode(dw_speex_decoder *decoder, const char *bytes, size_t size, int frame_count, float *samples);

#endif
