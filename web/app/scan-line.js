/** The progress of a scan: three pixels on a hairline, counts in words. */

import { attribute, h, setText } from '../core/dom.js';
import { effect } from '../core/signals.js';
import { scan, scanWords } from '../data/scan.js';

export class ScanLine {
  constructor() {
    this.part = h('div', { class: 'part' });
    this.words = h('p', { role: 'status' });
    this.bar = h('div', {
      class: 'rail', role: 'progressbar', 'aria-label': 'Reading files', 'aria-valuemin': 0, 'aria-valuemax': 100,
    }, this.part);
    this.element = h('div', { class: 'scan', hidden: true }, h('span', {}, 'Reading files'), this.bar, this.words);
    effect(() => this.show(scan.value));
  }

  /** @param {import('../data/documents.js').ScanProgress | null} progress */
  show(progress) {
    this.element.hidden = !progress?.running;
    if (!progress?.running) return;
    const { count, pace, share } = scanWords(progress);
    setText(this.words, pace ? `${count} \u00b7 ${pace}` : count);
    attribute(this.bar, 'aria-valuenow', share === null ? null : Math.round(100 * share));
    this.part.style.width = `${100 * (share ?? 0)}%`;
  }
}
