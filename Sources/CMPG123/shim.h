#pragma once

// libmpg123 renames most functions by macro (mpg123_param becomes mpg123_param2); the header must see it once, here.
#include <mpg123.h>

// Its release has no name before 1.32.
static inline unsigned int cmpg123_api_version(void) { return MPG123_API_VERSION; }
