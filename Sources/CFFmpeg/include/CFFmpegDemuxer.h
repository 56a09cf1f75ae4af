/// FFmpeg's libavformat finds the packets in containers for which we have no reader of our own.
#ifndef DEADWAX_CFFMPEG_DEMUXER_H
#define DEADWAX_CFFMPEG_DEMUXER_H

#include <stddef.h>
#include <stdint.h>

/// Loads libavcodec and libavformat; call this before the functions. Returns NULL if they are loaded, else why not.
/// Opens files.
const char *dw_ffmpeg_demuxer_load(void);

/// Of libavformat, as 0xMMmmpp. The library must be loaded.
unsigned dw_ffmpeg_demuxer_version(void);

/// Where the bytes come from: `read` gives up to `size` of them from `offset` on; 0 at the end, less than 0 for an error.
struct dw_ffmpeg_source {
  void *context;
  int (*read)(void *context, int64_t offset, uint8_t *bytes, int size);
  int64_t byte_count;
};

/// The first audio stream. Texts and bytes live as long as the demuxer.
struct dw_ffmpeg_stream {
  /// FFmpeg's name of the codec and of its decoder.
  const char *codec;
  const char *decoder;
  const uint8_t *extradata;
  size_t extradata_size;
  int sample_rate;
  int channel_count;
  int bits_per_sample;
  int block_align;
  int64_t bit_rate;
  /// Frames by the header; 0 if it does not count them.
  int64_t frame_count;
};

typedef struct dw_ffmpeg_demuxer dw_ffmpeg_demuxer;

/// `format` is FFmpeg's name of the container, such as "ape": nothing is guessed. NULL if it cannot be opened.
dw_ffmpeg_demuxer *dw_ffmpeg_demuxer_open(const char *format, const struct dw_ffmpeg_source *source);
void dw_ffmpeg_demuxer_close(dw_ffmpeg_demuxer *demuxer);

void dw_ffmpeg_demuxer_stream(const dw_ffmpeg_demuxer *demuxer, struct dw_ffmpeg_stream *stream);

/// Reads the next packet of the stream. Returns 1 with `bytes`, `size` and `frame_count` filled in (0 if the container
/// does not say how long it is), 0 at the end. The bytes stay until the next call.
int dw_ffmpeg_demuxer_next(dw_ffmpeg_demuxer *demuxer, const uint8_t **bytes, size_t *size, int64_t *frame_count);

#endif
