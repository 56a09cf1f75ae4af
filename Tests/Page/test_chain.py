"""What the effects do to sound that is heard: an impulse through the player has the curve of the preset."""

import unittest

from support import Library, PageTest

RATES = (44_100, 48_000, 96_000)
# The impulse, in a file of its own for each rate; a tenth of full scale, so that the limiter leaves it alone. The file is long enough that the next
# one does not begin meanwhile, and the impulse comes after the 30 ms in which a preset fades in.
FRAMES, PLACE, HEIGHT = 24_576, 8000, 3277
SECONDS = 4

# The magnitude of a band by its definition in the cookbook: that of the analogue filter, at the frequency that the bilinear transform
# maps. None of the program's coefficients is used.
REFERENCE = """
const quality = ({ type, q }) => q ?? Math.SQRT1_2;
const analogue = (band, rate) => (hertz) => {
  const omega = Math.tan(Math.PI * hertz / rate) / Math.tan(Math.PI * band.frequency_hz / rate);
  const a = 10 ** ((band.gain_db ?? 0) / 40); const q = quality(band); const root = Math.sqrt(a); const s = -omega * omega;
  const shapes = { 'low-pass': [[1, 0], [s + 1, omega / q]], 'high-pass': [[s, 0], [s + 1, omega / q]], 'band-pass': [[0, omega / q], [s + 1, omega / q]],
    'band-stop': [[s + 1, 0], [s + 1, omega / q]], 'all-pass': [[s + 1, -omega / q], [s + 1, omega / q]], parametric: [[s + 1, omega * a / q], [s + 1, omega / (a * q)]],
    'low-shelf': [[a * (s + a), a * root / q * omega], [a * s + 1, root / q * omega]], 'high-shelf': [[a * (a * s + 1), a * root / q * omega], [s + a, root / q * omega]] };
  const [top, bottom] = shapes[band.type.replace('resonant-', '')];
  return 10 * Math.log10((top[0] ** 2 + top[1] ** 2) / (bottom[0] ** 2 + bottom[1] ** 2));
};
"""

# The largest deviation in dB, for each preset, of what leaves the worklet from the reference and from the page's own curve (which is that of
# `preset plot`), where the curve is above -60 dB.
MEASURE = """
async ([presets, rate, frames, place]) => {
  %s
  const { settingsOf } = await import('/sound/preset.js'); const { Curves } = await import('/sound/module.js');
  const { player } = deadwax; const curves = await Curves.load(); const results = {};
  const points = Float64Array.from({ length: 120 }, (_, i) => 20 * (0.45 * rate / 20) ** (i / 119));
  for (const [name, bands] of Object.entries(presets)) {
    const preset = { schema: 1, name, gain_db: 0, compensated: false, bands, pitch_cents: 0, reverb: null, rate: 1 };
    if (player.playing.peek()) player.toggle();
    await player.shape(settingsOf(preset)); await new Promise(done => setTimeout(done, 60));
    await player.seek(0); await new Promise(done => setTimeout(done, 150));
    const taken = player.engine.capture(frames); player.toggle();
    const { captured: [left] } = await Promise.race([taken, new Promise((_, fail) => setTimeout(() => fail(new Error(`nothing leaves: ${name}`)), 60_000))]); player.toggle();
    const late = left.findIndex(value => value !== 0); const level = %d / 32768;
    let [off, offPlot] = [0, 0]; const plot = curves.response(preset, points, rate);
    points.forEach((hertz, index) => {
      // The sum of left[i] · z^i, from the last frame on.
      let [re, im] = [0, 0]; const [c, s] = [Math.cos(2 * Math.PI * hertz / rate), Math.sin(2 * Math.PI * hertz / rate)];
      for (let i = left.length - 1; i >= late; i -= 1) [re, im] = [re * c - im * s + left[i], re * s + im * c];
      const found = 20 * Math.log10(Math.hypot(re, im) / level);
      const wanted = bands.reduce((sum, band) => sum + analogue(band, rate)(hertz), 0);
      if (wanted < -60) return;
      off = Math.max(off, Math.abs(found - wanted)); offPlot = Math.max(offPlot, Math.abs(found - plot[index]));
    });
    results[name] = [off, offPlot, late];
  }
  return results;
}
""" % (REFERENCE, HEIGHT)

GRAPHIC = [31.25 * 2 ** i for i in range(10)]
PRESETS = {
    "parametric": [{"type": "parametric", "frequency_hz": 1000, "gain_db": 9, "q": 1.4}],
    "low pass": [{"type": "low-pass", "frequency_hz": 3000}],
    "high pass": [{"type": "high-pass", "frequency_hz": 200}],
    "resonant low pass": [{"type": "resonant-low-pass", "frequency_hz": 2000, "q": 3}],
    "resonant high pass": [{"type": "resonant-high-pass", "frequency_hz": 300, "q": 2}],
    "band pass": [{"type": "band-pass", "frequency_hz": 800, "q": 1}],
    "band stop": [{"type": "band-stop", "frequency_hz": 1500, "q": 2}],
    "low shelf": [{"type": "low-shelf", "frequency_hz": 250, "gain_db": -8}],
    "high shelf": [{"type": "high-shelf", "frequency_hz": 5000, "gain_db": 8}],
    "resonant low shelf": [{"type": "resonant-low-shelf", "frequency_hz": 300, "gain_db": 6, "q": 1.5}],
    "resonant high shelf": [{"type": "resonant-high-shelf", "frequency_hz": 4000, "gain_db": -6, "q": 1.5}],
    "all pass": [{"type": "all-pass", "frequency_hz": 1000, "q": 1}],
    "ten bands": [{"type": "parametric", "frequency_hz": hertz, "gain_db": gain, "q": 1.41} for hertz, gain in zip(GRAPHIC, [3, -4, 5, 2, -6, 1, 4, -3, 6, -2])],
    "128 bands": [{"type": "parametric", "frequency_hz": 60 * 300 ** (i / 127), "gain_db": (-1) ** i * 1.5, "q": 4} for i in range(128)],
}


class ChainTests(PageTest):
    impulses = None

    def setUp(self):
        if ChainTests.impulses is None:
            impulse = [0] * PLACE * 2 + [HEIGHT] * 2
            ChainTests.impulses = Library({f"{rate:06}": (rate, impulse + [0] * (2 * (SECONDS * rate - PLACE - 1))) for rate in RATES}, {})
        self.library = ChainTests.impulses
        super().setUp()

    def test_an_impulse_has_the_curve_of_the_preset_within_a_hundredth_of_a_decibel(self):
        self.page.set_default_timeout(120_000)
        self.open()
        for row, rate in enumerate(RATES):
            self.page.evaluate(
                "async row => { const { rows, total } = await (await fetch('/api/v1/tracks?sort=filename%2B')).json(); await deadwax.player.playFrom(rows[row], { q: '', sort: 'filename+', total }, row) }", row)
            self.until("deadwax.player.engine.context?.sampleRate", rate)
            for name, (off, off_plot, late) in self.page.evaluate(MEASURE, [PRESETS, rate, FRAMES, PLACE]).items():
                with self.subTest(f"{name} at {rate} Hz"):
                    self.assertLess(off, 0.01, "from the analogue prototype")
                    self.assertLess(off_plot, 0.01, "from the curve that is drawn")
                    self.assertGreaterEqual(late, PLACE)


if __name__ == "__main__":
    unittest.main()
