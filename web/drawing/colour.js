/** Hue is frequency, lightness is level: the colours of everything that waveforms (docs/page.md). */

import { isLight } from '../core/settings.js';
import { effect, signal } from '../core/signals.js';

/** @typedef {[number, number, number]} Triple */

/** @param {number} value 0…255 */
const linear = (value) => (value <= 10.31475 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
/** @param {number} value 0…1 */
const coded = (value) =>
  255 * Math.min(1, Math.max(0, value <= 0.0031308 ? value * 12.92 : 1.055 * value ** (1 / 2.4) - 0.055));

/**
 * sRGB to OKLab (Björn Ottosson, 2020).
 * @param {Triple} rgb @returns {Triple}
 */
export function toLab([red, green, blue]) {
  const [r, g, b] = [linear(red), linear(green), linear(blue)];
  const l = Math.cbrt(0.4122214708 * r + 0.5363325363 * g + 0.0514459929 * b);
  const m = Math.cbrt(0.2119034982 * r + 0.6806995451 * g + 0.1073969566 * b);
  const s = Math.cbrt(0.0883024619 * r + 0.2817188376 * g + 0.6299787005 * b);
  return [
    0.2104542553 * l + 0.793617785 * m - 0.0040720468 * s,
    1.9779984951 * l - 2.428592205 * m + 0.4505937099 * s,
    0.0259040371 * l + 0.7827717662 * m - 0.808675766 * s,
  ];
}

/** @param {Triple} lab @returns {Triple} */
export function toRGB([lightness, a, b]) {
  const l = (lightness + 0.3963377774 * a + 0.2158037573 * b) ** 3;
  const m = (lightness - 0.1055613458 * a - 0.0638541728 * b) ** 3;
  const s = (lightness - 0.0894841775 * a - 1.291485548 * b) ** 3;
  return [
    coded(4.0767416621 * l - 3.3077115913 * m + 0.2309699292 * s),
    coded(-1.2684380046 * l + 2.6097574011 * m - 0.3413193965 * s),
    coded(-0.0041960863 * l - 0.7034186147 * m + 1.707614701 * s),
  ];
}

/** @param {Triple} a @param {Triple} b @param {number} t @returns {Triple} */
const mix = (a, b, t) => [a[0] + (b[0] - a[0]) * t, a[1] + (b[1] - a[1]) * t, a[2] + (b[2] - a[2]) * t];

/**
 * A colour as canvases keep it: bytes R, G, B, A in memory.
 * @param {Triple} rgb
 */
const packed = ([red, green, blue]) =>
  ((255 << 24) | (Math.round(blue) << 16) | (Math.round(green) << 8) | Math.round(red)) >>> 0;
/** @param {number} value @returns {Triple} */
const unpacked = (value) => [value & 255, (value >> 8) & 255, (value >> 16) & 255];
/** @type {Map<number, string>} */
const texts = new Map();

/**
 * The text of a colour, made once: a row of strokes asks for hundreds.
 * @param {number} value
 */
export function css(value) {
  const known = texts.get(value);
  if (known) return known;
  const text = `rgb(${unpacked(value).join(' ')})`;
  texts.set(value, text);
  return text;
}

/**
 * Weight of a band by its step, before they are compared: (power with its gain)^2.2.
 * @param {number} gain in dB
 */
const weights = (gain) =>
  Float64Array.from({ length: 256 }, (_, step) => (step ? 10 ** (((-120 + step / 2 + gain) / 10) * 2.2) : 0));
const [lowWeight, midWeight, highWeight] = [weights(0), weights(7), weights(22)];
const grid = 48;

/** The colours of one theme. */
export class Palette {
  /** @param {CSSStyleDeclaration} style */
  constructor(style) {
    const read = (/** @type {string} */ name) => parse(style.getPropertyValue(name));
    /** @param {string} name */
    this.ground = read('--ground');
    this.ink = read('--ink');
    this.ink2 = read('--ink2');
    this.ink3 = read('--ink3');
    this.line = read('--line');
    this.control = read('--control');
    this.error = read('--error');
    this.bands = [toLab(read('--low')), toLab(read('--mid')), toLab(read('--high'))];
    this.tempi = [toLab(read('--slow')), toLab(read('--steady')), toLab(read('--fast'))];
    this.isLight = toLab(this.ground)[0] > 0.5;
    this.full = this.mixtures(1);
    this.faint = this.mixtures(0.58);
    this.stops = [147, 478, 1350, 4100, 8200].map(Math.log);
    /**
     * Tables that have been asked for.
     * @type {Map<number, Uint32Array>}
     */
    this.tables = new Map();
  }

  /**
   * All mixtures of the three bands, laid over the ground with `opacity`.
   * @param {number} opacity
   */
  mixtures(opacity) {
    const table = new Uint32Array((grid + 1) * (grid + 1));
    for (let low = 0; low <= grid; low += 1)
      for (let high = 0; high <= grid - low; high += 1) {
        const [l, h] = [low / grid, high / grid];
        const [lows, mids, highs] = this.bands;
        const lab = /** @type {Triple} */ ([0, 1, 2].map((k) => l * lows[k] + (1 - l - h) * mids[k] + h * highs[k]));
        table[low * (grid + 1) + high] = packed(mix(this.ground, toRGB(lab), opacity));
      }
    return table;
  }

  /**
   * Where the colour of a column stands in `full` and `faint`.
   * @param {number} low step @param {number} mid step @param {number} high step
   */
  static index(low, mid, high) {
    const [l, m, h] = [lowWeight[low], midWeight[mid], highWeight[high]];
    const sum = l + m + h;
    if (!sum) return 0;
    const left = Math.round((grid * l) / sum);
    return left * (grid + 1) + Math.min(grid - left, Math.round((grid * h) / sum));
  }

  /**
   * The hue of a frequency.
   * @param {number} hertz @returns {Triple} in OKLab
   */
  hue(hertz) {
    const [low, mid, high] = this.bands;
    const colours = [low, mix(low, mid, 0.45), mid, mix(mid, high, 0.6), high];
    const at = Math.log(Math.max(1, hertz));
    const next = this.stops.findIndex((stop) => stop > at);
    if (next === 0) return low;
    if (next < 0) return high;
    return mix(colours[next - 1], colours[next],
      (at - this.stops[next - 1]) / (this.stops[next] - this.stops[next - 1]));
  }

  /**
   * The hue of a tempo.
   * @param {number} place 0 slow … 1 fast @returns {Triple} in OKLab
   */
  tempo(place) {
    const [slow, steady, fast] = this.tempi;
    return place < 0.5 ? mix(slow, steady, 2 * place) : mix(steady, fast, 2 * place - 1);
  }

  /**
   * The colours of a band of a spectrogram by its step.
   * @param {number} hertz
   */
  levels(hertz) {
    const known = this.tables.get(hertz);
    if (known) return known;
    const hue = this.hue(hertz);
    const even = toRGB([this.isLight ? 0.5 : 0.76, hue[1], hue[2]]);
    const top = mix(even, this.isLight ? [12, 12, 12] : [255, 253, 246], 0.7);
    const table = Uint32Array.from({ length: 256 }, (_, step) => {
      const t = Math.min(1, Math.max(0, (-120 + step / 2 + 82) / 66));
      return packed(t < 0.8 ? mix(this.ground, even, (t / 0.8) ** 1.5) : mix(even, top, (t - 0.8) / 0.2));
    });
    this.tables.set(hertz, table);
    return table;
  }

  /**
   * An ink as packed colour, laid over the ground.
   * @param {Triple} ink @param {number} [opacity]
   */
  over(ink, opacity = 1) {
    return packed(mix(this.ground, ink, opacity));
  }
}

const probe = document.createElement('canvas').getContext('2d', { willReadFrequently: true });

/**
 * Any colour of CSS, system colours included.
 * @param {string} text @returns {Triple}
 */
function parse(text) {
  if (!probe) return [128, 128, 128];
  probe.fillStyle = text.trim() || '#888';
  probe.fillRect(0, 0, 1, 1);
  const [red, green, blue] = probe.getImageData(0, 0, 1, 1).data;
  return [red, green, blue];
}

const make = () => new Palette(getComputedStyle(document.documentElement));

/** The palette of the theme that is on. */
export const palette = signal(make());

effect(() => {
  isLight.value;
  palette.value = make();
});
for (const query of ['(forced-colors: active)', '(prefers-contrast: more)'])
  matchMedia(query).addEventListener('change', () => (palette.value = make()));
