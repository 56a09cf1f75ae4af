/** What leaves: parts of tracks one after the other, to the sample. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import '../browser.mjs';
import { dice, farthest, integers } from '../signals.mjs';
import { analogueSum, points, presetOf, presets } from './presets.mjs';
import { Output, effects, ready } from './scope.mjs';
import { neutral, settingsOf } from '/data/presets.js';

before(() => ready);

/** Noise in 16 bits, as files have it: times a gain of 1 it is the same. */
function noise(seed, count) {
  const random = dice(seed);
  return [0, 1].map(() => Float32Array.from({ length: count }, () => Math.floor(20_000 * (random() - 0.5)) / 32_768));
}

const cut = (planes, from, to) => planes.map((plane) => plane.slice(from, to));
const joined = (...tracks) => [0, 1].map((channel) => Float32Array.from(tracks.flatMap((planes) => [...planes[channel]])));
/** The factors of a block that fades. */
const ramp = (count) => Float32Array.from({ length: count }, (_, i) => 1 - (i + 1) / count);
const times = (samples, factors) => samples.map((value, i) => value * factors[i]);

/** Sends a track in parts that end at random places, at most 600 frames apart. */
function sendInParts(output, epoch, item, planes, roll, gain = 1) {
  for (let at = 0; at < planes[0].length; ) {
    const end = Math.min(planes[0].length, at + roll(1, 600));
    output.send(epoch, item, at, cut(planes, at, end), gain);
    at = end;
  }
}

describe('samples', () => {
  test('leave as they came, in both channels', () => {
    const output = new Output();
    const track = noise(1, 1000);
    output.send(1, 7, 0, track);
    assert.deepEqual(output.play(1000), track);
  });

  test('of one channel leave in both', () => {
    const output = new Output();
    const [mono] = noise(2, 300);
    output.send(1, 7, 0, [mono]);
    assert.deepEqual(output.play(300), [mono, mono]);
  });

  test('leave times the gain of their track', () => {
    const output = new Output();
    const [first, second] = [noise(3, 200), noise(4, 200)];
    output.send(1, 7, 0, first, 0.5);
    output.send(1, 8, 0, second, 1.25);
    const wanted = joined(first.map((plane) => plane.map((value) => value * 0.5)), second.map((plane) => plane.map((value) => value * 1.25)));
    assert.deepEqual(output.play(400), wanted);
  });

  test('of tracks that follow one another have nothing between them, wherever parts and blocks are cut', () => {
    const roll = integers(dice(5));
    for (let round = 0; round < 50; round += 1) {
      const output = new Output();
      const tracks = Array.from({ length: roll(2, 5) }, (_, i) => noise(100 * round + i + 1, roll(1, 900)));
      tracks.forEach((planes, i) => sendInParts(output, 1, 40 + i, planes, roll));
      output.reader.say({ epoch: 1, isEnd: true });
      const wanted = joined(...tracks);
      const heard = output.play(wanted[0].length);
      assert.deepEqual(heard, wanted, `round ${round}`);
      assert.deepEqual(output.page.told('underruns').filter(Boolean), []);
    }
  });

  test('each part that has been played is told to the reader, so that it sends more', () => {
    const output = new Output();
    output.send(3, 7, 0, noise(6, 100));
    output.send(3, 7, 100, noise(7, 100));
    output.send(3, 7, 200, noise(8, 100));
    output.play(128);
    assert.deepEqual(output.reader.told('played'), [3]);
    output.play(128);
    assert.deepEqual(output.reader.told('played'), [3, 3]);
  });

  test('of a loop go from its last frame to its first', () => {
    const output = new Output();
    const loop = noise(9, 333);
    // As the reader sends it: again and again.
    for (let i = 0; i < 6; i += 1) output.send(1, 7, 5000, loop);
    output.page.say({ capture: 1800 });
    assert.deepEqual(output.play(1900).map((plane) => plane.slice(0, 1800)), joined(...Array(6).fill(loop)).map((plane) => plane.slice(0, 1800)));
    const [marks] = output.page.told('marks');
    // Between two marks frames follow one another; each jump is from 5333 to 5000.
    const ends = marks.map(({ frame, at }, i) => frame + (marks[i + 1]?.at ?? 1800) - at);
    const jumps = marks.slice(1).map(({ frame }, i) => [ends[i], frame]).filter(([end, start]) => end !== start);
    assert.deepEqual(jumps, Array(5).fill([5333, 5000]));
  });
});

