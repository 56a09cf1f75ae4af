/** Parts of a track. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../browser.mjs';
import { partAt, partTicks, partsOf, rowOfPart } from '/wave/parts.js';

const parts = partsOf({ parts: [{ number: 1, start_frame: 0, end_frame: 100, title: 'One', artist: null }, { number: 2, start_frame: 100, end_frame: 250, title: null, artist: 'B' }] });

test('parts have names, or numbers', () => {
  assert.deepEqual(parts, [{ number: 1, start: 0, end: 100, title: 'One', artist: null }, { number: 2, start: 100, end: 250, title: 'Part 2', artist: 'B' }]);
  for (const detail of [null, undefined, {}, { parts: [] }]) assert.deepEqual(partsOf(detail), []);
});

test('a frame lies in the part that begins with it, not in the one that ends there', () => {
  assert.deepEqual([-1, 0, 99, 100, 249, 250, NaN].map((frame) => partAt(parts, frame)?.number ?? null), [null, 1, 1, 2, 2, null, null]);
});

test('a tick is where a part begins, but for the start of the track', () => {
  assert.deepEqual(partTicks(parts, 400).map(({ style }) => style.left), ['25%']);
});

test('a row of a part has its title, and its artist if it has one', () => {
  const row = { id: 7, title: 'All', artist: 'A' };
  assert.deepEqual(rowOfPart(row, parts[0]), { id: 7, title: 'One', artist: 'A', part: parts[0] });
  assert.deepEqual(rowOfPart(row, parts[1]).artist, 'B');
});
