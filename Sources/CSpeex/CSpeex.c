#include "CSpeex.h"

#include <limits.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<speex/speex.h>)
#error "speex/speex.h is missing: install libspeex-dev (`make setup` does)"
#endif
#include <speex/speex.h>
#include <speex/speex_callbacks.h>
#include <speex/speex_stereo.h>

#include "CLoader.h"

// The header makes a macro of this one, which needs the mode itself.
#undef speex_lib_get_mode

#define FUNCTIONS(F) \
  F(void, speex_bits_init, (SpeexBits *bits), (bits)) \
  F(void, speex_bits_destroy, (SpeexBits *bits), (bits)) \
  F(void, speex_bits_read_from, (SpeexBits *bits, const char *bytes, int len), (bits, bytes, len)) \
  F(int, speex_bits_remaining, (SpeexBits *bits), (bits)) \
  F(int, speex_decode, (void *state, SpeexBits *bits, float *out), (state, bits, out)) \
  F(void, speex_decode_stereo, (float *data, int frame_size, SpeexStereoState *stereo), (data, frame_size, stereo)) \
  F(int, speex_decoder_ctl, (void *state, int request, void *ptr), (state, request, ptr)) \
  F(void, speex_decoder_destroy, (void *state), (state)) \
  F(void *, speex_decoder_init, (const SpeexMode *mode), (mode)) \
  F(int, speex_lib_ctl, (int request, void *ptr), (request, ptr)) \
  F(const SpeexMode *, speex_lib_get_mode, (int mode), (mode)) \
  F(int, speex_std_stereo_request_handler, (SpeexBits *bits, void *state, void *data), (bits, state, data))

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};
static struct dw_library library = {"libspeex.so.1", "libspeex1", symbols, DW_COUNT(symbols)};

const char *dw_speex_load(void) { return dw_library_load(&library); }

const char *dw_speex_version(void) {
  const char *version = NULL;
  speex_lib_ctl(SPEEX_LIB_GET_VERSION_STRING, &version);
  return version;
}

struct dw_speex_decoder {
  void *state;
  SpeexBits bits;
  SpeexStereoState stereo;
  int channel_count;
  int frame_size;
};

dw_speex_decoder *dw_speex_open(int mode, int channel_count) {
  dw_speex_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->state = speex_decoder_init(speex_lib_get_mode(mode));
  if (!decoder->state) {
    free(decoder);
    return NULL;
  }
  decoder->channel_count = channel_count;
  speex_decoder_ctl(decoder->state, SPEEX_GET_FRAME_SIZE, &decoder->frame_size);
  // As the library's own program does by default.
  int enhancement = 1;
  speex_decoder_ctl(decoder->state, SPEEX_SET_ENH, &enhancement);
  if (channel_count == 2) {
    decoder->stereo = (SpeexStereoState)SPEEX_STEREO_STATE_INIT;
    SpeexCallback callback = {SPEEX_INBAND_STEREO, speex_std_stereo_request_handler, &decoder->stereo};
    speex_decoder_ctl(decoder->state, SPEEX_SET_HANDLER, &callback);
  }
  speex_bits_init(&decoder->bits);
  return decoder;
}

void dw_speex_close(dw_speex_decoder *decoder) {
  speex_bits_destroy(&decoder->bits);
  speex_decoder_destroy(decoder->state);
  free(decoder);
}

int dw_speex_decode(dw_speex_decoder *decoder, const char *bytes, size_t size, int frame_count, float *samples) {
  size_t length = (size_t)decoder->frame_size * decoder->channel_count;
  memset(samples, 0, sizeof *samples * length * frame_count);
  if (size > INT_MAX) return 0;
  speex_bits_read_from(&decoder->bits, bytes, (int)size);
  for (int i = 0; i < frame_count; i++) {
    float *frame = samples + i * length;
    int result = speex_decode(decoder->state, &decoder->bits, frame);
    // The packet ends here, or is broken, or has fewer bits than it needs.
    if (result != 0 || speex_bits_remaining(&decoder->bits) < 0) {
      memset(frame, 0, sizeof *frame * length);
      return result == -1;
    }
    if (decoder->channel_count == 2) speex_decode_stereo(frame, decoder->frame_size, &decoder->stereo);
  }
  return 1;
}
