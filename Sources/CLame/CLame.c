#include "CLame.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(const char *, get_lame_version, (void), ()) \
  F(int, lame_close, (lame_global_flags *gfp), (gfp)) \
  F(int, lame_encode_buffer_ieee_float, (lame_t gfp, const float pcm_l[], const float pcm_r[], const int nsamples, \
    unsigned char *mp3buf, const int mp3buf_size), \
    (gfp, pcm_l, pcm_r, nsamples, mp3buf, mp3buf_size)) \
  F(int, lame_encode_flush, (lame_global_flags *gfp, unsigned char *mp3buf, int size), (gfp, mp3buf, size)) \
  F(int, lame_get_brate, (const lame_global_flags *gfp), (gfp)) \
  F(size_t, lame_get_lametag_frame, (const lame_global_flags *gfp, unsigned char *buffer, size_t size), \
    (gfp, buffer, size)) \
  F(lame_global_flags *, lame_init, (void), ()) \
  F(int, lame_init_params, (lame_global_flags *gfp), (gfp)) \
  F(int, lame_set_VBR, (lame_global_flags *gfp, vbr_mode mode), (gfp, mode)) \
  F(int, lame_set_VBR_quality, (lame_global_flags *gfp, float quality), (gfp, quality)) \
  F(int, lame_set_brate, (lame_global_flags *gfp, int rate), (gfp, rate)) \
  F(int, lame_set_debugf, (lame_global_flags *gfp, lame_report_function report), (gfp, report)) \
  F(int, lame_set_errorf, (lame_global_flags *gfp, lame_report_function report), (gfp, report)) \
  F(int, lame_set_in_samplerate, (lame_global_flags *gfp, int rate), (gfp, rate)) \
  F(int, lame_set_msgf, (lame_global_flags *gfp, lame_report_function report), (gfp, report)) \
  F(int, lame_set_num_channels, (lame_global_flags *gfp, int count), (gfp, count)) \
  F(int, lame_set_out_samplerate, (lame_global_flags *gfp, int rate), (gfp, rate))

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};
static struct dw_library library = {"libmp3lame.so.0", "libmp3lame0", symbols, DW_COUNT(symbols)};

const char *dw_lame_load(void) { return dw_library_load(&library); }

static void report_nothing(const char *format, va_list arguments) {
  (void)format;
  (void)arguments;
}

void dw_lame_silence(lame_global_flags *encoder) {
  lame_set_errorf(encoder, report_nothing);
  lame_set_debugf(encoder, report_nothing);
  lame_set_msgf(encoder, report_nothing);
}
