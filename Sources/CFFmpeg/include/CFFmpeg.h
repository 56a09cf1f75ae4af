/// FFmpeg's libavcodec decodes packets that we have found ourselves; libavformat finds those in containers for which we
/// have no reader.
#ifndef DEADWAX_CFFMPEG_H
#define DEADWAX_CFFMPEG_H

#include <stddef.h>
#include <stdint.h>

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

/// Forgets the packets before, for a jump.
void dw_ffmpeg_reset(dw_ffmpeg_decoder *decoder);

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

// Containers

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
  /// FFmpeg's name of the codec.
  const char *codec;
  /// For its decoder, whose name is NULL if there is none.
  struct dw_ffmpeg_setup setup;
  /// Frames by the header; 0 if it does not count them.
  int64_t frame_count;
  /// Frames that last as long as the header says, to a millisecond or so; 0 if it does not say it.
  int64_t duration;
};

/// One packet of the stream; the bytes stay until the next one is read.
struct dw_ffmpeg_packet {
  const uint8_t *bytes;
  size_t size;
  /// 0 if the container does not say how long it is.
  int64_t frame_count;
  /// When it begins, in frames, to a millisecond or so; INT64_MIN if the container does not say it.
  int64_t start;
  /// Where the container has it, in bytes from its own start; -1 if that is not known.
  int64_t offset;
};

typedef struct dw_ffmpeg_demuxer dw_ffmpeg_demuxer;

/// `format` is FFmpeg's name of the container, such as "ape": nothing is guessed. NULL if it cannot be opened.
dw_ffmpeg_demuxer *dw_ffmpeg_demuxer_open(const char *format, const struct dw_ffmpeg_source *source);
void dw_ffmpeg_demuxer_close(dw_ffmpeg_demuxer *demuxer);

void dw_ffmpeg_demuxer_stream(const dw_ffmpeg_demuxer *demuxer, struct dw_ffmpeg_stream *stream);

/// Reads the next packet of the stream. Returns 1 with `packet` filled in, 0 at the end.
int dw_ffmpeg_demuxer_next(dw_ffmpeg_demuxer *demuxer, struct dw_ffmpeg_packet *packet);

/// The greatest offset of all packets so far, of any stream; -1 if none is known.
int64_t dw_ffmpeg_demuxer_last_offset(const dw_ffmpeg_demuxer *demuxer);

// Pictures

/// Loads libavcodec for pictures; call this before the functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_ffmpeg_picture_load(void);

/// Three bytes for each pixel, red, green, blue, row by row from the top. Free `pixels` with `free`.
struct dw_ffmpeg_picture {
  int width;
  int height;
  uint8_t *pixels;
};

/// Decodes a picture; what is transparent lies on white. `decoder` is FFmpeg's name, such as "mjpeg". Of a moving picture
/// the first one counts. Returns 0, or -1 if it cannot be decoded or has more than `largest_pixel_count` pixels.
int dw_ffmpeg_decode_picture(
    const char *decoder, const uint8_t *bytes, size_t size, int64_t largest_pixel_count,
    struct dw_ffmpeg_picture *picture);

/// Encodes a picture as JPEG, with half as many colours in each direction. `quantizer` is 1 (best) to 31. Returns 0 with
/// `bytes`, to be freed with `free`, and `size` filled in, or -1.
int dw_ffmpeg_encode_jpeg(const struct dw_ffmpeg_picture *picture, int quantizer, uint8_t **bytes, size_t *size);

#endif
