/// zlib, without its header: that one would bring types of threads into the modules that import this.
#ifndef DEADWAX_CZLIB_H
#define DEADWAX_CZLIB_H

#include <stddef.h>
#include <stdint.h>

/// The checksum of zlib, gzip and PNG.
uint32_t dw_crc32(const uint8_t *bytes, size_t size);

/// The checksum of what a checksum is of, followed by these bytes.
uint32_t dw_crc32_continued(uint32_t checksum, const uint8_t *bytes, size_t size);

/// The most bytes that gzip makes of so many.
size_t dw_gzip_bound(size_t size);

/// Compresses into a file of gzip (RFC 1952), at a level of 1 to 9; the number of bytes, 0 if it fails.
size_t dw_gzip(const uint8_t *bytes, size_t size, int level, uint8_t *output, size_t capacity);

/// A file of gzip that is compressed piece by piece.
typedef struct dw_gzip_stream dw_gzip_stream;

/// NULL without memory.
dw_gzip_stream *dw_gzip_open(int level);

/// Compresses bytes so that all of them can be read from what was written, and moves `bytes` and `size` behind those that were
/// taken; the number of bytes written to `output`. As long as that is full, there may be more: call it again.
size_t dw_gzip_write(dw_gzip_stream *gzip, const uint8_t **bytes, size_t *size, int is_last, uint8_t *output,
                     size_t capacity);

void dw_gzip_close(dw_gzip_stream *gzip);

enum { DW_INFLATE_BROKEN = -1, DW_INFLATE_NO_ROOM = -2 };

/// Undoes zlib's compression. Returns the number of bytes written to `result`, or one of the above.
ptrdiff_t dw_inflate(const uint8_t *bytes, size_t size, uint8_t *result, size_t capacity);

#endif
