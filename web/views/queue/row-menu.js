/** What can be done with a track of a table, at the pointer: by the right button, or a finger that stays. */

import { toast } from '../../components/toast.js';
import { h } from '../../core/dom.js';
import { go } from '../../core/router.js';
import { titleOf } from '../../data/tracks.js';
import { player } from '../../player/player.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/**
 * Queues a track, and says so.
 * @param {TrackRow} row @param {boolean} isLast after everything else, not next
 */
export function queueRow(row, isLast) {
  const plays = player.track.peek() !== null;
  if (isLast) player.askLast(row);
  else player.ask(row);
  if (!plays) return;
  toast(isLast ? `“${titleOf(row)}” is the last one in the queue.` : `“${titleOf(row)}” plays next.`, () => {
    const words = player.undoEdit();
    if (words) toast(`Taken back: ${words}.`);
  });
}

/** @type {any} The one that is open. The compiler's names of browsers are older than popovers. */
let menu = null;

/**
 * @param {MouseEvent} event @param {TrackRow} row
 * @param {[string, () => void][]} more what the place of the row adds
 */
export function openRowMenu(event, row, more) {
  menu?.remove();
  /** @type {[string, () => void][]} */
  const acts = [
    ['Play next', () => queueRow(row, false)], ['Add to the queue', () => queueRow(row, true)], ...more,
    ['Open the track', () => go(`/track/${row.id}`)],
  ];
  menu = h('div', { class: 'menu row-menu', popover: 'auto', role: 'menu', 'aria-label': titleOf(row) },
    acts.map(([name, act]) => h('button', { type: 'button', class: 'word', role: 'menuitem', onclick: () => {
      menu.hidePopover();
      act();
    } }, name)));
  menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ pressed) => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[pressed.key];
    if (!step) return;
    const at = [...menu.children].indexOf(document.activeElement);
    menu.children[(at + step + acts.length) % acts.length].focus();
    pressed.preventDefault();
    pressed.stopPropagation();
  });
  menu.addEventListener('toggle', (/** @type {any} */ { newState }) => newState === 'closed' && menu.remove());
  document.body.append(menu);
  menu.showPopover();
  const { offsetWidth: width, offsetHeight: height } = menu;
  menu.style.left = `${Math.max(8, Math.min(event.clientX, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(event.clientY, innerHeight - height - 8))}px`;
  menu.firstElementChild.focus();
}
