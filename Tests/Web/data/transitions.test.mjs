/** Plans of the server, in the frames that the player needs. */

import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import { json, server } from '../browser.mjs';
import { transitionTo } from '/data/transitions.js';

const track = (id, more = {}) => ({ id, rate: 48_000, frames: 2_000_000, from: 0, until: 2_000_000, effects: null, ...more });
const whole = {
  kind: 'join', reason: 'album-continues', end_frame: 2_000_000, next_start_frame: 0, overlap_frames: 0, fade_out_frames: 0, fade_in_frames: 0, ratio: 1,
};
let next = whole;
const asked = [];
server.answer = async (url) => {
  asked.push(Object.fromEntries(url.searchParams));
  return json({ schema: 1, tracks: [{ id: 7, frames: 2_000_000, next }, { id: 8, frames: 2_000_000, next: null }] });
};

beforeEach(() => {
  asked.length = 0;
  next = whole;
});

test('a fade is planned at the rate of the tracks', async () => {
  next = { ...whole, kind: 'cross', reason: 'ending-is-quiet', end_frame: 1_900_000, next_start_frame: 480, overlap_frames: 96_000, fade_out_frames: 96_000, fade_in_frames: 48_000 };
  assert.deepEqual(await transitionTo(track(7), track(8), 'smart'), {
    kind: 'cross', reason: 'ending-is-quiet', seconds: 2, join: { start: 480, end: 1_900_000, overlap: 96_000, fadeOut: 96_000, fadeIn: 48_000 },
  });
  assert.deepEqual(asked, [{ ids: '7,8', style: 'smart', rate: '48000' }]);
});

test('whole tracks need no change of what is played', async () => {
  assert.deepEqual(await transitionTo(track(7), track(8), 'silence'), { kind: 'join', reason: 'album-continues', seconds: 0, join: null });
});

test('a track without sound has no plan', async () => {
  next = null;
  assert.equal(await transitionTo(track(7), track(8), 'smart'), null);
});

test('parts, other rates and tracks that are played faster follow whole, and nobody is asked', async () => {
  const faster = { rate: 1.25, cents: 0, room: -1, mix: 0, numbers: new Float64Array(8) };
  for (const other of [track(8, { from: 100 }), track(8, { until: 1_000_000 }), track(8, { rate: 44_100 }), track(8, { effects: faster })]) {
    assert.equal(await transitionTo(track(7), other, 'smart'), null);
    if (other.rate === 48_000) assert.equal(await transitionTo(other, track(8), 'smart'), null);
  }
  assert.deepEqual(asked, []);
});
