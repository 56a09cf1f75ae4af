/** Hue is frequency, lightness is level. */

import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import '../browser.mjs';
import { dice } from '../signals.mjs';
import { Palette, css, palette, toLab, toRGB } from '/drawing/colour.js';

const near = (found, wanted, delta) => found.forEach((value, i) => assert.ok(Math.abs(value - wanted[i]) <= delta, `${found} is not ${wanted}`));
const bytes = (packed) => [packed & 255, (packed >> 8) & 255, (packed >> 16) & 255, packed >>> 24];

describe('colours', () => {
  test('OKLab of white, black, grey and primaries is that of its author', () => {
    // Björn Ottosson, "A perceptual color space for image processing", computed with the matrices there, to three digits.
    near(toLab([255, 255, 255]), [1, 0, 0], 1e-4);
    near(toLab([0, 0, 0]), [0, 0, 0], 1e-9);
    near(toLab([255, 0, 0]), [0.628, 0.225, 0.126], 5e-4);
    near(toLab([0, 255, 0]), [0.866, -0.234, 0.179], 5e-4);
    near(toLab([0, 0, 255]), [0.452, -0.032, -0.312], 5e-4);
    // Grey has no hue; sRGB 119 is linear 0.1845, whose cube root is its lightness.
    near(toLab([119, 119, 119]), [Math.cbrt(0.18447), 0, 0], 1e-4);
  });

  test('every colour comes back within a hundredth of a step', () => {
    const random = dice(3);
    for (let i = 0; i < 500; i += 1) {
      const colour = [0, 1, 2].map(() => Math.floor(256 * random()));
      near(toRGB(toLab(colour)), colour, 0.01);
    }
  });

  test('a colour outside of sRGB is cut to it', () => {
    for (const lab of [[0.7, 0.4, 0.1], [1.5, 0, 0], [-1, 0, 0]]) for (const value of toRGB(lab)) assert.ok(value >= 0 && value <= 255, `${lab}: ${value}`);
  });

  test('packed colours are written as CSS has them', () => {
    assert.equal(css(0xff030201), 'rgb(1 2 3)');
    assert.equal(css(0xffffffff), 'rgb(255 255 255)');
  });
});

describe('palette', () => {
  const { ground, ink, bands, full, faint } = palette.peek();

  test('it has the colours of the style sheet', () => {
    assert.deepEqual([ground, ink], [[0x11, 0x12, 0x13], [0xed, 0xec, 0xe8]]);
    assert.equal(palette.peek().isLight, false);
  });

  test('a column of one band has the colour of that band', () => {
    const pure = [Palette.index(200, 0, 0), Palette.index(0, 200, 0), Palette.index(0, 0, 200)].map((index) => bytes(full[index]).slice(0, 3));
    near(pure.flat(), [[0xe8, 0x7a, 0x3a], [0xdf, 0xce, 0x9c], [0x4e, 0xa2, 0xf2]].flat(), 1);
    const [r, g, b] = bytes(faint[Palette.index(200, 0, 0)]);
    // 58 % over the ground.
    near([r, g, b], [0xe8, 0x7a, 0x3a].map((value, i) => ground[i] + 0.58 * (value - ground[i])), 1);
  });

  test('where a column stands depends on the ratios of its bands, which weigh 0, 7 and 22 dB more', () => {
    // A step is half a dB: 14 steps less in the middle, 44 less above weigh the same as the low band.
    const index = Palette.index(200, 186, 156);
    assert.equal(index, 16 * 49 + 16);
    assert.equal(Palette.index(160, 146, 116), index);
    // Each dB counts 2.2 fold: 10 dB above all others leave them 1 in 10^2.2.
    assert.equal(Palette.index(220, 186, 156), Math.round(48 / (1 + 2 / 10 ** 2.2)) * 49);
  });

  test('every column has a place in the tables, and silence has one', () => {
    assert.equal(Palette.index(0, 0, 0), 0);
    const random = dice(11);
    for (let i = 0; i < 5000; i += 1) {
      const steps = [0, 1, 2].map(() => Math.floor(256 * random() ** 2));
      const index = Palette.index(...steps);
      const [low, high] = [Math.floor(index / 49), index % 49];
      assert.ok(low >= 0 && high >= 0 && low + high <= 48, `${steps}: ${index}`);
      assert.equal(bytes(full[index])[3], 255);
    }
  });

  test('the hue of a frequency goes from the low colour to the high one and stays there', () => {
    const here = palette.peek();
    const [low, mid, high] = bands;
    for (const hertz of [-1, 0, 20, 147]) near(here.hue(hertz), low, 1e-9);
    near(here.hue(1350), mid, 1e-9);
    for (const hertz of [8200, 20_000, Infinity]) near(here.hue(hertz), high, 1e-9);
    // The way is even by ear: in the middle between 147 and 478 Hz is half of the 45 % to the middle colour.
    near(here.hue(Math.sqrt(147 * 478)), low.map((value, i) => value + 0.225 * (mid[i] - value)), 1e-9);
  });

  test('the hue of a tempo has three colours', () => {
    const here = palette.peek();
    const [slow, steady, fast] = here.tempi;
    near(here.tempo(0), slow, 1e-9);
    near(here.tempo(0.5), steady, 1e-9);
    near(here.tempo(1), fast, 1e-9);
    near(here.tempo(0.25), slow.map((value, i) => (value + steady[i]) / 2), 1e-9);
  });

  test('levels are the ground below -82 dB, and never darker for more', () => {
    const table = palette.peek().levels(440);
    const ofGround = ground.map(Math.round);
    for (let step = 0; step <= 76; step += 1) assert.deepEqual(bytes(table[step]).slice(0, 3), ofGround);
    let last = 0;
    for (let step = 76; step <= 240; step += 1) {
      const [lightness] = toLab(bytes(table[step]).slice(0, 3));
      assert.ok(lightness >= last - 0.005, `step ${step}`);
      last = lightness;
    }
    // From -16 dB on it stays.
    assert.equal(table[208], table[255]);
    assert.equal(palette.peek().levels(440), table, 'made once');
  });

  test('an ink is laid over the ground', () => {
    const here = palette.peek();
    assert.deepEqual(bytes(here.over(ink)).slice(0, 3), ink);
    assert.deepEqual(bytes(here.over(ink, 0)).slice(0, 3), ground);
    near(bytes(here.over([255, 255, 255], 0.5)), [136, 136.5, 137, 255], 1);
  });

  test('the other theme is another palette', async () => {
    const { settings } = await import('/core/settings.js');
    const dark = palette.peek();
    settings.theme.value = 'light';
    assert.notEqual(palette.peek(), dark);
    settings.theme.value = 'system';
  });
});
