/** Two tracks at once: what leaves where one leads to the next. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import '../browser.mjs';
import { dice, farthest, integers } from '../signals.mjs';
import { presetOf } from './presets.mjs';
import { Output, effects, ready } from './scope.mjs';
import { settingsOf } from '/data/presets.js';

before(() => ready);

const rate = 44_100;

/** Noise in 16 bits, below a height. */
function noise(seed, count, height = 0.25) {
  const random = dice(seed);
  return [0, 1].map(() => Float32Array.from({ length: count }, () => Math.floor(65_536 * height * (random() - 0.5)) / 32_768));
}

const cut = (planes, from, to) => planes.map((plane) => plane.slice(from, to));

/** The worklet that mixes, with the effects, as the page opens it. */
function mixer(settings = {}) {
  const output = new Output(rate, 'deadwax-mixer');
  output.page.say({ module: effects });
  for (const [item, preset] of Object.entries(settings)) output.page.say({ item: Number(item), effects: settingsOf(presetOf([], preset)) });
  return output;
}

/** Sends a track from a frame on, in parts of at most 600 frames. */
function send(output, epoch, item, planes, from = 0, to = planes[0].length, roll = () => 512) {
  for (let at = from; at < to; ) {
    const end = Math.min(to, at + roll(1, 600));
    output.send(epoch, item, at, cut(planes, at, end));
    at = end;
  }
}

const join = (more) => ({ after: 1, item: 2, start: 500, end: 9000, overlap: 6000, fadeOut: 6000, fadeIn: 6000, ...more });

/** What should leave from the first frame of the first track on: the sum of both in their places, by the definition of the fades. */
function programme(first, second, { start, end, overlap, fadeOut, fadeIn }, gains = [1, 1]) {
  const length = end - overlap + second[0].length - start;
  const power = (frame, count) => {
    const x = (frame + 0.5) / count;
    return x <= 0 ? 0 : x >= 1 ? 1 : 3 * x ** 2 - 2 * x ** 3;
  };
  return [0, 1].map((channel) => Float32Array.from({ length }, (_, at) => {
    const frame = at - (end - overlap);
    const one = at < end ? first[channel][at] * gains[0] * (fadeOut ? Math.sqrt(1 - power(frame, fadeOut)) : 1) : 0;
    const other = frame >= 0 ? second[channel][start + frame] * gains[1] * (fadeIn ? Math.sqrt(power(frame, fadeIn)) : 1) : 0;
    return one + other;
  }));
}

/** Both tracks as the reader sends them, by turns from where they overlap. */
function sendJoined(output, epoch, first, second, how, from = 0, roll) {
  const at = Math.max(from, how.end - how.overlap);
  send(output, epoch, 1, first, from, at, roll);
  output.reader.say({ epoch, join: how });
  const half = Math.max(at, how.end - how.overlap / 2);
  send(output, epoch, 1, first, at, half, roll);
  send(output, epoch, 2, second, how.start, how.start + 3000, roll);
  send(output, epoch, 1, first, half, how.end, roll);
  send(output, epoch, 2, second, how.start + 3000, second[0].length, roll);
  output.reader.say({ epoch, isEnd: true });
}

