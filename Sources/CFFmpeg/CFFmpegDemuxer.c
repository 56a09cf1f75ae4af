#include "CFFmpeg.h"

#include <stdlib.h>
#include <string.h>

#if !__has_include(<libavformat/avformat.h>)
#error "libavformat/avformat.h is missing: install libavformat-dev (`make setup` does)"
#endif
#include <libavformat/avformat.h>

#include "CLoader.h"

#define MAJOR AV_STRINGIFY(LIBAVFORMAT_VERSION_MAJOR)

static struct {
  __typeof__(&avformat_version) avformat_version;
  __typeof__(&avformat_alloc_context) avformat_alloc_context;
  __typeof__(&avformat_open_input) avformat_open_input;
  __typeof__(&avformat_close_input) avformat_close_input;
  __typeof__(&av_find_input_format) av_find_input_format;
  __typeof__(&av_read_frame) av_read_frame;
  __typeof__(&avio_alloc_context) avio_alloc_context;
  __typeof__(&avio_context_free) avio_context_free;
  // Of libavcodec and libavutil, which it brings.
  __typeof__(&avcodec_find_decoder) avcodec_find_decoder;
  __typeof__(&avcodec_get_name) avcodec_get_name;
  __typeof__(&av_packet_alloc) av_packet_alloc;
  __typeof__(&av_packet_free) av_packet_free;
  __typeof__(&av_packet_unref) av_packet_unref;
  __typeof__(&av_malloc) av_malloc;
  __typeof__(&av_freep) av_freep;
  __typeof__(&av_strdup) av_strdup;
  __typeof__(&av_rescale_q) av_rescale_q;
} av;

#define SYMBOL(name) {#name, (void **)&av.name}
static const struct dw_symbol symbols[] = {
    SYMBOL(avformat_version), SYMBOL(avformat_alloc_context), SYMBOL(avformat_open_input),
    SYMBOL(avformat_close_input), SYMBOL(av_find_input_format), SYMBOL(av_read_frame), SYMBOL(avio_alloc_context),
    SYMBOL(avio_context_free), SYMBOL(avcodec_find_decoder), SYMBOL(avcodec_get_name), SYMBOL(av_packet_alloc),
    SYMBOL(av_packet_free), SYMBOL(av_packet_unref), SYMBOL(av_malloc), SYMBOL(av_freep), SYMBOL(av_strdup),
    SYMBOL(av_rescale_q)};

static struct dw_library library = {"libavformat.so." MAJOR, "libavformat" MAJOR, symbols, DW_COUNT(symbols)};

const char *dw_ffmpeg_demuxer_load(void) {
  const char *problem = dw_ffmpeg_load();
  return problem ? problem : dw_library_load(&library);
}

unsigned dw_ffmpeg_demuxer_version(void) { return av.avformat_version(); }

enum { buffer_size = 32768 };

struct dw_ffmpeg_demuxer {
  AVFormatContext *context;
  AVIOContext *input;
  const AVStream *stream;
  AVPacket *packet;
  struct dw_ffmpeg_source source;
  int64_t offset;
  int64_t last_packet_offset;
};

static int read_source(void *opaque, uint8_t *bytes, int size) {
  dw_ffmpeg_demuxer *demuxer = opaque;
  int count = demuxer->source.read(demuxer->source.context, demuxer->offset, bytes, size);
  if (count <= 0) return count < 0 ? AVERROR(EIO) : AVERROR_EOF;
  demuxer->offset += count;
  return count;
}

static int64_t seek_source(void *opaque, int64_t offset, int whence) {
  dw_ffmpeg_demuxer *demuxer = opaque;
  switch (whence & ~AVSEEK_FORCE) {
    case AVSEEK_SIZE: return demuxer->source.byte_count;
    case SEEK_SET: break;
    case SEEK_CUR: offset += demuxer->offset; break;
    case SEEK_END: offset += demuxer->source.byte_count; break;
    default: return AVERROR(EINVAL);
  }
  if (offset < 0) return AVERROR(EINVAL);
  return demuxer->offset = offset;
}

