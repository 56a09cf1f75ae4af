/** Numbers as people read them. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dice, integers } from '../signals.mjs';
import { channels, count, date, duration, frequency, isEtchable, length, matrixNumber, number, rate, signed, size, time } from '/core/format.js';

/** Tests a function on examples: [arguments, text]. */
const examples = (name, show, cases) => {
  for (const [given, wanted] of cases) test(`${name}(${given.map((value) => JSON.stringify(value) ?? String(value)).join(', ')}) is ${JSON.stringify(wanted)}`, () => assert.equal(show(...given), wanted));
};

describe('format', () => {
  examples('number', number, [
    [[0], '0'], [[1234567], '1,234,567'], [[-12.34, 1], '\u221212.3'], [[0.05, 1], '0.1'], [[3, 2], '3.00'],
    // What is rounded to nothing has no sign.
    [[-0.04, 1], '0.0'], [[-0], '0'], [[-0.05, 1], '\u22120.1'],
    [[NaN], '\u2013'], [[Infinity], '\u2013'], [[-Infinity, 2], '\u2013'], [[null], '\u2013'], [[undefined], '\u2013'],
    [[1e21], '1,000,000,000,000,000,000,000'], [[Number.MAX_SAFE_INTEGER], '9,007,199,254,740,991'], [[-1234.5, 1], '\u22121,234.5'],
  ]);

  examples('signed', signed, [
    [[3.21], '+3.2'], [[-3.21], '\u22123.2'], [[0], '0.0'], [[12, 0], '+12'], [[NaN], '\u2013'], [[Infinity], '\u2013'],
    // Nor has it a plus.
    [[0.04], '0.0'], [[-0.04], '0.0'], [[0.004, 2], '0.00'], [[0.05], '+0.1'],
  ]);

  examples('time', time, [
    [[0], '0:00'], [[59.9], '0:59'], [[60], '1:00'], [[360], '6:00'], [[3599], '59:59'], [[3600], '1:00:00'], [[3723.5, 1], '1:02:03.5'], [[360_000], '100:00:00'],
    // Cut, not rounded: a clock never shows the future.
    [[1.99, 1], '0:01.9'], [[59.999, 2], '0:59.99'],
    // But not below what was meant: 1.1 is a little less than 1.1.
    [[1.1, 1], '0:01.1'], [[4.35, 2], '0:04.35'], [[0.3, 4], '0:00.3000'],
    [[-1], '0:00'], [[NaN], '\u2013'], [[Infinity], '\u2013'], [[null], '\u2013'], [[undefined, 1], '\u2013'],
  ]);

  test('a time with digits reads back as the number, cut to them', () => {
    const roll = integers(dice(7));
    for (let i = 0; i < 2000; i += 1) {
      const digits = roll(0, 4);
      const units = roll(0, 400_000 * 10 ** digits);
      const text = time(units / 10 ** digits, digits);
      const seconds = text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);
      assert.equal(Math.round(seconds * 10 ** digits), units, `${units / 10 ** digits} is ${text}`);
      assert.match(text, /^(\d+:[0-5]\d:[0-5]\d|[0-5]?\d:[0-5]\d)(\.\d+)?$/);
    }
  });

  examples('length', length, [[[59.5], '1:00'], [[59.4], '0:59'], [[0.4], '0:00'], [[3599.5], '1:00:00'], [[null], '\u2013'], [[NaN], '\u2013']]);

  examples('duration', duration, [
    [[0], '0 s'], [[12.4], '12 s'], [[48 * 60], '48 min'], [[3600], '1 h 0 min'], [[3600 + 48 * 60], '1 h 48 min'], [[3_600_000], '1,000 h 0 min'],
    [[59 * 60 + 59], '1 h 0 min'], [[90], '2 min'],
    // Not sixty seconds.
    [[59.6], '1 min'],
  ]);

  examples('frequency', frequency, [
    [[440], '440 Hz'], [[999.4], '999 Hz'], [[1000], '1.00 kHz'], [[8203], '8.20 kHz'], [[NaN], '\u2013'], [[Infinity], '\u2013'],
    // Not a thousand hertz.
    [[999.6], '1.00 kHz'],
  ]);

  examples('rate', rate, [[[44_100], '44.1 kHz'], [[192_000], '192 kHz'], [[11_025], '11.025 kHz'], [[0], '\u2013'], [[null], '\u2013']]);

  examples('size', size, [
    [[0], '0 bytes'], [[999], '999 bytes'], [[1000], '1.0 KB'], [[1_234_567], '1.2 MB'], [[5e12], '5.0 TB'], [[5e15], '5,000.0 TB'],
    // Not a thousand of the smaller unit.
    [[999_999], '1.0 MB'], [[999_949], '999.9 KB'], [[999_950_000], '1.0 GB'],
  ]);

  examples('count', count, [[[1, 'track'], '1 track'], [[0, 'track'], '0 tracks'], [[33, 'track'], '33 tracks'], [[1234, 'copy', 'copies'], '1,234 copies'], [[1, 'copy', 'copies'], '1 copy']]);

  examples('date', date, [[['2026-11-23T12:00:00Z'], '23 Nov 2026'], [['1969-01-02T12:00:00Z'], '2 Jan 1969'], [[null], '\u2013'], [[''], '\u2013'], [['no date'], '\u2013']]);

  examples('channels', channels, [[[1], 'mono'], [[2], 'stereo'], [[6], '6 channels'], [[null], '\u2013'], [[0], '\u2013']]);

  examples('matrixNumber', matrixNumber, [[['0123456789abcdef0000'], 'DW 0123 4567 89AB CDEF'], [[null], ''], [[''], '']]);

  test('the etch face has Latin letters and typographic signs, and nothing else', () => {
    for (const text of ['', 'Song', 'Björk – Jóga…', '“Ænima” ‘x’ • −3', 'Dvořák', 'naïve\u00a0—']) assert.equal(isEtchable(text), true, text);
    for (const text of ['音楽', 'Ш', '♥', 'e\u0301', 'tab\t', 'line\n', '\u202e', '😀', '\u007f', '\u0080']) assert.equal(isEtchable(text), false, text);
  });
});
