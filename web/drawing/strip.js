/** Several tracks as strokes on one axis of time, as loud as the loudest of them allows. */

import { stepAmplitude } from '../data/waveform-data.js';
import { prepare } from './canvas.js';
import { Palette, css } from './colour.js';

/**
 * @typedef {{left: number, width: number, outline: Uint8Array | null, played: number}} Piece in CSS pixels;
 *   `played`: the part of it that has been heard, 0…1, which is closed up
 */

/**
 * Draws strokes of pitch 3, of narrow strips 2; a line where an outline is still on its way.
 * @param {HTMLCanvasElement} canvas @param {Piece[]} pieces @param {Palette} palette
 * @param {{pitch: number, coloured: boolean}} how `coloured`: else in grey
 */
export function drawStrip(canvas, pieces, palette, { pitch, coloured }) {
  const { context, width, height, ratio } = prepare(canvas);
  context.clearRect(0, 0, width, height);
  let loudest = 0;
  for (const { outline } of pieces) {
    for (let at = 0; outline && at < outline.length; at += 4) loudest = Math.max(loudest, outline[at]);
  }
  const scale = loudest ? 0.96 / stepAmplitude(loudest) : 0;
  const [thin, thick] = [Math.max(1, Math.round(ratio)), Math.max(1, Math.round((pitch - 1) * ratio))];
  const grey = css(palette.over(palette.ink3));
  for (const { left, width: wide, outline, played } of pieces) {
    const start = Math.round(left * ratio);
    const count = Math.max(1, Math.floor(wide / pitch));
    if (!outline) {
      context.fillStyle = css(palette.over(palette.line));
      context.fillRect(start, Math.round(height / 2), Math.max(1, Math.round(wide * ratio)), 1);
      continue;
    }
    const stored = outline.length / 4;
    for (let i = 0; i < count; i += 1) {
      const x = start + Math.round(i * pitch * ratio);
      const [first, last] = [Math.floor((i * stored) / count), Math.max(1, Math.floor(((i + 1) * stored) / count))];
      // The loudest of the columns that a stroke stands for: short tracks would be nothing else.
      let at = first;
      for (let other = first + 1; other < last; other += 1) if (outline[4 * other] > outline[4 * at]) at = other;
      const index = Palette.index(outline[4 * at + 1], outline[4 * at + 2], outline[4 * at + 3]);
      const half = Math.max(thin / 2, (stepAmplitude(outline[4 * at]) * scale * height) / 2);
      const top = Math.round(height / 2 - half);
      context.fillStyle = coloured ? css(palette.full[index]) : grey;
      const stroke = i / count < played ? thick : thin;
      context.fillRect(x, top, stroke, Math.max(1, Math.round(height / 2 + half) - top));
    }
  }
}
