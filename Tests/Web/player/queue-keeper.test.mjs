/** The queue on the server: two browsers and a player edit it, and answers get lost. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { json, server, settle, stored } from '../browser.mjs';
import { clock } from '../clock.mjs';
import { dice, integers } from '../signals.mjs';
import { applied, nothing } from '/player/queue-changes.js';
import { QueueKeeper } from '/player/queue-keeper.js';

const entry = (key) => ({ key, rank: null, row: { id: key } });
const keysOf = (state) => state.entries.map(({ key }) => key);

/** What a server keeps: entries by their numbers, made by the rules of docs/api.md in the simplest way. */
class Kept {
  version = 0;
  keys = [];
  current = null;
  former = null;
  /** The ids of edits, in the order in which they were made. */
  made = [];

  edit({ edit, version, changes }) {
    if (version > this.version) return json({ detail: 'Read it again.' }, 409);
    if (this.made.includes(edit)) return json({ version: this.version, made: false });
    this.made.push(edit);
    for (const change of changes) this.change(change);
    this.version += 1;
    return json({ version: this.version, made: true });
  }

  change({ insert, move, remove, replace, current, place, after, restore }) {
    const put = (keys) => {
      const at = after === null ? 0 : this.keys.includes(after) ? this.keys.indexOf(after) + 1
        : this.keys.includes(this.current) ? this.keys.indexOf(this.current) + 1 : this.keys.length;
      this.keys.splice(at, 0, ...keys);
    };
    if (insert) put(insert.map(({ entry }) => entry).filter((key) => !this.keys.includes(key)));
    if (move) {
      const moved = move.filter((key) => this.keys.includes(key));
      this.keys = this.keys.filter((key) => !moved.includes(key));
      put(moved);
    }
    if (remove) {
      const rest = this.keys.filter((key) => !remove.includes(key));
      if (remove.includes(this.current)) this.current = this.keys.slice(this.keys.indexOf(this.current)).find((key) => rest.includes(key)) ?? null;
      this.keys = rest;
    }
    if (replace) this.replace(replace.map(({ entry }) => entry), current);
    if (place !== undefined && this.keys.includes(place)) this.current = place;
    if (restore && this.former) [this.former, [this.keys, this.current]] = [[this.keys, this.current], this.former];
  }

  replace(keys, current) {
    if (this.keys.length) this.former = [this.keys, this.current];
    [this.keys, this.current] = [keys, current];
  }

  get document() {
    return { version: this.version, current: this.current, position_ms: 0, source: null, former: this.former && { tracks: this.former[0].length, title: null, position_ms: 0, changed_at: null }, rows: this.keys.map((key) => ({ entry: key, id: key, rank: null })) };
  }
}

/** A page: what it shows, and who keeps it. */
class Page {
  state = nothing;
  keeper = new QueueKeeper((state) => (this.state = state));

  edit(...changes) {
    this.state = changes.reduce(applied, this.state);
    this.keeper.edited(changes, this.state);
  }
}

