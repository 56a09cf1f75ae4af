/// FFmpeg's libavcodec decodes packets that we have found ourselves, or those of CFFmpegDemuxer.h.
#ifndef DEADWAX_CFFMPEG_H
#define DEADWAX_CFFMPEG_H

#include <stddef.h>
#include <stdint.h>

#include "CFFmpegDemuxer.h"

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_ffmpeg_load(void);

/// Of libavcodec, as 0xMMmmpp. The library must be loaded.
unsigned dw_ffmpeg_version(void);

/// What a decoder has to know before the first packet. What is 0 is not known.
struct dw_ffmpeg_setup {
  /// FFmpeg's name of the decoder, such as "aac".
  const char *name;
  const uint8_t *extradata;
  size_t extradata_size;
  int sample_rate;
  int channel_count;
  int bits_per_sample;
  int block_align;
  /// Which WMA needs to know.
  int64_t bit_rate;
};

typedef struct dw_ffmpeg_decoder dw_ffmpeg_decoder;

/// NULL if this FFmpeg has no such decoder, or it does not accept the setup.
dw_ffmpeg_decoder *dw_ffmpeg_open(const struct dw_ffmpeg_setup *setup);
void dw_ffmpeg_close(dw_ffmpeg_decoder *decoder);

/// Passes one packet to the decoder, or NULL at the end, behind which more frames may come. Returns 0, or a negative error of FFmpeg's.
int dw_ffmpeg_send(dw_ffmpeg_decoder *decoder, const uint8_t *bytes, size_t size);

struct dw_ffmpeg_frame {
  int frame_count;
  int sample_rate;
  int channel_count;
  /// The loudspeakers, as in dwChannelMask of WAVEFORMATEXTENSIBLE; 0 if they are not known.
  uint64_t channel_mask;
  /// Whether the samples are integers.
  int is_integer;
};

/// Takes what the packets so far have given. Returns 1 with `frame` filled in, 0 if another packet is needed, or a
/// negative error. The frame stays until the next call.
int dw_ffmpeg_receive(dw_ffmpeg_decoder *decoder, struct dw_ffmpeg_frame *frame);

/// Writes the samples of the frame interleaved, 32 bits each: integers filled up from below, or floats.
void dw_ffmpeg_copy(const dw_ffmpeg_decoder *decoder, void *samples);

#endif
