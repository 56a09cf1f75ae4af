/** What is drawn of one track, against the samples it was made of. */

import assert from 'node:assert/strict';
import { beforeEach, describe, test } from 'node:test';
import { json, server, settle } from '../browser.mjs';
import { clock } from '../clock.mjs';
import { dice, integers } from '../signals.mjs';
import { Peaks, WaveformData, waveformFor, stepAmplitude, stepPower } from '/data/waveform-data.js';

const frames = 1_000_000;
const random = dice(31);
/** A mix in 16 bits, louder in its middle. */
const mix = Int16Array.from({ length: frames }, (_, i) => Math.floor(60_000 * (random() - 0.5) * Math.sin((Math.PI * i) / frames)));

/** Least and greatest of frames, as they are stored: `bits` of them, in points of `zoom` frames. */
function pairs(zoom, bits, start = 0, points = Math.ceil((frames - start) / zoom)) {
  const values = [];
  for (let point = 0; point < points && start + point * zoom < frames; point += 1) {
    const part = mix.subarray(start + point * zoom, Math.min(frames, start + (point + 1) * zoom));
    const [low, high] = part.reduce(([least, most], value) => [Math.min(least, value), Math.max(most, value)], [32_767, -32_768]);
    values.push(low >> (16 - bits), high >> (16 - bits));
  }
  return values;
}

/** A waveform.dat of a version (docs/formats.md). */
function dat(version, zoom, values, bits) {
  const head = [version, bits === 8 ? 1 : 0, 44_100, zoom, values.length / 2, 1].slice(0, version === 2 ? 6 : 5);
  const bytes = new DataView(new ArrayBuffer(4 * head.length + (values.length * bits) / 8));
  head.forEach((value, i) => bytes.setInt32(4 * i, value, true));
  values.forEach((value, i) => (bits === 8 ? bytes.setInt8(4 * head.length + i, value) : bytes.setInt16(4 * head.length + 2 * i, value, true)));
  return new Response(bytes.buffer);
}

const stored = pairs(256, 8);

/** What a server with this track answers. */
function answer(url) {
  const given = (name) => Number(url.searchParams.get(name));
  if (url.pathname.endsWith('/waveform.dat')) return given('zoom') ? dat(2, given('zoom'), pairs(given('zoom'), 16, given('start'), given('points')), 16) : dat(2, 256, stored, 8);
  if (url.pathname.endsWith('/pcm')) {
    const part = mix.subarray(given('start'), Math.min(frames, given('start') + given('count')));
    return new Response(Float32Array.from(part, (value) => value / 32_768).buffer, { headers: { 'Deadwax-Total': String(frames), 'Deadwax-Channels': '1' } });
  }
  return json({}, 404);
}

/** The least and greatest of a range as drawn, after everything that it asks for has come. */
async function rangeOf(sound, start, end, zoom) {
  const into = [NaN, NaN];
  sound.range(start, end, zoom, into);
  await settle();
  await settle();
  return [sound.range(start, end, zoom, into), ...into];
}

describe('the peaks of a track', () => {
  let sound;
  beforeEach(async () => {
    server.asked.length = 0;
    server.answer = answer;
    sound = await new WaveformData(7, 44_100, frames).load();
  });

  test('of the whole are those of the samples, to a step of 8 bits', async () => {
    const roll = integers(dice(6));
    for (let i = 0; i < 300; i += 1) {
      const zoom = 256 * 4 ** roll(0, 4);
      const start = zoom * roll(0, Math.floor(frames / zoom) - 1);
      const end = Math.min(frames, start + zoom);
      const [isKnown, low, high] = await rangeOf(sound, start, end, zoom);
      const part = mix.subarray(start, end);
      const [least, most] = part.reduce(([a, b], value) => [Math.min(a, value), Math.max(b, value)], [0, 0]);
      assert.ok(isKnown && Math.abs(low - least / 32_768) <= 1 / 128 && Math.abs(high - most / 32_768) <= 1 / 128, `${start} to ${end}: ${low} ${high}, not ${least / 32_768} ${most / 32_768}`);
    }
    assert.equal(server.asked.filter((url) => url.includes('zoom=')).length, 0);
  });

  test('of a part that is near are asked for, and are those of the samples to a step of 16 bits', async () => {
    for (const [start, zoom] of [[5000, 64], [5056, 64], [131_072, 16], [131_088, 20], [400_000, 4], [900_001, 1], [900_000, 200]]) {
      const [isKnown, low, high] = await rangeOf(sound, start, start + zoom, zoom);
      const size = [64, 16, 4, 1].find((one) => one <= zoom);
      const part = mix.subarray(Math.floor(start / size) * size, Math.ceil((start + zoom) / size) * size);
      assert.ok(isKnown);
      assert.deepEqual([low, high], [Math.min(...part) / 32_768, Math.max(...part) / 32_768], `${zoom} frames from ${start}`);
    }
  });

  test('are shown coarser until the finer ones are there', async () => {
    const into = [NaN, NaN];
    assert.equal(sound.range(5000, 5004, 4, into), true);
    const point = Math.floor(5000 / 256);
    assert.deepEqual(into, [stored[2 * point] / 128, (stored[2 * point + 1] + 1) / 128]);
    let told = 0;
    sound.watchers.add(() => (told += 1));
    await settle();
    assert.equal(told, 1);
  });

  test('of single samples are the samples', async () => {
    assert.equal(sound.sample(2047), null);
    await settle();
    for (const frame of [0, 1, 2047]) assert.equal(sound.sample(frame), mix[frame] / 32_768);
    assert.equal(sound.sample(2048), null);
    for (const frame of [-1, frames, frames + 5000]) assert.equal(sound.sample(frame), null);
  });

  test('beyond the ends are not known, and not asked for', async () => {
    const before = server.asked.length;
    for (const [start, end, zoom] of [[frames + 5000, frames + 6000, 1000], [frames + 50_000, frames + 50_010, 10]]) assert.deepEqual((await rangeOf(sound, start, end, zoom))[0], false, `${start}`);
    assert.equal(server.asked.length, before);
    // What begins before the track shows its beginning.
    assert.equal((await rangeOf(sound, -1000, 1000, 2000))[0], true);
  });

  test('are asked for again two seconds after they could not be had', async (t) => {
    const time = clock();
    t.after(time.end);
    server.asked.length = 0;
    server.answer = () => { throw new TypeError('gone'); };
    sound.sample(0);
    await time.pass(1900);
    server.answer = answer;
    sound.sample(0);
    await time.pass(200);
    assert.equal(server.asked.length, 1);
    sound.sample(0);
    await time.pass(10);
    assert.equal(sound.sample(0), mix[0] / 32_768);
  });

  test('a hundred and sixty parts stay, those that were looked at last', async () => {
    for (let i = 0; i < 200; i += 1) {
      sound.sample(2048 * i);
      await settle();
      sound.sample(0);
    }
    assert.equal(sound.chunks.size, 160);
    assert.deepEqual([sound.sample(0) !== null, sound.sample(2048 * 20)], [true, null]);
  });

  test('in the older format lie 4 bytes before', async () => {
    server.answer = (url) => (url.pathname.endsWith('/waveform.dat') ? dat(1, 512, [-3, 4, -5, 6], 8) : json({}, 404));
    const old = await new WaveformData(8, 44_100, 1024).load();
    assert.deepEqual([old.peaks.zoom, [...old.peaks.levels[0]]], [512, [-3, 4, -5, 6]]);
  });
});

