/** Times and parts beside the zoomed waveform. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canvas } from '../browser.mjs';
import { palette } from '/drawing/colour.js';
import { drawScale } from '/drawing/scale.js';

const sound = { rate: 44_100, frames: 44_100 * 3600 * 3 };

/** The texts with their places, and the ticks, of a part that is shown 1,000 pixels wide. */
function drawn({ start = 0, zoom, parts = [], width = 1000 }, of = sound) {
  const where = canvas(width, 60);
  drawScale(where, of, palette.peek(), { start, zoom, parts });
  const texts = where.context.of('fillText').map(({ values: [text, x] }) => [text, x]);
  return { texts, times: texts.filter(([text]) => /^[\d:.]+$/.test(text)), ticks: where.context.of('fillRect').map(({ values: [x, y, w, h] }) => ({ x, y, w, h })) };
}

/** Seconds of a clock. */
const seconds = (text) => text.split(':').reduce((sum, part) => sum * 60 + Number(part), 0);

describe('times', () => {
  for (const zoom of [1 / 16, 0.5, 1, 3, 16, 100, 441, 4000, 44_100, 300_000])
    test(`at ${zoom} frames a pixel stand where they are, with room between them`, () => {
      const start = 44_100 * 100;
      const { times } = drawn({ start, zoom });
      assert.ok(times.length >= 1 && times.length <= 5, `${times.length}`);
      for (const [text, x] of times) assert.ok(Math.abs((seconds(text) * 44_100 - start) / zoom + 6 - x) <= 1 + (1e-4 * 44_100) / zoom / 2, `${text} at ${x}`);
      for (let i = 1; i < times.length; i += 1) assert.ok(times[i][1] - times[i - 1][1] >= 259 || zoom === 300_000, `${times[i][1] - times[i - 1][1]} pixels`);
      // Each time is another one.
      assert.equal(new Set(times.map(([text]) => text)).size, times.length);
    });

  test('have as many digits as they need', () => {
    assert.deepEqual(drawn({ zoom: 4 }).times.map(([text]) => text).slice(0, 3), ['0:00.00', '0:00.05']);
    assert.deepEqual(drawn({ zoom: 441 }).times.map(([text]) => text).slice(0, 3), ['0:00', '0:05']);
  });

  test('end with the track', () => {
    const { times, ticks } = drawn({ zoom: 441 }, { rate: 44_100, frames: 44_100 * 4 });
    assert.deepEqual(times.map(([text]) => text), ['0:00']);
    assert.equal(ticks.length, 5);
  });

  test('before the beginning are none', () => {
    assert.deepEqual(drawn({ start: -44_100 * 4, zoom: 441 }).times.map(([text]) => text), ['0:00', '0:05']);
  });
});

describe('parts', () => {
  const parts = [{ number: 1, start: 0, end: 44_100 * 2, title: 'One' }, { number: 2, start: 44_100 * 2, end: 44_100 * 3, title: 'Two' }, { number: 3, start: 44_100 * 3, end: 44_100 * 5, title: 'A title that is longer than its place' }];
  const names = ({ texts }) => texts.filter(([text]) => /[a-z]/i.test(text));

  test('are named where they begin, if there is room', () => {
    // 200 pixels, 100 pixels and 200 pixels; a character is 6 pixels wide here.
    assert.deepEqual(names(drawn({ zoom: 441, parts })), [['1  One', 6], ['2  Two', 206]]);
    assert.deepEqual(names(drawn({ zoom: 100, parts })).map(([text]) => text), ['1  One', '2  Two']);
    assert.deepEqual(names(drawn({ zoom: 4410, parts })), []);
  });

  test('have room up to the next one, or to their end, from where they are seen', () => {
    // "1  One" is 36 pixels wide, with 6 before it and 12 behind it.
    const isNamed = (start, end, next) => {
      const parts = [{ number: 1, start: 0, end, title: 'One' }, ...(next ? [{ number: 2, start: next, end: next + 1, title: 'Two' }] : [])];
      return names(drawn({ start, zoom: 1, parts })).length === 1;
    };
    assert.deepEqual([isNamed(0, 54), isNamed(0, 53)], [true, false]);
    assert.deepEqual([isNamed(0, 1, 54), isNamed(0, 99, 53)], [true, false]);
    assert.deepEqual([isNamed(46, 100), isNamed(47, 100)], [true, false]);
  });

  test('that began before what is shown are named at its edge', () => {
    assert.deepEqual(names(drawn({ start: 44_100, zoom: 441, parts }))[0], ['1  One', 6]);
    assert.deepEqual(names(drawn({ start: 44_100 * 3.5, zoom: 100, parts })), [['3  A title that is longer than its place', 6]]);
  });

  test('have a dotted line where they begin, but not at the start of the track', () => {
    const dots = ({ ticks }) => [...new Set(ticks.filter(({ h, y }) => h === 3 && y >= 16).map(({ x }) => x))];
    assert.deepEqual(dots(drawn({ zoom: 441, parts })), [200, 300]);
    assert.deepEqual(dots(drawn({ start: 44_100 * 2.5, zoom: 441, parts })), [-50, 50]);
  });

  test('that are out of sight are not drawn', () => {
    assert.deepEqual(names(drawn({ start: 44_100 * 60, zoom: 441, parts })), []);
  });
});
