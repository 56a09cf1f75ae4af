"""What the effects do to sound that is heard: an impulse through the player has the curve of the preset.

That the curves are those of the definition, of every type of band, is tested in Node (Tests/Web/audio/effects.test.mjs), and that all of them are what leaves
the worklet, too (Tests/Web/audio/player-worklet.test.mjs). Here it is the browser's worklet, in a context of each rate.
"""

import functools
import unittest

from support import Library, PageTest

RATES = (44_100, 48_000, 96_000)
# The impulse, in a file of its own for each rate; a tenth of full scale, so that the limiter leaves it alone. The file is long enough that the next
# one does not begin meanwhile, and the impulse comes after the 30 ms in which a preset fades in.
FRAMES, PLACE, HEIGHT = 24_576, 8000, 3277
SECONDS = 4

# The largest deviation in dB of what leaves from the page's own curve, where that is above -60 dB, and how late it leaves.
MEASURE = """
async ([bands, rate, level]) => {
  const { Curves } = await import('/audio/effects.js'); const curves = await Curves.load(); const { captured: [left] } = await taken;
  const preset = { schema: 1, name: 'x', gain_db: 0, compensated: false, bands, pitch_cents: 0, reverb: null, rate: 1 };
  const points = Float64Array.from({ length: 120 }, (_, i) => 20 * (0.45 * rate / 20) ** (i / 119)); const plot = curves.response(preset, points, rate);
  const late = left.findIndex(value => value !== 0); let off = 0;
  points.forEach((hertz, index) => {
    // The sum of left[i] · z^i, from the last frame on.
    let [re, im] = [0, 0]; const [c, s] = [Math.cos(2 * Math.PI * hertz / rate), Math.sin(2 * Math.PI * hertz / rate)];
    for (let i = left.length - 1; i >= late; i -= 1) [re, im] = [re * c - im * s + left[i], re * s + im * c];
    if (plot[index] > -60) off = Math.max(off, Math.abs(20 * Math.log10(Math.hypot(re, im) / level) - plot[index]));
  });
  return [off, late];
}
"""

BANDS = [
    {"type": "parametric", "frequency_hz": 1000, "gain_db": 9, "q": 1.4}, {"type": "low-shelf", "frequency_hz": 250, "gain_db": -8},
    {"type": "resonant-high-shelf", "frequency_hz": 4000, "gain_db": -6, "q": 1.5}, {"type": "band-stop", "frequency_hz": 1500, "q": 2},
    {"type": "resonant-low-pass", "frequency_hz": 9000, "q": 3}, {"type": "high-pass", "frequency_hz": 60},
]


@functools.cache
def of_impulses():
    impulse = [0] * PLACE * 2 + [HEIGHT] * 2
    return Library({f"{rate:06}": (rate, impulse + [0] * (2 * (SECONDS * rate - PLACE - 1))) for rate in RATES}, {})


class ChainTests(PageTest):
    @functools.cached_property
    def library(self):
        return of_impulses()

    def test_an_impulse_has_the_curve_of_the_preset_within_a_hundredth_of_a_decibel(self):
        self.open()
        for row, rate in enumerate(RATES):
            self.page.evaluate(
                "async row => { const { rows, total } = await (await fetch('/api/v1/tracks?sort=filename%2B')).json(); await deadwax.player.playFrom(rows[row], { q: '', sort: 'filename+', total }, row) }", row)
            self.until("deadwax.player.engine.context?.sampleRate", rate)
            self.page.evaluate(
                "async bands => { const { settingsOf } = await import('/data/presets.js'); const { player } = deadwax; if (player.playing.peek()) player.toggle();"
                " await player.shape(settingsOf({ gain_db: 0, compensated: false, bands, pitch_cents: 0, reverb: null, rate: 1 })); }", BANDS)
            self.begin_capture(0, FRAMES)
            off, late = self.page.evaluate(MEASURE, [BANDS, rate, HEIGHT / 32768])
            with self.subTest(rate):
                self.assertLess(off, 0.01, "from the curve that is drawn")
                self.assertGreaterEqual(late, PLACE)


if __name__ == "__main__":
    unittest.main()
