/** The spectrum of what is heard, against transforms by definition and tables of the standard. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../browser.mjs';
import { dice, integers, sine } from '../signals.mjs';
import { Ballistics, BandLevels, loadTransforms, powersOf, weightingA, weightingC } from '/audio/transform.js';

const rates = [44_100, 48_000, 96_000];

/** The power of one bin by the definition of the transform, under a window of Hann; a full-scale sine has 1 in the bins of its peak. */
function binByDefinition(samples, bin) {
  const size = samples.length;
  let [re, im] = [0, 0];
  for (let i = 0; i < size; i += 1) {
    const value = samples[i] * Math.sin((Math.PI * i) / size) ** 2;
    re += value * Math.cos((2 * Math.PI * bin * i) / size);
    im -= value * Math.sin((2 * Math.PI * bin * i) / size);
  }
  // The power of a sine is half the square of its amplitude, on both sides of the spectrum; the window's squares sum to 3/8 of the size.
  return ((re * re + im * im) * 4) / (size * size * (3 / 8));
}

describe('transform', () => {
  test('is silent until it is loaded', async () => {
    const bands = new BandLevels(44_100, { weighting: 'z' });
    const heard = sine(1000, 44_100, BandLevels.window(44_100), 0.1);
    assert.ok(bands.measure(heard).every((level) => level === -120));
    await loadTransforms();
    assert.ok(Math.max(...bands.measure(heard)) > -24);
  });

  test('both transforms are what the definition says, bin for bin', () => {
    const random = dice(5);
    const { sizes } = new BandLevels(44_100, {});
    const samples = Float32Array.from({ length: sizes[0] }, () => 2 * random() - 1);
    const roll = integers(random);
    const powers = powersOf(sizes, samples);
    for (const [which, size] of sizes.entries()) {
      const latest = samples.subarray(samples.length - size);
      for (const bin of [0, 1, 2, size / 2, size / 2 - 1, ...Array.from({ length: 20 }, () => roll(3, size / 2 - 2))]) {
        const wanted = binByDefinition(latest, bin);
        // In single precision, of bins whose mean is 4 / (3 size).
        const error = Math.abs(powers[which][bin] - wanted);
        assert.ok(error <= 1e-5 / size + 1e-4 * wanted, `bin ${bin} of ${size}: ${powers[which][bin]}, not ${wanted}`);
      }
    }
  });

  test('only the latest samples count', () => {
    const bands = new BandLevels(44_100, { weighting: 'z' });
    const size = BandLevels.window(44_100);
    const heard = sine(1000, 44_100, size, 0.1);
    const longer = new Float32Array(size + 5000).fill(0.9);
    longer.set(heard, 5000);
    assert.deepEqual([...bands.measure(longer)], [...new BandLevels(44_100, { weighting: 'z' }).measure(heard)]);
  });

  test('the window is a third of a second at every rate', () => {
    for (const rate of [...rates, 88_200]) {
      const seconds = BandLevels.window(rate) / rate;
      assert.ok(seconds > 0.3 && seconds < 0.4, `${rate}: ${seconds}`);
    }
  });

  for (const rate of rates)
    test(`sines at the centres of twenty bands read their level within half a decibel at ${rate} Hz`, () => {
      const bands = new BandLevels(rate, { weighting: 'z' });
      for (let band = 0; band < 80; band += 4) {
        const level = bands.measure(sine(bands.centre(band), rate, BandLevels.window(rate), 0.1))[band];
        assert.ok(Math.abs(level + 20) < 0.5, `band ${band}: ${level}`);
      }
    });

  test('a sine is found in its band, and 40 dB less in all that do not touch it', () => {
    const bands = new BandLevels(48_000, { weighting: 'z' });
    for (let band = 0; band < 80; band += 1) {
      const levels = bands.measure(sine(bands.centre(band), 48_000, BandLevels.window(48_000), 0.5));
      assert.equal(levels.indexOf(Math.max(...levels)), band);
      // Below 500 Hz bands are narrower than a bin of the short transform; a window of Hann reaches two bins to both sides.
      const reach = (2.5 * 48_000) / (bands.edges[band + 1] <= 500 ? bands.sizes[0] : bands.sizes[1]);
      levels.forEach((level, other) => {
        if (bands.edges[other + 1] < bands.centre(band) - 4 * reach || bands.edges[other] > bands.centre(band) + 4 * reach)
          assert.ok(level < levels[band] - 40, `${level} in band ${other} of a sine in band ${band}`);
      });
    }
  });

  test('pink noise reads the same in every band within half a decibel', () => {
    // Pink by a sum of first-order low passes (Paul Kellet), within 0.05 dB of 3 dB an octave above 10 Hz.
    const random = dice(1);
    const b = new Float64Array(7);
    const pink = () => {
      const w = 2 * random() - 1;
      b[0] = 0.99886 * b[0] + w * 0.0555179;
      b[1] = 0.99332 * b[1] + w * 0.0750759;
      b[2] = 0.969 * b[2] + w * 0.153852;
      b[3] = 0.8665 * b[3] + w * 0.3104856;
      b[4] = 0.55 * b[4] + w * 0.5329522;
      b[5] = -0.7616 * b[5] - w * 0.016898;
      const sum = b[0] + b[1] + b[2] + b[3] + b[4] + b[5] + b[6] + w * 0.5362;
      b[6] = w * 0.115926;
      return sum * 0.05;
    };
    const bands = new BandLevels(44_100, { weighting: 'z' });
    const sums = new Float64Array(80);
    const rounds = 700;
    for (let round = 0; round < rounds; round += 1)
      bands.measure(Float32Array.from({ length: BandLevels.window(44_100) }, pink)).forEach((level, band) => (sums[band] += 10 ** (level / 10)));
    const levels = [...sums].map((sum) => 10 * Math.log10(sum / rounds));
    const mean = levels.reduce((a, c) => a + c) / levels.length;
    levels.forEach((level, band) => assert.ok(Math.abs(level - mean) < 0.5, `band ${band}: ${level - mean}`));
  });

  test('silence is at the floor', () => {
    for (const level of new BandLevels(44_100, {}).measure(new Float32Array(16_384))) assert.equal(level, -120);
  });

  test('a sample that is no number is silence, and nothing after it', () => {
    const bands = new BandLevels(44_100, { weighting: 'z' });
    const moving = new Ballistics(80, {});
    for (const value of [NaN, Infinity]) {
      const samples = sine(1000, 44_100, 16_384, 0.1);
      samples[15_000] = value;
      moving.step(bands.measure(samples), 0.02);
    }
    moving.step(bands.measure(sine(bands.centre(40), 44_100, 16_384, 0.1)), 0.02);
    assert.ok(Math.abs(moving.shown[40] + 20) < 0.5, String(moving.shown[40]));
    assert.ok([...moving.shown, ...moving.peaks].every(Number.isFinite));
  });

  test('the edges of the bands are even by ear, from the lowest to the highest', () => {
    const bands = new BandLevels(44_100, { count: 30, low: 20, high: 20_000 });
    assert.equal(bands.edges.length, 31);
    assert.ok(Math.abs(bands.edges[0] - 20) < 1e-9 && Math.abs(bands.edges[30] - 20_000) < 1e-6);
    // Ten bands a decade.
    for (let band = 0; band < 30; band += 1) assert.ok(Math.abs(bands.edges[band + 1] / bands.edges[band] - 10 ** 0.1) < 1e-12);
  });

  test('bands above half of the rate are empty', () => {
    const bands = new BandLevels(8000, { weighting: 'z' });
    const levels = bands.measure(sine(440, 8000, BandLevels.window(8000), 1));
    assert.ok([...levels].every(Number.isFinite));
    for (let band = 0; band < 80; band += 1) if (bands.edges[band] > 4100) assert.equal(levels[band], -120);
  });
});

