/** Steps of axes. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { canvas } from '../browser.mjs';
import { hertzMark, timeStep } from '/drawing/axis.js';
import { palette } from '/drawing/colour.js';
import { drawSpectrum } from '/drawing/plots.js';

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
