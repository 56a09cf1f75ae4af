#include "CSndFile.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(int, sf_close, (SNDFILE *sndfile), (sndfile)) \
  F(int, sf_error, (SNDFILE *sndfile), (sndfile)) \
  F(const char *, sf_get_string, (SNDFILE *sndfile, int str_type), (sndfile, str_type)) \
  F(SNDFILE *, sf_open_virtual, (SF_VIRTUAL_IO *sfvirtual, int mode, SF_INFO *sfinfo, void *user_data), \
    (sfvirtual, mode, sfinfo, user_data)) \
  F(sf_count_t, sf_readf_double, (SNDFILE *sndfile, double *ptr, sf_count_t frames), (sndfile, ptr, frames)) \
  F(sf_count_t, sf_readf_float, (SNDFILE *sndfile, float *ptr, sf_count_t frames), (sndfile, ptr, frames)) \
  F(sf_count_t, sf_readf_int, (SNDFILE *sndfile, int *ptr, sf_count_t frames), (sndfile, ptr, frames)) \
  F(sf_count_t, sf_seek, (SNDFILE *sndfile, sf_count_t frames, int whence), (sndfile, frames, whence)) \
  F(const char *, sf_strerror, (SNDFILE *sndfile), (sndfile)) \
  F(const char *, sf_version_string, (void), ())

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libsndfile.so.1", "libsndfile1", symbols, DW_COUNT(symbols)};

const char *dw_sndfile_load(void) { return dw_library_load(&library); }
