/** Which rows are selected. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dice, integers } from '../signals.mjs';
import { Selection } from '/components/selection.js';

describe('a selection', () => {
  test('has what a set of rows would have, and ranges that are apart', () => {
    const roll = integers(dice(3));
    for (let round = 0; round < 100; round += 1) {
      const [selection, rows] = [new Selection(), new Set()];
      for (let step = 0; step < 30; step += 1) {
        const from = roll(0, 40);
        const to = from + roll(0, 12);
        const isSelected = roll(0, 2) > 0;
        selection.set(from, to, isSelected);
        for (let row = from; row < to; row += 1) rows[isSelected ? 'add' : 'delete'](row);
        assert.equal(selection.count, rows.size);
        for (let row = 0; row < 60; row += 1) assert.equal(selection.has(row), rows.has(row));
        selection.ranges.forEach(([start, end], i) => assert.ok(start < end && (i === 0 || selection.ranges[i - 1][1] < start)));
      }
    }
  });

  test('is made longer and shorter from where it began', () => {
    const selection = new Selection();
    selection.begin(10);
    for (const [to, ranges] of [[12, [[10, 13]]], [11, [[10, 12]]], [8, [[8, 11]]]]) {
      selection.extend(to);
      assert.deepEqual(selection.ranges, ranges);
    }
    selection.toggle(20);
    selection.extend(22);
    assert.deepEqual(selection.ranges, [[8, 11], [20, 23]]);
    selection.toggle(21);
    assert.deepEqual(selection.ranges, [[8, 11], [20, 21], [22, 23]]);
    selection.begin(3);
    assert.deepEqual([selection.ranges, selection.isEmpty], [[], true]);
  });

  test('of a million rows is one range, and has none that are gone', () => {
    const selection = new Selection();
    selection.set(0, 1_000_000, true);
    assert.deepEqual([selection.ranges.length, selection.count], [1, 1_000_000]);
    selection.limit(7);
    assert.deepEqual([selection.count, selection.has(6), selection.has(7)], [7, true, false]);
  });
});
