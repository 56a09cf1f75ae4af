/** Steps of axes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canvas } from '../browser.mjs';
import { hertzMark, placeOf, timeStep } from '/drawing/axis.js';
import { palette } from '/drawing/colour.js';
import { drawLoudness, drawSpectrum, loudnessAtFirst } from '/drawing/plots.js';

test('a time axis has round steps, and at most as many as are wanted', () => {
  for (const [seconds, count, step] of [[4, 8, 1], [10, 8, 2], [239, 8, 30], [3600, 8, 600], [36_000, 8, 7200], [1e9, 8, 7200], [0, 8, 1]]) assert.equal(timeStep(seconds, count), step, `${seconds} s`);
});

test('a frequency is marked shortly', () => {
  assert.deepEqual([20, 100, 999, 1000, 20_000].map(hertzMark), ['20', '100', '999', '1 k', '20 k']);
});

test('a band without a level has nothing', () => {
  const made = canvas(400, 100);
  const band = (mean_db) => ({ low_hz: 1000, high_hz: 2000, mean_db, max_db: mean_db && mean_db + 10 });
  drawSpectrum(made, [band(-30), band(null)], palette.peek());
  const bars = made.context.of('fillRect').filter(({ values: [, , width] }) => width < 400);
  assert.ok(bars.length > 1 && bars.every(({ values: [x, , , height] }) => x < 200 && height > 0));
});

test('on an axis a band stands at its frequencies, and what no band is for is a dotted line', () => {
  const made = canvas(1000, 100);
  drawSpectrum(made, [{ low_hz: 200, high_hz: 2000, mean_db: -30, max_db: -20 }], palette.peek(), undefined, placeOf);
  const drawn = made.context.of('fillRect').map(({ values }) => values).filter(([, , width]) => width < 1000);
  const bars = drawn.filter(([, , width, height]) => width > 1 && height > 1).map(([x]) => x);
  const dots = drawn.filter(([, , width, height]) => width === 1 && height === 1).map(([x]) => x);
  // A decade of the three is a third of the width.
  assert.deepEqual([Math.min(...bars), bars.every((x) => x < 667)], [333, true]);
  assert.ok(dots.some((x) => x < 333) && dots.some((x) => x > 667) && !dots.some((x) => x > 335 && x < 665));
});

test('before there are three seconds the loudness so far is known, as the mean of its power', () => {
  const course = { momentary_lufs: [null, -20, -20, -10, -30], short_term_lufs: [null, null, null, -17, -18], integrated_lufs: -17 };
  const [none, first, second, known, ...more] = loudnessAtFirst(course);
  assert.deepEqual([none, first.toFixed(6), second.toFixed(6), known, more], [null, '-20.000000', '-20.000000', -17, []]);
  assert.deepEqual(loudnessAtFirst({ momentary_lufs: [null], short_term_lufs: [null], integrated_lufs: null }), [null]);
});

test('a loudness that is not known is a gap of the line, and never its floor', () => {
  const made = canvas(500, 100);
  const shortTerm = [null, null, -20, -20, null, null, -20, -20, -20, -20];
  drawLoudness(made, { momentary_lufs: shortTerm.map(() => null), short_term_lufs: shortTerm, integrated_lufs: null }, palette.peek());
  const lines = made.context.of('lineTo').map(({ values }) => values);
  const starts = made.context.of('moveTo').map(({ values }) => values);
  assert.ok(lines.length > 100 && [...lines, ...starts].every(([, y]) => y < 99), 'nothing at the floor');
  assert.ok([100, 300].every((x) => starts.some(([at]) => Math.abs(at - x) < 2)), 'the line begins again behind each gap');
});
