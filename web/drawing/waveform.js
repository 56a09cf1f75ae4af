/** How waveforms are drawn: strokes for a whole track, a filled envelope for a part of it. */

import { stepAmplitude } from '../data/waveform-data.js';
import { prepare } from './canvas.js';
import { Palette, css } from './colour.js';

/** @typedef {import('../data/waveform-data.js').WaveformData} WaveformData */

const pair = /** @type {[number, number]} */ ([0, 0]);
const levels = new Uint8Array(4);

/**
 * The engraved strokes of a whole track. What has been played is closed up, what is ahead is hatched.
 * @param {HTMLCanvasElement} canvas @param {WaveformData} waveform @param {Palette} palette
 * @param {{pitch: number, played: number, left?: number}} how `played`: the frame of the playhead; `left`: margin in
 *   pixels
 */
export function drawWhole(canvas, waveform, palette, { pitch, played }) {
  const { context, width, height, ratio } = prepare(canvas);
  context.clearRect(0, 0, width, height);
  const step = Math.round(pitch * ratio);
  const [thin, thick] = [Math.max(1, Math.round(ratio)), Math.max(1, Math.round((pitch - 1) * ratio))];
  const count = Math.floor(width / step);
  const size = waveform.frames / count;
  const head = played < 0 ? -1 : (played / waveform.frames) * count * step;
  const middle = height / 2;
  for (let i = 0; i < count; i += 1) {
    const [start, end] = [i * size, (i + 1) * size];
    const x = i * step;
    if (head >= 0 && Math.abs(x + thin / 2 - head) < 3.5 * ratio) continue;
    const stroke = x < head ? thick : thin;
    const index = waveform.levels(start, end, levels) ? Palette.index(levels[1], levels[2], levels[3]) : 0;
    if (!waveform.range(start, end, size, pair)) continue;
    const peak = Math.max(thin / 2, Math.min(1, Math.max(-pair[0], pair[1])) * middle);
    context.fillStyle = css(palette.faint[index]);
    bar(context, x, middle, stroke, peak);
    context.fillStyle = css(palette.full[index]);
    bar(context, x, middle, stroke, Math.max(thin / 2, Math.min(peak, stepAmplitude(levels[0]) * 1.9 * middle)));
  }
}

/**
 * @param {CanvasRenderingContext2D} context @param {number} x @param {number} middle @param {number} width
 * @param {number} half
 */
function bar(context, x, middle, width, half) {
  const top = Math.round(middle - half);
  context.fillRect(x, top, width, Math.max(1, Math.round(middle + half) - top));
}

/**
 * The strokes of a row: levels only, as loud as the track allows; grey unless `coloured`.
 * @param {HTMLCanvasElement} canvas @param {Uint8Array} outline four steps a stroke @param {Palette} palette
 * @param {{coloured: boolean, played: number, faint: boolean}} how `played`: 0…1, or −1
 */
export function drawOutline(canvas, outline, palette, { coloured, played, faint }) {
  const { context, width, height, ratio } = prepare(canvas);
  context.clearRect(0, 0, width, height);
  const stored = outline.length / 4;
  const step = Math.round(2 * ratio);
  const thin = Math.max(1, Math.round(ratio));
  const count = Math.min(stored, Math.floor(width / step));
  let loudest = 0;
  for (let i = 0; i < stored; i += 1) loudest = Math.max(loudest, outline[4 * i]);
  const scale = loudest ? 0.96 / stepAmplitude(loudest) : 0;
  const grey = css(palette.over(palette.ink3, faint ? 0.45 : 1));
  const head = played < 0 ? -1 : played * count * step;
  for (let i = 0; i < count; i += 1) {
    const x = i * step;
    if (head >= 0 && Math.abs(x - head) < 2.5 * ratio) continue;
    const at = 4 * Math.floor((i * stored) / count);
    const index = Palette.index(outline[at + 1], outline[at + 2], outline[at + 3]);
    context.fillStyle = coloured ? css(palette.full[index]) : grey;
    const half = (stepAmplitude(outline[at]) * scale * height) / 2;
    bar(context, x, height / 2, head > x ? Math.max(thin, Math.round(1.6 * ratio)) : thin, Math.max(thin / 2, half));
  }
  if (head < 0) return;
  context.fillStyle = css(palette.over(palette.ink));
  context.fillRect(Math.round(head), 0, Math.max(1, Math.round(1.5 * ratio)), height);
}

