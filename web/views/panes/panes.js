/** Two panes: names at the left, and at the right all about the one that is chosen. On a phone one after the other. */

import { Table } from '../../components/table.js';
import { getJSON } from '../../core/api.js';
import { attribute, h } from '../../core/dom.js';
import { go, place } from '../../core/router.js';
import { effect } from '../../core/signals.js';
import { Content } from './content.js';

/** @typedef {import('../../core/router.js').Place} Place */
/** @typedef {import('../../data/documents.js').GroupRow} GroupRow */

/**
 * @typedef {{
 *   name: string, label: string, columns: import('../../components/table.js').Column[], isTall?: boolean,
 *   rows: (place: Place) => Promise<import('./model.js').ListRows>, itemOf: (row: GroupRow) => string,
 *   rowFor: (item: string) => GroupRow | null, fill: (content: Content, row: GroupRow, place: Place) => Promise<void>,
 *   enter?: (row: GroupRow) => Partial<Place> | null, up?: (place: Place) => Partial<Place> | null,
 *   empty: [string, string],
 *   above?: () => HTMLElement[],
 *   choice?: {label: string, value: import('../../core/signals.js').Signal<string>, words: [string, string][]},
 * }} Kind `itemOf`: how the address names a row; `rowFor`: what stands in for a row that the list has not yet; `enter`:
 *   what is below a row, for lists in lists; `up`: the way back from there; `above`: links over the list;
 *   `choice`: which rows the list has
 */

/** A list is searched so far for what an address names. */
const mostSearched = 10_000;

