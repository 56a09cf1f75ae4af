#include "CZlib.h"

#include <stdlib.h>
#include <zlib.h>

uint32_t dw_crc32(const uint8_t *bytes, size_t size) { return dw_crc32_continued(0, bytes, size); }

uint32_t dw_crc32_continued(uint32_t checksum, const uint8_t *bytes, size_t size) {
  return (uint32_t)crc32_z(checksum, bytes, size);
}

// The header and the end of a file of gzip.
size_t dw_gzip_bound(size_t size) { return compressBound(size) + 32; }

size_t dw_gzip(const uint8_t *bytes, size_t size, int level, uint8_t *output, size_t capacity) {
  z_stream stream = {0};
  // 15 bits of window; 16 more ask for gzip instead of zlib's own header.
  if (size > UINT32_MAX || capacity > UINT32_MAX ||
      deflateInit2(&stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) != Z_OK)
    return 0;
  stream.next_in = (Bytef *)bytes;
  stream.avail_in = (uInt)size;
  stream.next_out = output;
  stream.avail_out = (uInt)capacity;
  int code = deflate(&stream, Z_FINISH);
  size_t count = stream.total_out;
  deflateEnd(&stream);
  return code == Z_STREAM_END ? count : 0;
}

struct dw_gzip_stream {
  z_stream stream;
};

dw_gzip_stream *dw_gzip_open(int level) {
  dw_gzip_stream *gzip = calloc(1, sizeof *gzip);
  if (gzip != NULL && deflateInit2(&gzip->stream, level, Z_DEFLATED, 15 + 16, 8, Z_DEFAULT_STRATEGY) == Z_OK) return gzip;
  free(gzip);
  return NULL;
}

size_t dw_gzip_write(dw_gzip_stream *gzip, const uint8_t **bytes, size_t *size, int is_last, uint8_t *output,
                     size_t capacity) {
  gzip->stream.next_in = (Bytef *)*bytes;
  gzip->stream.avail_in = *size > UINT32_MAX ? UINT32_MAX : (uInt)*size;
  gzip->stream.next_out = output;
  gzip->stream.avail_out = capacity > UINT32_MAX ? UINT32_MAX : (uInt)capacity;
  uInt room = gzip->stream.avail_out;
  deflate(&gzip->stream, is_last ? Z_FINISH : Z_SYNC_FLUSH);
  *size -= (size_t)(gzip->stream.next_in - *bytes);
  *bytes = gzip->stream.next_in;
  return room - gzip->stream.avail_out;
}

void dw_gzip_close(dw_gzip_stream *gzip) {
  deflateEnd(&gzip->stream);
  free(gzip);
}

ptrdiff_t dw_inflate(const uint8_t *bytes, size_t size, uint8_t *result, size_t capacity) {
  uLong source_size = size;
  uLongf result_size = capacity;
  int code = uncompress2(result, &result_size, bytes, &source_size);
  if (code == Z_BUF_ERROR && result_size == capacity) return DW_INFLATE_NO_ROOM;
  return code == Z_OK ? (ptrdiff_t)result_size : DW_INFLATE_BROKEN;
}
