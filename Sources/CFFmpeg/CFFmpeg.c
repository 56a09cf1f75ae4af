#include "CFFmpeg.h"

#include <stdlib.h>
#include <string.h>

#if !__has_include(<libavcodec/avcodec.h>)
#error "libavcodec/avcodec.h is missing: install libavcodec-dev (`make setup` does)"
#endif
#include <libavcodec/avcodec.h>
#include <libavutil/channel_layout.h>
#include <libavutil/log.h>

#include "CLoader.h"

// Structures differ from one major version to the next: only the library that the header describes can be loaded.
#define MAJOR AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR)

// Not under their own names, to which the headers give attributes.
static struct {
  __typeof__(&avcodec_version) avcodec_version;
  __typeof__(&avcodec_find_decoder_by_name) avcodec_find_decoder_by_name;
  __typeof__(&avcodec_alloc_context3) avcodec_alloc_context3;
  __typeof__(&avcodec_free_context) avcodec_free_context;
  __typeof__(&avcodec_open2) avcodec_open2;
  __typeof__(&avcodec_flush_buffers) avcodec_flush_buffers;
  __typeof__(&avcodec_send_packet) avcodec_send_packet;
  __typeof__(&avcodec_receive_frame) avcodec_receive_frame;
  __typeof__(&av_packet_alloc) av_packet_alloc;
  __typeof__(&av_packet_free) av_packet_free;
  __typeof__(&av_frame_alloc) av_frame_alloc;
  __typeof__(&av_frame_free) av_frame_free;
  __typeof__(&av_mallocz) av_mallocz;
  __typeof__(&av_free) av_free;
  __typeof__(&av_channel_layout_default) av_channel_layout_default;
  __typeof__(&av_log_set_level) av_log_set_level;
  __typeof__(&av_dict_set) av_dict_set;
  __typeof__(&av_dict_free) av_dict_free;
} av;

#define SYMBOL(name) {#name, (void **)&av.name}
static const struct dw_symbol symbols[] = {
    SYMBOL(avcodec_version), SYMBOL(avcodec_find_decoder_by_name), SYMBOL(avcodec_alloc_context3),
    SYMBOL(avcodec_free_context), SYMBOL(avcodec_open2), SYMBOL(avcodec_flush_buffers), SYMBOL(avcodec_send_packet),
    SYMBOL(avcodec_receive_frame), SYMBOL(av_packet_alloc), SYMBOL(av_packet_free), SYMBOL(av_frame_alloc), SYMBOL(av_frame_free), SYMBOL(av_mallocz),
    SYMBOL(av_free), SYMBOL(av_channel_layout_default), SYMBOL(av_log_set_level), SYMBOL(av_dict_set),
    SYMBOL(av_dict_free)};

static struct dw_library library = {"libavcodec.so." MAJOR, "libavcodec" MAJOR, symbols, DW_COUNT(symbols)};

const char *dw_ffmpeg_load(void) {
  const char *problem = dw_library_load(&library);
  // What it has to say about a file goes to standard error otherwise.
  if (!problem) av.av_log_set_level(AV_LOG_QUIET);
  return problem;
}

unsigned dw_ffmpeg_version(void) { return av.avcodec_version(); }

struct dw_ffmpeg_decoder {
  AVCodecContext *context;
  AVPacket *packet;
  AVFrame *frame;
  // A copy of the packet with the zero bytes that decoders may read behind it.
  uint8_t *bytes;
  size_t capacity;
};

static int open_context(AVCodecContext *context, const AVCodec *codec, const struct dw_ffmpeg_setup *setup) {
  if (setup->extradata_size > 0) {
    context->extradata = av.av_mallocz(setup->extradata_size + AV_INPUT_BUFFER_PADDING_SIZE);
    if (!context->extradata) return -1;
    memcpy(context->extradata, setup->extradata, setup->extradata_size);
    context->extradata_size = (int)setup->extradata_size;
  }
  context->sample_rate = setup->sample_rate;
  if (setup->channel_count > 0) av.av_channel_layout_default(&context->ch_layout, setup->channel_count);
  context->bits_per_coded_sample = setup->bits_per_sample;
  context->block_align = setup->block_align;
  context->bit_rate = setup->bit_rate;
  context->thread_count = 1;
  // Trimming is ours.
  context->flags2 = AV_CODEC_FLAG2_SKIP_MANUAL;
  // A broken checksum is an error. AAC and WMA have none; there it would make an error of what every player plays.
  if (codec->id != AV_CODEC_ID_AAC && strncmp(codec->name, "wma", 3) != 0)
    context->err_recognition = AV_EF_CRCCHECK | AV_EF_EXPLODE;
  // AC-3: noise that depends on nothing but its frame, so that any frame can be the first.
  AVDictionary *options = NULL;
  if (strcmp(setup->name, "ac3") == 0 || strcmp(setup->name, "eac3") == 0)
    av.av_dict_set(&options, "cons_noisegen", "1", 0);
  // DTS: the core alone, so that every frame has the rate and the channels that its header says.
  if (strcmp(setup->name, "dca") == 0) av.av_dict_set(&options, "core_only", "1", 0);
  int result = av.avcodec_open2(context, codec, &options);
  av.av_dict_free(&options);
  return result;
}

