/** How the tracks are sorted, as a choice: on small screens the table has no headings to press. */

import { attribute, effect, h } from '../core/dom.js';
import { place } from '../core/router.js';
import { sortable } from './columns.js';

/**
 * A field and its direction.
 * @param {(sort: string) => void} sortBy is told "field+", "field-", or nothing for the order of the library
 */
export function sortChoice(sortBy) {
  const field = h('select', { onchange: () => sortBy(field.value && field.value + '+') },
    h('option', { value: '' }, 'As found'), sortable.map(({ key, label }) => h('option', { value: key }, label)));
  const falling = h('button', { type: 'button', onclick: () => sortBy(field.value + (place.peek().sort.endsWith('-') ? '+' : '-')) }, 'Reversed');
  effect(() => {
    const { sort } = place.value;
    field.value = sort.slice(0, -1);
    falling.disabled = !field.value;
    attribute(falling, 'aria-pressed', String(sort.endsWith('-')));
  });
  return h('div', { class: 'sorting narrow-only' }, h('label', {}, h('span', { class: 'label' }, 'Sort by'), field), falling);
}
