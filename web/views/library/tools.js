/** What can be done with the rows: words beside the tabs, on small screens a menu. */

import { attribute, h } from '../../core/dom.js';
import { place } from '../../core/router.js';
import { settings } from '../../core/settings.js';
import { effect } from '../../core/signals.js';
import { choices, sortable } from './columns.js';

/**
 * A field and its direction: on small screens the table has no headings to press.
 * @param {(sort: string) => void} sortBy is told "field+", "field-", or nothing for the order of the library
 */
export function sortChoice(sortBy) {
  const field = h('select', { onchange: () => sortBy(field.value && field.value + '+') },
    h('option', { value: '' }, 'As found'), sortable.map(({ key, label }) => h('option', { value: key }, label)));
  const reverse = () => sortBy(field.value + (place.peek().sort.endsWith('-') ? '+' : '-'));
  const falling = h('button', { type: 'button', onclick: reverse }, 'Reversed');
  effect(() => {
    const { sort } = place.value;
    field.value = sort.slice(0, -1);
    falling.disabled = !field.value;
    attribute(falling, 'aria-pressed', String(sort.endsWith('-')));
  });
  return h('div', { class: 'sorting narrow-only' },
    h('label', {}, h('span', { class: 'label' }, 'Sort by'), field), falling);
}

/** The menu of columns. */
function columnMenu() {
  const boxes = choices.map(({ key, label }) => {
    const box = h('input', { type: 'checkbox', checked: settings.columns.peek().includes(key) });
    box.addEventListener('change', () => {
      const others = settings.columns.peek().filter((chosen) => chosen !== key);
      settings.columns.value = box.checked ? [...others, key] : others;
    });
    return h('label', {}, box, label);
  });
  return h('div', { class: 'menu', popover: 'auto', role: 'group', 'aria-label': 'Columns' }, boxes);
}

/** @param {string} name @param {() => void} act */
const word = (name, act) => h('button', { type: 'button', class: 'word', onclick: act }, name);

export class Tools {
  /**
   * @param {Record<'add' | 'select' | 'save' | 'rename' | 'erase', () => void> & {sort: (sort: string) => void}} acts
   *   `add`: the active row to a list; `select`: it, as the first of many; `save`: the search as a list; `rename`,
   *   `erase`: the list that is shown
   */
  constructor({ sort, add, select, save, rename, erase }) {
    const menu = columnMenu();
    this.save = word('Save as list', save);
    this.rules = h('a', { class: 'word', href: '/rules' }, 'As rules');
    const columns = h('button', { type: 'button', class: 'word columns', popoverTargetElement: menu }, 'Columns');
    this.ofList = [word('Rename', rename), word('Delete list', erase)];
    const addition = word('Add to list', add);
    const selection = word('Select', select);
    selection.classList.add('narrow-only');
    const sorting = sortChoice(sort);
    this.tags = h('a', { class: 'word', href: '/tags' }, 'Edit tags');
    this.ofTracks = [this.tags, selection, addition, columns, sorting];
    this.element = h('div', { class: 'tools' }, sorting, ...this.ofList, selection, this.tags, addition, this.rules,
      this.save, columns, menu);
    this.more = h('button', {
      type: 'button', class: 'word narrow-only more', popoverTargetElement: this.element,
    }, 'More');
    this.element.addEventListener('click', (event) => {
      const isWord = /** @type {Element} */ (event.target).closest('button, a') !== null;
      // The compiler's names of browsers are older than popovers.
      if (this.isMenu && isWord) /** @type {any} */ (this.element).hidePopover();
    });
    this.isMenu = false;
  }

  /**
   * Stands beside the tabs, or behind “More”.
   * @param {boolean} isMenu
   */
  fit(isMenu) {
    this.isMenu = isMenu;
    attribute(this.element, 'popover', isMenu ? 'auto' : null);
  }

  /** @param {import('./model.js').Search} search @param {boolean} isList whether it shows a list of tracks */
  show({ q, view }, isList) {
    for (const one of [this.save, this.rules]) attribute(one, 'hidden', !q || isList);
    this.rules.href = `/rules?${new URLSearchParams({ q })}`;
    for (const one of this.ofTracks) attribute(one, 'hidden', view !== 'tracks');
    attribute(this.element, 'hidden', view !== 'tracks' && !q);
    attribute(this.more, 'hidden', view !== 'tracks' && !q);
    this.tags.href = `/tags?${new URLSearchParams({ q })}`;
    for (const button of this.ofList) attribute(button, 'hidden', !isList);
  }
}
