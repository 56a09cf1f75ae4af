#include "CZlib.h"

#include <zlib.h>

uint32_t dw_crc32(const uint8_t *bytes, size_t size) { return (uint32_t)crc32_z(0, bytes, size); }

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
