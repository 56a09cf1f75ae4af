/** Loudness, against the signals of the standards and their own numbers. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { amplitude, dice, integers, sine } from '../signals.mjs';
import { Loudness } from '/audio/loudness.js';

const rates = [44_100, 48_000, 96_000];
const near = (found, wanted, delta, what = '') => assert.ok(found !== null && Math.abs(found - wanted) <= delta, `${what} ${found} is not ${wanted}`);

/** Stretches of 1 kHz in both channels, one after the other: [level in dBFS, seconds]. */
function stretches(rate, parts) {
  const levels = parts.flatMap(([level, seconds]) => Array(Math.round(seconds * rate)).fill(amplitude(level)));
  const tone = sine(1000, rate, levels.length, 1, 0);
  return tone.map((value, i) => value * levels[i]);
}

/** Calls `look` after each 100 ms. */
function measure(rate, left, right, look = () => {}) {
  const loudness = new Loudness(rate);
  const step = Math.round(rate / 10);
  for (let at = 0; at < left.length; at += step) if (loudness.consume(left.subarray(at, at + step), right.subarray(at, at + step))) look(loudness, (at + step) / rate);
  return loudness;
}

for (const rate of rates)
  describe(`loudness at ${rate} Hz`, () => {
    for (const level of [-23, -33])
      test(`1 kHz at ${level} dBFS in both channels reads ${level} LUFS (EBU Tech 3341, cases 1 and 2)`, () => {
        const tone = sine(1000, rate, 4 * rate, amplitude(level));
        const loudness = measure(rate, tone, tone);
        near(loudness.momentary, level, 0.1);
        near(loudness.shortTerm, level, 0.1);
        near(loudness.truePeaks[0], level, 0.1);
      });

    test('one channel alone at 997 Hz and 0 dBFS reads -3.01 (BS.1770)', () => {
      const tone = sine(997, rate, 4 * rate);
      for (const [left, right] of [[tone, new Float32Array(tone.length)], [new Float32Array(tone.length), tone]]) {
        const loudness = measure(rate, left, right);
        near(loudness.momentary, -3.01, 0.1);
        near(loudness.shortTerm, -3.01, 0.1);
        near(Math.max(...loudness.truePeaks), 0, 0.1);
        assert.equal(Math.min(...loudness.truePeaks), -120);
      }
    });

    test('short-term loudness is -23.0 wherever the three seconds begin (EBU Tech 3341, case 9)', () => {
      const tone = stretches(rate, Array(5).fill([[-20, 1.34], [-30, 1.66]]).flat());
      let count = 0;
      measure(rate, tone, tone, ({ shortTerm }, seconds) => {
        if (seconds < 3.05) return;
        near(shortTerm, -23, 0.1, `after ${seconds} s`);
        count += 1;
      });
      assert.ok(count > 100);
    });

    test('momentary loudness is -23.0 wherever the 400 ms begin (EBU Tech 3341, case 12)', () => {
      const tone = stretches(rate, Array(25).fill([[-20, 0.18], [-30, 0.22]]).flat());
      let count = 0;
      measure(rate, tone, tone, ({ momentary }, seconds) => {
        if (seconds < 1) return;
        near(momentary, -23, 0.1, `after ${seconds} s`);
        count += 1;
      });
      assert.ok(count > 80);
    });

    // Cases 15 to 19: fractions of the rate, whose samples miss the peaks.
    for (const [fraction, degrees, peak, wanted] of [[4, 0, 0.5, -6], [4, 45, 0.5, -6], [6, 60, 0.5, -6], [8, 67.5, 0.5, -6], [4, 45, 1.41, 3]])
      test(`the true peak of a sine of a ${fraction}th of the rate at ${degrees} degrees is ${wanted} dBTP (EBU Tech 3341, cases 15 to 19)`, () => {
        // It comes and goes slowly, as the test's own signals do: a sudden start has higher peaks.
        const tone = sine(rate / fraction, rate, rate, peak, (Math.PI * degrees) / 180).map((value, i) => value * Math.min(1, (i / rate) * 10, ((rate - i) / rate) * 10));
        for (const found of measure(rate, tone, tone).truePeaks) assert.ok(found >= wanted - 0.4 && found <= wanted + 0.2, String(found));
      });
  });

