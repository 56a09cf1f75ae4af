/** Which track plays, where in it, and what comes next. The engine is a stand-in that does what it is told at once. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { json, server, settle } from '../browser.mjs';
import { settings } from '/core/settings.js';
import { player } from '/player/player.js';
import { nothing } from '/player/queue-changes.js';

const rate = 44_100;
const total = 5;
const source = { q: '', sort: '', total };
const row = (id, more = {}) => ({ id, title: `Track ${id}`, ...more });
/** Tracks are as many seconds long as their number says; the fourth one has no sound, the fifth one a preset. */
const detail = (id) => (id === 4 ? { files: [{ problem: { reason: 'It is empty.' } }] } : { format: { sample_rate_hz: rate, decoded_frames: id * rate, codec: id === 3 ? 'opus' : 'flac' }, measures: { loudness_lufs: -18 - id, true_peak_dbtp: -9 }, preset: id === 5 ? 'x' : null });

/** Plays that were told to the server. */
const plays = [];
/** Answers that are held back, by the number of the track. */
let held = new Map();

server.answer = async (url, { method, body } = {}) => {
  if (method === 'POST') return plays.push(JSON.parse(body)), new Response(null, { status: 204 });
  const [, id, what] = url.pathname.match(/tracks\/(\d+)(.*)/) ?? [];
  if (held.has(Number(id))) await new Promise((done) => held.get(Number(id)).push(done));
  if (!id) {
    const [from, limit] = ['from', 'limit'].map((name) => Number(url.searchParams.get(name)));
    return json({ rows: Array.from({ length: limit }, (_, i) => row(from + i + 1)).filter(({ id }) => id <= total) });
  }
  if (what === '/preset') return json({ preset: { document: { schema: 1, name: 'x', gain_db: -6, compensated: false, bands: [], pitch_cents: 0, reverb: null, rate: 1 } } });
  return json(detail(Number(id)));
};

class Engine {
  calls = [];
  meter = null;
  now = 0;

  constructor() {
    for (const name of ['expect', 'setPlaying', 'setNext', 'setLoop', 'setVolume', 'shape']) this[name] = (...values) => void this.calls.push([name, ...values]);
  }

  async start(item, frame, playing) {
    this.now = frame;
    this.calls.push(['start', item.id, frame, playing]);
  }

  frame() {
    return this.now;
  }

  isHeldBack() {
    return this.isHeld ?? false;
  }

  /** The last call of a name. */
  last(name) {
    return this.calls.filter(([one]) => one === name).pop();
  }
}

