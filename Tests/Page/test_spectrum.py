"""The live spectrum and the loudness: numbers that can be computed by hand, at every frame rate."""

import unittest

from axe_playwright_python.sync_playwright import Axe

from support import PageTest

SIGNALS = """
const sine = (hertz, rate, count, amplitude = 1, phase = 0.3) => Float32Array.from({ length: count }, (_, i) => amplitude * Math.sin(2 * Math.PI * hertz * i / rate + phase));
const { BandLevels, Ballistics } = await import('/sound/transform.js');
const { Loudness } = await import('/sound/loudness.js');
"""


class SpectrumTests(PageTest):
    def run_in_page(self, body):
        """The value of an async function's body in the page, with what makes signals."""
        return self.page.evaluate(f"async () => {{ {SIGNALS} {body} }}")

    def test_sines_at_the_centres_of_twenty_bands_read_their_level_within_half_a_decibel(self):
        self.open()
        for rate in (44_100, 48_000, 96_000):
            with self.subTest(rate):
                errors = self.run_in_page(
                    f"const bands = new BandLevels({rate}, {{ weighting: 'z' }}); const errors = [];"
                    f"for (let band = 0; band < 80; band += 4) {{ const level = bands.measure(sine(bands.centre(band), {rate}, BandLevels.window({rate}), 0.1))[band];"
                    " errors.push(level + 20); } return errors;")
                self.assertEqual(len(errors), 20)
                for band, error in enumerate(errors):
                    self.assertLess(abs(error), 0.5, f"band {4 * band} at {rate} Hz")

    def test_pink_noise_reads_the_same_in_every_band_within_half_a_decibel(self):
        self.open()
        # Pink by a sum of first-order low passes (Paul Kellet), within 0.05 dB of 3 dB an octave above 10 Hz.
        deviations = self.run_in_page("""
            let seed = 1; const white = () => { seed = (seed * 1664525 + 1013904223) >>> 0; return seed / 2 ** 31 - 1; };
            const bands = new BandLevels(44100, { weighting: 'z' }); const length = BandLevels.window(44100);
            const sums = new Float64Array(80); const b = new Float64Array(7);
            for (let round = 0; round < 700; round += 1) {
              const samples = Float32Array.from({ length }, () => { const w = white();
                b[0] = 0.99886 * b[0] + w * 0.0555179; b[1] = 0.99332 * b[1] + w * 0.0750759; b[2] = 0.969 * b[2] + w * 0.153852; b[3] = 0.8665 * b[3] + w * 0.3104856;
                b[4] = 0.55 * b[4] + w * 0.5329522; b[5] = -0.7616 * b[5] - w * 0.016898; const out = b[0] + b[1] + b[2] + b[3] + b[4] + b[5] + b[6] + w * 0.5362; b[6] = w * 0.115926; return out * 0.05; });
              bands.measure(samples).forEach((level, band) => sums[band] += 10 ** (level / 10)); }
            const levels = [...sums].map(sum => 10 * Math.log10(sum / 700)); const mean = levels.reduce((a, c) => a + c) / 80;
            return levels.map(level => level - mean);""")
        self.assertLess(max(map(abs, deviations)), 0.5)

    def test_the_weightings_are_those_of_the_standard(self):
        self.open()
        # IEC 61672-1, table 3; its nominal frequencies stand for powers of ten.
        table = {100: (-19.1, -0.3), 1000: (0, 0), 1995.26: (1.2, -0.2), 10_000: (-2.5, -4.4), 15_848.9: (-6.6, -8.5)}
        for hertz, wanted in table.items():
            got = self.page.evaluate("async hertz => { const { weightingA, weightingC } = await import('/sound/transform.js'); return [weightingA(hertz), weightingC(hertz)] }", hertz)
            for a, b in zip(got, wanted):
                self.assertAlmostEqual(a, b, delta=0.1)

    def test_levels_and_peaks_fall_alike_at_30_60_and_144_frames_a_second(self):
        self.open()
        fallen = self.run_in_page("""
            const { LiveSpectrum } = await import('/spectrum/live.js'); const rate = 44100; const length = BandLevels.window(rate);
            const band = 40; const loud = sine(new BandLevels(rate, {}).centre(band), rate, length, 0.5); const silent = new Float32Array(length);
            return [30, 60, 144].map(frames => { const live = new LiveSpectrum(() => 0, ''); let samples = loud;
              live.listen({ context: { sampleRate: rate }, latest: () => samples });
              live.paint(1); live.paint(1 + 1000 / frames); const top = live.moving[0].shown[band];
              samples = silent; for (let i = 1; i <= frames; i += 1) live.paint(1 + 1000 / frames + i * 1000 / frames);
              return [top, live.moving[0].shown[band], live.moving[0].peaks[band]]; });""")
        for top, level, peak in fallen:
            self.assertAlmostEqual(top - level, 36, delta=0.1)
            self.assertAlmostEqual(top - peak, 36 * 0.4, delta=0.1)

    def test_the_waterfall_has_forty_lines_a_second_at_any_frame_rate(self):
        self.open()
        lines = self.run_in_page("""
            const { Waterfall } = await import('/spectrum/waterfall.js');
            return [30, 60, 144].map(frames => { const fall = new Waterfall(() => 0); const bands = new BandLevels(44100, {});
              for (let i = 0; i < frames; i += 1) fall.step(bands, bands.levels, 1 / frames); return fall.lines; });""")
        self.assertEqual(lines, [40, 40, 40])

    def test_loudness_is_that_of_the_standard(self):
        self.open()
        # EBU Tech 3341, cases 1 and 2: 1 kHz in both channels; BS.1770: one channel alone at 997 Hz and 0 dBFS reads -3.01 LKFS.
        for rate in (44_100, 48_000, 96_000):
            measured = self.run_in_page(
                "return [[1000, -23, 1], [1000, -33, 1], [997, 0, 0]].map(([hertz, level, right]) => {"
                f" const loudness = new Loudness({rate}); const left = sine(hertz, {rate}, {4 * rate}, 10 ** (level / 20));"
                " loudness.consume(left, right ? left : new Float32Array(left.length)); return [loudness.momentary, loudness.shortTerm, loudness.truePeaks[0]]; });")
            for (momentary, short_term, peak), (loudness, level) in zip(measured, [(-23, -23), (-33, -33), (-3.01, 0)]):
                self.assertAlmostEqual(momentary, loudness, delta=0.1)
                self.assertAlmostEqual(short_term, loudness, delta=0.1)
                self.assertAlmostEqual(peak, level, delta=0.1)

    def test_a_true_peak_lies_between_samples(self):
        self.open()
        # EBU Tech 3341, case 16: a quarter of the rate, at 45 degrees: samples reach only 3 dB below the peak.
        peak = self.run_in_page("const loudness = new Loudness(48000); const x = sine(12000, 48000, 48000, 0.5, Math.PI / 4); loudness.consume(x, x); return loudness.truePeaks[0];")
        self.assertGreaterEqual(peak, -6.02 - 0.4)
        self.assertLessEqual(peak, -6.02 + 0.2)

    def test_the_page_measures_what_plays_and_shows_what_is_stored_while_paused(self):
        self.open()
        self.play(row=1)
        self.page.keyboard.press("s")
        self.page.wait_for_selector(".spectrum-page .figure")
        self.until("!document.querySelector('.spectrum-page .figure')?.textContent.startsWith('\u2013')")
        stored = self.page.evaluate("deadwax.player.track.peek().detail.measures.loudness_lufs")
        measured = self.page.evaluate("deadwax.views.spectrum.most.shortTerm")
        self.assertAlmostEqual(measured, stored, delta=0.5)
        self.page.keyboard.press("k")
        self.until("deadwax.views.spectrum.live.stored !== null")
        # It falls to what is stored.
        self.until(
            "(() => { const { live } = deadwax.views.spectrum; const { tile, column } = live.stored;"
            " return Math.abs(live.moving[0].shown[40] - (-120 + tile.steps[column * tile.bands + 40] / 2)) < 4 })()")
        self.page.get_by_role("group", name="Weighting").get_by_role("button", name="Z").press("Enter")
        self.assertEqual(self.page.evaluate("deadwax.views.spectrum.live.choice.weighting"), "z")
        self.assertEqual(Axe().run(self.page).response["violations"], [])

    def test_correlation_tells_mono_from_strangers(self):
        self.open()
        values = self.run_in_page("""
            const { correlation } = await import('/spectrum/scope.js'); const x = sine(440, 44100, 4410); const y = sine(440, 44100, 4410, 1, 0.3 + Math.PI / 2);
            return [correlation(x, x, 4410), correlation(x, x.map(v => -v), 4410), correlation(x, y, 4410), correlation(x, new Float32Array(4410), 4410)];""")
        for value, wanted in zip(values[:3], [1, -1, 0]):
            self.assertAlmostEqual(value, wanted, delta=0.01)
        self.assertIsNone(values[3])


if __name__ == "__main__":
    unittest.main()
