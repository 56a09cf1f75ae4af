/** Which line of lyrics is sung. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dice, integers } from '../../signals.mjs';
import { bestOf, lineAt, nameOf, originOf } from '/views/playing/lyrics-model.js';

const lines = (...starts) => starts.map((start) => ({ start_seconds: start, text: `at ${start}` }));

describe('lyrics', () => {
  test('the line is the last one that has begun', () => {
    const text = lines(1, 2.5, 4);
    for (const [seconds, index] of [[0, -1], [0.999, -1], [1, 0], [2.49, 0], [2.5, 1], [3.999, 1], [4, 2], [1e6, 2]]) assert.equal(lineAt(text, seconds), index, String(seconds));
    assert.equal(lineAt([], 5), -1);
  });

  test('of lines that begin together it is the first', () => {
    assert.deepEqual([0, 1, 2, 3].map((seconds) => lineAt(lines(1, 1, 1, 3), seconds)), [-1, 0, 0, 3]);
  });

  test('the search finds what looking at each line does', () => {
    const roll = integers(dice(7));
    for (let round = 0; round < 200; round += 1) {
      const starts = Array.from({ length: roll(0, 30) }, () => roll(0, 40)).sort((a, b) => a - b);
      const at = roll(-1, 41);
      const latest = starts.filter((start) => start <= at).pop();
      assert.equal(lineAt(lines(...starts), at), latest === undefined ? -1 : starts.indexOf(latest));
    }
  });

  test('a synced text is shown first, and says where it comes from', () => {
    const [plain, synced] = [{ source: 'tags', synced: false, language: 'eng', lines: [] }, { source: 'file', synced: true, language: null, lines: [] }];
    assert.equal(bestOf([plain, synced]), synced);
    assert.equal(bestOf([plain]), plain);
    assert.equal(bestOf([]), null);
    assert.deepEqual([originOf(synced), originOf(plain)], ['Lyrics \u00b7 synced, from the file beside it', 'Lyrics \u00b7 from the tags']);
    assert.deepEqual([nameOf(plain, 0), nameOf(synced, 1)], ['1 eng', '2, synced']);
  });
});