describe('weightings', () => {
  // IEC 61672-1:2013, table 3: nominal frequencies stand for powers of ten; the numbers are rounded to tenths.
  const table = [
    [1, -70.4, -14.3], [1.5, -39.4, -3], [1.8, -26.2, -0.8], [2, -19.1, -0.3], [2.1, -16.1, -0.2], [2.4, -8.6, 0], [2.7, -3.2, 0], [3, 0, 0], [3.3, 1.2, -0.2],
    [3.6, 1, -0.8], [3.9, -1.1, -3], [4, -2.5, -4.4], [4.2, -6.6, -8.5], [4.3, -9.3, -11.2],
  ];
  for (const [exponent, a, c] of table)
    test(`at ${Math.round(10 ** exponent)} Hz they are those of the standard`, () => {
      assert.ok(Math.abs(weightingA(10 ** exponent) - a) <= 0.06, `A: ${weightingA(10 ** exponent)}`);
      assert.ok(Math.abs(weightingC(10 ** exponent) - c) <= 0.06, `C: ${weightingC(10 ** exponent)}`);
    });

  test('a weighted band is the band plus the weighting at its centre', () => {
    const random = dice(9);
    const noise = Float32Array.from({ length: 16_384 }, () => random() - 0.5);
    const [plain, a, c] = ['z', 'a', 'c'].map((weighting) => new BandLevels(44_100, { weighting }));
    for (const bands of [plain, a, c]) bands.measure(noise);
    for (let band = 0; band < 80; band += 1) {
      const hertz = Math.sqrt(plain.edges[band] * plain.edges[band + 1]);
      assert.ok(Math.abs(a.levels[band] - plain.levels[band] - weightingA(hertz)) < 1e-9);
      assert.ok(Math.abs(c.levels[band] - plain.levels[band] - weightingC(hertz)) < 1e-9);
    }
  });
});

