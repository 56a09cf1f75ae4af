/** Rows that are dragged to another place by mouse or pen; by keys it is Alt and the arrows. */

import { h } from '../core/dom.js';

/**
 * @param {import('./table.js').Table} table @param {() => boolean} isAllowed @param {(from: number, to: number) => void} drop
 */
export function dragRows(table, isAllowed, drop) {
  const line = h('div', { class: 'drop', hidden: true });
  table.window.append(line);
  table.window.addEventListener('pointerdown', (/** @type {PointerEvent} */ event) => {
    const from = table.indexOf(event);
    if (from < 0 || event.button || event.pointerType === 'touch' || !isAllowed()) return;
    event.preventDefault();
    table.element.focus({ preventScroll: true });
    const began = event.clientY;
    let to = -1;
    const moved = (/** @type {PointerEvent} */ at) => {
      if (to < 0 && Math.abs(at.clientY - began) < 6) return;
      const { top } = table.window.getBoundingClientRect();
      to = Math.max(0, Math.min(table.rows?.total ?? 0, Math.round((at.clientY - top + table.top) / table.rowHeight)));
      line.hidden = false;
      line.style.transform = `translateY(${Math.round(to * table.rowHeight - table.top)}px)`;
    };
    const ended = () => {
      removeEventListener('pointermove', moved);
      line.hidden = true;
      // The row itself leaves a place above the ones that follow it.
      const place = to > from ? to - 1 : to;
      if (to >= 0 && place !== from) drop(from, place);
    };
    addEventListener('pointermove', moved);
    addEventListener('pointerup', ended, { once: true });
  });
}
