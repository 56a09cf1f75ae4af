/** The reversed chip beside the pointer, with its dashed line. */

import { h, setText } from '../core/dom.js';

export class Readout {
  constructor() {
    this.line = h('div', { class: 'pointer-line' });
    this.chip = h('div', { class: 'chip' });
    this.element = h('div', { class: 'readout', hidden: true, 'aria-hidden': 'true' }, this.line, this.chip);
  }

  /** @param {number} x @param {number} y @param {number} width of its place, so that it can turn at the edge @param {string} text */
  show(x, y, width, text) {
    this.element.hidden = false;
    setText(this.chip, text);
    this.line.style.transform = `translateX(${Math.round(x)}px)`;
    const room = this.chip.offsetWidth + 8;
    this.chip.style.transform = `translate(${Math.round(x + 8 + room > width ? x - room : x + 8)}px, ${Math.round(y)}px)`;
  }

  hide() {
    this.element.hidden = true;
  }
}