describe('a track begins while the one before it sounds', () => {
  for (const [name, how] of Object.entries({
    'and both fade': join(), 'without a fade': join({ fadeOut: 0, fadeIn: 0 }), 'and fades in for a while': join({ fadeOut: 0, fadeIn: 1500 }),
  }))
    test(name, () => {
      const roll = integers(dice(3));
      const [first, second] = [noise(1, 10_000), noise(2, 20_000)];
      const output = mixer();
      sendJoined(output, 1, first, second, how, 0, roll);
      const wanted = programme(first, second, how);
      const heard = output.play(wanted[0].length);
      for (const channel of [0, 1]) {
        assert.ok(farthest(heard[channel], wanted[channel]) < 1e-7, `${farthest(heard[channel], wanted[channel])}`);
        // Where one sounds alone no bit is changed.
        assert.deepEqual(heard[channel].slice(0, 3000), first[channel].slice(0, 3000));
        assert.deepEqual(heard[channel].slice(9000), second[channel].slice(6500));
      }
      assert.deepEqual(output.page.told('underruns').filter(Boolean), []);
    });

  test('and is told when its first frame leaves', () => {
    const output = mixer();
    sendJoined(output, 1, noise(1, 10_000), noise(2, 20_000), join());
    output.play(4096);
    const first = output.page.posted.find(({ item }) => item === 2);
    assert.equal(first.frame, 500);
    assert.ok(Math.abs(first.time * rate - 3000) <= 128, `${first.time * rate}`);
    output.page.posted.length = 0;
    output.play(1024);
    for (const { item, frame, time } of output.page.posted) assert.ok(item === 2 && Math.abs(frame - 500 - (time * rate - 3000)) < 1.5);
  });

  test('and every part that was sent is told to the reader, also those that are not heard', () => {
    const output = mixer();
    const [first, second] = [noise(1, 10_000), noise(2, 20_000)];
    // It was read to its end before the next one was known.
    send(output, 1, 1, first);
    output.reader.say({ epoch: 1, join: join() });
    send(output, 1, 2, second, 500);
    output.play(3000 + 19_500);
    const parts = output.reader.told('played').length;
    assert.equal(parts, Math.ceil(10_000 / 512) + Math.ceil(19_500 / 512));
  });

  test('whose sum is kept below full scale, with what sounds alone as it was', () => {
    const output = mixer();
    const [first, second] = [noise(1, 10_000, 1), noise(2, 20_000, 1)];
    const how = join({ fadeOut: 0, fadeIn: 0 });
    sendJoined(output, 1, first, second, how);
    const sum = programme(first, second, how);
    assert.ok(Math.max(...sum[0].slice(3000, 9000)) > 0.95);
    const heard = output.play(sum[0].length);
    assert.deepEqual(heard[0].slice(0, 3000), first[0].slice(0, 3000));
    assert.deepEqual(heard[0].slice(9000), second[0].slice(6500));
    const inside = heard[0].slice(3000 + 1323, 9000 - 1323);
    assert.ok(Math.max(...inside.map(Math.abs)) < 1 && Math.max(...inside.map(Math.abs)) > 0.5);
    // Its gain is that of both channels, and nothing is turned around or moved.
    inside.forEach((value, i) => {
      const gain = value / sum[0][3000 + 1323 + i];
      assert.ok(sum[0][3000 + 1323 + i] === 0 || (gain > 0.3 && gain <= 1), `${i}: ${gain}`);
    });
  });

  for (const [name, settings, gains] of [
    ['the first', { 1: { gain_db: -6 } }, [10 ** -0.3, 1]], ['the second', { 2: { gain_db: -6 } }, [1, 10 ** -0.3]],
    ['both', { 1: { gain_db: -6 }, 2: { gain_db: -12 } }, [10 ** -0.3, 10 ** -0.6]],
  ])
    test(`each in time and through its own effects: those of ${name}`, () => {
      const output = mixer(settings);
      const [first, second] = [noise(1, 10_000), noise(2, 20_000)];
      sendJoined(output, 1, first, second, join());
      const wanted = programme(first, second, join(), gains);
      const heard = output.play(wanted[0].length + 512);
      // The effects of the first one make all of it late, by some milliseconds.
      const late = heard[0].findIndex((value) => value !== 0);
      assert.ok(late < 250);
      assert.ok(farthest(heard[0].slice(late, late + wanted[0].length - 200), wanted[0].slice(0, -200)) < 1e-6);
    });

  test('and both wait while samples of one are missing', () => {
    const output = mixer();
    const [first, second] = [noise(1, 10_000), noise(2, 20_000)];
    const wanted = programme(first, second, join());
    send(output, 1, 1, first, 0, 3000);
    output.reader.say({ epoch: 1, join: join() });
    send(output, 1, 2, second, 500, 4500);
    send(output, 1, 1, first, 3000, 5000);
    const heard = [...output.play(8192)[0]];
    assert.deepEqual(output.page.told('waiting').slice(-1), [true]);
    send(output, 1, 1, first, 5000, 9000);
    send(output, 1, 2, second, 4500);
    heard.push(...output.play(20_480)[0]);
    const sounding = heard.filter((value) => value !== 0);
    assert.ok(farthest(sounding.slice(0, 15_000), wanted[0].filter((value) => value !== 0).slice(0, 15_000)) < 1e-7);
  });
});

