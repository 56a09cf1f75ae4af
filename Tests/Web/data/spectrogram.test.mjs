/** The stored spectrogram of a track: which column a frame lies in, and how loud it is there. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { server, settle } from '../browser.mjs';
import { Spectrogram } from '/data/spectrogram.js';

const [columns, size] = [5, 1000];
const edges = [100, 1000, 10_000];
/** Both bands of each column in half decibels above -120 dB. */
const steps = [0, 1, 20, 21, 40, 41, 60, 61, 80, 81];

/** The bytes that the server sends (docs/api.md). */
function tile() {
  const view = new DataView(new ArrayBuffer(32 + 4 * edges.length + steps.length));
  [44_100, edges.length - 1, columns, 0].forEach((value, i) => view.setUint32(4 * i, value, true));
  view.setFloat64(16, 0, true);
  view.setFloat64(24, size, true);
  edges.forEach((edge, i) => view.setFloat32(32 + 4 * i, edge, true));
  steps.forEach((step, i) => view.setUint8(32 + 4 * edges.length + i, step));
  return view.buffer;
}

describe('the stored spectrogram', () => {
  /** @type {Spectrogram} */
  let spectrogram;
  beforeEach(async () => {
    server.answer = () => new Response(tile());
    spectrogram = new Spectrogram({ id: 1, frames: columns * size });
    assert.deepEqual([spectrogram.columnAt(0), spectrogram.levelAt(0, 500)], [null, null]);
    await settle();
  });

  for (const [frame, column] of [[0, 0], [999, 0], [1000, 1], [1999, 1], [2000, 2], [4999, 4], [5000, 4], [1e9, 4], [-1, 0]])
    test(`has frame ${frame} in column ${column}`, () => assert.equal(spectrogram.columnAt(frame)?.column, column));

  test('knows the level of each column and band, and none elsewhere', () => {
    for (const [frame, hertz, level] of [[0, 500, -120], [999, 1500, -119.5], [1000, 500, -110], [4999, 9999, -79.5], [5000, 500, null], [-1, 500, null], [0, 50, null], [0, 10_001, null]])
      assert.equal(spectrogram.levelAt(frame, hertz), level, `${frame} at ${hertz} Hz`);
  });
});
