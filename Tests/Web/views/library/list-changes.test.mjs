/** Lists of tracks, and how their order is changed: all of a list is sent, so all of it must have been read. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { json, server } from '../../browser.mjs';
import { move, remove } from '/views/library/list-changes.js';

const list = { id: 3, name: 'Evening', query: null, tracks: 0, find: 'list:="Evening"' };
const titled = { id: 7, title: 'Tide' };

describe('a list of tracks', () => {
  /** The ids that it holds. @type {number[]} */
  let ids;

  beforeEach(() => {
    server.answer = (url, { method, body } = {}) => {
      if (method === 'PATCH') {
        assert.equal(url.pathname, '/api/v1/lists/3');
        ids = JSON.parse(body).tracks;
        return json({ ...list, tracks: ids.length });
      }
      assert.equal(url.searchParams.get('q'), list.find);
      const [from, limit] = ['from', 'limit'].map((name) => Number(url.searchParams.get(name)));
      return json({ rows: ids.slice(from, from + limit).map((id) => ({ id })) });
    };
  });

  for (const [from, to, wanted] of [[0, 2, [6, 7, 5, 8]], [3, 0, [8, 5, 6, 7]], [1, 2, [5, 7, 6, 8]], [2, 3, [5, 6, 8, 7]]])
    test(`has the track of place ${from} at place ${to} once it was moved there`, async () => {
      ids = [5, 6, 7, 8];
      assert.equal(await move(list, from, to), true);
      assert.deepEqual(ids, wanted);
    });

  test('loses the track at a place, and not the same track elsewhere', async () => {
    ids = [7, 5, 7, 5];
    assert.equal(await remove(list, 2, titled), true);
    assert.deepEqual(ids, [7, 5, 5]);
  });

  for (const count of [499, 500, 501, 1000, 1234])
    test(`of ${count} tracks keeps all but the one that goes`, async () => {
      const before = Array.from({ length: count }, (_, i) => i + 1);
      ids = [...before];
      assert.equal(await move(list, 0, count - 1), true);
      assert.deepEqual(ids, [...before.slice(1), 1]);
      assert.equal(await remove(list, count - 1, titled), true);
      assert.deepEqual(ids, before.slice(1));
    });

  test('stays as it is if a part of it cannot be read', async () => {
    ids = Array.from({ length: 700 }, (_, i) => i + 1);
    const { answer } = server;
    server.answer = (url, options) => (url.searchParams.get('from') === '500' ? json({ detail: 'The library is busy.' }, 503) : answer(url, options));
    assert.equal(await move(list, 0, 1), false);
    assert.deepEqual(ids.slice(0, 2), [1, 2]);
    assert.equal(ids.length, 700);
  });
});
