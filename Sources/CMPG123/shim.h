#pragma once

// libmpg123 renames most functions by macro (mpg123_param becomes mpg123_param2); the header must see it once, here.
#include <mpg123.h>