describe('levels of peaks', () => {
  test('have a quarter of the points of the one before, with its least and greatest', () => {
    const values = Int8Array.from(pairs(256, 8).slice(0, 2 * 3001));
    const peaks = new Peaks(256, values);
    assert.deepEqual(peaks.levels.map((level) => level.length / 2), [3001, 751]);
    for (const point of [0, 400, 750]) {
      const part = values.subarray(8 * point, Math.min(values.length, 8 * point + 8));
      const [lows, highs] = [0, 1].map((k) => [...part].filter((_, i) => i % 2 === k));
      assert.deepEqual([...peaks.levels[1].subarray(2 * point, 2 * point + 2)], [Math.min(...lows), Math.max(...highs)]);
    }
  });

  test('the finest level with at least one point in what is asked for', () => {
    const peaks = new Peaks(256, new Int8Array(2 * 70_000));
    assert.equal(peaks.levels.length, 5);
    for (const [count, level] of [[1, 0], [256, 0], [1023, 0], [1024, 1], [4096, 2], [16_384, 3], [65_536, 4], [1e12, 4], [0, 0]]) assert.equal(peaks.levelFor(count), level, String(count));
  });

  test('of nothing is nothing', () => {
    const peaks = new Peaks(256, new Int8Array(0));
    assert.deepEqual([peaks.levels.length, peaks.levelFor(1e6)], [1, 0]);
    const sound = new WaveformData(9, 44_100, 0);
    sound.peaks = peaks;
    assert.equal(sound.range(0, 1000, 1000, [0, 0]), false);
  });
});

describe('levels of bands', () => {
  /** A sound of four points: whole, low, mid, high. */
  const sound = Object.assign(new WaveformData(7, 44_100, 4096), { bands: Uint8Array.of(200, 100, 120, 140, 200, 100, 120, 140, 220, 0, 120, 160, 0, 0, 0, 0) });
  const of = (start, end) => {
    const into = new Uint8Array(4);
    return sound.levels(start, end, into) && [...into];
  };

  test('of one point are its steps', () => {
    assert.deepEqual(of(0, 1024), [200, 100, 120, 140]);
    assert.deepEqual(of(2048, 2050), [220, 0, 120, 160]);
    assert.deepEqual(of(9000, 9100), [0, 0, 0, 0]);
    assert.deepEqual(of(-100, 0), [200, 100, 120, 140]);
  });

  test('of several are their mean power', () => {
    assert.deepEqual(of(0, 2048), [200, 100, 120, 140]);
    // A power of 10 dB more and none: the mean is 3 dB below, six steps.
    assert.deepEqual(of(2048, 4096), [214, 0, 114, 154]);
  });

  test('are not known before they have come', () => {
    assert.equal(new WaveformData(7, 44_100, 4096).levels(0, 10, new Uint8Array(4)), false);
  });

  test('a step is half a decibel above -120 dB', () => {
    assert.ok(Math.abs(stepPower[240] - 1) < 1e-12 && Math.abs(stepPower[220] - 0.1) < 1e-12);
    assert.ok(Math.abs(stepAmplitude(240) - 1) < 1e-12 && Math.abs(stepAmplitude(200) - 0.1) < 1e-12);
    assert.equal(stepPower[0], 0);
  });
});

test('the sounds of eight tracks stay', async () => {
  server.answer = () => json({}, 404);
  const first = waveformFor(1, 44_100, 100);
  for (let id = 2; id <= 8; id += 1) waveformFor(id, 44_100, 100);
  assert.equal(waveformFor(1, 44_100, 100), first);
  waveformFor(9, 44_100, 100);
  assert.equal(waveformFor(1, 44_100, 100), first, 'it was looked at');
  server.asked.length = 0;
  waveformFor(2, 44_100, 100);
  assert.equal(server.asked.length, 2, 'the one that was not is read again');
});
