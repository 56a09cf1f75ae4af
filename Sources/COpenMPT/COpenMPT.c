#include "COpenMPT.h"

#include <stdlib.h>

#if !__has_include(<libopenmpt/libopenmpt.h>)
#error "libopenmpt/libopenmpt.h is missing: install libopenmpt-dev (`make setup` does)"
#endif
#include <libopenmpt/libopenmpt.h>

#include "CLoader.h"

// Not under their own names, to which the header gives attributes.
static struct {
  __typeof__(&openmpt_get_library_version) openmpt_get_library_version;
  __typeof__(&openmpt_module_create_from_memory2) openmpt_module_create_from_memory2;
  __typeof__(&openmpt_module_destroy) openmpt_module_destroy;
  __typeof__(&openmpt_module_set_repeat_count) openmpt_module_set_repeat_count;
  __typeof__(&openmpt_module_read_interleaved_float_stereo) openmpt_module_read_interleaved_float_stereo;
} mpt;

#define SYMBOL(name) {#name, (void **)&mpt.name}
static const struct dw_symbol symbols[] = {
    SYMBOL(openmpt_get_library_version), SYMBOL(openmpt_module_create_from_memory2), SYMBOL(openmpt_module_destroy),
    SYMBOL(openmpt_module_set_repeat_count), SYMBOL(openmpt_module_read_interleaved_float_stereo)};

static struct dw_library library = {"libopenmpt.so.0", "libopenmpt0", symbols, DW_COUNT(symbols)};

const char *dw_openmpt_load(void) { return dw_library_load(&library); }

uint32_t dw_openmpt_version(void) { return mpt.openmpt_get_library_version(); }

struct dw_module {
  openmpt_module *module;
};

// Without functions of ours, what it has to say about a file goes to standard error.
static void ignore_message(const char *message, void *user) {
  (void)message;
  (void)user;
}

static int ignore_error(int error, void *user) {
  (void)error;
  (void)user;
  return OPENMPT_ERROR_FUNC_RESULT_NONE;
}

dw_module *dw_module_open(const void *bytes, size_t size) {
  dw_module *result = calloc(1, sizeof *result);
  if (!result) return NULL;
  result->module = mpt.openmpt_module_create_from_memory2(
      bytes, size, ignore_message, NULL, ignore_error, NULL, NULL, NULL, NULL);
  if (result->module) {
    mpt.openmpt_module_set_repeat_count(result->module, 0);
    return result;
  }
  free(result);
  return NULL;
}

void dw_module_close(dw_module *module) {
  mpt.openmpt_module_destroy(module->module);
  free(module);
}

size_t dw_module_read(dw_module *module, int sample_rate, float *samples, size_t frame_count) {
  return mpt.openmpt_module_read_interleaved_float_stereo(module->module, sample_rate, frame_count, samples);
}
