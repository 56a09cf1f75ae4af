#include "CZlib.h"

#include <zlib.h>

uint32_t dw_crc32(const uint8_t *bytes, size_t size) { return (uint32_t)crc32_z(0, bytes, size); }
