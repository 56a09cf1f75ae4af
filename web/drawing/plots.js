/** Plots of a track: loudness over time and the mean spectrum, each on its canvas. */

import { prepare } from './canvas.js';
import { css } from './colour.js';

/** @typedef {import('../data/documents.js').SpectrumBand} SpectrumBand */
/** @typedef {import('./colour.js').Palette} Palette */

/** Loudness has no hue: momentary hatched, short-term a line, integrated dotted. */
export const loudnessRange = /** @type {const} */ ([-45, -3]);

/**
 * What is known before there are three seconds for the short-term loudness: the mean of the momentary loudness so far.
 * @param {import('../data/documents.js').LoudnessCourse} course
 * @returns {(number | null)[]} LUFS up to the first short-term value, which is the last one here; null without any
 */
export function loudnessAtFirst({ momentary_lufs: momentary, short_term_lufs: shortTerm }) {
  const known = shortTerm.findIndex((value) => value !== null);
  const end = known < 0 ? Math.min(momentary.length, 30) : known;
  let [sum, heard] = [0, 0];
  const means = momentary.slice(0, end).map((value) => {
    if (value !== null) {
      sum += 10 ** (value / 10);
      heard += 1;
    }
    return heard ? 10 * Math.log10(sum / heard) : null;
  });
  return known < 0 ? means : [...means, shortTerm[known]];
}

/**
 * Joins points; what is not known is a gap, never the floor.
 * @param {CanvasRenderingContext2D} context @param {(number | null)[]} points heights in pixels
 * @param {(index: number) => number} place their x
 */
function strokeLine(context, points, place) {
  context.beginPath();
  let isOpen = false;
  points.forEach((height, i) => {
    if (height === null) isOpen = false;
    else if (isOpen) context.lineTo(place(i), height);
    else context.moveTo(place(i), height);
    isOpen = height !== null;
  });
  context.stroke();
}

/**
 * @param {HTMLCanvasElement} canvas @param {import('../data/documents.js').LoudnessCourse} course
 * @param {Palette} palette
 */
export function drawLoudness(canvas, course, palette) {
  const { context, width, height, ratio } = prepare(canvas);
  context.clearRect(0, 0, width, height);
  const [low, high] = loudnessRange;
  const y = (/** @type {number | null} */ value) =>
    height * (1 - Math.max(0, Math.min(1, ((value ?? -99) - low) / (high - low))));
  const { momentary_lufs: momentary, short_term_lufs: shortTerm, integrated_lufs: integrated } = course;
  if (typeof integrated === 'number') {
    const [from, to] = rangeOf(shortTerm, integrated);
    context.fillStyle = css(palette.over(palette.ink, 0.06));
    context.fillRect(0, y(to), width, y(from) - y(to));
  }
  for (const line of [-10, -20, -30]) {
    context.fillStyle = css(palette.over(palette.line));
    context.fillRect(0, Math.round(y(line)), width, 1);
  }
  const step = Math.round(3 * ratio);
  context.fillStyle = css(palette.over(palette.ink3, 0.6));
  for (let x = 0; x < width; x += step) {
    const value = maximum(momentary, (x / width) * momentary.length, ((x + step) / width) * momentary.length);
    const top = Math.round(y(value));
    if (value !== null) context.fillRect(x, top, Math.max(1, Math.round(ratio)), height - top);
  }
  context.strokeStyle = css(palette.over(palette.ink));
  context.lineWidth = 1.5 * ratio;
  context.lineJoin = 'round';
  const known = (/** @type {number | null} */ value) => (value === null ? null : y(value));
  const columns = Array.from({ length: Math.floor(width / ratio) + 1 }, (_, i) =>
    known(shortTerm[Math.min(shortTerm.length - 1, Math.floor(((i * ratio) / width) * shortTerm.length))] ?? null));
  strokeLine(context, columns, (i) => i * ratio);
  context.setLineDash([1.5 * ratio, 2.5 * ratio]);
  strokeLine(context, loudnessAtFirst(course).map(known), (i) => (i * width) / Math.max(1, shortTerm.length));
  context.setLineDash([]);
  if (typeof integrated !== 'number') return;
  context.setLineDash([1.5 * ratio, 4 * ratio]);
  context.beginPath();
  context.moveTo(0, y(integrated));
  context.lineTo(width, y(integrated));
  context.stroke();
  context.setLineDash([]);
}