describe('who comes into the ending', () => {
  test('hears as much of both as is left', () => {
    const output = mixer();
    const [first, second] = [noise(1, 10_000), noise(2, 20_000)];
    const from = 7000;
    send(output, 1, 1, first, from, 9000);
    output.reader.say({ epoch: 1, join: join() });
    send(output, 1, 2, second, 500);
    const short = { ...join(), end: 2000, overlap: 2000, fadeOut: 2000, fadeIn: 2000 };
    const wanted = programme(cut(first, from, 10_000), second, short);
    assert.ok(farthest(output.play(8192)[0], wanted[0].slice(0, 8192)) < 1e-7);
  });

  test('behind it hears the next track alone', () => {
    const output = mixer();
    const second = noise(2, 20_000);
    output.reader.say({ epoch: 1, join: join() });
    send(output, 1, 2, second, 500);
    assert.deepEqual(output.play(4096), cut(second, 500, 4596));
  });

  test('and goes elsewhere inside it, hears one block of both fade, then the new place', () => {
    const output = mixer();
    const [first, second, third] = [noise(1, 10_000), noise(2, 20_000), noise(3, 4000)];
    sendJoined(output, 1, first, second, join());
    const wanted = programme(first, second, join());
    output.play(4096);
    send(output, 2, 2, third);
    const [left] = output.play(128);
    const ramp = Float32Array.from({ length: 128 }, (_, i) => wanted[0][4096 + i] * (1 - (i + 1) / 128));
    assert.ok(farthest(left, ramp) < 1e-7);
    assert.deepEqual(output.play(3968), cut(third, 0, 3968));
  });

  test('and pauses inside it goes on in time', () => {
    const output = mixer();
    const [first, second] = [noise(1, 10_000), noise(2, 20_000)];
    sendJoined(output, 1, first, second, join());
    const wanted = programme(first, second, join());
    output.play(4096);
    output.page.say({ playing: false });
    assert.deepEqual(output.play(512)[0].slice(128), new Float32Array(384));
    output.page.say({ playing: true });
    assert.ok(farthest(output.play(8192)[0], wanted[0].slice(4224, 12_416)) < 1e-7);
  });
});

describe('what comes next', () => {
  test('is forgotten if something else comes next, and the track before goes on', () => {
    const output = mixer();
    const [first, second, third] = [noise(1, 10_000), noise(2, 20_000), noise(3, 4000)];
    send(output, 1, 1, first, 0, 4000);
    output.reader.say({ epoch: 1, join: join() });
    send(output, 1, 2, second, 500, 3000);
    output.play(1024);
    output.reader.say({ keep: 1 });
    send(output, 1, 1, first, 4000);
    send(output, 1, 3, third);
    output.reader.say({ epoch: 1, isEnd: true });
    const heard = output.play(12_976);
    assert.deepEqual(heard[0], Float32Array.of(...first[0].slice(1024), ...third[0]).slice(0, 12_976));
  });

  test('begins at its end if it was read on before the next one was known', () => {
    const output = mixer();
    const [first, second] = [noise(1, 10_000), noise(2, 20_000)];
    send(output, 1, 1, first);
    output.reader.say({ epoch: 1, item: 1, end: 8001 });
    send(output, 1, 2, second, 500);
    assert.deepEqual(output.play(16_384)[0], Float32Array.of(...first[0].slice(0, 8001), ...second[0].slice(500)).slice(0, 16_384));
  });

  test('of three tracks each leads to the next', () => {
    const output = mixer();
    const tracks = [noise(1, 10_000), noise(2, 20_000), noise(3, 9000)];
    const joins = [join(), join({ after: 2, item: 3, start: 0, end: 20_000, overlap: 4000, fadeOut: 4000, fadeIn: 0 })];
    send(output, 1, 1, tracks[0], 0, 9000);
    output.reader.say({ epoch: 1, join: joins[0] });
    send(output, 1, 2, tracks[1], 500, 16_000);
    output.reader.say({ epoch: 1, join: joins[1] });
    send(output, 1, 3, tracks[2], 0, 2000);
    send(output, 1, 2, tracks[1], 16_000, 20_000);
    send(output, 1, 3, tracks[2], 2000);
    output.reader.say({ epoch: 1, isEnd: true });
    const both = programme(tracks[0], tracks[1], joins[0]);
    const end = both[0].length;
    const wanted = programme(both, tracks[2], { ...joins[1], end });
    const heard = output.play(wanted[0].length);
    assert.ok(farthest(heard[0], wanted[0]) < 1e-7);
  });
});
