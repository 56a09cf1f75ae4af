#pragma once

#include <opus_multistream.h>

// Swift cannot call a C function with variable arguments.
static inline int copus_set_gain(OpusMSDecoder *decoder, opus_int32 gain) {
  return opus_multistream_decoder_ctl(decoder, OPUS_SET_GAIN(gain));
}

static inline int copus_reset(OpusMSDecoder *decoder) {
  return opus_multistream_decoder_ctl(decoder, OPUS_RESET_STATE);
}

static inline int copus_set_bitrate(OpusMSEncoder *encoder, opus_int32 bits_per_second) {
  return opus_multistream_encoder_ctl(encoder, OPUS_SET_BITRATE(bits_per_second));
}

static inline int copus_get_lookahead(OpusMSEncoder *encoder, opus_int32 *frames) {
  return opus_multistream_encoder_ctl(encoder, OPUS_GET_LOOKAHEAD(frames));
}
