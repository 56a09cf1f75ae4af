#include "CChromaprint.h"

#include <stdlib.h>

#if !__has_include(<chromaprint.h>)
#error "chromaprint.h is missing: install libchromaprint-dev (`make setup` does)"
#endif
#include <chromaprint.h>

#include "CLoader.h"

// Not under their own names, to which the header gives a visibility.
static struct {
  __typeof__(&chromaprint_get_version) get_version;
  __typeof__(&chromaprint_new) new;
  __typeof__(&chromaprint_free) free;
  __typeof__(&chromaprint_start) start;
  __typeof__(&chromaprint_feed) feed;
  __typeof__(&chromaprint_finish) finish;
  __typeof__(&chromaprint_get_raw_fingerprint) get_raw_fingerprint;
  __typeof__(&chromaprint_dealloc) dealloc;
} chromaprint;

#define SYMBOL(name) {"chromaprint_" #name, (void **)&chromaprint.name}
static const struct dw_symbol symbols[] = {
    SYMBOL(get_version), SYMBOL(new), SYMBOL(free), SYMBOL(start), SYMBOL(feed), SYMBOL(finish),
    SYMBOL(get_raw_fingerprint), SYMBOL(dealloc)};

static struct dw_library library = {"libchromaprint.so.1", "libchromaprint1", symbols, DW_COUNT(symbols)};

const char *dw_chromaprint_load(void) { return dw_library_load(&library); }

int dw_chromaprint_is_missing(void) { return dw_library_load(&library) && library.is_missing; }

const char *dw_chromaprint_version(void) { return chromaprint.get_version(); }

struct dw_fingerprinter {
  ChromaprintContext *context;
  uint32_t *words;
};

dw_fingerprinter *dw_fingerprint_start(void) {
  _Static_assert(DW_FINGERPRINT_ALGORITHM == (int)CHROMAPRINT_ALGORITHM_DEFAULT, "the default is TEST2");
  dw_fingerprinter *fingerprinter = calloc(1, sizeof *fingerprinter);
  if (!fingerprinter) return NULL;
  fingerprinter->context = chromaprint.new(CHROMAPRINT_ALGORITHM_DEFAULT);
  if (fingerprinter->context && chromaprint.start(fingerprinter->context, DW_FINGERPRINT_SAMPLE_RATE, 1))
    return fingerprinter;
  dw_fingerprint_free(fingerprinter);
  return NULL;
}

int dw_fingerprint_feed(dw_fingerprinter *fingerprinter, const int16_t *samples, int count) {
  return chromaprint.feed(fingerprinter->context, samples, count) ? 0 : -1;
}

int dw_fingerprint_finish(dw_fingerprinter *fingerprinter, const uint32_t **words) {
  int count = 0;
  if (!chromaprint.finish(fingerprinter->context)) return -1;
  if (!chromaprint.get_raw_fingerprint(fingerprinter->context, &fingerprinter->words, &count)) return -1;
  *words = fingerprinter->words;
  return count;
}

void dw_fingerprint_free(dw_fingerprinter *fingerprinter) {
  if (fingerprinter->context) chromaprint.free(fingerprinter->context);
  if (fingerprinter->words) chromaprint.dealloc(fingerprinter->words);
  free(fingerprinter);
}
