/// TagLib behind C: one call reads every tag and picture of an open file, others make a tag in memory.
///
/// TagLib is not safe against hostile files (it is known to crash and to loop forever): read in a worker process.
#ifndef DEADWAX_CTAGLIB_H
#define DEADWAX_CTAGLIB_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Which of TagLib's readers is used; chosen by what the bytes are, never by a name.
enum dw_tag_kind {
  DW_TAG_MPEG,
  DW_TAG_FLAC,
  DW_TAG_VORBIS,
  DW_TAG_OPUS,
  DW_TAG_SPEEX,
  DW_TAG_OGG_FLAC,
  DW_TAG_WAV,
  DW_TAG_AIFF,
  DW_TAG_MP4,
  DW_TAG_ASF,
  DW_TAG_APE,
  DW_TAG_WAVPACK,
  DW_TAG_MUSEPACK,
  DW_TAG_TRUE_AUDIO,
  DW_TAG_IT,
  DW_TAG_XM,
  DW_TAG_S3M,
  DW_TAG_MOD
};

/// Gets what is found, in TagLib's order; text is UTF-8 without a NUL at its end and may be invalid.
struct dw_tag_sink {
  void *context;
  void (*property)(void *context, const char *name, size_t name_size, const char *value, size_t value_size);
  void (*picture)(
      void *context, int type, const char *mime, size_t mime_size, const char *caption, size_t caption_size,
      const uint8_t *bytes, size_t size);
};

/// What TagLib says of the audio; numbers may be nonsense, 0 or negative.
struct dw_tag_audio {
  int32_t sample_rate;
  int32_t channels;
  int32_t bits;
  /// kbit/s.
  int32_t bit_rate;
  int32_t length_milliseconds;
};

/// A piece of a file.
struct dw_byte_range {
  int64_t offset;
  int64_t size;
};

/// How reading went.
enum dw_tag_result {
  DW_TAG_DONE,
  /// TagLib cannot read the file, or ran out of memory.
  DW_TAG_REFUSED,
  /// The system did not give the bytes: what the sink got is not all there is.
  DW_TAG_READ_FAILED
};

/// The first read that the system refused.
struct dw_read_error {
  /// As in errno; 0 if there was none.
  int32_t number;
  int64_t offset;
};

/// Reads the tags of a file through pread as if it consisted of these pieces, in this order; at most `byte_budget`
/// bytes are read in all, after that it sees the end of the file. `audio` may be NULL: TagLib then does not look
/// at the audio at all.
///
/// Values of better tags come first: ID3v2, then APE, then ID3v1, each adding only names that are not there yet.
enum dw_tag_result dw_read_tags(
    int descriptor, const struct dw_byte_range *pieces, size_t piece_count, int64_t byte_budget, enum dw_tag_kind kind,
    const struct dw_tag_sink *sink, struct dw_tag_audio *audio, struct dw_read_error *error);

/// An ID3v2.4 tag in memory, made of texts of our own: nothing is read from a file. Text is UTF-8 with a NUL at its
/// end.
typedef struct dw_id3v2 dw_id3v2;

/// NULL if there is no memory.
dw_id3v2 *dw_id3v2_create(void);
void dw_id3v2_delete(dw_id3v2 *tag);
/// Adds a value of a property by TagLib's name; what has no frame of its own becomes a TXXX.
void dw_id3v2_add(dw_id3v2 *tag, const char *name, const char *value);
void dw_id3v2_add_picture(
    dw_id3v2 *tag, int type, const char *mime, const char *caption, const uint8_t *bytes, size_t size);
/// The tag's bytes, which live as long as the tag; NULL if TagLib threw.
const uint8_t *dw_id3v2_render(dw_id3v2 *tag, size_t *size);

/// The version that this was compiled against: major, minor and patch, a byte each.
uint32_t dw_tag_library_version(void);

#ifdef __cplusplus
}
#endif

#endif
