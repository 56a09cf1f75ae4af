/** What lies over a waveform. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../browser.mjs';
import { partTicks } from '/components/waveform-marks.js';

const parts = [{ number: 1, start: 0, end: 100 }, { number: 2, start: 100, end: 250 }];

test('a tick is where a part begins, but for the start of the track', () => {
  assert.deepEqual(partTicks(parts, 400).map(({ style }) => style.left), ['25%']);
});