static int open_context(dw_ffmpeg_demuxer *demuxer, const char *format) {
  uint8_t *buffer = av.av_malloc(buffer_size);
  if (!buffer) return -1;
  demuxer->input = av.avio_alloc_context(buffer, buffer_size, 0, demuxer, read_source, NULL, seek_source);
  if (!demuxer->input) {
    av.av_freep(&buffer);
    return -1;
  }
  demuxer->context = av.avformat_alloc_context();
  demuxer->packet = av.av_packet_alloc();
  if (!demuxer->context || !demuxer->packet) return -1;
  demuxer->context->pb = demuxer->input;
  demuxer->context->flags |= AVFMT_FLAG_CUSTOM_IO;
  // It opens nothing by itself.
  demuxer->context->protocol_whitelist = av.av_strdup("");
  demuxer->context->max_streams = 64;
  const AVInputFormat *input = av.av_find_input_format(format);
  // Frees the context if it fails.
  if (!input || av.avformat_open_input(&demuxer->context, NULL, input, NULL) < 0) return -1;
  for (unsigned i = 0; i < demuxer->context->nb_streams && !demuxer->stream; i++) {
    const AVStream *stream = demuxer->context->streams[i];
    if (stream->codecpar->codec_type == AVMEDIA_TYPE_AUDIO) demuxer->stream = stream;
  }
  return demuxer->stream ? 0 : -1;
}

dw_ffmpeg_demuxer *dw_ffmpeg_demuxer_open(const char *format, const struct dw_ffmpeg_source *source) {
  dw_ffmpeg_demuxer *demuxer = calloc(1, sizeof *demuxer);
  if (!demuxer) return NULL;
  demuxer->source = *source;
  demuxer->last_packet_offset = -1;
  if (open_context(demuxer, format) == 0) return demuxer;
  dw_ffmpeg_demuxer_close(demuxer);
  return NULL;
}

void dw_ffmpeg_demuxer_close(dw_ffmpeg_demuxer *demuxer) {
  av.av_packet_free(&demuxer->packet);
  av.avformat_close_input(&demuxer->context);
  if (demuxer->input) {
    // It may have replaced the buffer.
    av.av_freep(&demuxer->input->buffer);
    av.avio_context_free(&demuxer->input);
  }
  free(demuxer);
}

// Ticks of the stream in frames.
static int64_t frames(const dw_ffmpeg_demuxer *demuxer, int64_t ticks) {
  int rate = demuxer->stream->codecpar->sample_rate;
  return rate <= 0 ? 0 : av.av_rescale_q(ticks, demuxer->stream->time_base, (AVRational){1, rate});
}

void dw_ffmpeg_demuxer_stream(const dw_ffmpeg_demuxer *demuxer, struct dw_ffmpeg_stream *result) {
  const AVStream *stream = demuxer->stream;
  const AVCodecParameters *parameters = stream->codecpar;
  const AVCodec *decoder = av.avcodec_find_decoder(parameters->codec_id);
  result->codec = av.avcodec_get_name(parameters->codec_id);
  result->setup = (struct dw_ffmpeg_setup){
      .name = decoder ? decoder->name : NULL,
      .extradata = parameters->extradata,
      .extradata_size = parameters->extradata ? parameters->extradata_size : 0,
      .sample_rate = parameters->sample_rate,
      .channel_count = parameters->ch_layout.nb_channels,
      .bits_per_sample = parameters->bits_per_coded_sample,
      .block_align = parameters->block_align,
      .bit_rate = parameters->bit_rate,
  };
  // ASF counts in milliseconds, with preroll: that is no length.
  int is_counted = parameters->sample_rate > 0 && stream->time_base.num == 1
                   && stream->time_base.den == parameters->sample_rate;
  result->frame_count = is_counted && stream->duration > 0 ? stream->duration : 0;
  result->duration = stream->duration > 0 ? frames(demuxer, stream->duration) : 0;
}

int dw_ffmpeg_demuxer_next(dw_ffmpeg_demuxer *demuxer, struct dw_ffmpeg_packet *result) {
  av.av_packet_unref(demuxer->packet);
  while (av.av_read_frame(demuxer->context, demuxer->packet) >= 0) {
    const AVPacket *packet = demuxer->packet;
    if (packet->pos > demuxer->last_packet_offset) demuxer->last_packet_offset = packet->pos;
    if (packet->stream_index == demuxer->stream->index) {
      result->bytes = packet->data;
      result->size = packet->size < 0 ? 0 : (size_t)packet->size;
      result->frame_count = packet->duration <= 0 ? 0 : frames(demuxer, packet->duration);
      result->start = packet->pts == AV_NOPTS_VALUE || demuxer->stream->codecpar->sample_rate <= 0
                          ? INT64_MIN
                          : frames(demuxer, packet->pts);
      result->offset = packet->pos;
      return 1;
    }
    av.av_packet_unref(demuxer->packet);
  }
  return 0;
}

int64_t dw_ffmpeg_demuxer_last_offset(const dw_ffmpeg_demuxer *demuxer) { return demuxer->last_packet_offset; }
