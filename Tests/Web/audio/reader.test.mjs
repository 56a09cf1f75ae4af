/** The worker that reads ahead: what it asks the server for, and what it sends to the worklet. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { json, server, settle } from '../browser.mjs';
import { clock } from '../clock.mjs';
import { dice, integers } from '../signals.mjs';
import { Output, Port, ready } from './scope.mjs';

const segment = 32_768;

/** A frame of a track, so that no two are alike: exact in floats. */
const sampleOf = (id, frame) => ((id * 7_919 + frame) % 65_536) / 65_536;
/** Frames by track; others are not found. */
const lengths = new Map();

/** @type {(query: {id: number, start: number, count: number}) => Promise<void> | void} What happens before an answer. */
let delay = () => {};
/** What has been asked for. @type {{id: number, start: number, count: number}[]} */
const asked = [];

server.answer = async (url) => {
  const id = Number(url.pathname.match(/tracks\/(\d+)\/pcm/)[1]);
  const [start, count] = ['start', 'count'].map((name) => Number(url.searchParams.get(name)));
  asked.push({ id, start, count });
  await delay({ id, start, count });
  if (!lengths.has(id)) return json({ detail: 'There is no such track.' }, 404);
  const total = lengths.get(id);
  const frames = Math.max(0, Math.min(count, total - start));
  const samples = Float32Array.from({ length: 2 * frames }, (_, i) => (i % 2 ? -1 : 1) * sampleOf(id, start + (i >> 1)));
  return new Response(samples.buffer, { headers: { 'Deadwax-Total': String(total), 'Deadwax-Channels': '2' } });
};

let turn = 0;
/** A reader of its own, with a port to the worklet. */
async function begin(tracks) {
  lengths.clear();
  for (const [id, frames] of Object.entries(tracks)) lengths.set(Number(id), frames);
  asked.length = 0;
  delay = () => {};
  const reader = { told: [] };
  globalThis.self = { postMessage: (message) => reader.told.push(message) };
  const scope = globalThis.self;
  await import(`/audio/reader.js?${(turn += 1)}`);
  const port = new Port();
  const say = (data) => {
    globalThis.self = scope;
    scope.onmessage({ data });
  };
  say({ worklet: port });
  let epoch = 0;
  return Object.assign(reader, {
    port, say,
    start: (item, frame = item.from) => (say({ item, frame, epoch: (epoch += 1) }), epoch),
    next: (item, after) => say({ next: item, after }),
    /** What was sent: [track, first frame, frames]. */
    sent: () => port.posted.filter(({ planes }) => planes).map(({ item, frame, planes }) => [item, frame, planes[0].length]),
    ends: () => port.told('isEnd').length,
  });
}

const item = (id, frames, more = {}) => ({ key: 10 + id, id, rate: 44_100, gain: 1, from: 0, until: frames, isChained: false, ...more });

/** Waits until nothing happens any more. */
async function idle() {
  for (let i = 0; i < 60; i += 1) await settle();
}

before(() => ready);

