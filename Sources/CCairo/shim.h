#pragma once

// Cairo: every picture is drawn through one context, whatever surface is behind it.
#include <cairo.h>
// The surfaces of vectors; pixels are in the first.
#include <cairo-pdf.h>
#include <cairo-svg.h>