dw_ffmpeg_decoder *dw_ffmpeg_open(const struct dw_ffmpeg_setup *setup) {
  const AVCodec *codec = av.avcodec_find_decoder_by_name(setup->name);
  if (!codec || setup->extradata_size > 1 << 24) return NULL;
  dw_ffmpeg_decoder *decoder = calloc(1, sizeof *decoder);
  if (!decoder) return NULL;
  decoder->context = av.avcodec_alloc_context3(codec);
  decoder->packet = av.av_packet_alloc();
  decoder->frame = av.av_frame_alloc();
  if (decoder->context && decoder->packet && decoder->frame && open_context(decoder->context, codec, setup) >= 0)
    return decoder;
  dw_ffmpeg_close(decoder);
  return NULL;
}

void dw_ffmpeg_close(dw_ffmpeg_decoder *decoder) {
  av.av_frame_free(&decoder->frame);
  av.av_packet_free(&decoder->packet);
  av.avcodec_free_context(&decoder->context);
  free(decoder->bytes);
  free(decoder);
}

void dw_ffmpeg_reset(dw_ffmpeg_decoder *decoder) { av.avcodec_flush_buffers(decoder->context); }

int dw_ffmpeg_send(dw_ffmpeg_decoder *decoder, const uint8_t *bytes, size_t size) {
  if (!bytes) return av.avcodec_send_packet(decoder->context, NULL);
  if (size > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return AVERROR_INVALIDDATA;
  size_t needed = size + AV_INPUT_BUFFER_PADDING_SIZE;
  if (needed > decoder->capacity) {
    uint8_t *larger = realloc(decoder->bytes, needed);
    if (!larger) return AVERROR(ENOMEM);
    decoder->bytes = larger;
    decoder->capacity = needed;
  }
  if (size > 0) memcpy(decoder->bytes, bytes, size);
  memset(decoder->bytes + size, 0, AV_INPUT_BUFFER_PADDING_SIZE);
  // Without a reference count: the library makes a copy if it has to keep the packet.
  decoder->packet->data = decoder->bytes;
  decoder->packet->size = (int)size;
  return av.avcodec_send_packet(decoder->context, decoder->packet);
}

static int is_supported(enum AVSampleFormat format) {
  switch (format) {
    case AV_SAMPLE_FMT_U8: case AV_SAMPLE_FMT_U8P: case AV_SAMPLE_FMT_S16: case AV_SAMPLE_FMT_S16P:
    case AV_SAMPLE_FMT_S32: case AV_SAMPLE_FMT_S32P: case AV_SAMPLE_FMT_FLT: case AV_SAMPLE_FMT_FLTP:
      return 1;
    default: return 0;
  }
}

int dw_ffmpeg_receive(dw_ffmpeg_decoder *decoder, struct dw_ffmpeg_frame *result) {
  int code = av.avcodec_receive_frame(decoder->context, decoder->frame);
  if (code == AVERROR(EAGAIN) || code == AVERROR_EOF) return 0;
  if (code < 0) return code;
  const AVFrame *frame = decoder->frame;
  if (!is_supported(frame->format) || frame->nb_samples < 0 || frame->ch_layout.nb_channels <= 0)
    return AVERROR_INVALIDDATA;
  result->frame_count = frame->nb_samples;
  result->sample_rate = frame->sample_rate;
  result->channel_count = frame->ch_layout.nb_channels;
  result->channel_mask = frame->ch_layout.order == AV_CHANNEL_ORDER_NATIVE ? frame->ch_layout.u.mask : 0;
  result->is_integer = frame->format != AV_SAMPLE_FMT_FLT && frame->format != AV_SAMPLE_FMT_FLTP;
  return 1;
}

// Interleaves planes (or copies what is interleaved), with `convert` for each sample.
#define COPY(type, convert) \
  for (int channel = 0; channel < channel_count; channel++) { \
    const type *source = (const type *)frame->extended_data[is_planar ? channel : 0] + (is_planar ? 0 : channel); \
    uint32_t *target = (uint32_t *)samples + channel; \
    for (int i = 0; i < frame->nb_samples; i++, target += channel_count, source += is_planar ? 1 : channel_count) { \
      type value = *source; \
      *target = (convert); \
    } \
  }

static inline uint32_t bits_of(float value) {
  uint32_t bits;
  memcpy(&bits, &value, sizeof bits);
  return bits;
}

void dw_ffmpeg_copy(const dw_ffmpeg_decoder *decoder, void *samples) {
  const AVFrame *frame = decoder->frame;
  int channel_count = frame->ch_layout.nb_channels;
  int is_planar = frame->format >= AV_SAMPLE_FMT_U8P && frame->format <= AV_SAMPLE_FMT_DBLP;
  switch (frame->format) {
    case AV_SAMPLE_FMT_U8: case AV_SAMPLE_FMT_U8P: COPY(uint8_t, (uint32_t)(value ^ 0x80) << 24) break;
    case AV_SAMPLE_FMT_S16: case AV_SAMPLE_FMT_S16P: COPY(uint16_t, (uint32_t)value << 16) break;
    case AV_SAMPLE_FMT_S32: case AV_SAMPLE_FMT_S32P: COPY(uint32_t, value) break;
    default: COPY(float, bits_of(value)) break;
  }
}
