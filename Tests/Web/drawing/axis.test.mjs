/** The axis of frequencies. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dice } from '../signals.mjs';
import { hertzAt, highest, lowest, marks, placeOf } from '/drawing/axis.js';

test('the axis goes from 20 Hz to 20 kHz, and a decade is a third of it', () => {
  for (const [hertz, place] of [[20, 0], [200, 1 / 3], [2000, 2 / 3], [20_000, 1], [2, -1 / 3]]) assert.ok(Math.abs(placeOf(hertz) - place) < 1e-12, `${hertz} Hz`);
  assert.deepEqual([lowest, highest], [20, 20_000]);
});

test('every place is that of its frequency', () => {
  const random = dice(2);
  for (let i = 0; i < 1000; i += 1) {
    const place = 1.2 * random() - 0.1;
    assert.ok(Math.abs(placeOf(hertzAt(place)) - place) < 1e-12);
  }
});

test('marks are on the axis, in their order', () => {
  const places = marks.map(placeOf);
  assert.ok(places.length > 1 && places.every((place) => place > 0 && place < 1));
  assert.deepEqual(places, [...places].sort((a, b) => a - b));
});
