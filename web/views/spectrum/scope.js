/** The phase scope: left against right, turned by 45°, so that mono is a line upwards; and their correlation. */

import { attribute, h, setText } from '../../core/dom.js';
import { number, signed } from '../../core/format.js';
import { prepare } from '../../drawing/canvas.js';
import { css, palette } from '../../drawing/colour.js';

/** Samples that are drawn: 50 ms at 44.1 kHz. */
const shown = 2205;

/**
 * 1 for mono, 0 for strangers, −1 for what is silent in mono; null for silence.
 * @param {Float32Array} left @param {Float32Array} right @param {number} count of the latest samples
 */
export function correlation(left, right, count) {
  let [both, ofLeft, ofRight] = [0, 0, 0];
  for (let i = left.length - count; i < left.length; i += 1) {
    both += left[i] * right[i];
    ofLeft += left[i] * left[i];
    ofRight += right[i] * right[i];
  }
  return ofLeft && ofRight ? both / Math.sqrt(ofLeft * ofRight) : null;
}

export class Scope {
  constructor() {
    this.canvas = h('canvas', { role: 'img', 'aria-label': 'Phase scope' });
    this.value = h('span');
    this.mark = h('i');
    this.element = h('figure', { class: 'scope-of' }, this.canvas,
      h('div', { class: 'correlation', 'aria-hidden': 'true' }, this.mark),
      h('figcaption', { class: 'second' }, h('span', {}, 'Correlation'), this.value));
  }

  /** @param {Float32Array} left @param {Float32Array} right */
  draw(left, right) {
    const { context, width, height, ratio } = prepare(this.canvas);
    const colours = palette.peek();
    const [x, y] = [width / 2, height / 2];
    context.clearRect(0, 0, width, height);
    context.strokeStyle = css(colours.over(colours.line));
    context.lineWidth = Math.max(1, Math.round(ratio));
    context.beginPath();
    // Mono stands upright, one channel alone at 45°.
    for (const [a, b] of [[0, 1], [1, 0], [Math.SQRT1_2, Math.SQRT1_2], [Math.SQRT1_2, -Math.SQRT1_2]]) {
      context.moveTo(x - a * x, y - b * y);
      context.lineTo(x + a * x, y + b * y);
    }
    context.stroke();
    let loudest = 0.05;
    for (let i = left.length - shown; i < left.length; i += 1) {
      loudest = Math.max(loudest, Math.abs(left[i]), Math.abs(right[i]));
    }
    const size = Math.min(x, y) * Math.SQRT1_2 * (0.95 / loudest) * Math.min(1, loudest * 4);
    context.fillStyle = css(colours.over(colours.ink, 0.7));
    const dot = Math.max(1, Math.round(1.2 * ratio));
    for (let i = left.length - shown; i < left.length; i += 1) {
      const [across, up] = [right[i] - left[i], left[i] + right[i]];
      context.fillRect(x + across * size * Math.SQRT1_2, y - up * size * Math.SQRT1_2, dot, dot);
    }
    const value = correlation(left, right, shown * 4);
    setText(this.value, value === null ? number(NaN) : signed(value, 2));
    this.mark.style.left = `${50 + 50 * (value ?? 0)}%`;
    attribute(this.canvas, 'aria-label',
      `Phase scope, correlation ${value === null ? 'of silence' : signed(value, 1)}`);
  }
}
