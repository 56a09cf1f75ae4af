#include "CALSA.h"

#include <alsa/asoundlib.h>
#include <errno.h>
#include <stdlib.h>

#include "CLoader.h"

#define FUNCTIONS(F) \
  F(const char *, snd_asoundlib_version, (void), ()) \
  F(const char *, snd_strerror, (int error), (error)) \
  F(int, snd_lib_error_set_handler, (snd_lib_error_handler_t handler), (handler)) \
  F(int, snd_pcm_open, (snd_pcm_t **handle, const char *name, snd_pcm_stream_t stream, int mode), \
    (handle, name, stream, mode)) \
  F(int, snd_pcm_set_params, (snd_pcm_t *handle, snd_pcm_format_t format, snd_pcm_access_t access, \
    unsigned channels, unsigned rate, int resamples, unsigned latency), \
    (handle, format, access, channels, rate, resamples, latency)) \
  F(snd_pcm_sframes_t, snd_pcm_writei, (snd_pcm_t *handle, const void *samples, snd_pcm_uframes_t frames), \
    (handle, samples, frames)) \
  F(int, snd_pcm_recover, (snd_pcm_t *handle, int error, int silent), (handle, error, silent)) \
  F(int, snd_pcm_delay, (snd_pcm_t *handle, snd_pcm_sframes_t *frames), (handle, frames)) \
  F(int, snd_pcm_pause, (snd_pcm_t *handle, int pauses), (handle, pauses)) \
  F(int, snd_pcm_drop, (snd_pcm_t *handle), (handle)) \
  F(int, snd_pcm_prepare, (snd_pcm_t *handle), (handle)) \
  F(int, snd_pcm_drain, (snd_pcm_t *handle), (handle)) \
  F(int, snd_pcm_close, (snd_pcm_t *handle), (handle))
FUNCTIONS(DW_FORWARD)

static const struct dw_symbol symbols[] = {FUNCTIONS(DW_SYMBOL)};

static struct dw_library library = {"libasound.so.2", "libasound2", symbols, DW_COUNT(symbols)};

const char *dw_alsa_load(void) { return dw_library_load(&library); }

const char *dw_alsa_version(void) { return snd_asoundlib_version(); }

const char *dw_alsa_text(int error) { return snd_strerror(error); }

struct dw_device {
  snd_pcm_t *handle;
};

// The library would write to standard error, where the screen may be.
static void ignore(const char *file, int line, const char *function, int error, const char *format, ...) {
  (void)file, (void)line, (void)function, (void)error, (void)format;
}

int dw_device_open(dw_device **device, const char *name) {
  snd_lib_error_set_handler(ignore);
  *device = calloc(1, sizeof **device);
  if (!*device) return -ENOMEM;
  int error = snd_pcm_open(&(*device)->handle, name, SND_PCM_STREAM_PLAYBACK, 0);
  if (error >= 0) return 0;
  free(*device);
  *device = NULL;
  return error;
}

int dw_device_set(dw_device *device, enum dw_device_form form, unsigned channels, unsigned rate, unsigned microseconds) {
  const snd_pcm_format_t formats[] = {SND_PCM_FORMAT_FLOAT_LE, SND_PCM_FORMAT_S32_LE, SND_PCM_FORMAT_S16_LE};
  int error = snd_pcm_set_params(device->handle, formats[form], SND_PCM_ACCESS_RW_INTERLEAVED, channels, rate, 0, microseconds);
  return error < 0 ? error : 0;
}

long dw_device_write(dw_device *device, const void *samples, size_t frames) {
  // An interrupted call and an underrun are over after one attempt each; a device that fails again is lost.
  for (int attempt = 0;; attempt++) {
    long count = snd_pcm_writei(device->handle, samples, frames);
    if (count >= 0) return count;
    if (attempt == 8) return count;
    int error = snd_pcm_recover(device->handle, (int)count, 1);
    if (error < 0) return error;
  }
}

long dw_device_delay(dw_device *device) {
  long frames = 0;
  return snd_pcm_delay(device->handle, &frames) < 0 || frames < 0 ? 0 : frames;
}

int dw_device_pause(dw_device *device, int pauses) { return snd_pcm_pause(device->handle, pauses); }

void dw_device_drop(dw_device *device) {
  snd_pcm_drop(device->handle);
  snd_pcm_prepare(device->handle);
}

void dw_device_drain(dw_device *device) {
  snd_pcm_drain(device->handle);
  snd_pcm_prepare(device->handle);
}

void dw_device_close(dw_device *device) {
  snd_pcm_close(device->handle);
  free(device);
}