describe('stored levels', () => {
  // Three bands of an octave, two columns; a step is half a dB above -120.
  const tile = { edges: Float32Array.of(100, 200, 400, 800), bands: 3, steps: Uint8Array.of(10, 20, 30, 100, 200, 240) };

  test('a band has the level of the stored one in which its centre lies', () => {
    const bands = new BandLevels(44_100, { count: 6, low: 100, high: 800, weighting: 'z' });
    assert.deepEqual([...bands.stored(tile, 0)], [-115, -115, -110, -110, -105, -105]);
    assert.deepEqual([...bands.stored(tile, 1)], [-70, -70, -20, -20, 0, 0]);
  });

  test('bands outside of the stored ones are at the floor', () => {
    const bands = new BandLevels(44_100, { count: 5, low: 50, high: 1600, weighting: 'z' });
    assert.deepEqual([...bands.stored(tile, 1)], [-120, -70, -20, 0, -120]);
  });

  test('they are weighted, too', () => {
    const bands = new BandLevels(44_100, { count: 3, low: 100, high: 800, weighting: 'a' });
    bands.stored(tile, 1).forEach((level, band) => assert.ok(Math.abs(level - [-70, -20, 0][band] - weightingA(bands.centre(band))) < 1e-9));
  });
});

describe('ballistics', () => {
  const silent = Float64Array.of(-120);

  for (const frames of [30, 60, 144, 7])
    test(`a level falls by 36 dB a second, and its peak after 0.6 s, at ${frames} frames a second`, () => {
      const moving = new Ballistics(1, {});
      moving.step(Float64Array.of(-10), 1 / frames);
      for (let i = 0; i < frames; i += 1) moving.step(silent, 1 / frames);
      assert.ok(Math.abs(moving.shown[0] + 46) < 1e-9, `level ${moving.shown[0]}`);
      assert.ok(Math.abs(moving.peaks[0] + 10 + 36 * 0.4) < 1e-9, `peak ${moving.peaks[0]}`);
    });

  test('a louder level shows at once, and its peak is held again', () => {
    const moving = new Ballistics(1, { fallPerSecond: 20, hold: 1 });
    for (const [level, seconds, shown, peak] of [[-30, 0.5, -30, -30], [-120, 0.5, -40, -30], [-20, 0.01, -20, -20], [-120, 0.9, -38, -20], [-20, 0.1, -20, -20]]) {
      moving.step(Float64Array.of(level), seconds);
      assert.ok(Math.abs(moving.shown[0] - shown) < 1e-9 && Math.abs(moving.peaks[0] - peak) < 1e-9, `${moving.shown[0]} ${moving.peaks[0]}`);
    }
  });

  test('a peak is never below its level', () => {
    const random = dice(21);
    const moving = new Ballistics(8, {});
    for (let i = 0; i < 3000; i += 1) {
      moving.step(Float64Array.from({ length: 8 }, () => -120 * random()), 0.2 * random());
      moving.shown.forEach((shown, band) => assert.ok(moving.peaks[band] >= shown));
    }
  });

  test('bands are apart', () => {
    const moving = new Ballistics(2, {});
    moving.step(Float64Array.of(-10, -50), 0.1);
    moving.step(Float64Array.of(-10, -60), 0.1);
    assert.deepEqual([...moving.shown].map((value) => Math.round(10 * value) / 10), [-10, -53.6]);
  });
});
