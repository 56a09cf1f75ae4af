#include "CZlib.h"

#include <zlib.h>

uint32_t dw_crc32(const uint8_t *bytes, size_t size) { return (uint32_t)crc32_z(0, bytes, size); }

ptrdiff_t dw_inflate(const uint8_t *bytes, size_t size, uint8_t *result, size_t capacity) {
  uLong source_size = size;
  uLongf result_size = capacity;
  int code = uncompress2(result, &result_size, bytes, &source_size);
  if (code == Z_BUF_ERROR && result_size == capacity) return DW_INFLATE_NO_ROOM;
  return code == Z_OK ? (ptrdiff_t)result_size : DW_INFLATE_BROKEN;
}
