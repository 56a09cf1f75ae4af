/** What lies over a waveform: ticks where parts of the track begin, and what is under the pointer. */

import { h, setText } from '../core/dom.js';

/**
 * A tick where each part begins, in percent of the whole.
 * @param {import('../data/documents.js').Part[]} parts @param {number} frames of the track
 */
export const partTicks = (parts, frames) =>
  parts.filter(({ start }) => start > 0).map(({ start }) => {
    const tick = h('i', { class: 'tick' });
    tick.style.left = `${(100 * start) / frames}%`;
    return tick;
  });

/** The reversed chip beside the pointer, with its dashed line. */
export class Readout {
  constructor() {
    this.line = h('div', { class: 'pointer-line' });
    this.chip = h('div', { class: 'chip' });
    this.element = h('div', { class: 'readout', hidden: true, 'aria-hidden': 'true' }, this.line, this.chip);
  }

  /**
   * @param {number} x @param {number} y @param {number} width of its place, so that it can turn at the edge
   * @param {string} text
   */
  show(x, y, width, text) {
    this.element.hidden = false;
    setText(this.chip, text);
    this.line.style.transform = `translateX(${Math.round(x)}px)`;
    const room = this.chip.offsetWidth + 8;
    const left = Math.round(x + 8 + room > width ? x - room : x + 8);
    this.chip.style.transform = `translate(${left}px, ${Math.round(y)}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}