describe('a seek', () => {
  test('fades one block of what sounds, then the new place begins with its first sample', () => {
    const output = new Output();
    const [old, found] = [noise(10, 2000), noise(11, 500)];
    output.send(1, 7, 0, old);
    output.play(256);
    output.send(2, 7, 90_000, found);
    const wanted = [0, 1].map((channel) => Float32Array.of(...times(old[channel].slice(256, 384), ramp(128)), ...found[channel]));
    assert.ok(farthest(output.play(628)[0], wanted[0]) < 1e-7);
  });

  test('lets the old place sound until the new one is there', () => {
    const output = new Output();
    const old = noise(12, 2000);
    output.send(1, 7, 0, old);
    assert.deepEqual(output.play(1024), cut(old, 0, 1024));
  });

  test('fades what is left of the old place if that is less than a block', () => {
    const output = new Output();
    const old = noise(13, 300);
    output.send(1, 7, 0, old);
    output.play(256);
    output.send(2, 7, 0, noise(14, 200));
    const [left] = output.play(128);
    assert.ok(farthest(left, Float32Array.of(...times(old[0].slice(256), ramp(44)), ...new Float32Array(84))) < 1e-7);
  });

  test('after a seek of which nothing was heard fades what was heard', () => {
    const output = new Output();
    const [old, passed, found] = [noise(15, 2000), noise(16, 500), noise(17, 500)];
    output.send(1, 7, 0, old);
    output.play(256);
    output.send(2, 7, 5000, passed);
    output.send(3, 7, 90_000, found);
    assert.ok(farthest(output.play(128)[0], times(old[0].slice(256, 384), ramp(128))) < 1e-7);
    assert.deepEqual(output.play(256), cut(found, 0, 256));
  });

  test('is not followed by what was read before it', () => {
    const output = new Output();
    output.send(1, 7, 0, noise(18, 500));
    output.play(128);
    const found = noise(19, 256);
    output.send(2, 7, 90_000, cut(found, 0, 100));
    output.send(1, 7, 500, noise(20, 500));
    output.reader.say({ epoch: 1, isEnd: true });
    output.send(2, 7, 90_100, cut(found, 100, 256));
    output.play(128);
    assert.deepEqual(output.play(256), found);
  });

  test('while nothing plays begins with the very frame, without a fade', () => {
    const output = new Output();
    output.send(1, 7, 0, noise(21, 2000));
    output.play(256);
    output.page.say({ playing: false });
    output.play(256);
    const found = noise(22, 500);
    assert.deepEqual(output.page.told('there'), []);
    output.send(2, 7, 123_457, found);
    assert.deepEqual(output.page.told('there'), [2]);
    assert.deepEqual(output.play(256), [new Float32Array(256), new Float32Array(256)]);
    output.page.say({ playing: true, capture: 500 });
    assert.deepEqual(output.play(500), found);
    assert.equal(output.page.told('marks')[0][0].frame, 123_457);
  });
});

describe('a pause', () => {
  test('fades one block, and playing goes on with the same frames', () => {
    const output = new Output();
    const track = noise(23, 2000);
    output.send(1, 7, 0, track);
    output.play(256);
    output.page.say({ playing: false });
    const [left] = output.play(384);
    assert.ok(farthest(left.slice(0, 128), times(track[0].slice(256, 384), ramp(128))) < 1e-7);
    assert.deepEqual(left.slice(128), new Float32Array(256));
    output.page.say({ playing: true });
    assert.deepEqual(output.play(512), cut(track, 256, 768));
  });

  test('says where it is', () => {
    const output = new Output();
    output.send(4, 7, 1000, noise(24, 2000));
    output.play(256);
    output.page.posted.length = 0;
    output.page.say({ playing: false });
    output.play(256);
    assert.deepEqual(output.page.posted, [{ item: 7, frame: 1256, rate: 1, time: 256 / 44_100, epoch: 4 }]);
  });

  test('before anything is there is silent', () => {
    const output = new Output();
    output.page.say({ playing: false });
    assert.deepEqual(output.play(256), [new Float32Array(256), new Float32Array(256)]);
    assert.deepEqual(output.page.posted, []);
  });
});

