/// libopenmpt plays tracker modules.
#ifndef DEADWAX_COPENMPT_H
#define DEADWAX_COPENMPT_H

#include <stddef.h>
#include <stdint.h>

/// Loads the library; call this before its functions. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_openmpt_load(void);

/// As 0xMMmmpppp: major, minor, patch. The library must be loaded.
uint32_t dw_openmpt_version(void);

typedef struct dw_module dw_module;

/// NULL if the bytes are no module that the library can play, or there is no memory. The bytes are copied.
dw_module *dw_module_open(const void *bytes, size_t size);
void dw_module_close(dw_module *module);

/// Plays the next frames, stereo and interleaved. Returns their number: 0 at the end of the song, which is not repeated.
size_t dw_module_read(dw_module *module, int sample_rate, float *samples, size_t frame_count);

#endif
