/** Exact frames of a track, of which two channels remain. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { json, server } from '../browser.mjs';
import { getPCM } from '/data/pcm.js';

/** What is got if the server sends these samples, interleaved. */
async function got(samples, channels, total = 1000) {
  server.answer = () => new Response(Float32Array.from(samples).buffer, { headers: { 'Deadwax-Total': String(total), ...(channels === null ? {} : { 'Deadwax-Channels': String(channels) }) } });
  const { planes, total: found } = await getPCM(7, 100, 50);
  return [found, ...planes.map((plane) => [...plane])];
}

const half = Math.SQRT1_2;

describe('frames', () => {
  test('are asked for as floats, from a frame on', async () => {
    server.asked.length = 0;
    await got([0.5], 1);
    assert.deepEqual(server.asked, ['/api/v1/tracks/7/pcm?start=100&count=50&format=f32']);
  });

  test('of one channel are one plane, of two channels two', async () => {
    assert.deepEqual(await got([0.5, -0.25, 0.125], 1), [1000, [0.5, -0.25, 0.125]]);
    assert.deepEqual(await got([0.5, -0.25, 0.125, 1], 2), [1000, [0.5, 0.125], [-0.25, 1]]);
  });

  test('without a number of channels are of one', async () => {
    assert.deepEqual(await got([0.5, 0.25], null), [1000, [0.5, 0.25]]);
  });

  test('of no samples are empty', async () => {
    assert.deepEqual(await got([], 2, 0), [0, [], []]);
    assert.deepEqual(await got([], 1, 0), [0, []]);
  });

  // Web Audio 1.1, "Up-mixing and down-mixing": 5.1 to stereo. Others have the same weights.
  for (const [channels, frame, left, right] of [
    [3, [0.1, 0.2, 0.4], 0.1 + half * 0.4, 0.2 + half * 0.4],
    [4, [0.1, 0.2, 0.3, 0.4], 0.1 + half * 0.3, 0.2 + half * 0.4],
    [5, [0.1, 0.2, 0.3, 0.4, 0.5], 0.1 + half * (0.3 + 0.4), 0.2 + half * (0.3 + 0.5)],
    // The fourth of six is the bass, which is left out.
    [6, [0.1, 0.2, 0.3, 0.9, 0.4, 0.5], 0.1 + half * (0.3 + 0.4), 0.2 + half * (0.3 + 0.5)],
    // The fifth of seven stands behind, and then come those at the sides.
    [7, [0.1, 0.2, 0.3, 0.9, 0.6, 0.4, 0.5], 0.1 + half * (0.3 + 0.6 + 0.4), 0.2 + half * (0.3 + 0.6 + 0.5)],
    [8, [0.1, 0.2, 0.3, 0.9, 0.4, 0.5, 0.6, 0.7], 0.1 + half * (0.3 + 0.4 + 0.6), 0.2 + half * (0.3 + 0.5 + 0.7)],
    // Of more, the first eight.
    [9, [0.1, 0.2, 0.3, 0.9, 0.4, 0.5, 0.6, 0.7, 0.8], 0.1 + half * (0.3 + 0.4 + 0.6), 0.2 + half * (0.3 + 0.5 + 0.7)],
  ])
    test(`of ${channels} channels are mixed as Web Audio mixes six`, async () => {
      const [, ...planes] = await got([...frame, ...frame], channels);
      for (const [plane, wanted] of [[planes[0], left], [planes[1], right]]) {
        assert.equal(plane.length, 2);
        for (const value of plane) assert.ok(Math.abs(value - wanted) < 1e-6, `${value}, not ${wanted}`);
      }
    });

  test('that cannot be had are told in the words of the server', async () => {
    server.answer = () => json({ detail: 'The file is gone.' }, 404);
    await assert.rejects(getPCM(7, 0, 1), { message: 'The file is gone.', status: 404 });
    server.answer = () => new Response('<html>', { status: 502 });
    await assert.rejects(getPCM(7, 0, 1), { message: 'The server answered 502.', status: 502 });
  });
});
