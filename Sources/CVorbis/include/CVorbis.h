/// libvorbis decodes and encodes Vorbis packets; libvorbisenc chooses the encoder's settings.
#ifndef DEADWAX_CVORBIS_H
#define DEADWAX_CVORBIS_H

#include <vorbis/codec.h>
#include <vorbis/vorbisenc.h>

/// Loads libvorbis; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_vorbis_load(void);

/// Loads libvorbis and libvorbisenc, which has vorbis_encode_init_vbr. Returns as dw_vorbis_load.
const char *dw_vorbisenc_load(void);

#endif
