/** What is drawn of a waveform: which strokes, how high, in which colour. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { canvas } from '../browser.mjs';
import { Peaks, WaveformData, stepAmplitude } from '/data/waveform-data.js';
import { prepare } from '/drawing/canvas.js';
import { Palette, css, palette } from '/drawing/colour.js';
import { drawOutline, drawPart, drawWhole } from '/drawing/waveform.js';

const colours = palette.peek();
const rects = (where) => where.context.of('fillRect').map(({ values: [x, y, width, height], colour }) => ({ x, y, width, height, colour }));

/** A sound of `count` points of 256 frames whose peaks grow evenly to full scale; its bands are all of the low one. */
function growing(count) {
  const sound = new WaveformData(7, 44_100, 256 * count);
  sound.peaks = new Peaks(256, Int8Array.from({ length: 2 * count }, (_, i) => (i % 2 ? 1 : -1) * Math.round((127 * (i >> 1)) / (count - 1))));
  sound.bandZoom = 256;
  sound.bands = Uint8Array.from({ length: 4 * count }, (_, i) => [200, 180, 0, 0][i % 4]);
  return sound;
}

test('a canvas has as many pixels as its place has on the screen', () => {
  for (const [ratio, width, height] of [[1, 301, 50], [2, 602, 100], [1.5, 452, 75]]) {
    globalThis.devicePixelRatio = ratio;
    const { width: found, height: high, ratio: used } = prepare(canvas(301, 50));
    assert.deepEqual([found, high, used], [width, height, ratio]);
  }
  globalThis.devicePixelRatio = 1;
  // Hidden, it has one, because none cannot be drawn on.
  assert.deepEqual([prepare(canvas(0, 0)).width, prepare(canvas(0, 0)).height], [1, 1]);
});

describe('the strokes of a row', () => {
  const outline = Uint8Array.from({ length: 4 * 108 }, (_, i) => [[100, 160, 200][Math.floor(i / 4 / 36)], 200, 0, 0][i % 4]);

  test('are two pixels apart, as high as their level, the loudest 96 % of the height', () => {
    const where = canvas(216, 100);
    drawOutline(where, outline, colours, { coloured: false, played: -1, faint: false });
    const strokes = rects(where);
    assert.deepEqual([strokes.length, strokes[0].x, strokes[107].x], [108, 0, 214]);
    const heights = [0, 50, 100].map((i) => strokes[i].height);
    // 40 steps are 20 dB, a tenth.
    assert.deepEqual(heights, [1, 10, 96].map((height, i) => (i === 0 ? Math.max(1, Math.round(96 * stepAmplitude(100) / stepAmplitude(200))) : height)));
    for (const { y, height } of strokes) assert.ok(Math.abs(y + height / 2 - 50) <= 0.5);
    assert.equal(new Set(strokes.map(({ colour }) => colour)).size, 1);
    assert.equal(strokes[0].colour, css(colours.over(colours.ink3)));
  });

  test('have the colours of their bands if the row is looked at', () => {
    const where = canvas(216, 100);
    drawOutline(where, outline, colours, { coloured: true, played: -1, faint: false });
    assert.equal(rects(where)[0].colour, css(colours.full[Palette.index(200, 0, 0)]));
  });

  test('are closed up before the playhead, which stands free', () => {
    const where = canvas(216, 100);
    drawOutline(where, outline, colours, { coloured: true, played: 0.5, faint: false });
    const strokes = rects(where);
    const head = strokes.pop();
    assert.deepEqual([head.x, head.y, head.width, head.height, head.colour], [108, 0, 2, 100, css(colours.over(colours.ink))]);
    assert.ok(strokes.length > 100);
    assert.ok(strokes.every(({ x, width }) => (x < 108 ? width === 2 : width === 1)));
    assert.ok(strokes.every(({ x }) => Math.abs(x - 108) >= 2.5));
  });

  test('of silence are lines', () => {
    const where = canvas(216, 28);
    drawOutline(where, new Uint8Array(4 * 108), colours, { coloured: false, played: -1, faint: true });
    assert.deepEqual(rects(where).map(({ height }) => height), Array(108).fill(1));
  });

  test('of nothing, or in no room, are none', () => {
    for (const [where, steps] of [[canvas(216, 28), new Uint8Array(0)], [canvas(0, 28), outline]]) {
      drawOutline(where, steps, colours, { coloured: false, played: -1, faint: false });
      assert.equal(rects(where).length, 0);
    }
  });

  test('in less room are fewer, from the whole track', () => {
    const where = canvas(96, 100);
    drawOutline(where, outline, colours, { coloured: false, played: -1, faint: false });
    const strokes = rects(where);
    assert.deepEqual([strokes.length, strokes[47].height, strokes[0].height], [48, 96, 1]);
  });
});

