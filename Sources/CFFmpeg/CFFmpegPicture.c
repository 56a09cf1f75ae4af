#include "CFFmpeg.h"

#include <stdlib.h>
#include <string.h>

#include <libavcodec/avcodec.h>
#include <libavutil/pixdesc.h>

#include "CLoader.h"

#define MAJOR AV_STRINGIFY(LIBAVCODEC_VERSION_MAJOR)

static struct {
  __typeof__(&avcodec_find_decoder_by_name) avcodec_find_decoder_by_name;
  __typeof__(&avcodec_find_encoder_by_name) avcodec_find_encoder_by_name;
  __typeof__(&avcodec_alloc_context3) avcodec_alloc_context3;
  __typeof__(&avcodec_free_context) avcodec_free_context;
  __typeof__(&avcodec_open2) avcodec_open2;
  __typeof__(&avcodec_send_packet) avcodec_send_packet;
  __typeof__(&avcodec_receive_frame) avcodec_receive_frame;
  __typeof__(&avcodec_send_frame) avcodec_send_frame;
  __typeof__(&avcodec_receive_packet) avcodec_receive_packet;
  __typeof__(&av_packet_alloc) av_packet_alloc;
  __typeof__(&av_packet_free) av_packet_free;
  // Of libavutil, which it brings.
  __typeof__(&av_frame_alloc) av_frame_alloc;
  __typeof__(&av_frame_free) av_frame_free;
  __typeof__(&av_frame_get_buffer) av_frame_get_buffer;
  __typeof__(&av_pix_fmt_desc_get) av_pix_fmt_desc_get;
} av;

#define SYMBOL(name) {#name, (void **)&av.name}
static const struct dw_symbol symbols[] = {
    SYMBOL(avcodec_find_decoder_by_name), SYMBOL(avcodec_find_encoder_by_name), SYMBOL(avcodec_alloc_context3),
    SYMBOL(avcodec_free_context), SYMBOL(avcodec_open2), SYMBOL(avcodec_send_packet), SYMBOL(avcodec_receive_frame),
    SYMBOL(avcodec_send_frame), SYMBOL(avcodec_receive_packet), SYMBOL(av_packet_alloc), SYMBOL(av_packet_free),
    SYMBOL(av_frame_alloc), SYMBOL(av_frame_free), SYMBOL(av_frame_get_buffer), SYMBOL(av_pix_fmt_desc_get)};

static struct dw_library library = {"libavcodec.so." MAJOR, "libavcodec" MAJOR, symbols, DW_COUNT(symbols)};

const char *dw_ffmpeg_picture_load(void) {
  const char *problem = dw_ffmpeg_load();
  return problem ? problem : dw_library_load(&library);
}

// What libavutil says about a format of pixels leads to each component of each of them.
struct layout {
  const AVFrame *frame;
  const AVPixFmtDescriptor *format;
  int is_full_range;
};

// A component of a pixel, 0 to 255.
static int component(const struct layout *layout, int index, int x, int y) {
  const AVComponentDescriptor *it = &layout->format->comp[index];
  int is_chroma = index == 1 || index == 2;
  if (is_chroma && !(layout->format->flags & AV_PIX_FMT_FLAG_RGB)) {
    x >>= layout->format->log2_chroma_w;
    y >>= layout->format->log2_chroma_h;
  }
  const uint8_t *row = layout->frame->data[it->plane] + (ptrdiff_t)y * layout->frame->linesize[it->plane];
  unsigned value;
  if (layout->format->flags & AV_PIX_FMT_FLAG_BITSTREAM) {
    int bit = x * it->step + it->offset;
    value = row[bit >> 3] >> (8 - it->depth - (bit & 7));
  } else {
    const uint8_t *place = row + (ptrdiff_t)x * it->step + it->offset;
    if (it->depth + it->shift <= 8) value = place[0];
    else if (layout->format->flags & AV_PIX_FMT_FLAG_BE) value = (unsigned)place[0] << 8 | place[1];
    else value = (unsigned)place[1] << 8 | place[0];
    value >>= it->shift;
  }
  unsigned largest = (1u << it->depth) - 1;
  value &= largest;
  return it->depth == 8 ? (int)value : (int)((value * 255 + largest / 2) / largest);
}

