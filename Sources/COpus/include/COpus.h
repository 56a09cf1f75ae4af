/// libopus decodes and encodes Opus packets.
#ifndef DEADWAX_COPUS_H
#define DEADWAX_COPUS_H

#include <opus/opus_multistream.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_opus_load(void);

// Requests to a decoder or an encoder; Swift cannot call a C function with variable arguments.

int dw_opus_set_gain(OpusMSDecoder *decoder, opus_int32 gain);
int dw_opus_reset(OpusMSDecoder *decoder);
int dw_opus_set_bitrate(OpusMSEncoder *encoder, opus_int32 bits_per_second);
int dw_opus_get_lookahead(OpusMSEncoder *encoder, opus_int32 *frames);

#endif
