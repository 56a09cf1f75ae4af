/** The live spectrum, its waterfall and the phase scope: the same at every frame rate. */

import assert from 'node:assert/strict';
import { before, describe, test } from 'node:test';
import { canvas } from '../../browser.mjs';
import { dice, sine } from '../../signals.mjs';
import { BandLevels, loadTransforms } from '/audio/transform.js';
import { LiveSpectrum } from '/components/live-spectrum.js';
import { Scope, correlation } from '/views/spectrum/scope.js';
import { Waterfall } from '/views/spectrum/waterfall.js';

const rate = 44_100;
const length = BandLevels.window(rate);
const silent = new Float32Array(length);

before(loadTransforms);

describe('the live spectrum', () => {
  for (const frames of [30, 60, 144])
    test(`levels and peaks fall alike at ${frames} frames a second`, () => {
      const band = 40;
      let samples = sine(new BandLevels(rate, {}).centre(band), rate, length, 0.5);
      const live = new LiveSpectrum(() => 0, '');
      live.listen({ context: { sampleRate: rate }, latest: () => samples });
      live.paint(1);
      live.paint(1 + 1000 / frames);
      const [{ shown, peaks }] = live.moving;
      const top = shown[band];
      samples = silent;
      for (let i = 1; i <= frames; i += 1) live.paint(1 + 1000 / frames + (i * 1000) / frames);
      assert.ok(Math.abs(top - shown[band] - 36) < 0.1, `level: ${top - shown[band]}`);
      assert.ok(Math.abs(top - peaks[band] - 36 * 0.4) < 0.1, `peak: ${top - peaks[band]}`);
    });

  test('what is heard are both channels, and the louder one of each band', () => {
    const live = new LiveSpectrum(() => 0, '');
    const bands = new BandLevels(rate, {});
    const sounds = [sine(bands.centre(20), rate, length, 0.5), sine(bands.centre(60), rate, length, 0.05)];
    live.listen({ context: { sampleRate: rate }, latest: (channel) => sounds[channel] });
    let heard = [];
    live.measured = (levels) => (heard = [...levels]);
    live.step(0.02);
    const [left, right] = sounds.map((samples) => [...bands.measure(samples)]);
    assert.deepEqual(heard, left.map((level, band) => Math.max(level, right[band])));
    assert.ok(Math.abs(live.heard[0] + 6.02) < 0.1 && Math.abs(live.heard[1] + 26.02) < 0.1, String(live.heard));
  });

  test('what is stored stands in its place, and is not measured', () => {
    const live = new LiveSpectrum(() => 0, '');
    live.choose({ weighting: 'z' });
    live.measured = () => assert.fail('it is not heard');
    live.stored = { tile: { edges: live.bands.edges, bands: 80, steps: Uint8Array.from({ length: 160 }, (_, i) => i) }, column: 1 };
    live.step(0.02);
    for (const { shown } of live.moving) shown.forEach((level, band) => assert.ok(Math.abs(level - (-120 + (80 + band) / 2)) < 1e-9, `band ${band}: ${level}`));
    assert.deepEqual(live.heard, [-120, -120]);
  });

  test('nothing to listen to leaves what is shown', () => {
    const live = new LiveSpectrum(() => 0, '');
    live.choose({});
    live.step(10);
    assert.deepEqual([...live.moving[0].shown], Array(80).fill(-120));
  });

  test('a band is as high as its level between -84 and -12 dB, left up and right down', () => {
    const live = new LiveSpectrum((hertz) => (hertz - 100) / 17_900, '');
    live.canvas = canvas(1790, 204);
    live.holdsPeaks = false;
    live.choose({});
    live.moving[0].shown.fill(-48);
    live.moving[1].shown.fill(-12);
    live.paint(1);
    const { context } = live.canvas;
    const heights = new Set();
    // The line in the middle comes first; the other channel behind each is fainter.
    for (const { values: [, y, , height], alpha } of context.of('fillRect').slice(1)) heights.add(`${alpha < 0.5 ? 'behind' : 'before'} ${y < 102 ? 'up' : 'down'} ${height}`);
    // Half of the 100 pixels, and all of them.
    assert.deepEqual([...heights].sort(), ['before down 100', 'before up 50', 'behind down 50', 'behind up 100']);
  });
});

describe('the waterfall', () => {
  for (const frames of [30, 60, 144])
    test(`has forty lines a second at ${frames} frames a second`, () => {
      const fall = new Waterfall(() => 0);
      const bands = new BandLevels(rate, {});
      for (let i = 0; i < frames; i += 1) fall.step(bands, bands.levels, 1 / frames);
      assert.equal(fall.lines, 40);
    });

  test('has forty lines a second at no even rate', () => {
    const random = dice(13);
    const fall = new Waterfall(() => 0);
    const bands = new BandLevels(rate, {});
    let seconds = 0;
    while (seconds < 30) {
      const step = random() / 15;
      seconds += step;
      fall.step(bands, bands.levels, step);
    }
    assert.ok(Math.abs(fall.lines - 40 * seconds) <= 1, `${fall.lines} in ${seconds} s`);
  });
});

describe('the correlation', () => {
  const x = sine(440, rate, 4410);
  for (const [name, other, wanted] of [
    ['mono', x, 1], ['what is silent in mono', x.map((value) => -value), -1], ['a quarter of a wave later', sine(440, rate, 4410, 1, 0.3 + Math.PI / 2), 0],
    ['another level', x.map((value) => value / 8), 1], ['an octave', sine(880, rate, 4410), 0],
  ])
    test(`of ${name} is ${wanted}`, () => assert.ok(Math.abs(correlation(x, other, 4410) - wanted) < 0.01, String(correlation(x, other, 4410))));

  test('of silence is none', () => {
    assert.equal(correlation(x, new Float32Array(4410), 4410), null);
    assert.equal(correlation(new Float32Array(0), new Float32Array(0), 0), null);
  });

  test('is that of the latest samples', () => {
    const both = Float32Array.from([...x.map((value) => -value), ...x]);
    assert.ok(Math.abs(correlation(Float32Array.from([...x, ...x]), both, 4410) - 1) < 1e-6);
  });

  test('is told in words, too', () => {
    const scope = new Scope();
    const tone = sine(440, rate, 8820);
    for (const [right, words, place] of [[tone, 'Phase scope, correlation +1.0', 100], [tone.map((value) => -value), 'Phase scope, correlation \u22121.0', 0], [new Float32Array(8820), 'Phase scope, correlation of silence', 50]]) {
      scope.draw(tone, right);
      assert.equal(scope.canvas.getAttribute('aria-label'), words);
      assert.ok(Math.abs(parseFloat(scope.mark.style.left) - place) < 0.1);
    }
  });

  test('mono stands upright in the scope', () => {
    const scope = new Scope();
    scope.canvas = canvas(200, 200);
    const tone = sine(440, rate, 8820, 0.5);
    scope.draw(tone, tone);
    const dots = scope.canvas.context.of('fillRect').map(({ values: [left, top] }) => [left, top]);
    assert.equal(dots.length, 2205);
    assert.ok(dots.every(([left]) => left === 100));
    const heights = dots.map(([, top]) => top);
    assert.ok(Math.max(...heights) > 180 && Math.min(...heights) < 20 && Math.min(...heights) >= 0);
  });
});