export class Panes {
  /** @param {Kind} kind */
  constructor(kind) {
    this.kind = kind;
    this.name = kind.name;
    this.list = new Table({
      label: kind.label, open: (row) => this.enter(row), chosen: (row, isKey) => this.choose(row, isKey),
      key: (event, row) => this.key(event, row),
      mark: (element, row) => {
        element.classList.toggle('chosen', kind.itemOf(row) === this.item && !row.heading);
        element.classList.toggle('heading', Boolean(row.heading));
      },
    });
    this.list.element.classList.add('groups', ...(kind.isTall ? ['two-lines'] : []));
    this.up = h('a', { class: 'pane-up', hidden: true, href: '/' }, '\u2190 The folder above');
    this.content = new Content();
    this.back = h('a', { class: 'pane-back', href: '/' }, `\u2190 ${kind.label}`);
    this.empty = h('div', { class: 'empty', hidden: true }, h('p', { class: 'etch' }, kind.empty[0]),
      h('p', {}, kind.empty[1]), this.above());
    this.side = h('div', { class: 'pane-list' }, this.choice(), this.above(), this.up, this.list.element);
    this.right = h('div', { class: 'pane-right' }, this.back, this.content.element);
    this.element = h('section', { class: `panes ${kind.isTall ? 'wide-list' : ''}`, 'aria-label': kind.label },
      this.side, this.right, this.empty);
    this.list.setColumns(kind.columns);
    this.list.head.hidden = true;
    /** Which list is shown. */
    this.listed = '';
    this.item = '';
    /** As the address names it: nothing for that of the first row. */
    this.shownItem = '';
    this.asked = 0;
    this.choosing = 0;
    this.right.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Escape' || event.defaultPrevented) return;
      this.list.element.focus();
      event.preventDefault();
    });
    document.addEventListener('keydown', (event) => {
      if (event.target !== document.body || !this.list.element.clientHeight) return;
      this.list.keyed(event);
      if (event.defaultPrevented) this.list.element.focus({ preventScroll: true });
    });
  }

  /** Links over the list, or in its place. */
  above() {
    const links = this.kind.above?.();
    return links ? h('p', { class: 'pane-links' }, links) : null;
  }

  /** Words that choose which rows there are. */
  choice() {
    const { choice } = this.kind;
    if (!choice) return null;
    const { value, words, label } = choice;
    let isFirst = true;
    const buttons = words.map(([name, word]) => {
      const button = h('button', { type: 'button', class: 'tool', onclick: () => (value.value = name) }, word);
      effect(() => attribute(button, 'aria-pressed', String(value.value === name)));
      return button;
    });
    effect(() => {
      value.value;
      if (!isFirst && this.element.isConnected) {
        this.listed = '';
        this.show({ ...place.peek(), kept: null });
      }
      isFirst = false;
    });
    return h('div', { class: 'pane-choice', role: 'group', 'aria-label': label }, buttons);
  }

  keep() {
    return { top: this.list.top, active: this.list.active, scroll: this.content.element.scrollTop };
  }

  hide() {
    this.listed = '';
    this.item = '';
    this.content.clear();
  }

  /** @param {Place} here */
  async show(here) {
    const { q, folder, item, kept } = here;
    const listed = JSON.stringify([q, folder]);
    const isNew = listed !== this.listed;
    this.element.classList.toggle('opened', item !== '');
    this.back.href = this.addressWith({ item: '' });
    const above = this.kind.up?.(here) ?? null;
    this.up.hidden = above === null;
    if (above) this.up.href = this.addressWith(above);
    const turn = (this.asked += 1);
    // The list can take seconds in a large library: what an address names does not wait for it.
    const early = isNew && item && this.kind.rowFor(item) ? this.open(item, here, false) : null;
    // The same place again: the library has changed.
    if (isNew || item === this.shownItem) {
      const rows = await this.kind.rows(here);
      if (turn !== this.asked) return rows.end();
      const { top, active } = this.list;
      this.list.show(/** @type {any} */ (rows), !isNew);
      if (!isNew) this.list.restore({ top, active });
      this.listed = listed;
      this.empty.hidden = rows.total > 0 || item !== '';
      this.side.hidden = this.right.hidden = !this.empty.hidden;
    }
    this.shownItem = item;
    if (kept) this.list.restore(kept);
    if (early && !kept) this.seek(item);
    await (early ?? this.open(item, here, isNew && !kept));
    if (turn === this.asked && kept) this.content.element.scrollTop = kept.scroll;
  }

  /**
   * Shows what an item is about; without one, on a wide screen, that of the first row.
   * @param {string} item @param {Place} here @param {boolean} isSought whether the list is to be moved to it
   */
  async open(item, here, isSought) {
    const { list, kind } = this;
    const isWide = innerWidth >= 800;
    const first = this.firstRow();
    const wanted = item || (isWide && first ? kind.itemOf(first) : '');
    if (wanted === this.item && this.content.isFilled) {
      list.draw();
      return this.refill(here);
    }
    this.item = wanted;
    list.draw();
    if (!wanted) return this.content.clear();
    const row = this.loadedRow(wanted) ?? kind.rowFor(wanted);
    if (!row) return this.content.say('This is no longer in the library.', 'Choose another one on the left.');
    if (isSought && item) this.seek(wanted);
    await kind.fill(this.content, row, here);
  }

  /**
   * The library has changed: what is at the right is made again, and takes the place of what is shown if it is other.
   * @param {Place} here
   */
  async refill(here) {
    const { kind, content, item } = this;
    const row = this.loadedRow(item) ?? kind.rowFor(item);
    if (!row) return;
    const next = new Content();
    await kind.fill(next, row, here);
    const isSame = next.element.textContent === content.element.textContent;
    if (this.item !== item || this.content !== content || isSame) return next.clear();
    const { scrollTop } = content.element;
    const focused = content.element.contains(document.activeElement);
    this.content = next;
    content.element.replaceWith(next.element);
    content.clear();
    next.element.scrollTop = scrollTop;
    if (focused) this.goIn();
  }

  firstRow() {
    const rows = this.list.rows;
    for (let i = 0; i < Math.min(rows?.total ?? 0, 10); i += 1) {
      const row = rows?.at(i);
      if (row && !row.heading) return row;
    }
    return null;
  }

  /** @param {string} item @returns {GroupRow | null} */
  loadedRow(item) {
    const { rows } = this.list;
    for (let i = 0; i < Math.min(rows?.total ?? 0, 80); i += 1) {
      const row = rows?.at(i);
      if (row && this.kind.itemOf(row) === item) return row;
    }
    return null;
  }

  /**
   * Finds an item in the list, however far below, and brings it into view.
   * @param {string} item
   */
  async seek(item) {
    const { rows } = this.list;
    if (!rows) return;
    const { path, parameters, whole } = /** @type {any} */ (rows);
    for (let from = 0; from < Math.min(rows.total, mostSearched); from += 500) {
      /** @type {GroupRow[]} */
      const page = whole || !path ? Array.from({ length: rows.total }, (_, i) => rows.at(i) ?? {})
        : (await getJSON(path, { ...parameters, from, limit: 500 }).catch(() => ({ rows: [] }))).rows;
      const at = page.findIndex((row) => this.kind.itemOf(row) === item);
      if (this.list.rows !== rows || this.item !== item) return;
      if (at >= 0) return this.list.moveActive(from + at);
      if (whole || !path) return;
    }
  }

  /** @param {Partial<Place>} changes */
  addressWith(changes) {
    const { q, folder, item } = { ...place.peek(), ...changes };
    const all = { view: this.name, q, folder, item };
    const given = Object.entries(all).filter(([, value]) => value);
    return '/?' + new URLSearchParams(/** @type {[string, string][]} */ (given));
  }

  /**
   * Shows what a row is about. By keys one passes many: these leave no steps to go back to, and what flies by is not
   * asked for.
   * @param {GroupRow} row @param {boolean} isKey
   */
  choose(row, isKey) {
    clearTimeout(this.choosing);
    if (row.heading) return;
    const item = this.kind.itemOf(row);
    const open = () => item !== place.peek().item && go(this.addressWith({ item }), isKey);
    if (isKey) this.choosing = Number(setTimeout(open, 80));
    else open();
  }

  /** @param {GroupRow} row */
  enter(row) {
    if (row.heading) return;
    const below = this.kind.enter?.(row);
    if (below) go(this.addressWith({ ...below }));
    else this.goIn();
  }

  /** Into what is at the right. */
  goIn() {
    /** @type {HTMLElement | null} */ (
      this.content.element.querySelector('.track-list, .tile-link, a, button'))?.focus();
  }

  /** @param {KeyboardEvent} event @param {GroupRow} row */
  key(event, row) {
    if (event.altKey || event.shiftKey) return false;
    if (event.key === 'ArrowRight') this.goIn();
    else if (event.key === 'ArrowLeft' && !this.up.hidden) this.up.click();
    else if (event.key === 'Backspace' && !this.up.hidden) this.up.click();
    else if (event.key !== 'ArrowLeft') return false;
    return row !== null;
  }
}