/** @type {ImageData | null} What `drawPart` fills, used again while the size stays. */
let image = null;

/**
 * A part of a track, mirrored: peaks faint, what is heard as loudness inside in full colour; a line of samples when
 * near.
 * @param {HTMLCanvasElement} canvas @param {WaveformData} waveform @param {Palette} palette
 * @param {{start: number, zoom: number, clearAt: number}} how `start`: frame at the left edge; `zoom`: frames a CSS
 *   pixel; `clearAt`: frame of the playhead
 */
export function drawPart(canvas, waveform, palette, { start, zoom, clearAt }) {
  const { context, width, height, ratio } = prepare(canvas);
  const size = zoom / ratio;
  if (size < 2) {
    context.clearRect(0, 0, width, height);
    return drawSamples(context, waveform, palette, { start, size, width, height, ratio });
  }
  if (image?.width !== width || image.height !== height) image = context.createImageData(width, height);
  const pixels = new Uint32Array(image.data.buffer).fill(0);
  const middle = height / 2;
  const clear = 3 * ratio + 1;
  const head = (clearAt - start) / size;
  const first = Math.max(0, Math.floor(-start / size));
  const last = Math.min(width, Math.ceil((waveform.frames - start) / size));
  for (let x = first; x < last; x += 1) {
    if (Math.abs(x - head) < clear) continue;
    const from = start + x * size;
    if (!waveform.range(from, from + size, size, pair)) continue;
    const known = waveform.levels(from, from + size, levels);
    const index = known ? Palette.index(levels[1], levels[2], levels[3]) : 0;
    const peak = Math.min(1, Math.max(-pair[0], pair[1])) * middle;
    const body = known ? Math.min(peak, stepAmplitude(levels[0]) * 1.5 * middle) : 0;
    fill(pixels, width, x, middle, peak, palette.faint[index]);
    if (body > 0.5) fill(pixels, width, x, middle, body, palette.full[index]);
  }
  context.putImageData(image, 0, 0);
}

/**
 * @param {Uint32Array} pixels @param {number} width @param {number} x @param {number} middle @param {number} half
 * @param {number} colour
 */
function fill(pixels, width, x, middle, half, colour) {
  const [top, bottom] = [Math.max(0, Math.round(middle - half)), Math.max(1, Math.round(middle + half))];
  for (let at = top * width + x, y = top; y < bottom; y += 1, at += width) pixels[at] = colour;
  if (top === bottom) pixels[top * width + x] = colour;
}

/**
 * @param {CanvasRenderingContext2D} context @param {WaveformData} waveform @param {Palette} palette
 * @param {{start: number, size: number, width: number, height: number, ratio: number}} place
 */
function drawSamples(context, waveform, palette, { start, size, width, height, ratio }) {
  const middle = height / 2;
  const first = Math.max(0, Math.floor(start) - 1);
  const last = Math.min(waveform.frames - 1, Math.ceil(start + width * size) + 1);
  context.fillStyle = css(palette.over(palette.line));
  context.fillRect(0, Math.round(middle), width, 1);
  const isKnown = waveform.levels(start, start + width * size, levels);
  const index = isKnown ? Palette.index(levels[1], levels[2], levels[3]) : 0;
  context.strokeStyle = context.fillStyle = css(palette.full[index]);
  context.lineWidth = 1.5 * ratio;
  context.lineJoin = 'round';
  context.beginPath();
  let isDown = false;
  for (let frame = first; frame <= last; frame += 1) {
    const value = waveform.sample(frame);
    if (value === null) isDown = false;
    else if (isDown) context.lineTo((frame - start) / size, middle - value * middle * 0.96);
    else context.moveTo((frame - start) / size, middle - value * middle * 0.96);
    if (value !== null) isDown = true;
  }
  context.stroke();
  if (size * ratio >= 0.5) return;
  for (let frame = first; frame <= last; frame += 1) {
    const value = waveform.sample(frame);
    if (value === null) continue;
    context.beginPath();
    context.arc((frame - start) / size, middle - value * middle * 0.96, 2.5 * ratio, 0, 2 * Math.PI);
    context.fill();
  }
}
