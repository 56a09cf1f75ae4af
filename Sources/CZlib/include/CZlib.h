/// zlib, without its header: that one would bring types of threads into the modules that import this.
#ifndef DEADWAX_CZLIB_H
#define DEADWAX_CZLIB_H

#include <stddef.h>
#include <stdint.h>

/// The checksum of zlib, gzip and PNG.
uint32_t dw_crc32(const uint8_t *bytes, size_t size);

/// The most bytes that gzip makes of so many.
size_t dw_gzip_bound(size_t size);

/// Compresses into a file of gzip (RFC 1952), at a level of 1 to 9; the number of bytes, 0 if it fails.
size_t dw_gzip(const uint8_t *bytes, size_t size, int level, uint8_t *output, size_t capacity);

#endif
