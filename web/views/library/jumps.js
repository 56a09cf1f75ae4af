/** The first letters of what is sorted, beside the table: each leads to its first row. */

import { getJSON, debounce } from '../../core/api.js';
import { h } from '../../core/dom.js';

/** Below this many rows one sees nearly all of them. */
const fewest = 60;

export class Jumps {
  /** @param {(row: number) => void} jump */
  constructor(jump) {
    this.jump = jump;
    this.element = h('div', {
      class: 'jumps', role: 'toolbar', 'aria-label': 'Jump to', 'aria-orientation': 'vertical', hidden: true,
      onkeydown: (/** @type {KeyboardEvent} */ event) => this.keyed(event),
    });
  }

  /** @param {string} q @param {string} sort "field+" or "field-" @param {number} total of rows */
  async show(q, sort, total) {
    const wanted = (this.wanted = `${q} ${sort}`);
    this.element.hidden = true;
    if (!sort || total < fewest) return;
    await debounce();
    if (this.wanted !== wanted) return;
    const answer = await getJSON('/tracks/jumps', { q, sort }).catch(() => null);
    /** @type {{text: string, row: number}[]} */
    const jumps = answer?.jumps ?? [];
    const isUseful = jumps.length >= 3 && jumps.length <= 40 && jumps.every(({ text }) => text.length <= 2);
    if (this.wanted !== wanted || !isUseful) return;
    this.element.replaceChildren(...jumps.map(({ text, row }, i) => h('button', {
      type: 'button', tabIndex: i ? -1 : 0, 'aria-label': `Jump to ${text}`, onclick: () => this.jump(row),
    }, text)));
    this.element.hidden = false;
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    const buttons = /** @type {HTMLElement[]} */ ([...this.element.children]);
    const next = buttons[buttons.indexOf(/** @type {HTMLElement} */ (event.target)) + (step ?? 0)];
    if (!step || !next) return;
    for (const button of buttons) button.tabIndex = button === next ? 0 : -1;
    next.focus();
    event.preventDefault();
    event.stopPropagation();
  }
}
