#include "CALSA.h"

#include <errno.h>
#include <stdlib.h>

#include "CLoader.h"

// What is used of libasound.so.2, as its reference manual has it; the interface has been the same since 1.0. Without the
// header, building needs no package more.
typedef struct pcm pcm;
enum { PLAYBACK = 0, INTERLEAVED = 3, S16_LE = 2, S32_LE = 10, FLOAT_LE = 14 };
typedef void error_handler(const char *file, int line, const char *function, int error, const char *format, ...);

static const char *(*version)(void);
static const char *(*error_text)(int error);
static int (*set_error_handler)(error_handler *handler);
static int (*pcm_open)(pcm **handle, const char *name, int stream, int mode);
static int (*pcm_set_params)(
    pcm *handle, int format, int access, unsigned channels, unsigned rate, int resamples, unsigned latency);
static long (*pcm_writei)(pcm *handle, const void *samples, unsigned long frames);
static int (*pcm_recover)(pcm *handle, int error, int silent);
static int (*pcm_delay)(pcm *handle, long *frames);
static int (*pcm_pause)(pcm *handle, int pauses);
static int (*pcm_drop)(pcm *handle);
static int (*pcm_prepare)(pcm *handle);
static int (*pcm_drain)(pcm *handle);
static int (*pcm_close)(pcm *handle);

static const struct dw_symbol symbols[] = {
    {"snd_asoundlib_version", (void **)&version},
    {"snd_strerror", (void **)&error_text},
    {"snd_lib_error_set_handler", (void **)&set_error_handler},
    {"snd_pcm_open", (void **)&pcm_open},
    {"snd_pcm_set_params", (void **)&pcm_set_params},
    {"snd_pcm_writei", (void **)&pcm_writei},
    {"snd_pcm_recover", (void **)&pcm_recover},
    {"snd_pcm_delay", (void **)&pcm_delay},
    {"snd_pcm_pause", (void **)&pcm_pause},
    {"snd_pcm_drop", (void **)&pcm_drop},
    {"snd_pcm_prepare", (void **)&pcm_prepare},
    {"snd_pcm_drain", (void **)&pcm_drain},
    {"snd_pcm_close", (void **)&pcm_close},
};

static struct dw_library library = {"libasound.so.2", "libasound2", symbols, DW_COUNT(symbols)};

const char *dw_alsa_load(void) { return dw_library_load(&library); }

const char *dw_alsa_version(void) { return version(); }

const char *dw_alsa_text(int error) { return error_text(error); }

struct dw_device {
  pcm *handle;
};

// The library would write to standard error, where the screen may be.
static void ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

int dw_device_open(dw_device **device, const char *name) {
  set_error_handler(ignore);
  *device = calloc(1, sizeof **device);
  if (!*device) return -ENOMEM;
  int error = pcm_open(&(*device)->handle, name, PLAYBACK, 0);
  if (error >= 0) return 0;
  free(*device);
  *device = NULL;
  return error;
}

int dw_device_set(dw_device *device, enum dw_device_form form, unsigned channels, unsigned rate, unsigned microseconds) {
  const int formats[] = {FLOAT_LE, S32_LE, S16_LE};
  int error = pcm_set_params(device->handle, formats[form], INTERLEAVED, channels, rate, 0, microseconds);
  return error < 0 ? error : 0;
}

long dw_device_write(dw_device *device, const void *samples, size_t frames) {
  // An interrupted call and an underrun are over after one attempt each; a device that fails again is lost.
  for (int attempt = 0;; attempt++) {
    long count = pcm_writei(device->handle, samples, frames);
    if (count >= 0) return count;
    if (attempt == 8) return count;
    int error = pcm_recover(device->handle, (int)count, 1);
    if (error < 0) return error;
  }
}

long dw_device_delay(dw_device *device) {
  long frames = 0;
  return pcm_delay(device->handle, &frames) < 0 || frames < 0 ? 0 : frames;
}

int dw_device_pause(dw_device *device, int pauses) { return pcm_pause(device->handle, pauses); }

void dw_device_drop(dw_device *device) {
  pcm_drop(device->handle);
  pcm_prepare(device->handle);
}

void dw_device_drain(dw_device *device) {
  pcm_drain(device->handle);
  pcm_prepare(device->handle);
}

void dw_device_close(dw_device *device) {
  pcm_close(device->handle);
  free(device);
}
