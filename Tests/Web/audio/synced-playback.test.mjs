/** Several recordings at one place in time. The context is a stand-in whose clock a test moves. */

import assert from 'node:assert/strict';
import { afterEach, beforeEach, describe, test } from 'node:test';
import { json, server, settle } from '../browser.mjs';
import { clock } from '../clock.mjs';
import { SyncedPlayback } from '/audio/synced-playback.js';
import { settings } from '/core/settings.js';

const rate = 1000;

class Node {
  connect(target) {
    this.target = target;
  }
}

class Source extends Node {
  listeners = [];
  addEventListener(_, listener) {
    this.listeners.push(listener);
  }
  start(time) {
    Object.assign(this, { time, isStarted: true });
  }
  stop() {
    this.isStopped = true;
  }
}

class Context {
  currentTime = 0;
  destination = new Node();
  sources = [];

  constructor({ sampleRate }) {
    this.sampleRate = sampleRate;
  }

  createGain() {
    return Object.assign(new Node(), { gain: { value: 1, aims: [], setTargetAtTime(value, time, constant) { this.aims.push([value, time, constant]); } } });
  }

  createBuffer(channels, length, sampleRate) {
    const planes = Array.from({ length: channels }, () => new Float32Array(length));
    return { planes, length, sampleRate, copyToChannel: (samples, channel, at) => planes[channel].set(samples, at) };
  }

  createBufferSource() {
    const made = new Source();
    this.sources.push(made);
    return made;
  }

  async resume() {}

  close() {
    this.isClosed = true;
  }
}

globalThis.AudioContext = Context;

/** A sample of a recording: exact in floats, no two alike. */
const sampleOf = (id, frame) => (id * 100_000 + frame) / 2 ** 24;

