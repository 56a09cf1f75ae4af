#include "CVorbis.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(int, vorbis_analysis, (vorbis_block *vb, ogg_packet *op), (vb, op)) \
  F(int, vorbis_analysis_blockout, (vorbis_dsp_state *v, vorbis_block *vb), (v, vb)) \
  F(float **, vorbis_analysis_buffer, (vorbis_dsp_state *v, int vals), (v, vals)) \
  F(int, vorbis_analysis_headerout, (vorbis_dsp_state *v, vorbis_comment *vc, ogg_packet *op, ogg_packet *op_comm, \
    ogg_packet *op_code), \
    (v, vc, op, op_comm, op_code)) \
  F(int, vorbis_analysis_init, (vorbis_dsp_state *v, vorbis_info *vi), (v, vi)) \
  F(int, vorbis_analysis_wrote, (vorbis_dsp_state *v, int vals), (v, vals)) \
  F(int, vorbis_bitrate_addblock, (vorbis_block *vb), (vb)) \
  F(int, vorbis_bitrate_flushpacket, (vorbis_dsp_state *vd, ogg_packet *op), (vd, op)) \
  F(int, vorbis_block_clear, (vorbis_block *vb), (vb)) \
  F(int, vorbis_block_init, (vorbis_dsp_state *v, vorbis_block *vb), (v, vb)) \
  F(void, vorbis_comment_clear, (vorbis_comment *vc), (vc)) \
  F(void, vorbis_comment_init, (vorbis_comment *vc), (vc)) \
  F(void, vorbis_dsp_clear, (vorbis_dsp_state *v), (v)) \
  F(int, vorbis_info_blocksize, (vorbis_info *vi, int zo), (vi, zo)) \
  F(void, vorbis_info_clear, (vorbis_info *vi), (vi)) \
  F(void, vorbis_info_init, (vorbis_info *vi), (vi)) \
  F(long, vorbis_packet_blocksize, (vorbis_info *vi, ogg_packet *op), (vi, op)) \
  F(int, vorbis_synthesis, (vorbis_block *vb, ogg_packet *op), (vb, op)) \
  F(int, vorbis_synthesis_blockin, (vorbis_dsp_state *v, vorbis_block *vb), (v, vb)) \
  F(int, vorbis_synthesis_headerin, (vorbis_info *vi, vorbis_comment *vc, ogg_packet *op), (vi, vc, op)) \
  F(int, vorbis_synthesis_init, (vorbis_dsp_state *v, vorbis_info *vi), (v, vi)) \
  F(int, vorbis_synthesis_pcmout, (vorbis_dsp_state *v, float ***pcm), (v, pcm)) \
  F(int, vorbis_synthesis_read, (vorbis_dsp_state *v, int samples), (v, samples)) \
  F(int, vorbis_synthesis_restart, (vorbis_dsp_state *v), (v)) \
  F(const char *, vorbis_version_string, (void), ())

#define ENCODER_FUNCTIONS(F) \
  F(int, vorbis_encode_init_vbr, (vorbis_info *vi, long channels, long rate, float base_quality), \
    (vi, channels, rate, base_quality))

FUNCTIONS(DW_FORWARD)
ENCODER_FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};
static const struct dw_symbol encoder_symbols[] = {ENCODER_FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libvorbis.so.0", "libvorbis0a", symbols, DW_COUNT(symbols)};
static struct dw_library encoder_library = {
    "libvorbisenc.so.2", "libvorbisenc2", encoder_symbols, DW_COUNT(encoder_symbols)};

const char *dw_vorbis_load(void) { return dw_library_load(&library); }

const char *dw_vorbisenc_load(void) {
  const char *problem = dw_vorbis_load();
  return problem ? problem : dw_library_load(&encoder_library);
}
