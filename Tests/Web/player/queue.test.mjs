/** What is played next. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { json, server, settle } from '../browser.mjs';
import { Queue } from '/player/queue.js';

/** A result of `total` rows, each of which is called by its number. */
const result = (total) => ({ q: 'genre:folk', sort: 'title+', total });
const row = (id) => ({ id });

/** Plays on, and tells the rows that follow one another until the end, at most `most`. */
async function walk(queue, repeat = 'off', most = 2000) {
  const rows = [];
  for (let step = await queue.next(repeat); step && rows.length < most; step = await queue.next(repeat)) {
    rows.push(step.track.id);
    queue.goTo(step.key);
  }
  return rows;
}

const upTo = (count, from = 0) => Array.from({ length: count }, (_, i) => from + i);
const sorted = (rows) => [...rows].sort((a, b) => a - b);

describe('queue', () => {
  /** @type {Queue} */
  let queue;
  let rowCount;
  const shown = () => queue.entries.map((entry) => entry.row.id);

  beforeEach(() => {
    queue = new Queue();
    rowCount = Infinity;
    server.asked.length = 0;
    server.answer = (url) => {
      const [from, limit] = ['from', 'limit'].map((name) => Number(url.searchParams.get(name)));
      return json({ rows: upTo(Math.max(0, Math.min(limit, rowCount - from)), from).map(row) });
    };
  });

  /** Begins with a row of a result that has as many rows as it says. */
  function begin(total, index, isShuffled = false) {
    rowCount = total;
    queue.begin(row(index), result(total), index, isShuffled);
  }

  test('of nothing has no next and no previous track', async () => {
    for (const repeat of ['off', 'all']) assert.equal(await queue.next(repeat), null);
    assert.equal(await queue.previous(), null);
    assert.deepEqual([server.asked, queue.left], [[], 0]);
  });

  test('of a result has all of its rows, of which one is current', async () => {
    begin(5, 2);
    assert.deepEqual(await walk(queue), [3, 4]);
    assert.deepEqual(shown(), [0, 1, 2, 3, 4]);
    assert.deepEqual(server.asked, ['/api/v1/tracks?q=genre%3Afolk&sort=title%2B&from=0&limit=500']);
  });

  test('that repeats begins again, also when it has one row', async () => {
    begin(3, 1);
    assert.deepEqual(await walk(queue, 'all', 5), [2, 0, 1, 2, 0]);
    begin(1, 0);
    assert.deepEqual(await walk(queue, 'all', 3), [0, 0, 0]);
  });

  test('of a large result has the rows around the one that is played, and more when few are left', async () => {
    begin(1_000_000, 5000);
    await queue.next('off');
    assert.deepEqual(shown(), upTo(121, 4980));
    assert.equal(queue.left, 994_999);
    assert.deepEqual(await walk(queue, 'off', 1200), upTo(1200, 5001));
    assert.ok(queue.entries.length < 600, `${queue.entries.length} entries`);
    assert.deepEqual(sorted(shown()), shown());
  });

  test('of a large result ends with its last row, and begins again if it repeats', async () => {
    begin(1000, 900);
    assert.deepEqual(await walk(queue), upTo(99, 901));
    assert.equal(queue.left, 0);
    assert.deepEqual((await walk(queue, 'all', 950)).slice(0, 950), upTo(950));
  });

  test('of a result that has become shorter ends where it ends', async () => {
    rowCount = 1;
    queue.begin(row(0), result(3), 0, false);
    assert.equal(await queue.next('off'), null);
  });

  test('says that a server does not answer, and asks again', async () => {
    begin(3, 0);
    const { answer } = server;
    server.answer = () => json({ detail: 'The library is locked.' }, 503);
    await assert.rejects(queue.next('off'), /The library is locked/);
    server.answer = answer;
    assert.deepEqual(await walk(queue), [1, 2]);
  });

  test('that is shuffled plays each row once, whichever it begins with', async () => {
    for (const [total, first] of [[1, 0], [2, 1], [30, 3], [400, 399], [620, 7]]) {
      begin(total, first, true);
      assert.deepEqual(sorted([first, ...await walk(queue)]), upTo(total));
    }
  });

  test('that is shuffled later plays all rows from there, and in their order when it is not any more', async () => {
    begin(30, 3);
    for (let i = 0; i < 4; i += 1) queue.goTo((await queue.next('off')).key);
    queue.reorder(true);
    assert.deepEqual([queue.place, shown()[0]], [0, 7]);
    assert.notDeepEqual(shown().slice(1), sorted(shown().slice(1)));
    for (let i = 0; i < 5; i += 1) queue.goTo((await queue.next('off')).key);
    const { id } = queue.entries[queue.place].row;
    queue.reorder(false);
    assert.deepEqual([shown(), queue.entries[queue.place].row.id], [upTo(30), id]);
  });

  test('of a large result is shuffled from the current row on', async () => {
    begin(5000, 100);
    for (let i = 0; i < 3; i += 1) queue.goTo((await queue.next('off')).key);
    queue.reorder(true);
    const rows = await walk(queue, 'off', 5000);
    assert.equal(new Set(rows).size, rows.length);
    assert.deepEqual(sorted([103, ...rows]), upTo(5000));
    begin(5000, 100, true);
    queue.goTo((await queue.next('off')).key);
    const { id } = queue.entries[queue.place].row;
    queue.reorder(false);
    assert.deepEqual(await walk(queue, 'off', 10), upTo(Math.min(10, 4999 - id), id + 1));
  });

  test('plays what was asked for first, in its order, and then goes on', async () => {
    begin(5, 1);
    await queue.next('off');
    queue.askNext([row(50), row(51)], 'a');
    queue.askNext([row(52)], 'b');
    queue.askLast([row(60)], 'c');
    assert.deepEqual(await walk(queue), [50, 51, 52, 2, 3, 4, 60]);
  });

  test('plays what was asked for without a result', async () => {
    queue.askNext([row(50)], 'a');
    assert.deepEqual(await walk(queue), [50]);
  });

  test('goes back to what was heard before, whatever was asked for or shuffled', async () => {
    begin(9, 4);
    await queue.next('off');
    queue.askNext([row(50)], 'a');
    queue.goTo((await queue.next('off')).key);
    queue.reorder(true);
    queue.goTo((await queue.next('off')).key);
    const back = async () => {
      const step = await queue.previous();
      if (step) queue.edit([{ place: step.key, position: 0 }]);
      return step?.track.id;
    };
    assert.deepEqual([await back(), await back()], [50, 4]);
    // Nothing was heard before that: what stands before it in the queue.
    begin(9, 4);
    await queue.next('off');
    assert.deepEqual([await back(), await back(), await back(), await back(), await back()], [3, 2, 1, 0, undefined]);
    // In a large result also what is not in the queue yet.
    begin(1000, 500);
    await queue.next('off');
    for (let before = 499; before > 450; before -= 1) assert.equal(await back(), before);
  });

  test('of a new result forgets what was heard, and keeps what was asked for', async () => {
    begin(9, 4);
    queue.goTo((await queue.next('off')).key);
    queue.askNext([row(50)], 'a');
    begin(3, 0);
    assert.equal(await queue.previous(), null);
    assert.deepEqual(await walk(queue), [50, 1, 2]);
  });

  test('that begins while rows of another one are on their way has its own', async () => {
    const waits = [];
    const { answer } = server;
    server.answer = async (url) => {
      await new Promise((done) => waits.push(done));
      return answer(url);
    };
    begin(5, 0);
    const first = queue.next('off');
    await settle();
    begin(4, 2);
    const second = queue.next('off');
    while (waits.length) {
      waits.shift()();
      await settle();
    }
    await first;
    assert.equal((await second).track.id, 3);
    assert.deepEqual(shown(), [0, 1, 2, 3]);
  });

  test('takes edits back, the latest first', async () => {
    begin(6, 0);
    await queue.next('off');
    const [, second, third] = queue.entries.map(({ key }) => key);
    queue.remove([second], 'removing 1');
    queue.moveTo([third], 5, 'moving 2');
    queue.clear('clearing');
    assert.deepEqual(shown(), [0]);
    assert.deepEqual([queue.undo(), shown()], ['clearing', [0, 3, 4, 5, 2]]);
    assert.deepEqual([queue.undo(), shown()], ['moving 2', [0, 2, 3, 4, 5]]);
    assert.deepEqual([queue.undo(), shown()], ['removing 1', [0, 1, 2, 3, 4, 5]]);
    assert.equal(queue.undo(), null);
    begin(3, 1);
    assert.equal(queue.undo(), 'the new queue');
    assert.deepEqual([shown(), queue.place], [[0, 1, 2, 3, 4, 5], 0]);
  });

  test('entries go in front of the one where they are dropped', async () => {
    for (const [from, index, wanted] of [[0, 3, [1, 2, 0, 3]], [3, 0, [3, 0, 1, 2]], [1, 4, [0, 2, 3, 1]], [2, 1, [0, 2, 1, 3]], [1, 2, [0, 1, 2, 3]]]) {
      queue = new Queue();
      begin(4, 0);
      await queue.next('off');
      queue.moveTo([queue.entries[from].key], index, 'x');
      assert.deepEqual(shown(), wanted, `${from} to ${index}`);
    }
  });
});
