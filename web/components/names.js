/** Names as links, each to all that has it. */

import { h } from '../core/dom.js';
import { addressOfName, valuesOf } from '../data/names.js';

/**
 * One link for each name in a text such as "Nora Vale; Kite".
 * @param {string} view that has a row for each of them @param {string | null | undefined} text
 * @param {string} [separator]
 * @returns {(Node | string)[]}
 */
export const nameLinks = (view, text, separator = '; ') =>
  valuesOf(text).flatMap((name, i) =>
    [...(i ? [separator] : []), h('a', { href: addressOfName(view, name), class: 'name-link' }, name)]);

/**
 * Makes the content of a cell such links, if it is not that already; keys of the table do the same.
 * @param {Element} cell @param {string} view @param {string | null | undefined} text
 */
export function fillLinks(cell, view, text) {
  if (cell.textContent === (text ?? '') && (cell.firstElementChild || !text)) return;
  const links = nameLinks(view, text);
  for (const link of links) if (link instanceof HTMLElement) link.tabIndex = -1;
  cell.replaceChildren(...links);
}