static uint8_t clamped(double value) { return value <= 0 ? 0 : value >= 255 ? 255 : (uint8_t)(value + 0.5); }

static void read_pixel(const struct layout *layout, int x, int y, uint8_t rgb[3]) {
  const AVPixFmtDescriptor *format = layout->format;
  int alpha = 255;
  if (format->flags & AV_PIX_FMT_FLAG_PAL) {
    uint32_t colour;
    memcpy(&colour, layout->frame->data[1] + 4 * layout->frame->data[0][(ptrdiff_t)y * layout->frame->linesize[0] + x], 4);
    rgb[0] = colour >> 16 & 255, rgb[1] = colour >> 8 & 255, rgb[2] = colour & 255;
    alpha = colour >> 24;
  } else {
    int has_alpha = !!(format->flags & AV_PIX_FMT_FLAG_ALPHA);
    int a = component(layout, 0, x, y);
    if (format->nb_components - has_alpha < 3) {
      rgb[0] = rgb[1] = rgb[2] = a;
    } else {
      int b = component(layout, 1, x, y), c = component(layout, 2, x, y);
      if (format->flags & AV_PIX_FMT_FLAG_RGB) {
        rgb[0] = a, rgb[1] = b, rgb[2] = c;
      } else {
        // ITU-R BT.601, as JFIF and WebP have it.
        double luma = layout->is_full_range ? a : (a - 16) * 255.0 / 219;
        double scale = layout->is_full_range ? 1 : 255.0 / 224;
        double blue = (b - 128) * scale, red = (c - 128) * scale;
        rgb[0] = clamped(luma + 1.402 * red);
        rgb[1] = clamped(luma - 0.344136 * blue - 0.714136 * red);
        rgb[2] = clamped(luma + 1.772 * blue);
      }
    }
    if (has_alpha) alpha = component(layout, format->nb_components - 1, x, y);
  }
  if (alpha < 255)
    for (int i = 0; i < 3; i++) rgb[i] = (uint8_t)((rgb[i] * alpha + 255 * (255 - alpha) + 127) / 255);
}

static int copy_pixels(const AVFrame *frame, int64_t largest_pixel_count, struct dw_ffmpeg_picture *picture) {
  const AVPixFmtDescriptor *format = av.av_pix_fmt_desc_get(frame->format);
  if (!format || format->flags & (AV_PIX_FMT_FLAG_HWACCEL | AV_PIX_FMT_FLAG_FLOAT | AV_PIX_FMT_FLAG_BAYER)) return -1;
  if (frame->width <= 0 || frame->height <= 0 || (int64_t)frame->width * frame->height > largest_pixel_count) return -1;
  int is_full_range = frame->color_range == AVCOL_RANGE_JPEG || strncmp(format->name, "yuvj", 4) == 0;
  struct layout layout = {frame, format, is_full_range};
  uint8_t *pixels = malloc((size_t)3 * frame->width * frame->height);
  if (!pixels) return -1;
  uint8_t *pixel = pixels;
  for (int y = 0; y < frame->height; y++)
    for (int x = 0; x < frame->width; x++, pixel += 3) read_pixel(&layout, x, y, pixel);
  *picture = (struct dw_ffmpeg_picture){frame->width, frame->height, pixels};
  return 0;
}

