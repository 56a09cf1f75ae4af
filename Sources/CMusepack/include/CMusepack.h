/// libmpcdec decodes blocks of Musepack that we have found ourselves; its demuxer is not used.
#ifndef DEADWAX_CMUSEPACK_H
#define DEADWAX_CMUSEPACK_H

#include <stddef.h>
#include <stdint.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_musepack_load(void);

/// What a decoder has to know of the header.
struct dw_musepack_setup {
  /// 7 or 8.
  int stream_version;
  /// 1 or 2.
  int channel_count;
  /// The highest subband that is used, 1 to 31.
  int maximum_band;
  int has_mid_side;
};

typedef struct dw_musepack_decoder dw_musepack_decoder;

/// Frames of sound that each block gives, and those by which they are late.
enum { dw_musepack_block_frame_count = 1152, dw_musepack_delay_frame_count = 481 };
/// More bytes than any block has, also a broken one.
enum { dw_musepack_padding = 16384 };

/// NULL if there is no memory.
dw_musepack_decoder *dw_musepack_open(const struct dw_musepack_setup *setup);
void dw_musepack_close(dw_musepack_decoder *decoder);

/// Decodes the block that begins at a bit of `bytes`, counted from the highest one of each byte. Zeros must follow the
/// blocks, dw_musepack_padding of them. `is_first` says whether the block is the first of its packet.
///
/// Returns the number of its bits. `samples` gets dw_musepack_block_frame_count interleaved frames.
int dw_musepack_decode(dw_musepack_decoder *decoder, const uint8_t *bytes, size_t bit, int is_first, float *samples);

#endif