describe('player', () => {
  /** @type {Engine} */
  let engine;
  const track = () => player.track.peek();

  beforeEach(async () => {
    held = new Map();
    settings.repeat.value = 'off';
    settings.shuffle.value = false;
    settings.replayGain.value = 'track';
    await settle();
    player.engine = engine = new Engine();
    player.queue.state = nothing;
    player.track.value = null;
    player.prepared = null;
    player.loop.value = null;
    player.trouble.value = '';
    plays.length = 0;
  });

  /** Plays a track, and waits until the next one is prepared. */
  async function play(id, more) {
    await player.playFrom(row(id, more), source, id - 1);
    await settle();
  }

  test('a row is played from its start, and the next one is given to the engine', async () => {
    await play(1);
    assert.deepEqual(engine.last('start'), ['start', 1, 0, true]);
    const [, next, after] = engine.last('setNext');
    assert.deepEqual([next.id, next.until, after, player.following.peek().id], [2, 2 * rate, track().key, 2]);
  });

  test('a track goes through its preset, if it has one', async () => {
    await play(5);
    assert.equal(track().effects.numbers[0], -6);
    await play(2);
    assert.equal(track().effects, null);
  });

  test('a track is as loud as ReplayGain says', async () => {
    await play(2);
    assert.ok(Math.abs(track().gain - 10 ** (2 / 20)) < 1e-12);
    settings.replayGain.value = 'off';
    await settle();
    assert.deepEqual([track().gain, engine.last('start')], [1, ['start', 2, 0, true]]);
    assert.equal(engine.calls.filter(([name]) => name === 'start').length, 2, 'it begins again once');
  });

  test('the last track is followed by nothing, unless all is repeated, or one', async () => {
    await play(5);
    assert.deepEqual([engine.last('setNext')[1], player.following.peek()], [null, null]);
    for (const [repeat, id] of [['all', 1], ['one', 5], ['off', undefined]]) {
      settings.repeat.value = repeat;
      await settle();
      assert.equal(engine.last('setNext')[1]?.id, id, repeat);
    }
  });

  test('what cannot be heard is told, and does not play', async () => {
    await play(4);
    assert.deepEqual([player.trouble.peek(), player.playing.peek(), engine.last('start')], ['It is empty.', false, undefined]);
  });

  test('what cannot be heard next is told when it is its turn', async () => {
    await play(3);
    assert.deepEqual([player.trouble.peek(), player.prepared, engine.last('setNext')[1]], ['', null, null]);
    await player.skip();
    assert.equal(player.trouble.peek(), 'It is empty.');
  });

  test('of two tracks that are asked for one after the other the second one plays', async () => {
    held.set(1, []);
    const first = player.playFrom(row(1), source, 0);
    await settle();
    await play(2);
    for (const done of held.get(1)) done();
    await first;
    await settle();
    assert.deepEqual([track().id, engine.calls.filter(([name]) => name === 'start').length], [2, 1]);
  });

  for (const [what, id] of [['can', 2], ['cannot', 4]])
    test(`what comes next is what was chosen last, also if what was chosen before ${what} be heard and comes later`, async () => {
      held.set(id, []);
      await play(id - 1);
      settings.repeat.value = 'one';
      await settle();
      for (const done of held.get(id)) done();
      await settle();
      assert.deepEqual([player.following.peek().id, player.prepared?.loaded.id, engine.last('setNext')[1]?.id], [id - 1, id - 1, id - 1]);
    });

  test('the engine goes on by itself, and the one after is prepared', async () => {
    await play(1);
    player.moved(player.prepared.loaded.key);
    await settle();
    assert.deepEqual([track().id, player.queue.place, engine.last('setNext')[1].id], [2, 1, 3]);
    // What it says twice, or of another track, changes nothing.
    player.moved(track().key);
    player.moved(-7);
    assert.equal(track().id, 2);
  });

  test('a play is counted if it was heard to its end, or for ten seconds', async () => {
    await play(1);
    player.moved(player.prepared.loaded.key);
    await settle();
    assert.deepEqual(plays.map(({ track, finished }) => [track, finished]), [[1, true]]);
    track().heard = 9.75;
    await play(3);
    assert.equal(plays.length, 1);
    track().heard = 10;
    await play(1);
    assert.deepEqual([plays[1].track, plays[1].seconds, plays[1].finished], [3, 10, false]);
    assert.match(plays[1].started_at, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
  });

  test('at the end of all it rests at its start', async () => {
    await play(5);
    await player.ended();
    assert.deepEqual([player.playing.peek(), engine.last('start')], [false, ['start', 5, 0, false]]);
  });

  test('at the end of a track the next one begins, if the engine did not go on', async () => {
    await play(1);
    await player.ended();
    assert.deepEqual([track().id, engine.last('start')], [2, ['start', 2, 0, true]]);
  });

  test('a part that comes next begins where it begins, if the engine did not go on', async () => {
    await play(1);
    player.ask(row(5, { part: { start: rate, end: 2 * rate } }));
    await settle();
    await player.ended();
    assert.deepEqual([track().id, engine.last('start')], [5, ['start', 5, rate, true]]);
  });

  test('next goes on, also from the last to the first', async () => {
    await play(5);
    await player.skip();
    assert.deepEqual([track().id, engine.last('start')], [1, ['start', 1, 0, true]]);
    player.toggle();
    await player.skip();
    assert.deepEqual([track().id, engine.last('start')], [2, ['start', 2, 0, false]]);
  });

  test('previous goes to the start, and in the first three seconds to the one before', async () => {
    await play(5);
    engine.now = 3 * rate + 1;
    await player.back();
    assert.deepEqual([track().id, engine.last('start')], [5, ['start', 5, 0, true]]);
    engine.now = 3 * rate;
    await player.back();
    // The fourth has no sound, and is told.
    assert.equal(player.trouble.peek(), 'It is empty.');
    await play(1);
    engine.now = 100;
    await player.back();
    assert.deepEqual([track().id, engine.last('start')], [1, ['start', 1, 0, true]]);
  });

  test('what was asked for comes next, or at once if nothing plays', async () => {
    player.ask(row(3));
    await settle();
    await settle();
    assert.deepEqual([track().id, player.queue.left], [3, 0]);
    player.ask(row(1));
    await settle();
    assert.deepEqual([engine.last('setNext')[1].id, player.queue.left], [1, 1]);
  });

  test('a place is a whole frame of the track', async () => {
    await play(2);
    for (const [wanted, frame] of [[1000.4, 1000], [-5, 0], [1e12, 2 * rate - 1], [2 * rate, 2 * rate - 1]]) {
      await player.seek(wanted);
      assert.deepEqual(engine.last('start').slice(1, 3), [2, frame]);
    }
    engine.now = rate;
    player.seekBy(-10);
    assert.equal(engine.last('start')[2], 0);
    player.seekBy(0.5);
    assert.equal(engine.last('start')[2], rate / 2);
  });

  test('nothing that plays nothing has a place', async () => {
    await player.seek(5);
    player.seekBy(5);
    player.toggle();
    await player.back();
    player.setLoop(null);
    player.giveNext();
    assert.deepEqual([engine.calls.filter(([name]) => name !== 'setLoop'), player.frame()], [[], 0]);
  });

  test('a part ends where it ends, until one goes outside of it', async () => {
    await play(5, { part: { start: rate, end: 2 * rate } });
    assert.deepEqual([track().from, track().until, engine.last('start')], [rate, 2 * rate, ['start', 5, rate, true]]);
    await player.seek(2 * rate - 1);
    assert.deepEqual([track().from, track().until], [rate, 2 * rate]);
    await player.seek(2 * rate);
    assert.deepEqual([track().from, track().until], [0, 5 * rate]);
  });

  test('a loop goes on where it is, or begins, and ends when one goes outside', async () => {
    await play(5);
    engine.now = 500;
    player.setLoop({ start: 1000, end: 2000 });
    assert.deepEqual([engine.last('setLoop'), engine.last('start')], [['setLoop', { start: 1000, end: 2000 }], ['start', 5, 1000, true]]);
    engine.now = 1999;
    player.setLoop({ start: 1500, end: 2500 });
    assert.equal(engine.last('start')[2], 1999);
    await player.seek(2499);
    assert.notEqual(player.loop.peek(), null);
    await player.seek(2500);
    assert.deepEqual([player.loop.peek(), engine.last('setLoop')[1]], [null, null]);
  });

  test('another track has no loop', async () => {
    await play(1);
    player.setLoop({ start: 0, end: 100 });
    player.moved(player.prepared.loaded.key);
    assert.equal(player.loop.peek(), null);
    player.setLoop({ start: 0, end: 100 });
    await play(3);
    assert.equal(player.loop.peek(), null);
  });

  test('a place in Opus is not read before it is known how far it is', async () => {
    await play(2, { codec: 'flac', rate });
    assert.deepEqual(engine.last('expect'), ['expect', 2, 0, rate]);
    await player.begin(row(3, { codec: 'opus', rate }), 5000, true);
    assert.deepEqual([engine.last('expect'), track().isChained], [['expect', 3, null, rate], true]);
    await player.begin(row(3, { codec: 'opus', rate }), 0, true);
    assert.deepEqual(engine.last('expect'), ['expect', 3, 0, rate]);
  });

  test('the time that is heard is counted, unless the browser holds the sound back', async () => {
    await play(5);
    player.tick();
    player.tick();
    assert.equal(track().heard, 0.5);
    engine.isHeld = true;
    player.tick();
    assert.deepEqual([track().heard, player.trouble.peek()], [0.5, 'Paused by the browser: press play to hear it.']);
    engine.isHeld = false;
    player.tick();
    assert.deepEqual([track().heard, player.trouble.peek()], [0.75, '']);
    player.toggle();
    player.tick();
    assert.equal(track().heard, 0.75);
  });
});
