#include "CSoxr.h"

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(soxr_t, soxr_create, (double input_rate, double output_rate, unsigned num_channels, soxr_error_t *error, \
    soxr_io_spec_t const *io, soxr_quality_spec_t const *quality, soxr_runtime_spec_t const *runtime), \
    (input_rate, output_rate, num_channels, error, io, quality, runtime)) \
  F(void, soxr_delete, (soxr_t soxr), (soxr)) \
  F(soxr_io_spec_t, soxr_io_spec, (soxr_datatype_t itype, soxr_datatype_t otype), (itype, otype)) \
  F(soxr_error_t, soxr_process, (soxr_t resampler, soxr_in_t in, size_t ilen, size_t *idone, soxr_out_t out, \
    size_t olen, size_t *odone), \
    (resampler, in, ilen, idone, out, olen, odone)) \
  F(soxr_quality_spec_t, soxr_quality_spec, (unsigned long recipe, unsigned long flags), (recipe, flags)) \
  F(soxr_runtime_spec_t, soxr_runtime_spec, (unsigned num_threads), (num_threads)) \
  F(const char *, soxr_version, (void), ())

FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libsoxr.so.0", "libsoxr0", symbols, DW_COUNT(symbols)};

const char *dw_soxr_load(void) { return dw_library_load(&library); }
