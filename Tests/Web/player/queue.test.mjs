/** What is played next. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { json, server } from '../browser.mjs';
import { dice, integers } from '../signals.mjs';
import { Queue } from '/player/queue.js';

/** A result of `total` rows, each of which is called by its number. */
const source = (total) => ({ q: 'genre:folk', sort: 'title+', total });
const once = { shuffle: false, repeat: 'off' };
const around = { shuffle: false, repeat: 'all' };

/** The rows that follow one another until the end, at most `most`. */
async function walk(queue, how, most = 2000) {
  const rows = [];
  for (let step = await queue.next(how); step && rows.length < most; step = await queue.next(how)) {
    rows.push(step.track.row);
    queue.take(step, { row: 'left' });
  }
  return rows;
}

const upTo = (count) => Array.from({ length: count }, (_, i) => i);

describe('queue', () => {
  /** @type {Queue} */
  let queue;

  beforeEach(() => {
    queue = new Queue();
    server.asked.length = 0;
    server.answer = (url) => json({ rows: [{ row: Number(url.searchParams.get('from')) }] });
  });

  test('a queue of nothing has no next and no previous track', async () => {
    for (const how of [once, around, { shuffle: true, repeat: 'all' }]) assert.equal(await queue.next(how), null);
    assert.equal(await queue.previous(), null);
    queue.begin(source(0), 0);
    for (const how of [once, around, { shuffle: true, repeat: 'all' }]) assert.equal(await queue.next(how), null);
    assert.deepEqual(server.asked, []);
  });

  test('rows follow one another to the last one', async () => {
    queue.begin(source(5), 2);
    assert.deepEqual(await walk(queue, once), [3, 4]);
    assert.equal(queue.row, 4);
  });

  test('a row is asked for as the result has it', async () => {
    queue.begin(source(5), 2);
    await queue.next(once);
    assert.deepEqual(server.asked, ['/api/v1/tracks?q=genre%3Afolk&sort=title%2B&from=3&limit=1']);
  });

  test('what repeats begins again, also when it has one row', async () => {
    queue.begin(source(3), 1);
    assert.deepEqual(await walk(queue, around, 5), [2, 0, 1, 2, 0]);
    queue.begin(source(1), 0);
    assert.deepEqual(await walk(queue, around, 3), [0, 0, 0]);
  });

  test('a row beyond the end of a result that has become shorter is the end', async () => {
    queue.begin(source(3), 9);
    assert.equal(await queue.next(once), null);
    queue.begin(source(3), 0);
    server.answer = () => json({ rows: [] });
    assert.equal(await queue.next(once), null);
  });

  test('a server that does not answer is told', async () => {
    queue.begin(source(3), 0);
    server.answer = () => json({ detail: 'The library is locked.' }, 503);
    await assert.rejects(queue.next(once), /The library is locked/);
    // Nothing was taken.
    assert.equal(queue.row, 0);
  });

  for (const total of [1, 2, 3, 7, 10, 97, 100, 618, 997])
    test(`shuffle plays each of ${total} rows once, whichever it begins with`, () => {
      for (const seed of [0, 1, 96, 2 ** 31 - 1])
        for (const first of new Set([0, Math.floor(total / 3), total - 1])) {
          queue.begin(source(total), first);
          queue.seed = seed;
          const rows = [first];
          for (let row = queue.following(true, false); row !== null; row = queue.following(true, false)) rows.push((queue.row = row));
          assert.deepEqual([...rows].sort((a, b) => a - b), upTo(total), `seed ${seed}, from row ${first}`);
        }
    });

  test('shuffle that is turned on later plays all rows from there', async () => {
    queue.begin(source(30), 3);
    queue.seed = 1;
    for (let i = 0; i < 4; i += 1) queue.take(await queue.next(once), {});
    const rows = [queue.row, ...(await walk(queue, { shuffle: true, repeat: 'off' }))];
    assert.deepEqual([...rows].sort((a, b) => a - b), upTo(30));
    // Turned off, the rows follow one another again; turned on, it is a new round.
    queue.row = 20;
    assert.equal(queue.following(false, false), 21);
    const again = [queue.row, ...(await walk(queue, { shuffle: true, repeat: 'off' }))];
    assert.deepEqual([...again].sort((a, b) => a - b), upTo(30));
  });

  test('shuffle that repeats plays each row once in every round', async () => {
    queue.begin(source(40), 11);
    queue.seed = 1;
    const rows = await walk(queue, { shuffle: true, repeat: 'all' }, 80);
    for (const round of [rows.slice(0, 40), rows.slice(40)]) assert.deepEqual([...round].sort((a, b) => a - b), upTo(40));
    assert.notDeepEqual(rows.slice(0, 40), [...rows.slice(0, 40)].sort((a, b) => a - b));
  });

  test('shuffle is another order with another seed, also of an album', () => {
    const order = (total) => (seed) => {
      queue.begin(source(total), 0);
      queue.seed = 1_000_003 * seed;
      queue.following(true, false);
      return upTo(total).map((place) => queue.shuffled(place, total)).join();
    };
    // Of six tracks 120 orders begin with the first.
    assert.ok(new Set(upTo(200).map(order(6))).size > 60);
    assert.ok(new Set(upTo(200).map(order(50))).size > 190);
    const inOrder = upTo(200).filter((seed) => order(6)(seed) === '0,1,2,3,4,5').length;
    assert.ok(inOrder < 10, `${inOrder} of 200 times it was the order of the album`);
  });

  test('after each row, each other one comes about as often', () => {
    const counts = Array.from({ length: 8 }, () => 0);
    for (let seed = 0; seed < 4000; seed += 1) {
      queue.begin(source(8), 5);
      queue.seed = 524_287 * seed;
      counts[queue.following(true, false)] += 1;
    }
    assert.equal(counts[5], 0);
    // 4000 / 7 = 571, of which the standard deviation is 22.
    for (const row of [0, 1, 2, 3, 4, 6, 7]) assert.ok(Math.abs(counts[row] - 571) < 130, `${row}: ${counts}`);
  });

  test('a place of the shuffled order is found again, of a million rows and of 2^52', () => {
    const roll = integers(dice(1));
    for (let round = 0; round < 500; round += 1) {
      const total = round % 2 ? roll(1, 1_000_000) : roll(1, 2 ** 52);
      queue.begin(source(total), 0);
      queue.seed = roll(0, 2 ** 31 - 1);
      queue.origin = roll(0, total - 1);
      const place = roll(0, total - 1);
      const row = queue.shuffled(place, total);
      assert.ok(row >= 0 && row < total);
      assert.equal(queue.position(row, total), place, `${total} rows, seed ${queue.seed}`);
      assert.equal(queue.shuffled(0, total), queue.origin);
    }
  });

  test('what was asked for comes first, in its order, and then the result goes on', async () => {
    queue.begin(source(5), 1);
    queue.asked.push({ row: 'x' }, { row: 'y' });
    const peeked = await queue.next(once);
    assert.deepEqual(await queue.next(once), peeked, 'to look is not to take');
    assert.deepEqual(await walk(queue, once), ['x', 'y', 2, 3, 4]);
  });

  test('what was asked for plays without a result', async () => {
    queue.asked.push({ row: 'x' });
    assert.deepEqual(await walk(queue, around), ['x']);
  });

  test('previous is what was heard before, whatever was asked for or shuffled', async () => {
    queue.begin(source(9), 4);
    queue.asked.push({ row: 'x' });
    queue.take(await queue.next(once), { row: 4 });
    queue.take(await queue.next({ shuffle: true, repeat: 'all' }), { row: 'x' });
    assert.deepEqual(await queue.previous(), { row: 'x' });
    assert.deepEqual(await queue.previous(), { row: 4 });
    assert.equal(queue.row, 4);
    // Nothing was heard before that: the rows above.
    assert.deepEqual(await queue.previous(), { row: 3 });
    queue.begin(source(9), 0);
    assert.equal(await queue.previous(), null);
  });

  test('five hundred tracks can be gone back', async () => {
    queue.begin(source(2000), 0);
    for (let row = 0; row < 700; row += 1) queue.take({ track: null, row: row + 1, isAsked: false }, row);
    assert.equal(queue.played.length, 500);
    for (let row = 699; row >= 200; row -= 1) assert.equal(await queue.previous(), row);
  });

  test('a new result forgets what was heard, and keeps what was asked for', async () => {
    queue.begin(source(9), 4);
    queue.take(await queue.next(once), { row: 4 });
    queue.asked.push({ row: 'x' });
    queue.begin(source(3), 0);
    assert.equal(await queue.previous(), null);
    assert.deepEqual(await walk(queue, once), ['x', 1, 2]);
  });
});