describe('what comes late', () => {
  test('leaves silence in its place, is counted once, and is exact when it has come', () => {
    const output = new Output();
    const track = noise(25, 1000);
    output.send(1, 7, 0, cut(track, 0, 300));
    assert.deepEqual(output.play(640), joined(cut(track, 0, 300), [new Float32Array(340), new Float32Array(340)]));
    assert.deepEqual(output.page.posted.filter(({ waiting }) => waiting !== undefined), [{ waiting: true, underruns: 1 }]);
    output.send(1, 7, 300, cut(track, 300, 1000));
    assert.deepEqual(output.play(700), cut(track, 300, 1000));
    assert.deepEqual(output.page.posted.filter(({ waiting }) => waiting !== undefined)[1], { waiting: false, underruns: 1 });
  });

  test('at the start is waited for, and is no fault', () => {
    const output = new Output();
    output.play(1280);
    assert.deepEqual(output.page.posted, [{ waiting: true, underruns: 0 }]);
    output.send(1, 7, 0, noise(26, 500));
    output.play(256);
    assert.deepEqual(output.page.told('waiting'), [true, false]);
  });

  test('after a seek is no fault either', () => {
    const output = new Output();
    output.send(1, 7, 0, noise(27, 5000));
    output.play(256);
    output.send(2, 7, 9000, noise(28, 100));
    output.play(128);
    assert.deepEqual(output.page.told('underruns'), []);
  });

  test('of what comes next is forgotten if something else comes next', () => {
    const output = new Output();
    const [track, next] = [noise(29, 200), noise(30, 200)];
    output.send(1, 7, 0, track);
    output.send(1, 8, 0, noise(31, 200));
    output.play(128);
    output.reader.say({ keep: 7 });
    output.send(1, 9, 0, next);
    assert.deepEqual(output.play(272), joined(cut(track, 128, 200), next));
  });
});

describe('the end', () => {
  test('is told after the last sample, and then nothing sounds', () => {
    const output = new Output();
    const track = noise(32, 300);
    output.send(5, 7, 0, track);
    output.reader.say({ epoch: 5, isEnd: true });
    output.play(256);
    assert.deepEqual(output.page.told('ended'), []);
    assert.deepEqual(output.play(1280)[0], Float32Array.of(...track[0].slice(256), ...new Float32Array(1280 - 44)));
    assert.deepEqual(output.page.told('ended'), [5]);
    assert.deepEqual(output.page.told('waiting'), []);
  });

  test('is told also if the last sample fills its block', () => {
    const output = new Output();
    output.send(5, 7, 0, noise(33, 256));
    output.reader.say({ epoch: 5, isEnd: true });
    output.play(256);
    assert.deepEqual(output.page.told('ended'), []);
    output.play(128);
    assert.deepEqual(output.page.told('ended'), [5]);
  });

  test('is none if the next track comes in time', () => {
    const output = new Output();
    const [track, next] = [noise(34, 200), noise(35, 200)];
    output.send(1, 7, 0, track);
    output.reader.say({ epoch: 1, isEnd: true });
    output.play(128);
    output.send(1, 8, 0, next);
    assert.deepEqual(output.play(272), joined(cut(track, 128, 200), next));
    assert.deepEqual(output.page.told('ended'), []);
  });

  test('of another place is not that of this one', () => {
    const output = new Output();
    output.send(1, 7, 0, noise(36, 100));
    output.reader.say({ epoch: 1, isEnd: true });
    output.send(2, 7, 0, noise(37, 100));
    output.play(1280);
    assert.deepEqual(output.page.told('ended'), []);
    assert.equal(output.page.told('waiting').pop(), true);
  });
});