describe('the reader', () => {
  test('asks for whole segments of the server, the first one from where it begins', async () => {
    const reader = await begin({ 1: 200_000 });
    reader.start(item(1, 200_000), 40_000);
    await idle();
    assert.deepEqual(asked.slice(0, 3), [{ id: 1, start: 40_000, count: 25_536 }, { id: 1, start: 65_536, count: segment }, { id: 1, start: 98_304, count: segment }]);
  });

  test('sends what it was given, bit for bit, with the gain', async () => {
    const reader = await begin({ 1: 1000 });
    reader.start(item(1, 1000, { gain: 0.5 }), 990);
    await idle();
    const [{ epoch, item: key, frame, gain, planes }] = reader.port.posted;
    assert.deepEqual([epoch, key, frame, gain], [1, 11, 990, 0.5]);
    assert.deepEqual([...planes[0]], Array.from({ length: 10 }, (_, i) => sampleOf(1, 990 + i)));
    assert.deepEqual([...planes[1]], [...planes[0]].map((value) => -value));
  });

  test('is six parts ahead, and reads another one for each that was played', async () => {
    const reader = await begin({ 1: 10_000_000 });
    const epoch = reader.start(item(1, 10_000_000));
    await idle();
    assert.equal(reader.sent().length, 6);
    reader.port.say({ played: epoch });
    await idle();
    assert.equal(reader.sent().length, 7);
    // What was played before a seek makes no room.
    reader.port.say({ played: epoch - 1 });
    await idle();
    assert.equal(reader.sent().length, 7);
  });

  test('goes on with the next track at once', async () => {
    const reader = await begin({ 1: 50_000, 2: 10_000 });
    reader.start(item(1, 50_000));
    reader.next(item(2, 10_000), 11);
    await idle();
    assert.deepEqual(reader.sent(), [[11, 0, segment], [11, segment, 50_000 - segment], [12, 0, 10_000]]);
    assert.equal(reader.ends(), 1);
  });

  test('tells the end, and goes on if the next track is known later', async () => {
    const reader = await begin({ 1: 10_000, 2: 5000 });
    reader.start(item(1, 10_000));
    await idle();
    assert.deepEqual(reader.port.posted.slice(1), [{ epoch: 1, isEnd: true }]);
    reader.next(item(2, 5000), 11);
    await idle();
    assert.deepEqual(reader.sent(), [[11, 0, 10_000], [12, 0, 5000]]);
    assert.equal(reader.ends(), 2);
  });

  test('tells the end of a track that is shorter than was said', async () => {
    const reader = await begin({ 1: 7000 });
    reader.start(item(1, 10_000));
    await idle();
    assert.deepEqual(reader.sent(), [[11, 0, 7000]]);
    assert.equal(reader.ends(), 1);
  });

  test('of an empty track tells the end', async () => {
    const reader = await begin({ 1: 0 });
    reader.start(item(1, 10_000));
    await idle();
    assert.deepEqual([reader.sent(), reader.ends(), asked.length], [[], 1, 1]);
  });

  test('keeps to the part of a track', async () => {
    const reader = await begin({ 1: 200_000, 2: 100 });
    reader.start(item(1, 200_000, { from: 60_000, until: 70_001 }));
    reader.next(item(2, 100, { from: 40, until: 90 }), 11);
    await idle();
    assert.deepEqual(reader.sent(), [[11, 60_000, 5536], [11, 65_536, 4465], [12, 40, 50]]);
  });

  test('goes from the end of a loop to its start, again and again', async () => {
    const reader = await begin({ 1: 200_000 });
    reader.say({ loop: { start: 50_000, end: 61_000 } });
    reader.start(item(1, 200_000), 55_000);
    await idle();
    assert.deepEqual(reader.sent(), [[11, 55_000, 6000], ...Array(5).fill([11, 50_000, 11_000])]);
  });

  test('leaves a loop that is taken away', async () => {
    const reader = await begin({ 1: 200_000 });
    reader.say({ loop: { start: 50_000, end: 51_000 } });
    const epoch = reader.start(item(1, 200_000), 50_000);
    await idle();
    reader.say({ loop: null });
    reader.port.say({ played: epoch });
    reader.port.say({ played: epoch });
    await idle();
    assert.deepEqual(reader.sent().slice(6), [[11, 50_000, 15_536], [11, 65_536, segment]]);
  });

  test('a loop longer than a segment is read in segments', async () => {
    const reader = await begin({ 1: 200_000 });
    reader.say({ loop: { start: 1000, end: 70_000 } });
    reader.start(item(1, 200_000), 1000);
    await idle();
    assert.deepEqual(reader.sent().slice(0, 4), [[11, 1000, segment - 1000], [11, segment, segment], [11, 65_536, 4464], [11, 1000, segment - 1000]]);
  });

  test('after a seek sends nothing that was asked for before', async () => {
    const reader = await begin({ 1: 500_000 });
    let answer;
    delay = ({ start }) => (start === 0 ? new Promise((done) => (answer = done)) : undefined);
    reader.start(item(1, 500_000));
    await idle();
    reader.start(item(1, 500_000), 300_000);
    answer();
    await idle();
    assert.deepEqual(reader.sent().map(([, frame]) => frame), [300_000, 327_680, 360_448, 393_216, 425_984, 458_752]);
    assert.ok(reader.port.posted.every(({ epoch }) => epoch === 2));
  });

  test('forgets what it has read ahead if something else comes next', async () => {
    const reader = await begin({ 1: 10_000, 2: 1_000_000, 3: 20_000 });
    reader.start(item(1, 10_000));
    reader.next(item(2, 1_000_000), 11);
    await idle();
    assert.deepEqual(reader.sent().slice(0, 2), [[11, 0, 10_000], [12, 0, segment]]);
    reader.next(item(3, 20_000), 11);
    await idle();
    assert.deepEqual(reader.port.told('keep'), [11]);
    assert.deepEqual(reader.sent().slice(-1), [[13, 0, 20_000]]);
  });

  test('reads both by turns from where the next track begins in the ending of one, and each just as far as it is heard', async () => {
    const reader = await begin({ 1: 200_000, 2: 1_000_000 });
    const join = { start: 1000, end: 180_000, overlap: 100_000, fadeOut: 100_000, fadeIn: 0 };
    reader.start(item(1, 200_000));
    reader.next(item(2, 1_000_000, { join }), 11);
    await idle();
    assert.deepEqual(reader.port.told('join'), [{ ...join, after: 11, item: 12 }]);
    const sent = reader.sent();
    assert.ok(sent.length > 6);
    assert.equal(reader.port.posted.findIndex((message) => 'join' in message), sent.findIndex(([key]) => key === 12) - 1);
    const of = (key) => sent.filter(([one]) => one === key);
    // Without a hole, and up to its end.
    for (const [key, first] of [[11, 0], [12, 1000]])
      of(key).reduce((at, [, frame, count]) => (assert.equal(frame, at), at + count), first);
    assert.deepEqual(of(11).slice(-1)[0], [11, 163_840, 16_160]);
    // Neither is further ahead of the other than a segment.
    let [one, other] = [0, 0];
    for (const [key, frame, count] of sent.slice(of(11).findIndex(([, frame]) => frame >= 80_000))) {
      if (key === 11) one = Math.max(0, frame + count - 80_000);
      else other = frame + count - 1000;
      assert.ok(one === 100_000 || Math.abs(one - other) <= segment, `${one} and ${other}`);
    }
  });

  test('goes on with the track before where it was if something else comes next in its ending', async () => {
    const reader = await begin({ 1: 200_000, 2: 1_000_000, 3: 5000 });
    const join = { start: 0, end: 190_000, overlap: 100_000, fadeOut: 0, fadeIn: 0 };
    reader.start(item(1, 200_000), 80_000);
    reader.next(item(2, 1_000_000, { join }), 11);
    await idle();
    const end = Math.max(...reader.sent().filter(([key]) => key === 11).map(([, frame, count]) => frame + count));
    assert.ok(end > 90_000 && end <= 190_000);
    const before = reader.sent().length;
    reader.next(item(3, 5000), 11);
    await idle();
    assert.deepEqual(reader.port.told('keep'), [11]);
    const after = reader.sent().slice(before);
    assert.deepEqual(after.slice(-1), [[13, 0, 5000]]);
    assert.equal(after.slice(0, -1).reduce((at, [key, frame, count]) => (assert.deepEqual([key, frame], [11, at]), at + count), end), 200_000);
  });

  test('tells where a track ends that it had read further', async () => {
    const reader = await begin({ 1: 50_000, 2: 5000 });
    reader.start(item(1, 50_000));
    await idle();
    reader.next(item(2, 5000, { join: { start: 100, end: 41_000, overlap: 0, fadeOut: 0, fadeIn: 0 } }), 11);
    await idle();
    assert.deepEqual(reader.port.told('end'), [41_000]);
    assert.deepEqual(reader.sent().slice(-1), [[12, 100, 4900]]);
  });

  test('does not begin again with a next track that it is reading already', async () => {
    const reader = await begin({ 1: 10_000, 2: 50_000 });
    reader.start(item(1, 10_000));
    reader.next(item(2, 50_000), 11);
    await idle();
    reader.next(item(2, 50_000), 11);
    await idle();
    assert.deepEqual(reader.sent(), [[11, 0, 10_000], [12, 0, segment], [12, segment, 50_000 - segment]]);
    assert.deepEqual(reader.port.told('keep'), []);
  });

  test('tells what cannot be read, with the track, and plays others', async () => {
    const reader = await begin({ 2: 5000 });
    reader.start(item(1, 10_000));
    await idle();
    assert.deepEqual(reader.told.filter(({ error }) => error), [{ error: 'There is no such track.', item: 11 }]);
    reader.start(item(2, 5000));
    await idle();
    assert.deepEqual(reader.sent(), [[12, 0, 5000]]);
  });

  describe('what is expected', () => {
    test('is asked for before, and once', async () => {
      const reader = await begin({ 1: 20_000 });
      reader.say({ expected: { id: 1, frame: 0 } });
      await idle();
      reader.start(item(1, 20_000));
      await idle();
      assert.deepEqual(asked, [{ id: 1, start: 0, count: segment }]);
      assert.deepEqual(reader.sent(), [[11, 0, 20_000]]);
    });

    test('is left if another place is played', async () => {
      const reader = await begin({ 1: 20_000 });
      reader.say({ expected: { id: 1, frame: 0 } });
      reader.start(item(1, 20_000), 5000);
      await idle();
      assert.deepEqual(reader.sent(), [[11, 5000, 15_000]]);
    });

    test('is left if it is more than the part', async () => {
      const reader = await begin({ 1: 20_000 });
      reader.say({ expected: { id: 1, frame: 0 } });
      reader.start(item(1, 20_000, { until: 3000 }));
      await idle();
      assert.deepEqual(reader.sent(), [[11, 0, 3000]]);
    });

    test('that could not be had is asked for again', async () => {
      const reader = await begin({});
      reader.say({ expected: { id: 1, frame: 0 } });
      await idle();
      lengths.set(1, 900);
      reader.start(item(1, 900));
      await idle();
      assert.deepEqual(reader.sent(), [[11, 0, 900]]);
    });
  });

  describe('a place that is reached only by decoding everything before it', () => {
    const frames = 60_000_000;
    const chained = (more = {}) => item(1, frames, { isChained: true, ...more });
    const visits = () => asked.filter(({ count }) => count === 1).map(({ start }) => start);

    test('is gone to in at most sixteen steps, which are told', async () => {
      const reader = await begin({ 1: frames });
      reader.start(chained(), 50_000_000);
      await idle();
      assert.ok(visits().length > 10 && visits().length < 16, String(visits()));
      assert.deepEqual(visits(), [...visits()].sort((a, b) => a - b));
      const ways = reader.told.map(({ way }) => way);
      assert.deepEqual(ways[0], null);
      assert.deepEqual(ways.slice(1, 1 + visits().length), [0, ...visits().slice(0, -1).map((frame) => frame / 50_000_000)]);
      assert.equal(ways[1 + visits().length], null);
      assert.equal(reader.sent()[0][1], 50_000_000);
    });

    test('that is near needs none', async () => {
      const reader = await begin({ 1: frames });
      reader.start(chained(), 32 * segment);
      await idle();
      assert.deepEqual(visits(), []);
      assert.equal(reader.sent()[0][1], 32 * segment);
    });

    test('needs only the rest of the way the next time', async () => {
      const reader = await begin({ 1: frames });
      reader.start(chained(), 50_000_000);
      await idle();
      asked.length = 0;
      reader.start(chained(), 50_500_000);
      await idle();
      assert.deepEqual(visits(), []);
      reader.start(chained(), 20_000_000);
      await idle();
      assert.deepEqual(visits(), []);
    });

    test('is left for another place after one step at most', async () => {
      const reader = await begin({ 1: frames });
      const waiting = [];
      delay = ({ count }) => (count === 1 ? new Promise((done) => waiting.push(done)) : undefined);
      reader.start(chained(), 50_000_000);
      await idle();
      reader.start(chained(), 1000);
      for (const done of waiting) done();
      await idle();
      assert.equal(reader.sent()[0][1], 1000);
      assert.equal(visits().length, 1);
    });
  });
});

