#pragma once

// Cairo: every picture is drawn through one context, whatever surface is behind it.
#include <cairo.h>