describe('reports', () => {
  test('say at which time of the context which frame leaves', () => {
    const output = new Output();
    output.send(1, 7, 500, noise(38, 40_000));
    output.play(128 * 100);
    const reports = output.page.posted.filter(({ frame }) => frame !== undefined);
    assert.ok(reports.length >= 12, `${reports.length} in 100 blocks`);
    for (const { frame, time, item, rate, epoch } of reports) {
      assert.deepEqual([item, rate, epoch], [7, 1, 1]);
      assert.ok(Math.abs(frame - 500 - time * 44_100) < 1e-6, `frame ${frame} at ${time}`);
    }
  });

  test('tell of another track in the block in which it begins', () => {
    const output = new Output();
    output.send(1, 7, 0, noise(39, 200));
    output.send(1, 8, 0, noise(40, 2000));
    output.play(256);
    const [report] = output.page.posted.filter(({ item }) => item === 8);
    assert.deepEqual([report.frame, report.time], [0, 200 / 44_100]);
  });
});

describe('the volume', () => {
  const full = [new Float32Array(6000).fill(1), new Float32Array(6000).fill(1)];

  test('moves to another one evenly, in 1,024 frames, and stays', () => {
    const output = new Output();
    output.send(1, 7, 0, full);
    output.play(256);
    output.page.say({ volume: 0.25 });
    const [left, right] = output.play(5000);
    assert.deepEqual(left, right);
    left.forEach((value, i) => assert.ok(Math.abs(value - Math.max(0.25, 1 - (0.75 * i) / 1024)) < 1e-6, `${value} after ${i} frames`));
    assert.equal(left[4999], 0.25);
  });

  test('that is moved again on the way goes on from where it is', () => {
    const output = new Output();
    output.send(1, 7, 0, full);
    output.play(128);
    output.page.say({ volume: 0 });
    output.play(128);
    output.page.say({ volume: 1 });
    const heard = [];
    for (let i = 0; i < 4; i += 1) heard.push(...output.play(128)[0]);
    output.page.say({ volume: 0.25 });
    heard.push(...output.play(2048)[0]);
    for (let i = 1; i < heard.length; i += 1) assert.ok(Math.abs(heard[i] - heard[i - 1]) <= 1 / 1024 + 1e-6, `${heard[i - 1]} to ${heard[i]}`);
    assert.equal(heard[heard.length - 1], 0.25);
  });

  test('is there from the first sample on', () => {
    const output = new Output();
    output.page.say({ volume: 0.01 });
    output.play(256);
    output.send(1, 7, 0, full);
    assert.equal(Math.max(...output.play(1000)[0]), Math.fround(0.01));
  });

  test('that was turned down during a pause, or while nothing came, is there at once', () => {
    const output = new Output();
    output.send(1, 7, 0, full.map((plane) => plane.slice(0, 1024)));
    output.play(512);
    output.page.say({ playing: false });
    output.play(256);
    output.page.say({ volume: 0.25 });
    output.page.say({ playing: true });
    assert.equal(Math.max(...output.play(512)[0]), 0.25);
    output.play(256);
    output.page.say({ volume: 0.125 });
    output.play(128);
    output.send(1, 7, 1024, full.map((plane) => plane.slice(1024)));
    assert.equal(Math.max(...output.play(512)[0]), 0.125);
  });

  test('is that of the block that fades before a pause or another place', () => {
    const output = new Output();
    output.page.say({ volume: 0.125 });
    output.send(1, 7, 0, full.map((plane) => plane.slice(0, 2000)));
    output.play(256);
    output.page.say({ playing: false });
    assert.deepEqual(output.play(128)[0], ramp(128).map((factor) => 0.125 * factor));
    output.page.say({ playing: true });
    output.play(256);
    output.send(2, 7, 90_000, full.map((plane) => plane.slice(0, 500)));
    assert.deepEqual(output.play(128)[0], ramp(128).map((factor) => 0.125 * factor));
    assert.equal(Math.max(...output.play(256)[0]), 0.125);
  });

  test('of nothing is silence, and back again', () => {
    const output = new Output();
    output.send(1, 7, 0, [0, 1].map(() => new Float32Array(120_000).fill(1)));
    output.play(128);
    output.page.say({ volume: 0 });
    output.play(1024);
    assert.equal(Math.max(...output.play(1024)[0]), 0);
    output.page.say({ volume: 1 });
    output.play(1024);
    assert.equal(Math.min(...output.play(1024)[0]), 1);
  });
});

