/** Orders in which each row comes once. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { dice, integers } from '../signals.mjs';
import { ShuffledOrder } from '/player/shuffled-order.js';

const upTo = (count) => Array.from({ length: count }, (_, i) => i);
const rowsOf = (order) => upTo(order.total).map((place) => order.rowAt(place));

describe('a shuffled order', () => {
  for (const total of [1, 2, 3, 7, 10, 97, 100, 618, 997])
    test(`has each of ${total} rows once, whichever it begins with`, () => {
      for (const seed of [0, 1, 96, 2 ** 31 - 1])
        for (const first of new Set([0, Math.floor(total / 3), total - 1])) {
          const rows = rowsOf(new ShuffledOrder(total, seed, first));
          assert.equal(rows[0], first);
          assert.deepEqual([...rows].sort((a, b) => a - b), upTo(total), `seed ${seed}, from row ${first}`);
        }
    });

  test('is another one with another seed, also of an album', () => {
    const order = (total) => (seed) => rowsOf(new ShuffledOrder(total, 1_000_003 * seed, 0)).join();
    // Of six tracks 120 orders begin with the first.
    assert.ok(new Set(upTo(200).map(order(6))).size > 60);
    assert.ok(new Set(upTo(200).map(order(50))).size > 190);
    const inOrder = upTo(200).filter((seed) => order(6)(seed) === '0,1,2,3,4,5').length;
    assert.ok(inOrder < 10, `${inOrder} of 200 times it was the order of the album`);
  });

  test('has each other row about as often behind one', () => {
    const counts = Array.from({ length: 8 }, () => 0);
    for (let seed = 0; seed < 4000; seed += 1) counts[new ShuffledOrder(8, 524_287 * seed, 5).rowAt(1)] += 1;
    assert.equal(counts[5], 0);
    // 4000 / 7 = 571, of which the standard deviation is 22.
    for (const row of [0, 1, 2, 3, 4, 6, 7]) assert.ok(Math.abs(counts[row] - 571) < 130, `${row}: ${counts}`);
  });

  test('finds the place of a row, of a million rows and of 2^52', () => {
    const roll = integers(dice(1));
    for (let round = 0; round < 500; round += 1) {
      const total = round % 2 ? roll(1, 1_000_000) : roll(1, 2 ** 52);
      const order = new ShuffledOrder(total, roll(0, 2 ** 31 - 1), roll(0, total - 1));
      const place = roll(0, total - 1);
      const row = order.rowAt(place);
      assert.ok(row >= 0 && row < total);
      assert.equal(order.placeOf(row), place, `${total} rows, seed ${order.seed}`);
    }
  });
});
