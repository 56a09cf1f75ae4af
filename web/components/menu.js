/** A menu at a place of the page: words that do something, one below the other. */

import { h } from '../core/dom.js';

/** @type {any} The one that is open. The compiler's names of browsers are older than popovers. */
let menu = null;

/**
 * @param {{x: number, y: number}} at where its corner is to be, if there is room
 * @param {string} label @param {[string | Element, () => void][]} acts
 */
export function openMenu({ x, y }, label, acts) {
  menu?.remove();
  menu = h('div', { class: 'menu row-menu', popover: 'auto', role: 'menu', 'aria-label': label },
    acts.map(([name, act]) => h('button', { type: 'button', class: 'word', role: 'menuitem', onclick: () => {
      menu.hidePopover();
      act();
    } }, name)));
  menu.addEventListener('keydown', (/** @type {KeyboardEvent} */ pressed) => {
    const step = { ArrowUp: -1, ArrowDown: 1 }[pressed.key];
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
  menu.style.left = `${Math.max(8, Math.min(x, innerWidth - width - 8))}px`;
  menu.style.top = `${Math.max(8, Math.min(y, innerHeight - height - 8))}px`;
  menu.firstElementChild.focus();
}