describe('a capture', () => {
  test('has what leaves, with the track and frame of each stretch', () => {
    const output = new Output();
    const [track, next] = [noise(41, 400), noise(42, 2000)];
    output.send(1, 7, 1000, track);
    output.send(1, 8, 0, next);
    output.play(128);
    output.page.say({ capture: 700 });
    output.play(1024);
    const { captured, marks } = output.page.posted.find((message) => message.captured);
    assert.deepEqual(captured, joined(cut(track, 128, 400), cut(next, 0, 428)));
    assert.deepEqual(marks.find(({ item }) => item === 8), { at: 272, item: 8, frame: 0 });
    for (const { at, item, frame } of marks) assert.equal(frame, item === 7 ? 1128 + at : at - 272);
    // Only once.
    output.play(1024);
    assert.equal(output.page.told('captured').length, 1);
  });
});

/** The worklet with the effects and a sound for track 7. */
function shaped(rate, preset, more = {}) {
  const output = new Output(rate);
  output.page.say({ module: effects });
  output.page.say({ item: 7, effects: settingsOf(presetOf([], preset)) });
  for (const [item, effects] of Object.entries(more)) output.page.say({ item: Number(item), effects });
  return output;
}

describe('effects', () => {
  for (const rate of [44_100, 48_000, 96_000])
    describe(`at ${rate} Hz an impulse has the curve of the preset within a hundredth of a decibel`, () => {
      const [count, place, height] = [24_576, 2000, 0.1];
      for (const [name, bands] of Object.entries(presets))
        test(name, () => {
          const output = shaped(rate, { bands });
          const impulse = new Float32Array(count);
          impulse[place] = height;
          output.send(1, 7, 0, [impulse, impulse]);
          const [left, right] = output.play(count);
          assert.deepEqual(left, right);
          const late = left.findIndex((value) => value !== 0);
          assert.ok(late >= place, `it is heard at ${late}`);
          for (const hertz of points(rate)) {
            const wanted = analogueSum(bands, rate, hertz);
            if (wanted < -60) continue;
            // The sum of left[i] · z^i, from the last frame on.
            let [re, im] = [0, 0];
            const [c, s] = [Math.cos((2 * Math.PI * hertz) / rate), Math.sin((2 * Math.PI * hertz) / rate)];
            for (let i = count - 1; i >= late; i -= 1) [re, im] = [re * c - im * s + left[i], re * s + im * c];
            const found = 20 * Math.log10(Math.hypot(re, im) / height);
            assert.ok(Math.abs(found - wanted) < 0.01, `${hertz} Hz: ${found}, not ${wanted}`);
          }
        });
    });

  test('are not made as long as nothing is shaped', () => {
    const output = new Output();
    output.page.say({ module: effects });
    output.page.say({ item: 7, effects: neutral });
    const track = noise(43, 1000);
    output.send(1, 7, 0, track);
    assert.deepEqual(output.play(1000), track);
    assert.equal(output.processor.stream.chain, null);
  });

  test('that change nothing leave every bit, late by what the playhead allows for', () => {
    const output = shaped(44_100, { gain_db: -6 }, { 8: neutral });
    const [track, next] = [noise(44, 2000), noise(45, 9000)];
    output.send(1, 7, 0, track);
    output.send(1, 8, 0, next);
    output.play(2048);
    // The gain fades back within 30 ms.
    const [left] = output.play(6000);
    const late = 200;
    assert.deepEqual(left.slice(2000), next[0].slice(48 + 2000 - late, 48 + 6000 - late));
    const { frame, time } = output.page.posted.filter(({ item }) => item === 8).pop();
    assert.ok(Math.abs(time * 44_100 - (2000 + frame + late)) < 1e-6, 'the report says when it is heard');
  });

  test('a gain is that of the preset', () => {
    const output = shaped(44_100, { gain_db: -6 });
    const track = noise(46, 4000);
    output.send(1, 7, 0, track);
    const factor = 10 ** (-6 / 20);
    assert.ok(farthest(output.play(4000)[0].slice(200), track[0].slice(0, 3800).map((value) => value * factor)) < 1e-6);
  });

  test('that change while a track plays move without a click', () => {
    const output = shaped(44_100, { gain_db: -1 });
    const tone = Float32Array.from({ length: 20_000 }, (_, i) => 0.3 * Math.sin((2 * Math.PI * 100 * i) / 44_100));
    output.send(1, 7, 0, [tone, tone]);
    output.play(4096);
    output.page.say({ item: 7, effects: settingsOf(presetOf([], { gain_db: -24 })) });
    const [left] = output.play(8000);
    const most = 0.3 * ((2 * Math.PI * 100) / 44_100);
    for (let i = 1; i < left.length; i += 1) assert.ok(Math.abs(left[i] - left[i - 1]) < 1.5 * most, `${left[i - 1]} to ${left[i]} at ${i}`);
    assert.ok(Math.abs(Math.max(...left.slice(4000)) - 0.3 * 10 ** (-24 / 20)) < 0.001);
  });

  test('the last samples come out before the end is told', () => {
    const output = shaped(44_100, { gain_db: -1 });
    const track = noise(47, 1000);
    output.send(1, 7, 0, track);
    output.reader.say({ epoch: 1, isEnd: true });
    const heard = output.play(2048)[0];
    assert.deepEqual(output.page.told('ended'), [1]);
    const factor = 10 ** (-1 / 20);
    assert.ok(farthest(heard.slice(200, 1200), track[0].map((value) => value * factor)) < 1e-6);
  });

  test('a room is heard after the last sample', () => {
    const output = shaped(44_100, { reverb: { room: 'cathedral', mix_percent: 50 } });
    output.send(1, 7, 0, noise(48, 4410));
    output.reader.say({ epoch: 1, isEnd: true });
    output.play(4480);
    const energy = (samples) => samples.reduce((sum, value) => sum + value * value, 0);
    assert.ok(energy(output.play(44_100)[0]) > 1e-3);
    output.play(3 * 44_100);
    assert.deepEqual(output.page.told('ended'), [1]);
  });

  for (const [rate, cents] of [[2, 0], [2, -1200], [0.5, 0], [1, 700], [1.5, -702]])
    test(`a rate of ${rate} with ${cents} cents takes ${rate} frames of the track for one, and the next track is exact`, () => {
      const output = shaped(44_100, { rate, pitch_cents: cents }, { 8: neutral });
      const [count, next] = [44_100, noise(49, 20_000)];
      const tone = Float32Array.from({ length: count }, (_, i) => 0.3 * Math.sin((2 * Math.PI * 440 * i) / 44_100));
      for (let at = 0; at < count; at += 10_000) output.send(1, 7, at, [tone.slice(at, at + 10_000), tone.slice(at, at + 10_000)]);
      output.send(1, 8, 0, next);
      const [left] = output.play(Math.round(count / rate) + 6000);
      // The next one is found by its first samples, bit for bit; 200 frames late because of the effects.
      const wanted = next[0];
      const start = left.findIndex((_, i) => [300, 301, 302, 303].every((k) => left[i + k] === wanted[k]));
      assert.ok(Math.abs(start - 200 - count / rate) <= 2, `it begins at ${start}, not after ${count / rate} frames`);
      assert.deepEqual(left.slice(start + 300, start + 4000), wanted.slice(300, 4000));
      // The tone: crossings upwards in its middle.
      const middle = left.slice(Math.round(count / rate / 4), Math.round((3 * count) / rate / 4));
      const crossings = middle.reduce((sum, value, i) => sum + Number(i > 0 && middle[i - 1] < 0 && value >= 0), 0);
      const hertz = (crossings * 44_100) / middle.length;
      const wantedHertz = 440 * rate * 2 ** (cents / 1200);
      assert.ok(Math.abs(hertz / wantedHertz - 1) < 0.02, `${hertz} Hz, not ${wantedHertz}`);
    });

  test('the playhead moves at the rate', () => {
    const output = shaped(44_100, { rate: 2 });
    for (let at = 0; at < 80_000; at += 10_000) output.send(1, 7, at, noise(at + 50, 10_000));
    output.play(128 * 200);
    const reports = output.page.posted.filter(({ frame }) => frame !== undefined).slice(4);
    for (const { frame, time, rate } of reports) {
      assert.equal(rate, 2);
      assert.ok(Math.abs(frame - 2 * (time * 44_100 - 200)) < 200, `frame ${frame} at ${time * 44_100}`);
    }
    assert.ok(reports.length > 20);
  });
});