int dw_ffmpeg_decode_picture(
    const char *decoder, const uint8_t *bytes, size_t size, int64_t largest_pixel_count,
    struct dw_ffmpeg_picture *picture) {
  const AVCodec *codec = av.avcodec_find_decoder_by_name(decoder);
  if (!codec || size > INT32_MAX - AV_INPUT_BUFFER_PADDING_SIZE) return -1;
  int result = -1;
  // Decoders may read zero bytes behind the packet.
  uint8_t *padded = calloc(1, size + AV_INPUT_BUFFER_PADDING_SIZE);
  AVCodecContext *context = av.avcodec_alloc_context3(codec);
  AVPacket *packet = av.av_packet_alloc();
  AVFrame *frame = av.av_frame_alloc();
  if (padded && context && packet && frame) {
    memcpy(padded, bytes, size);
    context->thread_count = 1;
    context->max_pixels = largest_pixel_count;
    packet->data = padded;
    packet->size = (int)size;
    packet->flags = AV_PKT_FLAG_KEY;
    if (av.avcodec_open2(context, codec, NULL) >= 0 && av.avcodec_send_packet(context, packet) >= 0) {
      // Some give the picture only at the end.
      int code = av.avcodec_receive_frame(context, frame);
      if (code == AVERROR(EAGAIN) && av.avcodec_send_packet(context, NULL) >= 0)
        code = av.avcodec_receive_frame(context, frame);
      if (code >= 0) result = copy_pixels(frame, largest_pixel_count, picture);
    }
  }
  av.av_frame_free(&frame);
  av.av_packet_free(&packet);
  av.avcodec_free_context(&context);
  free(padded);
  return result;
}

// The mean of the pixels that share a colour: one, two or four at the edges.
static void write_colours(AVFrame *frame, const struct dw_ffmpeg_picture *picture, int x, int y) {
  double red = 0, blue = 0;
  int count = 0;
  for (int v = 2 * y; v < 2 * y + 2 && v < picture->height; v++)
    for (int u = 2 * x; u < 2 * x + 2 && u < picture->width; u++, count++) {
      const uint8_t *rgb = picture->pixels + ((size_t)v * picture->width + u) * 3;
      blue += -0.168736 * rgb[0] - 0.331264 * rgb[1] + 0.5 * rgb[2];
      red += 0.5 * rgb[0] - 0.418688 * rgb[1] - 0.081312 * rgb[2];
    }
  frame->data[1][(ptrdiff_t)y * frame->linesize[1] + x] = clamped(128 + blue / count);
  frame->data[2][(ptrdiff_t)y * frame->linesize[2] + x] = clamped(128 + red / count);
}

static void fill(AVFrame *frame, const struct dw_ffmpeg_picture *picture) {
  const uint8_t *rgb = picture->pixels;
  for (int y = 0; y < picture->height; y++)
    for (int x = 0; x < picture->width; x++, rgb += 3)
      frame->data[0][(ptrdiff_t)y * frame->linesize[0] + x] =
          clamped(0.299 * rgb[0] + 0.587 * rgb[1] + 0.114 * rgb[2]);
  for (int y = 0; y < (picture->height + 1) / 2; y++)
    for (int x = 0; x < (picture->width + 1) / 2; x++) write_colours(frame, picture, x, y);
}

int dw_ffmpeg_encode_jpeg(const struct dw_ffmpeg_picture *picture, int quantizer, uint8_t **bytes, size_t *size) {
  const AVCodec *codec = av.avcodec_find_encoder_by_name("mjpeg");
  if (!codec) return -1;
  int result = -1;
  AVCodecContext *context = av.avcodec_alloc_context3(codec);
  AVPacket *packet = av.av_packet_alloc();
  AVFrame *frame = av.av_frame_alloc();
  if (context && packet && frame) {
    context->thread_count = 1;
    context->width = frame->width = picture->width;
    context->height = frame->height = picture->height;
    context->pix_fmt = frame->format = AV_PIX_FMT_YUVJ420P;
    context->color_range = frame->color_range = AVCOL_RANGE_JPEG;
    context->time_base = (AVRational){1, 1};
    context->flags = AV_CODEC_FLAG_QSCALE | AV_CODEC_FLAG_BITEXACT;
    context->global_quality = frame->quality = FF_QP2LAMBDA * quantizer;
    if (av.avcodec_open2(context, codec, NULL) >= 0 && av.av_frame_get_buffer(frame, 0) >= 0) {
      fill(frame, picture);
      if (av.avcodec_send_frame(context, frame) >= 0 && av.avcodec_send_frame(context, NULL) >= 0 &&
          av.avcodec_receive_packet(context, packet) >= 0 && (*bytes = malloc(packet->size))) {
        memcpy(*bytes, packet->data, packet->size);
        *size = packet->size;
        result = 0;
      }
    }
  }
  av.av_frame_free(&frame);
  av.av_packet_free(&packet);
  av.avcodec_free_context(&context);
  return result;
}