describe('reader and worklet', () => {
  /** Both, joined: what one says the other hears a little later. */
  async function join(tracks) {
    const reader = await begin(tracks);
    const output = new Output();
    const lead = (from, to) => {
      from.postMessage = (message, moved = []) => {
        const copy = structuredClone(message, { transfer: moved });
        setImmediate(() => to.say(copy));
      };
    };
    lead(reader.port, output.reader);
    lead(output.reader, reader.port);
    return { reader, output };
  }

  /** The left channel of what leaves, with time for the reader after each block. */
  async function hear(output, count) {
    const heard = [];
    for (let at = 0; at < count; at += 128) {
      heard.push(...output.play(128)[0]);
      await settle();
    }
    return heard;
  }

  test('play tracks of odd lengths from the first sample to the last, with nothing between them', async () => {
    const lengths = [40_001, 333, 70_000, 257, 32_768];
    const { reader, output } = await join(Object.fromEntries(lengths.map((frames, i) => [i + 1, frames])));
    reader.start(item(1, lengths[0]));
    await idle();
    let playing = 11;
    const give = () => reader.next(playing - 10 < lengths.length ? item(playing - 9, lengths[playing - 10]) : null, playing);
    give();
    await idle();
    const heard = [];
    while (!output.page.told('ended').length && heard.length < 200_000) {
      heard.push(...(await hear(output, 128)));
      const item = output.page.told('item').pop();
      // As the page does when it hears of another track.
      if (item > playing) {
        playing = item;
        give();
      }
    }
    const wanted = lengths.flatMap((frames, i) => Array.from({ length: frames }, (_, frame) => sampleOf(i + 1, frame)));
    assert.deepEqual(output.page.told('ended'), [1]);
    assert.equal(heard.slice(0, wanted.length).findIndex((value, i) => value !== wanted[i]), -1);
    assert.ok(heard.slice(wanted.length).every((value) => value === 0));
    assert.ok(!output.page.told('underruns').some(Boolean));
  });

  test('after a hundred random seeks, answered soon or late, the samples are those of the place', async (t) => {
    const frames = 2_000_000;
    const { reader, output } = await join({ 1: frames });
    const time = clock();
    t.after(time.end);
    const roll = integers(dice(12));
    delay = () => new Promise((done) => setTimeout(done, roll(0, 3)));
    for (let round = 0; round < 100; round += 1) {
      const place = roll(0, frames - 1000);
      const epoch = reader.start(item(1, frames), place);
      // Sometimes one goes elsewhere before anything has come.
      if (roll(0, 3) === 0) continue;
      for (let i = 0; output.processor.epoch !== epoch; i += 1) {
        assert.ok(i < 100, `round ${round}: nothing has come`);
        await hear(output, 128);
        await time.pass(1);
      }
      // The first part of a segment may be short; the next one comes within three milliseconds.
      await time.pass(4);
      // The block that fades.
      if (output.processor.leaving) await hear(output, 128);
      const heard = await hear(output, 512);
      const wanted = Array.from({ length: 512 }, (_, i) => sampleOf(1, place + i));
      assert.deepEqual(heard, wanted, `round ${round}, from ${place}`);
    }
  });
});
