/** Rows a page at a time. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { json, server, settle } from '../browser.mjs';
import { clock } from '../clock.mjs';
import { Rows, pageSize } from '/data/rows.js';

/** A result of a query of so many tracks. */
const tracks = (total) => (url) => {
  const from = Number(url.searchParams.get('from'));
  const limit = Number(url.searchParams.get('limit'));
  return json({ total, rows: Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_, i) => ({ id: from + i })) });
};
const parameters = { q: 'genre:folk', sort: 'title+' };
const starts = () => server.asked.map((url) => Number(new URL(url, 'http://x').searchParams.get('from')));

describe('rows', () => {
  let time;
  beforeEach(() => {
    time = clock();
    server.asked.length = 0;
    server.answer = tracks(1000);
  });
  afterEach(() => time.end());

  test('begin with the first page, which has the total', async () => {
    const rows = await new Rows('/tracks', parameters).begin();
    assert.deepEqual(server.asked, [`/api/v1/tracks?q=genre%3Afolk&sort=title%2B&from=0&limit=${pageSize}`]);
    assert.deepEqual([rows.total, rows.at(0), rows.at(pageSize - 1)], [1000, { id: 0 }, { id: pageSize - 1 }]);
    assert.equal(server.asked.length, 1);
  });

  test('are asked for when they are looked at, and told when they have come', async () => {
    const rows = await new Rows('/tracks', parameters).begin();
    let told = 0;
    rows.changed = () => (told += 1);
    assert.equal(rows.at(500), null);
    assert.equal(rows.at(501), null);
    await settle();
    assert.deepEqual([told, rows.at(500), starts()], [1, { id: 500 }, [0, 480]]);
  });

  test('of an empty result are none', async () => {
    server.answer = tracks(0);
    const rows = await new Rows('/tracks', parameters).begin();
    assert.deepEqual([rows.total, rows.at(0), rows.at(7)], [0, null, null]);
  });

  test('beyond the end are none', async () => {
    server.answer = tracks(90);
    const rows = await new Rows('/tracks', parameters).begin();
    rows.at(95);
    await settle();
    assert.deepEqual([rows.at(89), rows.at(90), rows.at(95), rows.total], [{ id: 89 }, null, null, 90]);
  });

  test('that are scrolled past are not asked for', async () => {
    const open = [];
    server.answer = () => new Promise((done) => open.push(done));
    const rows = new Rows('/tracks', parameters);
    let now = 0;
    rows.changed = () => rows.at(now);
    for (now = 0; now < 100_000; now += 1000) rows.at(now);
    now = 99_999;
    await settle();
    assert.ok(open.length <= 4, `${open.length} at the same time`);
    for (let i = 0; i < 3; i += 1) {
      open.shift()(json({ rows: Array(pageSize).fill({ id: 1 }), total: 100_000 }));
      await settle();
    }
    assert.ok(server.asked.length <= 6, `${server.asked.length} were asked for`);
    assert.ok(starts().includes(99_999 - (99_999 % pageSize)));
  });

  test('that cannot be had are asked for again after two seconds, not without end', async () => {
    server.answer = () => { throw new TypeError('gone'); };
    const rows = new Rows('/tracks', parameters);
    rows.changed = () => rows.at(0);
    rows.at(0);
    await time.pass(1900);
    assert.equal(server.asked.length, 1);
    assert.match(rows.error.message, /does not answer/);
    await time.pass(200);
    assert.equal(server.asked.length, 2);
    await time.pass(4000);
    assert.equal(server.asked.length, 4);
    rows.end();
    await time.pass(10_000);
    assert.equal(server.asked.length, 4);
  });

  test('a wrong query is told with its column', async () => {
    server.answer = () => json({ detail: 'query, column 7: unknown field', column: 7 }, 400);
    const rows = await new Rows('/tracks', { q: 'first durations:3', sort: '' }).begin();
    assert.deepEqual([rows.total, rows.error.status, rows.error.column, rows.error.message], [0, 400, 7, 'query, column 7: unknown field']);
  });

  test('a total that is not known yet is counted when nobody types', async () => {
    server.answer = (url) => (url.pathname.endsWith('/count') ? json({ files: 1_000_000, duration_seconds: 5 }) : json({ total: null, rows: Array(pageSize).fill({ id: 1 }) }));
    const rows = await new Rows('/tracks', parameters).begin();
    assert.equal(rows.total, pageSize);
    await time.pass(300);
    assert.equal(server.asked.length, 1);
    await time.pass(100);
    assert.deepEqual([server.asked[1], rows.total], ['/api/v1/tracks/count?q=genre%3Afolk', 1_000_000]);
    // Once, whoever asks.
    assert.deepEqual(await rows.sums(), { files: 1_000_000, duration_seconds: 5 });
    assert.equal(server.asked.length, 2);
  });

  test('a count that cannot be had leaves what is known', async () => {
    server.answer = (url) => (url.pathname.endsWith('/count') ? json({}, 500) : json({ total: null, rows: Array(10).fill({ id: 1 }) }));
    const rows = await new Rows('/tracks', parameters).begin();
    await time.pass(1000);
    assert.equal(rows.total, 10);
  });

  test('of an answer that has all are read from it', async () => {
    server.answer = () => json({ total: 3, lists: [{ name: 'a' }, { name: 'b' }, { name: 'c' }] });
    const rows = await new Rows('/lists', {}, (answer) => answer.lists).begin();
    assert.deepEqual([server.asked, rows.total, rows.at(2), rows.at(3)], [['/api/v1/lists'], 3, { name: 'c' }, null]);
  });

  test('an answer that has all, and no total, has as many as it has', async () => {
    server.answer = () => json({ rows: [{ name: 'a' }, { name: 'b' }] });
    const rows = await new Rows('/folders', {}, (answer) => answer.rows).begin();
    assert.equal(rows.total, 2);
  });

  test('a hundred and fifty pages stay, those that were looked at last', async () => {
    server.answer = tracks(1_000_000);
    const rows = await new Rows('/tracks', parameters).begin();
    const see = async (page) => {
      rows.at(page * pageSize);
      await settle();
    };
    for (let page = 1; page < 150; page += 1) await see(page);
    // The first one is looked at again, so the second one goes.
    rows.at(0);
    await see(150);
    assert.equal(rows.pages.size, 150);
    assert.deepEqual([rows.pages.has(0), rows.pages.has(1), rows.pages.has(2)], [true, false, true]);
  });

  test('that nobody wants any more are forgotten on their way', async () => {
    let answer;
    server.answer = () => new Promise((done) => (answer = done));
    const rows = new Rows('/tracks', parameters);
    let told = 0;
    rows.changed = () => (told += 1);
    const beginning = rows.begin();
    rows.end();
    answer(json({ total: 1, rows: [{ id: 1 }] }));
    await beginning;
    await time.pass(5000);
    assert.deepEqual([told, rows.total, rows.error], [0, 0, null]);
  });
});
