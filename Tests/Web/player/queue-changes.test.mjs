/** How a queue is changed, and how changes are taken back. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { describe, test } from 'node:test';
import { dice, integers } from '../signals.mjs';
import { applied, changeForServer, inverse, nothing, stateOf } from '/player/queue-changes.js';

/** Cases that the server is tested with, too. */
const cases = JSON.parse(readFileSync(new URL('../../../fixtures/queue/changes.json', import.meta.url), 'utf8'));

const entry = (key, rank = null) => ({ key, rank, row: { id: 100 + key, title: `Track ${key}` } });
const entries = (keys) => keys.map((key) => entry(key));
const keysOf = (state) => state.entries.map(({ key }) => key);
const state = (keys, current = null, position = 0) => ({ ...nothing, entries: entries(keys), current, position });

/** A change of the fixture as the page has it. */
const changeOf = ({ insert, replace, position_ms: position, ...rest }) =>
  ({ ...rest, ...(insert && { insert: entries(insert) }), ...(replace && { replace: entries(replace) }), ...(position !== undefined && { position }) });

describe('a change of the queue', () => {
  for (const { what, entries: keys, current, position_ms: position, change, becomes, then, at_ms: at } of cases)
    test(what, () => {
      const before = state(keys, current, position);
      const after = applied(before, changeOf(change));
      assert.deepEqual([keysOf(after), after.current, after.position], [becomes, then, at]);
      assert.deepEqual(before, state(keys, current, position), 'the state before is left as it is');
    });

  /** Any change of a queue, also of entries that are not there. */
  function anyChange(roll, present, unused) {
    const some = () => [...present, 9991, 9992].filter(() => roll(0, 3) === 0);
    const after = [null, 9993, ...present][roll(0, present.length + 1)];
    switch (roll(0, 3)) {
      case 0: return { insert: entries([unused, unused + 1].slice(0, roll(1, 2))), after };
      case 1: return { move: some(), after };
      case 2: return { remove: some() };
      default: return { place: [9994, ...present][roll(0, present.length)], position: roll(0, 1e6) };
    }
  }

  test('has each entry once, and is taken back by its inverse, whatever it is', () => {
    const roll = integers(dice(20261128));
    for (let round = 0; round < 400; round += 1) {
      let now = state(Array.from({ length: roll(0, 12) }, (_, i) => i + 1), null);
      if (now.entries.length) now.current = roll(1, now.entries.length);
      for (let step = 0; step < 5; step += 1) {
        const change = anyChange(roll, keysOf(now), 1000 + 10 * step);
        const after = applied(now, change);
        assert.equal(new Set(keysOf(after)).size, after.entries.length);
        assert.ok(after.current === null || keysOf(after).includes(after.current));
        const back = inverse(now, change).reduce(applied, after);
        if (change.place === undefined) assert.deepEqual(keysOf(back), keysOf(now), JSON.stringify([keysOf(now), change]));
        now = after;
      }
    }
  });

  test('that replaces the queue is taken back, and that too', () => {
    const first = state([1, 2, 3], 2, 500);
    const replaced = applied(first, { replace: entries([7]), current: 7, position: 0 });
    assert.deepEqual([replaced.former.tracks, replaced.former.title, replaced.former.position], [3, 'Track 2', 500]);
    const back = inverse(first, { replace: [] }).reduce(applied, replaced);
    assert.deepEqual([keysOf(back), back.current, back.position], [[1, 2, 3], 2, 500]);
    assert.deepEqual(keysOf(applied(back, { restore: true })), [7]);
    // An empty queue is none to go back to.
    assert.equal(applied(nothing, { replace: entries([7]) }).former, null);
  });

  test('goes to the server, and comes back with the next queue', () => {
    const row = { id: 7, file: 12, title: 'Whole', part: { number: 3, start: 10, end: 20, title: 'Third' } };
    assert.deepEqual(changeForServer({ insert: [{ key: 5, rank: 2, row }, { key: 6, rank: null, row: { id: 8 } }], after: 4 }), {
      insert: [{ entry: 5, track: 7, file: 12, part: 3, rank: 2 }, { entry: 6, track: 8, file: null, part: null, rank: null }],
      after: 4,
    });
    assert.deepEqual(changeForServer({ place: 5, position: 1.7 }), { place: 5, position_ms: 2 });
    const answer = {
      rows: [{ entry: 5, rank: 2, id: 7, title: 'Whole', artist: 'Band', part: { number: 3, start: 10, end: 20, title: null, artist: 'Guest' } }],
      current: 5, position_ms: 2, source: null, former: { tracks: 3, title: 'Loyalists', position_ms: 48_000, changed_at: '2026-11-27T21:10:00Z' },
    };
    assert.deepEqual(stateOf(answer), {
      entries: [{ key: 5, rank: 2, row: { id: 7, title: 'Part 3', artist: 'Guest', part: { number: 3, start: 10, end: 20, title: 'Part 3', artist: 'Guest' } } }],
      current: 5, position: 2, source: null, former: { tracks: 3, title: 'Loyalists', position: 48_000, changedAt: '2026-11-27T21:10:00Z' },
    });
  });
});
