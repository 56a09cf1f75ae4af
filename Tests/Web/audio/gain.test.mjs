/** How loud a track is played. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../browser.mjs';
import { factor, gainOf, volumeFactor } from '/audio/gain.js';

const of = (loudness_lufs, true_peak_dbtp, album) => ({ measures: { loudness_lufs, true_peak_dbtp }, album });

describe('ReplayGain', () => {
  // −18 LUFS, and at most the gain with which the true peak stays at 0 dBTP.
  for (const [loudness, peak, protect, decibels, isLimited] of [
    [-10, 1, true, -8, false], [-23, -9, true, 5, false], [-23, -2, true, 2, true], [-23, -2, false, 5, false], [-18, -1, true, 0, false],
    [-23, -5, true, 5, false], [-70, -60, true, 52, false], [-30, 3, true, -3, true], [0, 20, true, -20, true],
  ])
    test(`of ${loudness} LUFS and ${peak} dBTP is ${decibels} dB${protect ? '' : ' without regard to peaks'}`, () => {
      assert.deepEqual(gainOf(of(loudness, peak), 'track', protect), { decibels, from: 'track', isLimited });
    });

  test('is none without a measurement, or if it is off', () => {
    for (const detail of [null, undefined, {}, { measures: null }, { measures: {} }, { measures: { loudness_lufs: null } }, { measures: { loudness_lufs: '-10' } }])
      assert.deepEqual(gainOf(detail, 'track', true), { decibels: 0, from: 'off', isLimited: false });
    assert.deepEqual(gainOf(of(-10, 1), 'off', true), { decibels: 0, from: 'off', isLimited: false });
  });

  test('of an album is that of the album, with the peak of the album', () => {
    const album = { loudness_lufs: -12, true_peak_dbtp: -0.5 };
    assert.deepEqual(gainOf(of(-30, -20, album), 'album', true), { decibels: -6, from: 'album', isLimited: false });
    assert.deepEqual(gainOf(of(-30, -20, { loudness_lufs: -20, true_peak_dbtp: -1 }), 'album', true), { decibels: 1, from: 'album', isLimited: true });
    // The peak of the track, if that of the album is not known.
    assert.deepEqual(gainOf(of(-30, -0.25, { loudness_lufs: -20 }), 'album', true), { decibels: 0.25, from: 'album', isLimited: true });
    assert.deepEqual(gainOf(of(-10, 1, album), 'track', true).decibels, -8);
  });

  test('of a track without an album is its own', () => {
    for (const album of [undefined, null, {}, { loudness_lufs: null }]) assert.deepEqual(gainOf(of(-10, 1, album), 'album', true), { decibels: -8, from: 'track', isLimited: false });
  });

  test('with a peak that is not known does not amplify', () => {
    assert.deepEqual(gainOf(of(-23, null), 'track', true).decibels, -0);
    assert.deepEqual(gainOf(of(-10, undefined), 'track', true).decibels, -8);
  });
});

test('a factor is that of decibels, and exactly one for none', () => {
  assert.equal(factor(0), 1);
  assert.equal(factor(-0), 1);
  assert.ok(Math.abs(factor(20) - 10) < 1e-12 && Math.abs(factor(-6.0206) - 0.5) < 1e-6);
  assert.equal(factor(-Infinity), 0);
});

test('the volume is the cube of the slider', () => {
  assert.deepEqual([0, 0.5, 1].map(volumeFactor), [0, 0.125, 1]);
});
