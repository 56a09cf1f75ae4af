#pragma once

// zlib: pictures whose compression was chosen; Cairo, which links it anyway, always takes the default.
#include <zlib.h>
