#include "CMusepack.h"

#include <stdlib.h>
#include <string.h>

#if !__has_include(<mpc/mpcdec.h>)
#error "mpc/mpcdec.h is missing: install libmpcdec-dev (`make setup` does)"
#endif
#include <mpc/mpcdec.h>

#include "CLoader.h"

static struct {
  __typeof__(&mpc_decoder_init) mpc_decoder_init;
  __typeof__(&mpc_decoder_exit) mpc_decoder_exit;
  __typeof__(&mpc_decoder_decode_frame) mpc_decoder_decode_frame;
} mpc;

#define SYMBOL(name) {#name, (void **)&mpc.name}
static const struct dw_symbol symbols[] = {
    SYMBOL(mpc_decoder_init), SYMBOL(mpc_decoder_exit), SYMBOL(mpc_decoder_decode_frame)};

static struct dw_library library = {"libmpcdec.so.6", "libmpcdec6", symbols, DW_COUNT(symbols)};

const char *dw_musepack_load(void) { return dw_library_load(&library); }

struct dw_musepack_decoder {
  mpc_decoder *decoder;
  int channel_count;
  MPC_SAMPLE_FORMAT samples[MPC_DECODER_BUFFER_LENGTH];
};

dw_musepack_decoder *dw_musepack_open(const struct dw_musepack_setup *setup) {
  mpc_streaminfo info;
  memset(&info, 0, sizeof info);
  info.stream_version = setup->stream_version;
  info.channels = setup->channel_count;
  info.max_band = setup->maximum_band;
  info.ms = setup->has_mid_side;
  // Trimming is ours: it shall neither reach an end nor drop its delay.
  info.samples = (mpc_uint64_t)1 << 62;
  info.beg_silence = -(mpc_uint64_t)MPC_DECODER_SYNTH_DELAY;
  dw_musepack_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->channel_count = setup->channel_count;
  decoder->decoder = mpc.mpc_decoder_init(&info);
  if (decoder->decoder) return decoder;
  free(decoder);
  return NULL;
}

void dw_musepack_close(dw_musepack_decoder *decoder) {
  mpc.mpc_decoder_exit(decoder->decoder);
  free(decoder);
}

int dw_musepack_decode(dw_musepack_decoder *decoder, const uint8_t *bytes, size_t bit, int is_first, float *samples) {
  mpc_bits_reader reader = {(unsigned char *)bytes + bit / 8, 8 - (unsigned)(bit % 8)};
  mpc_frame_info frame = {0, 0, decoder->samples, is_first};
  mpc.mpc_decoder_decode_frame(decoder->decoder, &reader, &frame);
  memcpy(samples, decoder->samples, sizeof *samples * dw_musepack_block_frame_count * decoder->channel_count);
  return frame.bits;
}
