/// ALSA plays sound. PipeWire and PulseAudio take it, too, through their plugins.
#ifndef DEADWAX_CALSA_H
#define DEADWAX_CALSA_H

#include <stddef.h>

/// The samples that a device takes, interleaved and little-endian.
enum dw_device_form {
  DW_DEVICE_FLOAT32,
  DW_DEVICE_INT32,
  DW_DEVICE_INT16,
};

/// An open device.
typedef struct dw_device dw_device;

/// Loads the library; call this before the functions below. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_alsa_load(void);

/// Such as "1.2.8". The library must be loaded.
const char *dw_alsa_version(void);

/// Opens a device by ALSA's name, such as "default" or "hw:1". Its buffer holds the given time. Returns 0, or a negative
/// error: see dw_alsa_text.
int dw_device_open(dw_device **device, const char *name);

/// Sets the format of a device that is open. The device takes exactly that, or it is an error: nothing converts the rate.
/// The device's buffer holds about that many microseconds. Returns 0 or a negative error.
int dw_device_set(dw_device *device, enum dw_device_form form, unsigned channels, unsigned rate, unsigned microseconds);

/// Waits until there is room, and writes. After an underrun the device starts again. Returns how many frames were
/// written, or a negative error.
long dw_device_write(dw_device *device, const void *samples, size_t frames);

/// How many frames were written that are not heard yet; 0 if the device does not say.
long dw_device_delay(dw_device *device);

/// Stops or goes on without losing a frame. Returns 0, or a negative error if the device cannot.
int dw_device_pause(dw_device *device, int pauses);

/// Drops what is not heard yet.
void dw_device_drop(dw_device *device);

/// Waits until all is heard.
void dw_device_drain(dw_device *device);

void dw_device_close(dw_device *device);

/// A sentence about an error.
const char *dw_alsa_text(int error);

#endif
