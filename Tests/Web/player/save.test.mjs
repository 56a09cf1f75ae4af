/** Times as they are typed. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../browser.mjs';
import { dice, integers } from '../signals.mjs';
import { time } from '/core/format.js';
import { seconds } from '/player/save.js';

test('a time is minutes and seconds, hours, or seconds alone', () => {
  for (const [text, wanted] of [['2:15.5', 135.5], ['1:02:03.25', 3723.25], ['62.5', 62.5], [' 0:00 ', 0], ['0', 0], ['90:00', 5400], ['1:75', 135]]) assert.equal(seconds(text), wanted, text);
});

test('anything else is none', () => {
  for (const text of ['', ' ', ':', '1:', ':30', '1:2:3:4', '-1', '1:-2', '1e3', '1,5', '1.5:00', '.5', '5.', 'NaN', 'Infinity', '0x10', '１:００']) assert.ok(Number.isNaN(seconds(text)), text);
});

test('what the page shows is read back to the millisecond', () => {
  const roll = integers(dice(3));
  for (let i = 0; i < 1000; i += 1) {
    const shown = roll(0, 40_000_000) / 1000;
    assert.ok(Math.abs(seconds(time(shown, 3)) - shown) < 1e-6, `${shown}: ${time(shown, 3)}`);
  }
});
