/** What stands above and below the zoomed waveform: times, beats, and where parts begin. */

import { time } from '../core/format.js';
import { prepare } from './canvas.js';
import { css } from './colour.js';

const steps = [0.0001, 0.0002, 0.0005, 0.001, 0.002, 0.005, 0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5, 10, 30, 60, 120,
  300, 600, 1800, 3600];
/** Pixels between two times, at least. */
const spacing = 260;
/** The same between two beats. */
const beatSpacing = 8;

/**
 * @param {HTMLCanvasElement} canvas @param {import('../data/waveform-data.js').WaveformData} waveform
 * @param {import('./colour.js').Palette} palette
 * @param {{start: number, zoom: number, parts: import('../data/tracks.js').Part[], beats?: number[]}} part `start`:
 *   frame at the left edge; `zoom`: frames a CSS pixel; `beats`: in seconds
 */
export function drawScale(canvas, waveform, palette, { start, zoom, parts, beats = [] }) {
  const { context, width: fullWidth, height: fullHeight, ratio } = prepare(canvas);
  const [width, height] = [fullWidth / ratio, fullHeight / ratio];
  context.setTransform(ratio, 0, 0, ratio, 0, 0);
  context.clearRect(0, 0, width, height);
  context.font = '11px "Deadwax Etch", system-ui';
  const step = steps.find((step) => (step * waveform.rate) / zoom > spacing) ?? 7200;
  const digits = Math.max(0, Math.ceil(-Math.log10(step) - 1e-9));
  const end = Math.min(waveform.frames, start + width * zoom) / waveform.rate;
  for (let i = Math.floor(Math.max(0, start / waveform.rate) / step); i * step < end; i += 1)
    for (let fifth = 0; fifth < 5; fifth += 1) {
      const x = Math.round(((i + fifth / 5) * step * waveform.rate - start) / zoom);
      context.fillStyle = css(palette.over(palette.line));
      context.fillRect(x, fifth ? 12 : 4, 1, fifth ? 4 : height);
      if (fifth) continue;
      context.fillStyle = css(palette.over(palette.ink2));
      context.fillText(time(i * step, digits), x + 6, 12);
    }
  // Beats that are too near to each other to be told apart are left out.
  const pace = beats.length > 1 ? ((beats[beats.length - 1] - beats[0]) / (beats.length - 1)) * waveform.rate : 0;
  if (pace / zoom >= beatSpacing) {
    context.fillStyle = css(palette.over(palette.ink3));
    for (const seconds of beats) {
      const x = Math.round((seconds * waveform.rate - start) / zoom);
      if (x >= 0 && x <= width) context.fillRect(x, height - 6, 1, 6);
    }
  }
  parts.forEach((part, i) => {
    const x = Math.round((part.start - start) / zoom);
    const room = ((parts[i + 1]?.start ?? part.end) - part.start) / zoom;
    if (x + room < 0 || x > width) return;
    context.fillStyle = css(palette.over(palette.ink2));
    for (let y = 16; part.start > 0 && y < height; y += 5) context.fillRect(x, y, 1, 3);
    // The name, if there is room for it.
    const label = `${part.number}  ${part.title}`;
    const left = Math.max(x, 0) + 6;
    const labelWidth = context.measureText(label).width;
    if (x + room - left < labelWidth + 12) return;
    context.fillStyle = css(palette.over(palette.ground));
    context.fillRect(left - 3, height - 17, labelWidth + 6, 15);
    context.fillStyle = css(palette.over(palette.ink2));
    context.fillText(label, left, height - 6);
  });
}