/**
 * From where to where the loudness range reaches: the 10th and 95th percentile above the gate of EBU Tech 3342.
 * @param {(number | null)[]} values @param {number} integrated
 */
function rangeOf(values, integrated) {
  const heard = /** @type {number[]} */ (values.filter((value) => value !== null && value > integrated - 20))
    .sort((a, b) => a - b);
  return [heard[Math.floor(heard.length * 0.1)] ?? integrated, heard[Math.floor(heard.length * 0.95)] ?? integrated];
}

/** @param {(number | null)[]} values @param {number} from @param {number} to */
function maximum(values, from, to) {
  /** @type {number | null} */
  let result = null;
  for (let i = Math.floor(from); i < Math.min(values.length, Math.ceil(to)); i += 1) {
    const value = values[i];
    if (value !== null && (result === null || value > result)) result = value;
  }
  return result;
}

export const spectrumRange = /** @type {const} */ ([-100, -10]);

/**
 * Each band four strokes in its hue, its maximum a cap; a second spectrum as an ink line over it. Bands without
 * a level, which are above half the sample rate or silent, have nothing.
 * @param {HTMLCanvasElement} canvas @param {SpectrumBand[]} bands @param {Palette} palette
 * @param {SpectrumBand[]} [other]
 * @param {(hertz: number) => number} [placeOf] where a frequency is, 0…1; nothing if the bands fill the plot. What no
 *   band is for is a dotted line
 */
export function drawSpectrum(canvas, bands, palette, other, placeOf) {
  const { context, width, height, ratio } = prepare(canvas);
  context.clearRect(0, 0, width, height);
  const [low, high] = spectrumRange;
  const y = (/** @type {number | null} */ value) =>
    Math.round(height * (1 - Math.max(0, Math.min(1, ((value ?? low) - low) / (high - low)))));
  for (const line of [-20, -40, -60, -80]) {
    context.fillStyle = css(palette.over(palette.line));
    context.fillRect(0, y(line), width, 1);
  }
  bands.forEach((band, i) => {
    if (band.mean_db === null) return;
    const [left, right] = placeOf ? [placeOf(band.low_hz) * width, placeOf(band.high_hz) * width]
      : [(i * width) / bands.length, ((i + 1) * width) / bands.length];
    const hertz = Math.sqrt(band.low_hz * band.high_hz);
    context.fillStyle = css(palette.levels(hertz)[180]);
    const stroke = (right - left) / 4;
    for (let k = 0; k < 4; k += 1) {
      const x = Math.round(left + k * stroke);
      context.fillRect(x, y(band.mean_db), Math.max(1, Math.round(left + (k + 1) * stroke) - x - Math.round(ratio)),
        height - y(band.mean_db));
    }
    context.fillRect(Math.round(left), y(band.max_db), Math.max(1, Math.round(right - left) - Math.round(ratio)),
      Math.max(1, Math.round(1.5 * ratio)));
  });
  if (placeOf && bands.length) {
    const [first, last] = [placeOf(bands[0].low_hz) * width, placeOf(bands[bands.length - 1].high_hz) * width];
    context.fillStyle = css(palette.over(palette.control));
    for (let x = 0; x < width; x += 5 * ratio) {
      if (x < first - ratio || x > last + ratio) context.fillRect(Math.round(x), height - ratio, ratio, ratio);
    }
  }
  if (!other) return;
  context.strokeStyle = css(palette.over(palette.ink));
  context.lineWidth = 1.5 * ratio;
  context.beginPath();
  other.forEach((band, i) => context.lineTo(placeOf ? placeOf(Math.sqrt(band.low_hz * band.high_hz)) * width
    : ((i + 0.5) * width) / other.length, y(band.mean_db)));
  context.stroke();
}
