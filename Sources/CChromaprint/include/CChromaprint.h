/// Chromaprint computes fingerprints. It takes 14 ms to load, because it brings FFmpeg's codecs and all that they need.
#ifndef DEADWAX_CCHROMAPRINT_H
#define DEADWAX_CCHROMAPRINT_H

#include <stdint.h>

/// What Chromaprint's default algorithm (TEST2) is called in the compressed form of a fingerprint.
enum { DW_FINGERPRINT_ALGORITHM = 1 };

/// The samples per second that the algorithm works on; at that rate, in mono, nothing is resampled.
enum { DW_FINGERPRINT_SAMPLE_RATE = 11025 };

/// A fingerprint that is being computed.
typedef struct dw_fingerprinter dw_fingerprinter;

/// Loads the library; call this before the functions below. Returns NULL if it is loaded, else why not. Opens files.
const char *dw_chromaprint_load(void);

/// Whether it is not installed, as opposed to one that cannot be loaded, for example without memory or descriptors.
int dw_chromaprint_is_missing(void);

/// Such as "1.5.1". The library must be loaded.
const char *dw_chromaprint_version(void);

/// Begins a fingerprint of mono samples; NULL if memory is short. Ended by dw_fingerprint_free.
dw_fingerprinter *dw_fingerprint_start(void);

/// Adds samples. Returns 0, or -1 if that failed.
int dw_fingerprint_feed(dw_fingerprinter *fingerprinter, const int16_t *samples, int count);

/// Ends the stream and lends its words until dw_fingerprint_free. Returns their number, or -1 if that failed.
int dw_fingerprint_finish(dw_fingerprinter *fingerprinter, const uint32_t **words);

void dw_fingerprint_free(dw_fingerprinter *fingerprinter);

#endif
