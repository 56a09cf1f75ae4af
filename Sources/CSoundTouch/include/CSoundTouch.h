/// SoundTouch behind C: another pitch at the same length, or another length at the same pitch.
///
/// What comes out depends on how the samples are cut into calls; the one Swift file that uses it cuts them evenly.
#ifndef DEADWAX_CSOUNDTOUCH_H
#define DEADWAX_CSOUNDTOUCH_H

#include <stddef.h>

#ifdef __cplusplus
extern "C" {
#endif

/// Loads the library; call this before the functions below. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_soundtouch_load(void);

const char *dw_soundtouch_version(void);

typedef struct dw_pitch dw_pitch;

/// The most channels that SoundTouch takes.
#define DW_PITCH_MAXIMUM_CHANNELS 16

/// `factor` is what frequencies are multiplied by. NULL if there is no memory, or the numbers are out of range.
dw_pitch *dw_pitch_create(unsigned int sample_rate, unsigned int channels, double factor);
void dw_pitch_delete(dw_pitch *pitch);

/// Adds interleaved samples. Returns 0, or -1 if SoundTouch threw.
int dw_pitch_put(dw_pitch *pitch, const float *samples, size_t frame_count);

/// Pushes what is still inside to the output, which then has as many frames as the input. Returns as `dw_pitch_put`.
int dw_pitch_flush(dw_pitch *pitch);

/// Takes at most `capacity` frames that are ready. Returns their number, or -1 if SoundTouch threw.
long dw_pitch_take(dw_pitch *pitch, float *samples, size_t capacity);

#ifdef __cplusplus
}
#endif

#endif