describe('a queue that is kept', () => {
  let kept;
  let time;
  /** What happens to a request: '' for nothing, else whether it or its answer is lost. */
  let fate;

  beforeEach(() => {
    kept = new Kept();
    time = clock();
    fate = () => '';
    stored.clear();
    server.answer = async (url, { method, body } = {}) => {
      const loss = fate(method ?? 'GET');
      if (loss === 'request') throw new TypeError('Failed to fetch');
      const answer = method === 'POST' ? kept.edit(JSON.parse(body)) : json(kept.document);
      if (loss === 'answer') throw new TypeError('Failed to fetch');
      return answer;
    };
  });

  afterEach(() => time.end());

  test('is on the server when an edit was made, and in another browser when it looks', async () => {
    const [one, two] = [new Page(), new Page()];
    one.edit({ insert: [entry(1), entry(2)], after: null });
    one.edit({ move: [1], after: 2 });
    await time.pass(10_000);
    assert.deepEqual([kept.keys, kept.version], [[2, 1], 2]);
    two.keeper.refresh();
    await settle();
    assert.deepEqual(keysOf(two.state), [2, 1]);
  });

  test('is edited once, also if the answer is lost', async () => {
    const page = new Page();
    let losses = 2;
    fate = (method) => (method === 'POST' && losses-- > 0 ? 'answer' : '');
    page.edit({ insert: [entry(1)], after: null });
    page.edit({ insert: [entry(2)], after: 1 });
    await time.pass(60_000);
    assert.deepEqual([kept.keys, kept.made.length, kept.version, keysOf(page.state)], [[1, 2], 2, 2, [1, 2]]);
    assert.equal(page.keeper.pending.length, 0);
  });

  test('stays in this browser if one may not edit', async () => {
    const page = new Page();
    server.answer = async (_url, { method } = {}) => (method === 'POST' ? json({ detail: 'The token is missing.' }, 401) : json(kept.document));
    page.edit({ insert: [entry(1)], after: null });
    await time.pass(60_000);
    page.edit({ insert: [entry(2)], after: 1 });
    await time.pass(60_000);
    assert.deepEqual([keysOf(page.state), page.keeper.pending.length, page.keeper.isShared], [[1, 2], 0, false]);
    assert.deepEqual(keysOf(new QueueKeeper(() => {}).remembered().state), [1, 2]);
  });

  test('of a library that was restored from a backup is read again, and the edit made on it', async () => {
    const page = new Page();
    page.edit({ insert: [entry(1), entry(2)], after: null });
    page.edit({ place: 1, position: 0 });
    await time.pass(1000);
    kept = new Kept();
    kept.replace([1, 7], 7);
    kept.version = 1;
    page.edit({ remove: [1] });
    await time.pass(10_000);
    assert.deepEqual([kept.keys, keysOf(page.state), page.keeper.version], [[7], [7], 2]);
  });

  test('is what it was when the page is opened again, with the place', async () => {
    const page = new Page();
    page.edit({ replace: [entry(1), entry(2)], current: 2, position: 0 });
    await time.pass(1000);
    page.keeper.rememberPlace(2, 123_456);
    const again = new QueueKeeper(() => assert.fail('nothing has changed'));
    const { state, frame } = again.remembered();
    assert.deepEqual([keysOf(state), state.current, frame], [[1, 2], 2, 123_456]);
    await again.refresh();
    // The place of another track is none of this one.
    page.edit({ place: 1, position: 0 });
    assert.equal(new QueueKeeper(() => {}).remembered().frame, null);
  });

  test('of who had none on the server is the first one there', async () => {
    stored.set('deadwax.queue', JSON.stringify({ state: { ...nothing, entries: [entry(4)], current: 4 }, version: -1 }));
    const page = new Page();
    page.state = page.keeper.remembered().state;
    page.keeper.refresh();
    await time.pass(1000);
    assert.deepEqual([kept.keys, kept.current, keysOf(page.state)], [[4], 4, [4]]);
  });

  for (let seed = 1; seed <= 20; seed += 1)
    test(`is the same in two browsers after fifty edits, of which requests and answers get lost (seed ${seed})`, async () => {
      const roll = integers(dice(seed));
      const pages = [new Page(), new Page()];
      let calm = false;
      fate = () => (calm ? '' : ['', '', 'request', 'answer'][roll(0, 3)]);
      let unused = 1;
      let edits = 0;
      for (let step = 0; step < 50; step += 1) {
        const page = pages[roll(0, 1)];
        const keys = keysOf(page.state);
        const some = () => keys.filter(() => roll(0, 4) === 0);
        const after = [null, ...keys][roll(0, keys.length)];
        const kind = roll(0, 11);
        // A player that saves a whole queue, which asks for nothing before.
        if (kind === 0) {
          kept.replace([unused, unused + 1], unused);
          kept.version += 1;
          unused += 2;
        } else {
          edits += 1;
          if (kind < 5) page.edit({ insert: [entry(unused++)], after });
          else if (kind < 8) page.edit({ move: some(), after });
          else if (kind < 9) page.edit({ remove: some() });
          else if (kind < 10 && keys.length) page.edit({ place: keys[0], position: 5 });
          else if (kind < 11) page.edit({ replace: [entry(unused++), entry(unused++)], current: null, position: 0 });
          else page.edit({ restore: true });
        }
        if (roll(0, 2) === 0) await time.pass(roll(0, 3000));
        if (roll(0, 4) === 0) page.keeper.refresh();
      }
      calm = true;
      await time.pass(60_000);
      for (const page of pages) page.keeper.refresh();
      await time.pass(60_000);
      for (const page of pages) assert.deepEqual([keysOf(page.state), page.state.current, page.keeper.pending], [kept.keys, kept.current, []]);
      assert.equal(new Set(kept.made).size, kept.made.length);
      // Places that follow each other are one edit; nothing else is left out.
      assert.ok(kept.made.length <= edits && kept.made.length > edits / 2, `${kept.made.length} of ${edits}`);
    });
});
