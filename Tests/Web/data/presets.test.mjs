/** Presets as documents, and as the numbers that the effects take. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../browser.mjs';
import { presetOf, presets } from '../audio/presets.mjs';
import { bandOfSlider, centres, copy, flat, isNeutral, kindOf, neutral, paceOf, qualityOf, rooms, settingsOf, types } from '/data/presets.js';

describe('preset', () => {
  test('types, rooms and sliders are those of docs/formats.md', () => {
    assert.deepEqual(types.map(([key]) => key), [
      'parametric', 'low-pass', 'high-pass', 'resonant-low-pass', 'resonant-high-pass', 'band-pass', 'band-stop', 'low-shelf', 'high-shelf',
      'resonant-low-shelf', 'resonant-high-shelf', 'all-pass',
    ]);
    assert.deepEqual(types.filter(([, , hasGain]) => hasGain).map(([key]) => key), ['parametric', 'low-shelf', 'high-shelf', 'resonant-low-shelf', 'resonant-high-shelf']);
    assert.deepEqual(types.filter(([, , , hasWidth]) => !hasWidth).map(([key]) => key), ['low-pass', 'high-pass', 'low-shelf', 'high-shelf']);
    assert.deepEqual(rooms, ['small-room', 'medium-room', 'large-room', 'medium-hall', 'large-hall', 'plate', 'medium-chamber', 'large-chamber', 'cathedral']);
    assert.deepEqual(centres, [31.25, 62.5, 125, 250, 500, 1000, 2000, 4000, 8000, 16_000]);
    assert.equal(kindOf('unknown'), -1);
  });

  test('a band without a width has that of its type', () => {
    for (const [type, q] of [['parametric', 1.414], ['band-stop', 30], ['band-pass', 0.707], ['low-shelf', 0.707], ['all-pass', 0.707], ['low-pass', 0.707]])
      assert.ok(Math.abs(qualityOf({ type, frequency_hz: 1000 }) - q) < 1e-3, type);
    assert.equal(qualityOf({ type: 'parametric', frequency_hz: 1000, q: 5 }), 5);
    // An octave is Q 1.414.
    assert.ok(Math.abs(qualityOf({ type: 'band-pass', frequency_hz: 1000, bandwidth_octaves: 1 }) - Math.SQRT2) < 1e-3);
  });

  test('the numbers of a preset stand where the effects read them', () => {
    const { numbers, room, mix, cents, rate } = settingsOf(presetOf([
      { type: 'high-shelf', frequency_hz: 6000, gain_db: -5, channels: 'left', bypassed: true },
      { type: 'parametric', frequency_hz: 1000, gain_db: 3, bandwidth_octaves: 2, channels: 'right' },
      { type: 'band-stop', frequency_hz: 50, q: 8, channels: 'all' },
    ], { gain_db: -4.5, compensated: true, reverb: { room: 'plate', mix_percent: 20 }, pitch_cents: 100, rate: 0.5 }));
    assert.deepEqual([...numbers], [
      -4.5, 1, 3, 0, 0, 0, 0, 0,
      8, 6000, -5, 0, Math.SQRT1_2, 1, 1, 0,
      0, 1000, 3, 1, 2, 2, 0, 0,
      6, 50, 0, 0, 8, 0, 0, 0,
    ]);
    assert.deepEqual([room, mix, cents, rate], [5, 20, 100, 0.5]);
  });

  test('what is bypassed is neutral', () => {
    const preset = presetOf(presets['ten bands'], { gain_db: -4, reverb: { room: 'plate', mix_percent: 20 }, pitch_cents: 100, rate: 2 });
    assert.equal(isNeutral(settingsOf(preset)), false);
    assert.equal(isNeutral(settingsOf(preset, true)), true);
  });

  test('a preset is neutral only if nothing in it changes sound', () => {
    assert.equal(isNeutral(neutral), true);
    assert.equal(isNeutral(settingsOf(flat('Flat'))), true);
    for (const more of [{ gain_db: 1 }, { pitch_cents: 1 }, { rate: 2 }, { reverb: { room: 'small-room', mix_percent: 1 } }, { bands: presets.parametric }])
      assert.equal(isNeutral(settingsOf({ ...flat('x'), ...more })), false, JSON.stringify(more));
  });

  test('how frames go through the effects depends on pitch and rate alone', () => {
    const of = (pitch_cents, rate) => paceOf(settingsOf(presetOf([], { pitch_cents, rate })));
    assert.deepEqual([of(0, 1), of(0, 2), of(100, 1), of(100, 2), paceOf(null)], ['as it is', 'resampled', 'stretched', 'stretched', 'as it is']);
  });

  test('more bands than the effects know are left out', () => {
    const { numbers } = settingsOf(presetOf(Array(200).fill({ type: 'parametric', frequency_hz: 1000, gain_db: 1 })));
    assert.deepEqual([numbers[2], numbers.length], [128, 8 + 8 * 128]);
  });

  test('a slider is the peak at its centre, of both channels', () => {
    const band = { type: 'parametric', frequency_hz: 1000, gain_db: 1 };
    const of = (...bands) => bandOfSlider(presetOf(bands), 5);
    assert.equal(of(), -1);
    assert.equal(of({ ...band, frequency_hz: 500 }, band), 1);
    // A fiftieth of an octave is the same place.
    assert.deepEqual([of({ ...band, frequency_hz: 1000 * 2 ** 0.019 }), of({ ...band, frequency_hz: 1000 * 2 ** 0.021 })], [0, -1]);
    assert.deepEqual([of({ ...band, channels: 'left' }), of({ ...band, type: 'low-shelf' }), of({ ...band, channels: 'all' })], [-1, -1, 0]);
  });

  test('a copy shares nothing', () => {
    const preset = presetOf(presets.parametric.map((band) => ({ ...band })), { reverb: { room: 'plate', mix_percent: 20 } });
    const other = copy(preset);
    assert.deepEqual(other, preset);
    other.bands[0].gain_db = 1;
    other.reverb.mix_percent = 1;
    assert.deepEqual([preset.bands[0].gain_db, preset.reverb.mix_percent], [9, 20]);
  });
});
