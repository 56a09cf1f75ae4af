/// zlib, without its header: that one would bring types of threads into the modules that import this.
#ifndef DEADWAX_CZLIB_H
#define DEADWAX_CZLIB_H

#include <stddef.h>
#include <stdint.h>

/// The checksum of zlib, gzip and PNG.
uint32_t dw_crc32(const uint8_t *bytes, size_t size);

#endif
