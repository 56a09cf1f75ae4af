#include "CMPG123.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(int, mpg123_decode_frame, (mpg123_handle *mh, off_t *num, unsigned char **audio, size_t *bytes), \
    (mh, num, audio, bytes)) \
  F(void, mpg123_delete, (mpg123_handle *mh), (mh)) \
  F(int, mpg123_feed, (mpg123_handle *mh, const unsigned char *in, size_t size), (mh, in, size)) \
  F(int, mpg123_format, (mpg123_handle *mh, long rate, int channels, int encodings), (mh, rate, channels, encodings)) \
  F(int, mpg123_format_none, (mpg123_handle *mh), (mh)) \
  F(int, mpg123_init, (void), ()) \
  F(mpg123_handle *, mpg123_new, (const char *decoder, int *error), (decoder, error)) \
  F(int, mpg123_open_feed, (mpg123_handle *mh), (mh)) \
  F(int, mpg123_param2, (mpg123_handle *mh, int type, long value, double fvalue), (mh, type, value, fvalue)) \
  F(const char *, mpg123_strerror, (mpg123_handle *mh), (mh))

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libmpg123.so.0", "libmpg123-0", symbols, DW_COUNT(symbols)};

const char *dw_mpg123_load(void) { return dw_library_load(&library); }

unsigned int dw_mpg123_api_version(void) { return MPG123_API_VERSION; }
