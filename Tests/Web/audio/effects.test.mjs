/** The curves of presets, computed by the module that filters, against the analogue filters that they stand for. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import '../browser.mjs';
import { analogue, analogueSum, points, presetOf, presets } from './presets.mjs';
import { Curves, loadEffects, measureCost } from '/audio/effects.js';
import { centres, settingsOf } from '/data/presets.js';

const rates = [44_100, 48_000, 96_000];
/** Below it a curve is of no interest, and differences of tiny numbers are large in dB. */
const lowest = -60;

describe('curves', () => {
  /** @type {Curves} */
  let curves;
  before(async () => (curves = await Curves.load()));

  for (const rate of rates)
    for (const [name, bands] of Object.entries(presets))
      test(`${name} at ${rate} Hz is the analogue prototype within a hundredth of a decibel`, () => {
        const frequencies = points(rate);
        const found = curves.response(presetOf(bands), frequencies, rate);
        assert.equal(found.length, frequencies.length);
        found.forEach((decibels, i) => {
          const wanted = analogueSum(bands, rate, frequencies[i]);
          if (wanted > lowest) assert.ok(Math.abs(decibels - wanted) < 0.01, `${frequencies[i]} Hz: ${decibels}, not ${wanted}`);
        });
      });

  test('one band alone is that band, without the gain of the preset', () => {
    const bands = presets['ten bands'];
    const frequencies = points(48_000);
    bands.forEach((band, number) => {
      curves.response(presetOf(bands, { gain_db: -9 }), frequencies, 48_000, number).forEach((decibels, i) =>
        assert.ok(Math.abs(decibels - analogue(band, 48_000, frequencies[i])) < 0.01));
    });
  });

  test('a width in octaves is the Q of the cookbook', () => {
    // Between the points of half the gain in dB: 1 / Q = 2 sinh(ln 2 / 2 · octaves), of the analogue filter.
    for (const octaves of [0.1, 1, 2.5]) {
      const q = 1 / (2 * Math.sinh((Math.LN2 / 2) * octaves));
      const band = { type: 'parametric', frequency_hz: 200, gain_db: 6 };
      const [found, wanted] = [{ ...band, bandwidth_octaves: octaves }, { ...band, q }].map((one) => curves.response(presetOf([one]), points(96_000), 96_000));
      found.forEach((decibels, i) => assert.ok(Math.abs(decibels - wanted[i]) < 0.02, `${octaves} octaves: ${decibels}, not ${wanted[i]}`));
    }
  });

  test('a band has the gain that it says at its frequency', () => {
    for (const gain_db of [-96, -12, -0.1, 0.1, 24]) {
      const [found] = curves.response(presetOf([{ type: 'parametric', frequency_hz: 1000, gain_db, q: 2 }]), Float64Array.of(1000), 48_000);
      assert.ok(Math.abs(found - gain_db) < 1e-6, `${found}, not ${gain_db}`);
    }
  });

  test('bands of a channel leave the other one alone, and those that are off both', () => {
    const of = (more) => [0, 1].map((channel) => curves.response(presetOf([{ type: 'parametric', frequency_hz: 1000, gain_db: 6, q: 1, ...more }]), Float64Array.of(1000), 44_100, -1, channel)[0]);
    for (const [more, wanted] of [[{}, [6, 6]], [{ channels: 'left' }, [6, 0]], [{ channels: 'right' }, [0, 6]], [{ bypassed: true }, [0, 0]]])
      of(more).forEach((decibels, channel) => assert.ok(Math.abs(decibels - wanted[channel]) < 1e-9, JSON.stringify(more)));
  });

  test('the gain of the preset lifts the total', () => {
    for (const decibels of curves.response(presetOf([], { gain_db: -7.5 }), points(44_100), 44_100)) assert.ok(Math.abs(decibels + 7.5) < 1e-9);
  });

  test('sliders that are compensated have their gains together', () => {
    const gains = [3, -4, 5, 2, -6, 1, 4, -3, 6, -2];
    const bands = centres.map((frequency_hz, i) => ({ type: 'parametric', frequency_hz, gain_db: gains[i], q: Math.SQRT2 }));
    curves.response(presetOf(bands, { compensated: true }), Float64Array.from(centres), 48_000).forEach((decibels, i) =>
      assert.ok(Math.abs(decibels - gains[i]) < 0.1, `${centres[i]} Hz: ${decibels}, not ${gains[i]}`));
    // Alone they would not: neighbours add up.
    assert.ok(curves.response(presetOf(bands), Float64Array.from(centres), 48_000).some((decibels, i) => Math.abs(decibels - gains[i]) > 0.5));
  });

  test('the automatic gain is what a full-scale sine at the peak of the curve has too much', () => {
    const preset = presetOf([{ type: 'parametric', frequency_hz: 1000, gain_db: 6, q: 2 }, { type: 'high-shelf', frequency_hz: 8000, gain_db: 3 }]);
    const fine = Float64Array.from({ length: 2000 }, (_, i) => 20 * 1000 ** (i / 1999));
    const highest = Math.max(...curves.response(preset, fine, 48_000));
    for (const truePeak of [0, 1.5, -2]) {
      const gain = curves.automaticGain(preset, 48_000, truePeak);
      assert.ok(Math.abs(gain + highest + truePeak) < 0.02, `${gain} for ${truePeak} dBTP and ${highest} dB`);
      assert.ok(gain + highest + truePeak < 1e-3, 'nothing exceeds full scale');
    }
    // What only takes away needs no room, and gets no gain.
    assert.equal(curves.automaticGain(presetOf([{ type: 'parametric', frequency_hz: 1000, gain_db: -6, q: 2 }]), 48_000, -3), 0);
  });

  test('numbers out of range are refused in words', () => {
    for (const band of [
      { type: 'parametric', frequency_hz: 1000, gain_db: 25, q: 1 }, { type: 'parametric', frequency_hz: 1000, gain_db: NaN, q: 1 }, { type: 'parametric', frequency_hz: 0, gain_db: 1, q: 1 },
      { type: 'parametric', frequency_hz: Infinity, gain_db: 1, q: 1 }, { type: 'parametric', frequency_hz: 1000, gain_db: 1, q: 1e9 }, { type: 'no-such-type', frequency_hz: 1000, gain_db: 1 },
    ]) assert.throws(() => curves.response(presetOf([band]), Float64Array.of(1000), 44_100), /out of range/, JSON.stringify(band));
    // And the next preset is computed as before.
    assert.equal(curves.response(presetOf([]), Float64Array.of(1000), 44_100)[0], 0);
  });

  test('of more frequencies than there is room for, the first ones are computed', () => {
    assert.equal(curves.response(presetOf([]), new Float64Array(5000).fill(1000), 44_100).length, 2048);
    assert.equal(curves.response(presetOf([]), new Float64Array(0), 44_100).length, 0);
  });

  test('the module is loaded once, and again if it could not be', async () => {
    assert.equal(loadEffects(), loadEffects());
    const { fetch } = globalThis;
    const fresh = await import('/audio/effects.js?again');
    globalThis.fetch = async () => new Response('', { status: 503 });
    await assert.rejects(fresh.loadEffects(), /cannot be loaded \(503\)/);
    globalThis.fetch = fetch;
    assert.ok((await fresh.loadEffects()) instanceof WebAssembly.Module);
  });

  test('a cost is measured of every way through the effects', async () => {
    for (const more of [{}, { reverb: { room: 'cathedral', mix_percent: 30 } }, { pitch_cents: -500 }, { rate: 1.5 }, { rate: 0.25, pitch_cents: 2400 }]) {
      const cost = await measureCost(settingsOf(presetOf(presets['ten bands'], more)), 44_100);
      assert.ok(cost > 0 && Number.isFinite(cost), JSON.stringify(more));
    }
  });
});
