#include "CSoundTouch.h"

#include <SoundTouch.h>

#include <algorithm>
#include <climits>
#include <memory>
#include <new>
#include <type_traits>

static_assert(std::is_same<soundtouch::SAMPLETYPE, float>::value, "this SoundTouch was built for integers");
static_assert(DW_PITCH_MAXIMUM_CHANNELS <= SOUNDTOUCH_MAX_CHANNELS, "this SoundTouch takes fewer channels");

struct dw_pitch {
  soundtouch::SoundTouch engine;
};

extern "C" {

dw_pitch *dw_pitch_create(unsigned int sample_rate, unsigned int channels, double factor) try {
  if (channels == 0 || channels > DW_PITCH_MAXIMUM_CHANNELS || sample_rate == 0 || !(factor > 0)) return nullptr;
  auto pitch = std::make_unique<dw_pitch>();
  pitch->engine.setSampleRate(sample_rate);
  pitch->engine.setChannels(channels);
  pitch->engine.setPitch(factor);
  return pitch.release();
} catch (...) {
  return nullptr;
}

void dw_pitch_delete(dw_pitch *pitch) { delete pitch; }

int dw_pitch_put(dw_pitch *pitch, const float *samples, size_t frame_count) try {
  pitch->engine.putSamples(samples, static_cast<unsigned int>(frame_count));
  return 0;
} catch (...) {
  return -1;
}

int dw_pitch_flush(dw_pitch *pitch) try {
  pitch->engine.flush();
  return 0;
} catch (...) {
  return -1;
}

long dw_pitch_take(dw_pitch *pitch, float *samples, size_t capacity) try {
  const auto limit = static_cast<unsigned int>(std::min<size_t>(capacity, UINT_MAX));
  return static_cast<long>(pitch->engine.receiveSamples(samples, limit));
} catch (...) {
  return -1;
}

}  // extern "C"
