/** What is wrong with a track, in words. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import '../browser.mjs';
import { evidenceOf } from '/data/evidence.js';
import { addressOfAlbum, addressOfName, folderOf, quoted, valuesOf } from '/data/names.js';

const words = (row) => evidenceOf({ id: 1, state: 'ok', ...row }).map((one) => one.words);

test('most tracks have none', () => assert.deepEqual(words({ clipped: 0, lossy_source: 'none', silence_end: 4.9 }), []));

test('the worst comes first', () => {
  assert.deepEqual(words({ state: 'missing' }), ['Missing']);
  assert.deepEqual(words({ state: 'damaged', clipped: 1, lossy_source: 'weak', silence_end: 62 }),
    ['Damaged', 'Lossy source, weak', '1 sample clipped', 'Silent end, 1:02']);
});

test('names have addresses, whatever stands in them', () => {
  assert.equal(addressOfName('artists', 'AC/DC & "x"'), '/?view=artists&item=AC%2FDC+%26+%22x%22');
  assert.deepEqual([addressOfAlbum(4), addressOfAlbum(4, 2)], ['/album/4', '/album/4?item=2']);
  assert.equal(quoted('a "b" \\'), '"a \\"b\\" \\\\"');
  assert.deepEqual([valuesOf('A; B'), valuesOf(null)], [['A', 'B'], []]);
  assert.equal(folderOf('/m/a/b.ogg'), '/m/a/');
});
