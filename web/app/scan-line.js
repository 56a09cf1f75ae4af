/** The progress of a scan: three pixels on a hairline, counts in words. */

import { attribute, h, setText } from '../core/dom.js';
import { number } from '../core/format.js';

export class ScanLine {
  constructor() {
    this.part = h('div', { class: 'part' });
    this.words = h('p', { role: 'status' });
    this.bar = h('div', {
      class: 'rail', role: 'progressbar', 'aria-label': 'Reading files', 'aria-valuemin': 0,
    }, this.part);
    this.element = h('div', { class: 'scan', hidden: true }, h('span', {}, 'Reading files'), this.bar, this.words);
  }

  /** @param {import('../data/documents.js').ScanProgress | null} scan */
  show(scan) {
    this.element.hidden = !scan?.running;
    if (!scan?.running) return;
    const { done, total, found = 0, audio_seconds: seconds = 0, elapsed_seconds: elapsed = 0 } = scan;
    const speed = elapsed > 0 && seconds > 0 ? ` \u00b7 ${number(seconds / elapsed)} \u00d7 real time` : '';
    setText(this.words, total ? `${number(done)} of ${number(total)}${speed}` : `${number(found)} found`);
    attribute(this.bar, 'aria-valuemax', total || 1);
    attribute(this.bar, 'aria-valuenow', total ? done : null);
    this.part.style.width = `${total ? (100 * (done ?? 0)) / total : 0}%`;
  }
}