describe('recordings that are compared', () => {
  let playback, time;
  const voices = () => [
    { id: 1, rate, seconds: 10, start: 0, loudness: -10 }, { id: 2, rate, seconds: 6.5, start: 1.5, loudness: -14 }, { id: 3, rate, seconds: 30, start: -4, loudness: null },
  ];

  beforeEach(() => {
    settings.volume.value = 1;
    server.asked.length = 0;
    server.answer = (url) => {
      const id = Number(url.pathname.match(/tracks\/(\d+)/)[1]);
      const [start, count] = ['start', 'count'].map((name) => Number(url.searchParams.get(name)));
      const total = voices().find((voice) => voice.id === id).seconds * rate;
      const samples = Float32Array.from({ length: Math.max(0, Math.min(count, total - start)) }, (_, i) => sampleOf(id, start + i));
      return new Response(samples.buffer, { headers: { 'Deadwax-Total': String(total), 'Deadwax-Channels': '1' } });
    };
    time = clock();
    playback = new SyncedPlayback(voices());
  });
  afterEach(() => {
    playback.close();
    time.end();
  });

  test('last until the last one has ended', () => {
    assert.equal(playback.seconds, 26);
  });

  test('are as loud as the quietest, unless that is turned off; of which it is not known stay', () => {
    const levels = () => [0, 1, 2].map((i) => Math.round(20 * Math.log10(playback.level(i)) * 1000) / 1000);
    assert.deepEqual(levels(), [-4, 0, 0]);
    playback.setLevelled(false);
    assert.deepEqual(levels(), [0, 0, 0]);
    settings.volume.value = 0.5;
    // The cube of the slider.
    assert.equal(playback.level(0), 0.125);
  });

  test('of which no loudness is known stay as they are', () => {
    const unknown = new SyncedPlayback(voices().map((voice) => ({ ...voice, loudness: null })));
    assert.deepEqual([0, 1, 2].map((i) => unknown.level(i)), [1, 1, 1]);
  });

  test('are heard one at a time, around both ends, with a fade', () => {
    assert.deepEqual(playback.gains.map(({ gain }) => gain.value > 0), [true, false, false]);
    const heard = [1, 2, 3, 2].map((index) => (playback.hear(index), playback.heard.peek()));
    assert.deepEqual(heard, [1, 2, 0, 2]);
    playback.hear(-1);
    assert.equal(playback.heard.peek(), 2);
    assert.deepEqual(playback.gains.map(({ gain }) => gain.aims[gain.aims.length - 1]), [[0, 0, 0.01 / 3], [0, 0, 0.01 / 3], [1, 0, 0.01 / 3]]);
  });

  test('of each is decoded what sounds at the same moment', async () => {
    for (const place of [0, 0.7, 2, 5.123, 9.5]) {
      const pieces = await Promise.all(playback.voices.map((voice) => playback.piece(voice, place)));
      pieces.forEach((piece, i) => {
        const { id, start, seconds } = playback.voices[i];
        for (let frame = 0; frame < 2 * rate; frame += 37) {
          const own = Math.round(place * rate) + frame - start * rate;
          const wanted = own < 0 || own >= seconds * rate ? 0 : sampleOf(id, own);
          assert.equal(piece?.planes[0][frame] ?? 0, Math.fround(wanted), `${frame} of ${id} at ${place}`);
        }
      });
    }
  });

  test('where one has no sound nothing is asked for', async () => {
    const [, second] = playback.voices;
    for (const place of [8, 8.001, 20, -2, -1]) assert.equal(await playback.piece(second, place), null, String(place));
    assert.deepEqual(server.asked, []);
    // It begins in the middle of a piece.
    const piece = await playback.piece(second, 0);
    assert.deepEqual([piece.length, piece.planes[0][1499], piece.planes[0][1500]], [2000, 0, sampleOf(2, 0)]);
  });

  /** Lets seconds pass, for the clock of the context, too. */
  async function pass(seconds) {
    for (let i = 0; i < seconds * 20; i += 1) {
      playback.context.currentTime += 0.05;
      await time.pass(50);
      for (let k = 0; k < 10; k += 1) await settle();
    }
  }

  test('are played in step: all pieces of a moment begin at one time, and follow one another', async () => {
    playback.toggle();
    await pass(12);
    const starts = playback.context.sources.map(({ time: start, target }) => [playback.gains.indexOf(target), start]);
    const of = (voice) => starts.filter(([index]) => index === voice).map(([, start]) => start);
    assert.ok(of(2).length >= 6);
    of(2).forEach((start, i) => assert.ok(Math.abs(start - of(2)[0] - 2 * i) < 1e-9, String(of(2))));
    // The first one has five pieces, the second one what lies in 1.5 to 8 seconds.
    assert.deepEqual([of(0), of(1)], [of(2).slice(0, 5), of(2).slice(0, 4)]);
    assert.ok(Math.abs(playback.place() - (playback.context.currentTime - of(2)[0])) < 1e-9);
    // No more than some five seconds are decoded ahead.
    assert.ok(of(2)[of(2).length - 1] - playback.context.currentTime <= 5);
  });

  test('end at the end, and begin again from there', async () => {
    playback.seek(24);
    playback.toggle();
    await pass(4);
    assert.deepEqual([playback.playing.peek(), playback.place()], [false, 26]);
    playback.toggle();
    await settle();
    assert.equal(playback.anchor.place, 0);
  });

  test('stay where they are paused, and go on there', async () => {
    playback.toggle();
    await pass(3);
    playback.toggle();
    const place = playback.place();
    await pass(2);
    assert.deepEqual([playback.place(), playback.context.sources.every(({ isStopped }) => isStopped), playback.sources.size], [place, true, 0]);
    assert.ok(place > 2.5 && place < 3);
    playback.toggle();
    await pass(1);
    assert.ok(playback.place() > place && playback.place() < place + 1);
  });

  test('go elsewhere, but not beyond their ends', async () => {
    for (const [wanted, place] of [[5, 5], [-3, 0], [99, 26]]) {
      playback.seek(wanted);
      assert.equal(playback.place(), place);
    }
    playback.seek(3);
    playback.toggle();
    await pass(1);
    playback.seek(7);
    await pass(0.5);
    assert.ok(playback.place() >= 7 && playback.place() < 7.5);
    assert.ok(server.asked.some((url) => url.includes('/1/pcm?start=7000&')));
  });

  test('wait for a piece that comes late, together', async () => {
    const { answer } = server;
    let late;
    server.answer = (url) => (url.pathname.includes('/2/') ? new Promise((done) => (late = () => done(answer(url)))) : answer(url));
    playback.toggle();
    await pass(3);
    assert.deepEqual([playback.context.sources.length, playback.place()], [0, 0]);
    late();
    await pass(0.5);
    const [first] = playback.context.sources;
    assert.ok(first.time >= 3 && playback.context.sources.slice(0, 3).every(({ time: start }) => start === first.time));
    assert.ok(playback.place() < 0.6);
  });

  test('that cannot be read say so, and stop', async () => {
    server.answer = () => json({ detail: 'The file is gone.' }, 404);
    playback.toggle();
    await pass(0.2);
    assert.deepEqual([playback.playing.peek(), playback.trouble.peek()], [false, 'The file is gone.']);
  });

  test('that are left are silent, and what was asked for is no trouble', async () => {
    playback.toggle();
    await settle();
    playback.close();
    await pass(1);
    assert.deepEqual([playback.context.isClosed, playback.trouble.peek(), playback.playing.peek()], [true, '', false]);
  });
});
