/** Which small waveforms are asked for. */

import assert from 'node:assert/strict';
import { test } from 'node:test';
import { server } from '../browser.mjs';
import { outlineOf, points, watchers } from '/data/outlines.js';

test('a file that could not be decoded is not asked for, so that the others come', async () => {
  server.answer = () => new Response(new Uint8Array(2 * points * 4).fill(9));
  const come = new Promise((done) => watchers.add(done));
  for (const id of [7, null, undefined, 3]) outlineOf(id);
  await come;
  assert.deepEqual(server.asked, [`/api/v1/tracks/outlines?ids=3%2C7&points=${points}`]);
  assert.equal(outlineOf(7).length, 4 * points);
  assert.equal(outlineOf(null), null);
});
