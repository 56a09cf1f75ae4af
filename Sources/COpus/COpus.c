#include "COpus.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(const char *, opus_get_version_string, (void), ()) \
  F(int, opus_multistream_decode_float, (OpusMSDecoder *st, const unsigned char *data, opus_int32 len, float *pcm, \
    int frame_size, int decode_fec), \
    (st, data, len, pcm, frame_size, decode_fec)) \
  F(OpusMSDecoder *, opus_multistream_decoder_create, (opus_int32 Fs, int channels, int streams, \
    int coupled_streams, const unsigned char *mapping, int *error), \
    (Fs, channels, streams, coupled_streams, mapping, error)) \
  F(void, opus_multistream_decoder_destroy, (OpusMSDecoder *st), (st)) \
  F(opus_int32, opus_multistream_decoder_get_size, (int streams, int coupled_streams), (streams, coupled_streams)) \
  F(int, opus_multistream_encode_float, (OpusMSEncoder *st, const float *pcm, int frame_size, unsigned char *data, \
    opus_int32 max_data_bytes), \
    (st, pcm, frame_size, data, max_data_bytes)) \
  F(void, opus_multistream_encoder_destroy, (OpusMSEncoder *st), (st)) \
  F(OpusMSEncoder *, opus_multistream_surround_encoder_create, (opus_int32 Fs, int channels, int mapping_family, \
    int *streams, int *coupled_streams, unsigned char *mapping, int application, int *error), \
    (Fs, channels, mapping_family, streams, coupled_streams, mapping, application, error))

FUNCTIONS(DW_FORWARD)

static __typeof__(opus_multistream_decoder_ctl) *decoder_ctl;
static __typeof__(opus_multistream_encoder_ctl) *encoder_ctl;

static const struct dw_symbol symbols[] = {
    FUNCTIONS(DW_SYMBOL){"opus_multistream_decoder_ctl", (void **)&decoder_ctl},
    {"opus_multistream_encoder_ctl", (void **)&encoder_ctl}};

static struct dw_library library = {"libopus.so.0", "libopus0", symbols, DW_COUNT(symbols)};

const char *dw_opus_load(void) { return dw_library_load(&library); }

int dw_opus_set_gain(OpusMSDecoder *decoder, opus_int32 gain) { return decoder_ctl(decoder, OPUS_SET_GAIN(gain)); }

int dw_opus_reset(OpusMSDecoder *decoder) { return decoder_ctl(decoder, OPUS_RESET_STATE); }

int dw_opus_set_bitrate(OpusMSEncoder *encoder, opus_int32 bits_per_second) {
  return encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
}

int dw_opus_get_lookahead(OpusMSEncoder *encoder, opus_int32 *frames) {
  return encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(frames));
}