describe('the strokes of a whole track', () => {
  test('show its peaks behind its loudness', () => {
    const where = canvas(400, 100);
    drawWhole(where, growing(4000), colours, { pitch: 4, played: -1 });
    const strokes = rects(where);
    assert.equal(strokes.length, 200);
    const index = Palette.index(180, 0, 0);
    for (let i = 0; i < 100; i += 1) {
      const [peak, body] = strokes.slice(2 * i, 2 * i + 2);
      assert.deepEqual([peak.x, body.x, peak.colour, body.colour], [4 * i, 4 * i, css(colours.faint[index]), css(colours.full[index])]);
      // The last peak of its hundredth, and a step of 8 bits.
      assert.ok(Math.abs(peak.height - Math.max(1, i + 1)) <= 2, `${peak.height} at ${i}`);
      assert.ok(body.height <= peak.height);
    }
  });

  test('leave room for the playhead', () => {
    const where = canvas(400, 100);
    const sound = growing(4000);
    drawWhole(where, sound, colours, { pitch: 4, played: sound.frames / 2 });
    const strokes = rects(where);
    assert.ok(strokes.length > 180);
    assert.ok(strokes.every(({ x, width }) => width === (x < 200 ? 3 : 1)));
    assert.ok(strokes.every(({ x }) => Math.abs(x + 0.5 - 200) >= 3.5));
  });

  test('of which nothing is known are none', () => {
    const where = canvas(400, 100);
    drawWhole(where, new WaveformData(7, 44_100, 1000), colours, { pitch: 4, played: -1 });
    assert.equal(rects(where).length, 0);
  });
});

describe('a part of a track', () => {
  /** The filled pixels of each column, from the top. */
  function columns(where) {
    const [{ values: [image] }] = where.context.of('putImageData');
    const pixels = new Uint32Array(image.data.buffer);
    return Array.from({ length: image.width }, (_, x) => Array.from({ length: image.height }, (_, y) => pixels[y * image.width + x]).filter(Boolean).length);
  }

  test('is as high as its peaks, a pixel a column', () => {
    const where = canvas(400, 100);
    const sound = growing(4000);
    drawPart(where, sound, colours, { start: 256 * 1000, zoom: 256, clearAt: -1e9 });
    const heights = columns(where);
    heights.forEach((height, x) => assert.ok(Math.abs(height - (100 * (1000 + x)) / 4000) <= 2, `${height} at ${x}`));
  });

  test('is empty before the track begins and after it ends, and around the playhead', () => {
    const where = canvas(400, 100);
    const sound = growing(300);
    drawPart(where, sound, colours, { start: -50 * 256, zoom: 256, clearAt: 200 * 256 });
    const heights = columns(where);
    assert.ok(heights.slice(0, 50).every((height) => height === 0) && heights.slice(350).every((height) => height === 0));
    assert.ok(heights.slice(60, 240).every((height) => height > 0) && heights.slice(260, 350).every((height) => height > 0));
    assert.deepEqual([heights[246] > 0, heights.slice(247, 254).some(Boolean), heights[254] > 0], [true, false, true]);
  });

  test('that is near is a line through its samples, with a dot for each when they are far apart', () => {
    const sound = growing(300);
    const samples = Int16Array.from({ length: 4096 }, (_, i) => (i % 2 ? -16_384 : 16_384 * ((i >> 1) % 2)));
    sound.chunks.set('1:0', samples);
    const where = canvas(100, 200);
    drawPart(where, sound, colours, { start: 10, zoom: 1 / 4, clearAt: -1 });
    const [first, ...rest] = [...where.context.of('moveTo'), ...where.context.of('lineTo')].map(({ values }) => values);
    assert.equal(rest.length, 9 + 10 + 9 - 1);
    for (const [x, y] of [first, ...rest]) {
      const frame = 10 + x / 4;
      assert.ok(Number.isInteger(frame));
      assert.equal(y, 100 - (samples[2 * frame] / 32_768) * 96);
    }
    assert.equal(where.context.of('arc').length, 28);
  });
});