test('samples that miss the peak by 3 dB still show it (EBU Tech 3341, case 16)', () => {
  const tone = sine(12_000, 48_000, 48_000, 0.5, Math.PI / 4);
  const most = tone.reduce((most, value) => Math.max(most, Math.abs(value)), 0);
  near(20 * Math.log10(most), -9.03, 0.01);
  const [found] = measure(48_000, tone, tone).truePeaks;
  assert.ok(found >= -6.02 - 0.4 && found <= -6.02 + 0.2, String(found));
});

describe('loudness of noise at 48 kHz', () => {
  const random = dice(17);
  const noise = Float32Array.from({ length: 48_000 }, () => 0.4 * (random() - 0.5));

  test('it is what the coefficients that BS.1770-4 prints give', () => {
    // Annex 1, tables 1 and 2.
    const filters = [
      [1.53512485958697, -2.69169618940638, 1.19839281085285, -1.69065929318241, 0.73248077421585],
      [1, -2, 1, -1.99004745483398, 0.99007225036621],
    ];
    let weighted = Float64Array.from(noise);
    for (const [b0, b1, b2, a1, a2] of filters) {
      const output = new Float64Array(weighted.length);
      weighted.forEach((x, i) => {
        output[i] = b0 * x + b1 * (weighted[i - 1] ?? 0) + b2 * (weighted[i - 2] ?? 0) - a1 * (output[i - 1] ?? 0) - a2 * (output[i - 2] ?? 0);
      });
      weighted = output;
    }
    const energy = weighted.subarray(48_000 - 19_200).reduce((sum, value) => sum + value * value, 0) / 19_200;
    near(measure(48_000, noise, new Float32Array(noise.length)).momentary, -0.691 + 10 * Math.log10(energy), 1e-6);
    // Both channels add up.
    near(measure(48_000, noise, noise).momentary, -0.691 + 10 * Math.log10(2 * energy), 1e-6);
  });

  test('where the blocks are cut makes no difference', () => {
    const whole = new Loudness(48_000);
    whole.consume(noise, noise);
    const roll = integers(random);
    const cut = new Loudness(48_000);
    for (let at = 0; at < noise.length; ) {
      const end = Math.min(noise.length, at + roll(1, 700));
      cut.consume(noise.subarray(at, end), noise.subarray(at, end));
      at = end;
    }
    assert.deepEqual([cut.steps, cut.truePeaks], [whole.steps, whole.truePeaks]);
  });

  test('a true peak is at least the highest sample', () => {
    const highest = 20 * Math.log10(noise.reduce((most, value) => Math.max(most, Math.abs(value)), 0));
    for (const peak of measure(48_000, noise, noise).truePeaks) assert.ok(peak >= highest - 1e-9);
  });
});

describe('the meter of loudness', () => {
  test('says nothing before its time is over', () => {
    const tone = sine(1000, 48_000, 4 * 48_000, 0.1);
    measure(48_000, tone, tone, ({ momentary, shortTerm }, seconds) => {
      assert.equal(momentary === null, seconds < 0.399, `momentary after ${seconds}`);
      assert.equal(shortTerm === null, seconds < 2.999, `short-term after ${seconds}`);
    });
    const fresh = new Loudness(48_000);
    assert.deepEqual([fresh.momentary, fresh.shortTerm, fresh.truePeaks], [null, null, [-120, -120]]);
    assert.equal(fresh.consume(new Float32Array(0), new Float32Array(0)), false);
  });

  test('tells of each complete 100 ms, also of several', () => {
    const loudness = new Loudness(48_000);
    const zeros = new Float32Array(4800);
    assert.equal(loudness.consume(zeros.subarray(1), zeros.subarray(1)), false);
    assert.equal(loudness.consume(zeros.subarray(0, 1), zeros.subarray(0, 1)), true);
    assert.equal(loudness.consume(new Float32Array(20_000), new Float32Array(20_000)), true);
    assert.equal(loudness.steps.length, 5);
  });

  test('silence has a floor, and three seconds after the sound nothing is left of it', () => {
    const tone = Float32Array.from({ length: 8 * 48_000 }, (_, i) => (i < 48_000 ? Math.sin(i) : 0));
    const loudness = measure(48_000, tone, tone);
    near(loudness.shortTerm, -120.691, 0.001);
    assert.ok(loudness.truePeaks[0] > -0.5, 'the peak stays');
  });
});
