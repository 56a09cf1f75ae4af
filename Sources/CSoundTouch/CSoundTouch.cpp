#include "CSoundTouch.h"

#include <soundtouch/SoundTouch.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <new>
#include <type_traits>

#include "CLoader.h"

using soundtouch::SoundTouch;

static_assert(std::is_same<soundtouch::SAMPLETYPE, float>::value, "this SoundTouch was built for integers");
static_assert(DW_PITCH_MAXIMUM_CHANNELS <= SOUNDTOUCH_MAX_CHANNELS, "this SoundTouch takes fewer channels");

// A member function is found by its mangled name and called as a function that takes the object first (Itanium C++ ABI,
// sections 3.1 and 5.1). The assertions hold the names to the types in the header. libSoundTouchDll has functions in C,
// but its factor of the pitch is a float.
static_assert(std::is_same<decltype(&SoundTouch::setSampleRate), void (SoundTouch::*)(unsigned int)>::value, "");
static_assert(std::is_same<decltype(&SoundTouch::setChannels), void (SoundTouch::*)(unsigned int)>::value, "");
static_assert(std::is_same<decltype(&SoundTouch::setPitch), void (SoundTouch::*)(double)>::value, "");
static_assert(std::is_same<decltype(&SoundTouch::flush), void (SoundTouch::*)()>::value, "");
static_assert(
    std::is_same<decltype(&SoundTouch::putSamples), void (SoundTouch::*)(const float *, unsigned int)>::value, "");
static_assert(
    static_cast<unsigned int (SoundTouch::*)(float *, unsigned int)>(&SoundTouch::receiveSamples) != nullptr, "");
static_assert(std::is_same<decltype(&SoundTouch::getVersionString), const char *(*)()>::value, "");

static void (*construct)(void *engine);
static void (*destruct)(void *engine);
static void (*set_sample_rate)(void *engine, unsigned int rate);
static void (*set_channels)(void *engine, unsigned int count);
static void (*set_pitch)(void *engine, double factor);
static void (*flush)(void *engine);
static void (*put_samples)(void *engine, const float *samples, unsigned int count);
static unsigned int (*receive_samples)(void *engine, float *samples, unsigned int capacity);
static const char *(*version_string)();

static void **address(void *pointer) { return static_cast<void **>(pointer); }

static const dw_symbol symbols[] = {
    {"_ZN10soundtouch10SoundTouchC1Ev", address(&construct)},
    {"_ZN10soundtouch10SoundTouchD1Ev", address(&destruct)},
    {"_ZN10soundtouch10SoundTouch13setSampleRateEj", address(&set_sample_rate)},
    {"_ZN10soundtouch10SoundTouch11setChannelsEj", address(&set_channels)},
    {"_ZN10soundtouch10SoundTouch8setPitchEd", address(&set_pitch)},
    {"_ZN10soundtouch10SoundTouch5flushEv", address(&flush)},
    {"_ZN10soundtouch10SoundTouch10putSamplesEPKfj", address(&put_samples)},
    {"_ZN10soundtouch10SoundTouch14receiveSamplesEPfj", address(&receive_samples)},
    {"_ZN10soundtouch10SoundTouch16getVersionStringEv", address(&version_string)},
};

static dw_library library = {"libSoundTouch.so.1", "libsoundtouch1", symbols, DW_COUNT(symbols), 0, 0, {}};

struct dw_pitch {
  alignas(SoundTouch) unsigned char engine[sizeof(SoundTouch)];

  dw_pitch() { construct(engine); }
  ~dw_pitch() { destruct(engine); }
};

extern "C" {

const char *dw_soundtouch_load(void) { return dw_library_load(&library); }

const char *dw_soundtouch_version(void) { return version_string(); }

dw_pitch *dw_pitch_create(unsigned int sample_rate, unsigned int channels, double factor) try {
  if (channels == 0 || channels > DW_PITCH_MAXIMUM_CHANNELS || sample_rate == 0 || !(factor > 0)) return nullptr;
  auto pitch = std::make_unique<dw_pitch>();
  set_sample_rate(pitch->engine, sample_rate);
  set_channels(pitch->engine, channels);
  set_pitch(pitch->engine, factor);
  return pitch.release();
} catch (...) {
  return nullptr;
}

void dw_pitch_delete(dw_pitch *pitch) { delete pitch; }

int dw_pitch_put(dw_pitch *pitch, const float *samples, size_t frame_count) try {
  put_samples(pitch->engine, samples, static_cast<unsigned int>(frame_count));
  return 0;
} catch (...) {
  return -1;
}

int dw_pitch_flush(dw_pitch *pitch) try {
  flush(pitch->engine);
  return 0;
} catch (...) {
  return -1;
}

long dw_pitch_take(dw_pitch *pitch, float *samples, size_t capacity) try {
  const auto limit = static_cast<unsigned int>(std::min<size_t>(capacity, UINT_MAX));
  return static_cast<long>(receive_samples(pitch->engine, samples, limit));
} catch (...) {
  return -1;
}

}  // extern "C"
