#include "CChromaprint.h"

#include <dlfcn.h>
#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#if !__has_include(<chromaprint.h>)
#error "chromaprint.h is missing: install libchromaprint-dev (`make setup` does)"
#endif
#include <chromaprint.h>

// The types of the functions come from the header, so that a version with others does not compile.
static struct {
  __typeof__(&chromaprint_get_version) get_version;
  __typeof__(&chromaprint_new) new;
  __typeof__(&chromaprint_free) free;
  __typeof__(&chromaprint_start) start;
  __typeof__(&chromaprint_feed) feed;
  __typeof__(&chromaprint_finish) finish;
  __typeof__(&chromaprint_get_raw_fingerprint) get_raw_fingerprint;
  __typeof__(&chromaprint_dealloc) dealloc;
} library;

static const char *version;
static int failed;
static pthread_once_t loading = PTHREAD_ONCE_INIT;

static void load(void) {
  // The name with the number of the interface that the header describes. Local: FFmpeg's names are nobody else's business.
  void *handle = dlopen("libchromaprint.so.1", RTLD_LAZY | RTLD_LOCAL);
  if (!handle) {
    // In the C locale, as in every worker.
    const char *reason = dlerror();
    failed = !reason || !strstr(reason, "No such file");
    return;
  }
  // POSIX gives functions as object pointers, which ISO C does not convert.
#define FIND(name) (*(void **)&library.name = dlsym(handle, "chromaprint_" #name))
  if (FIND(get_version) && FIND(new) && FIND(free) && FIND(start) && FIND(feed) && FIND(finish) &&
      FIND(get_raw_fingerprint) && FIND(dealloc))
    version = library.get_version();
#undef FIND
}

const char *dw_chromaprint_load(void) {
  pthread_once(&loading, load);
  return version;
}

int dw_chromaprint_failed(void) {
  pthread_once(&loading, load);
  return failed;
}

struct dw_fingerprinter {
  ChromaprintContext *context;
  uint32_t *words;
};

dw_fingerprinter *dw_fingerprint_start(void) {
  _Static_assert(DW_FINGERPRINT_ALGORITHM == (int)CHROMAPRINT_ALGORITHM_DEFAULT, "the default is TEST2");
  dw_fingerprinter *fingerprinter = calloc(1, sizeof *fingerprinter);
  if (!fingerprinter) return NULL;
  fingerprinter->context = library.new(CHROMAPRINT_ALGORITHM_DEFAULT);
  if (fingerprinter->context && library.start(fingerprinter->context, DW_FINGERPRINT_SAMPLE_RATE, 1)) return fingerprinter;
  dw_fingerprint_free(fingerprinter);
  return NULL;
}

int dw_fingerprint_feed(dw_fingerprinter *fingerprinter, const int16_t *samples, int count) {
  return library.feed(fingerprinter->context, samples, count) ? 0 : -1;
}

int dw_fingerprint_finish(dw_fingerprinter *fingerprinter, const uint32_t **words) {
  int count = 0;
  if (!library.finish(fingerprinter->context)) return -1;
  if (!library.get_raw_fingerprint(fingerprinter->context, &fingerprinter->words, &count)) return -1;
  *words = fingerprinter->words;
  return count;
}

void dw_fingerprint_free(dw_fingerprinter *fingerprinter) {
  if (fingerprinter->context) library.free(fingerprinter->context);
  if (fingerprinter->words) library.dealloc(fingerprinter->words);
  free(fingerprinter);
}
