/** The library: a search, tabs, and a table of what is found. */

import { change, getJSON, lull } from '../core/api.js';
import { palette } from '../core/colour.js';
import { attribute, effect, h, setText, signal } from '../core/dom.js';
import { count, duration, number, titleOf } from '../core/format.js';
import { go, place } from '../core/router.js';
import { settings } from '../core/settings.js';
import { player } from '../player/player.js';
import { toast } from '../page/toast.js';
import { choices, columnsFor, troubleOf } from './columns.js';
import { dragRows } from './drag.js';
import { groups } from './groups.js';
import { Jumps } from './jumps.js';
import { erase, listFor, move, openAdd, openRename, remove } from './lists.js';
import { watchers } from './outlines.js';
import { Rows } from './rows.js';
import { SearchField } from './search.js';
import { sight, sights } from './sights.js';
import { sortChoice } from './sorting.js';
import { Table } from './table.js';

/** What was last found; other pages lead back to it. */
export const found = signal({ files: 0, address: '/' });

/** Of more than so many tracks the groups are counted only where they are shown: it takes seconds. */
const manyFiles = 200_000;

export class Library {
  constructor() {
    this.search = new SearchField((query) => this.go({ q: query }, true));
    this.sum = h('p', { class: 'sum', role: 'status' });
    this.tabs = h('nav', { class: 'tabs', 'aria-label': 'Views' });
    this.empty = h('div', { class: 'empty', hidden: true });
    this.table = new Table({
      label: 'Tracks',
      open: (row, index) => this.open(row, index),
      key: (event, row, index) => this.key(event, row, index),
      sort: (field) => this.go({ sort: `${field}${place.peek().sort === field + '+' ? '-' : '+'}` }),
      mark: (element, row) => this.mark(element, row),
    });
    this.jumps = new Jumps((row) => {
      this.table.active = row;
      this.table.moveTo(row * this.table.rowHeight);
    });
    /**
     * The list that is shown, if it has an order of its own.
     * @type {import('./lists.js').List | null}
     */
    this.list = null;
    dragRows(this.table, () => this.canMove, (from, to) => this.move(from, to));
    this.makeTabs();
    this.columnMenu = this.makeColumnMenu();
    this.saveButton = h('button', { type: 'button', class: 'word', onclick: () => this.saveList() }, 'Save as list');
    const word = (/** @type {string} */ name, /** @type {() => void} */ act) => h('button', { type: 'button', class: 'word', onclick: act }, name);
    this.addButton = word('Add to list', () => this.withActive((row) => openAdd(row)));
    this.listButtons = [word('Rename', () => this.list && openRename(this.list, ({ find }) => this.go({ q: find }, true))), word('Delete list', () => this.eraseList())];
    this.columnButton = h('button', { type: 'button', class: 'word columns', popoverTargetElement: this.columnMenu }, 'Columns');
    this.sorting = sortChoice((sort) => this.go({ sort }));
    this.tools = h('div', { class: 'tools' }, this.sorting, ...this.listButtons, this.addButton, this.saveButton, this.columnButton, this.columnMenu);
    this.more = h('button', { type: 'button', class: 'word narrow-only more', popoverTargetElement: this.tools }, 'More');
    this.tools.addEventListener('click', (/** @type {any} */ event) => this.tools.popover && event.target.closest('button') && this.tools.hidePopover());
    this.element = h('main', { class: 'library', id: 'main' },
      h('h1', { class: 'unseen' }, 'Library'),
      h('div', { class: 'query' }, this.search.element, this.sum, this.more),
      h('div', { class: 'views' }, this.tabs, this.tools), h('div', { class: 'rows-of' }, this.table.element, this.jumps.element), this.empty);
    this.group = 'tracks';
    this.fitted = '';
    this.shown = '';
    /** @type {import('./sights.js').Sight | null} */
    this.sight = null;
    new ResizeObserver(() => this.fit()).observe(this.element);
    watchers.add(() => this.table.draw());
    effect(() => {
      palette.value;
      player.track.value;
      this.table.draw();
    });
    effect(() => {
      settings.columns.value;
      this.fit();
    });
    setInterval(() => player.playing.peek() && this.table.draw(), 500);
  }

  makeTabs() {
    /** @type {Map<string, {link: HTMLAnchorElement, figure: HTMLElement}>} */
    this.tabLinks = new Map();
    for (const { name, label } of [{ name: 'tracks', label: 'Tracks' }, ...groups, ...sights]) {
      const figure = h('span', { class: 'figure' });
      const link = h('a', { href: '/' }, label, ' ', figure);
      this.tabLinks.set(name, { link, figure });
      this.tabs.append(link);
    }
    this.tabs.append(h('a', { href: '/identify', class: 'narrow-only' }, 'Identify'));
  }

  makeColumnMenu() {
    const boxes = choices.map(({ key, label }) => {
      const box = h('input', { type: 'checkbox', checked: settings.columns.peek().includes(key) });
      box.addEventListener('change', () => {
        const others = settings.columns.peek().filter((/** @type {string} */ chosen) => chosen !== key);
        settings.columns.value = box.checked ? [...others, key] : others;
      });
      return h('label', {}, box, label);
    });
    return h('div', { class: 'menu', popover: 'auto', role: 'group', 'aria-label': 'Columns' }, boxes);
  }

  /** @param {Partial<{q: string, sort: string, view: string, folder: string}>} changes @param {boolean} [replace] */
  go(changes, replace = false) {
    go(this.address(changes), replace);
  }

  /** @param {Partial<{q: string, sort: string, view: string, folder: string}>} changes */
  address(changes) {
    const { q, sort, view, folder } = { ...place.peek(), folder: '', ...changes };
    const parameters = new URLSearchParams();
    if (q) parameters.set('q', q);
    if (sort) parameters.set('sort', sort);
    if (view && view !== 'tracks') parameters.set('view', view);
    if (folder) parameters.set('folder', folder);
    return '/' + (String(parameters) && '?' + parameters);
  }

  /**
   * Shows what the address says.
   * @param {boolean} [again] the library has changed
   */
  async show(again = false) {
    const { q, sort, view, folder } = place.peek();
    this.search.setText(q);
    this.linkTabs(view);
    const wanted = JSON.stringify([q, sort, view, folder]);
    if (wanted === this.shown && !again) return this.table.appear();
    const stays = wanted === this.shown;
    this.shown = wanted;
    this.group = view;
    const wantedSight = sight(view);
    this.showSight(null);
    if (wantedSight) return this.showSight(await wantedSight.catch(() => null), q, wanted);
    this.fit();
    const group = groups.find(({ name }) => name === view);
    const rows = new Rows(group?.path ?? '/tracks', group?.parameters?.(folder) ?? { q, sort: group ? '' : sort }, group?.whole);
    await rows.begin();
    if (this.shown !== wanted) return rows.end();
    if (view === 'folders' && folder && !rows.total && !rows.error) return this.go({ view: 'tracks' }, true);
    if (rows.error?.status === 400) return this.explain(q, rows.error);
    this.search.setFault(null);
    this.table.show(rows, stays);
    this.showEmpty(rows, group);
    this.countAll(q, group ? undefined : rows.sums());
    this.jumps.show(q, group ? '' : sort, rows.total);
    const list = group ? null : await listFor(q);
    if (this.shown !== wanted) return;
    this.list = list;
    this.showTools();
  }

  /**
   * Shows a view that is no table in the place of the table, or nothing there.
   * @param {import('./sights.js').Sight | null} sight @param {string} [q] @param {string} [wanted] what it was loaded for
   */
  async showSight(sight, q = '', wanted = this.shown) {
    if (wanted !== this.shown) return;
    // Whether a table or a sentence stands there is known when its rows have come.
    if (this.sight || sight) /** @type {HTMLElement} */ (this.table.element.parentElement).hidden = sight !== null;
    if (this.sight !== sight) {
      this.sight?.hide();
      this.sight?.element.remove();
      this.sight = sight;
      if (sight) this.element.append(sight.element);
    }
    if (!sight) return;
    this.empty.hidden = true;
    this.search.setFault(null);
    this.showTools();
    this.countAll(q);
    const answer = q ? await getJSON('/query', { q }).catch(() => null) : null;
    if (answer && !answer.valid && wanted === this.shown) this.search.setFault(answer);
    else if (wanted === this.shown) await sight.show(q);
  }

  /** Ends what a view does that nobody sees. */
  leave() {
    this.sight?.hide();
    if (this.sight) this.shown = '';
  }

  /** @param {string} q @param {{message: string, column: number | null}} error */
  async explain(q, error) {
    const answer = await getJSON('/query', { q }).catch(() => null);
    if (q !== place.peek().q) return;
    this.empty.hidden = true;
    if (answer && !answer.valid) this.search.setFault(answer);
    else this.search.setFault({ column: error.column ?? 1, length: null, message: error.message });
  }

  /** @param {Rows} rows @param {any} group */
  async showEmpty(rows, group) {
    this.empty.hidden = rows.total > 0;
    /** @type {HTMLElement} */ (this.table.element.parentElement).hidden = rows.total === 0;
    if (rows.total > 0) return;
    const { q } = place.peek();
    const clear = h('button', { type: 'button', class: 'link', onclick: () => this.go({ q: '' }) }, 'Clear the search');
    const words = rows.error ? [rows.error.message, '']
      : group ? [group.empty, group.way]
      : q ? ['Nothing sounds like that.', `No track has “${q}”. `]
      : ['There is nothing here yet.', 'Index a folder with “deadwax scan FOLDER”.'];
    this.empty.replaceChildren(h('p', { class: 'etch' }, words[0]), h('p', {}, words[1], q ? ' ' : '', q ? clear : ''));
  }

  /**
   * Counts what is found, for the sum and the tabs.
   * @param {string} q @param {Promise<any>} [sums] those of the tracks, if they are counted already
   */
  async countAll(q, sums) {
    this.counting?.abort();
    const { signal } = (this.counting = new AbortController());
    const sum = await (sums ?? lull(signal).then(() => getJSON('/tracks/count', { q }, signal))).catch(() => null);
    if (signal.aborted || !sum) return;
    this.sum.replaceChildren(h('span', {}, count(sum.files, 'track')), ` \u00b7 ${duration(sum.duration_seconds)}`);
    found.value = { files: sum.files, address: location.pathname + location.search };
    setText(/** @type {any} */ (this.tabLinks?.get('tracks')).figure, number(sum.files));
    for (const { name, path, whole, parameters, isCostly } of groups) {
      const answer = isCostly && sum.files > manyFiles ? null : await getJSON(path, parameters?.('') ?? { q, limit: 1 }, signal).catch(() => null);
      if (signal.aborted) return;
      const total = whole ? answer && whole(answer).length : answer?.total;
      setText(/** @type {any} */ (this.tabLinks?.get(name)).figure, typeof total === 'number' ? number(total) : '');
    }
  }

  /** @param {string} view */
  linkTabs(view) {
    for (const [name, { link }] of this.tabLinks ?? []) {
      link.href = this.address({ view: name });
      attribute(link, 'aria-current', name === view ? 'page' : null);
      // On small screens the tabs are wider than the screen.
      if (name === view) this.tabs.scrollLeft = link.offsetLeft + link.offsetWidth / 2 - this.tabs.clientWidth / 2;
    }
    this.showTools();
  }

  /** Chooses the columns that fit. Other rows with the same columns keep the elements of the table. */
  fit() {
    if (!this.element) return;
    const width = innerWidth;
    const kind = width < 800 ? 'phone' : width < 1100 ? 'narrow' : 'wide';
    const group = groups.find(({ name }) => name === this.group);
    const columns = group?.columns ?? columnsFor(settings.columns.peek(), width);
    const sorted = group ? '' : place.peek().sort;
    const fitted = [kind, this.group, sorted, ...columns.map(({ key }) => key)].join(' ');
    if (fitted === this.fitted) return;
    this.fitted = fitted;
    // A small screen has no room for them: there they are a menu.
    attribute(this.tools, 'popover', kind === 'phone' ? 'auto' : null);
    this.table.element.classList.toggle('tall', group?.tall ?? false);
    this.table.element.classList.toggle('groups', group !== undefined);
    attribute(this.table.element, 'aria-label', group?.label ?? 'Tracks');
    this.table.setColumns(columns, sorted);
  }

  /** @param {any} row @param {number} index */
  open(row, index) {
    const group = groups.find(({ name }) => name === this.group);
    const query = group?.query(row);
    if (group?.name === 'folders') return this.go({ q: query ?? '', folder: `${row.root}:${row.path}` });
    if (typeof query === 'string') return this.go({ q: query, view: 'tracks' });
    if (group) return row.id && go(`/track/${row.id}`);
    const { q, sort } = place.peek();
    player.playFrom(row, { q, sort, total: this.table.rows?.total ?? 0 }, index);
  }

  showTools() {
    const { q, view } = place.peek();
    const isList = this.list !== null && this.list.find === q && view === 'tracks';
    attribute(this.saveButton, 'hidden', !q || isList);
    for (const one of [this.addButton, this.columnButton, this.sorting]) attribute(one, 'hidden', view !== 'tracks');
    attribute(this.more, 'hidden', view !== 'tracks' && !q);
    for (const button of this.listButtons) attribute(button, 'hidden', !isList);
  }

  /** Whether the rows are those of a list, in its order. */
  get canMove() {
    const { q, sort, view } = place.peek();
    return this.list !== null && this.list.find === q && !sort && view === 'tracks';
  }

  /** @param {(row: any) => void} act */
  withActive(act) {
    const row = this.table.rows?.at(this.table.active);
    if (row) act(row);
  }

  /** @param {number} from @param {number} to */
  async move(from, to) {
    if (to < 0 || to >= (this.table.rows?.total ?? 0) || !this.list || !(await move(this.list, from, to))) return;
    await this.show(true);
    this.table.moveActive(to);
  }

  /** @param {number} index @param {any} row */
  async remove(index, row) {
    if (this.list && (await remove(this.list, index, row))) this.show(true);
  }

  async eraseList() {
    if (this.list && (await erase(this.list))) this.go({ q: '', view: 'lists' }, true);
  }

  /** @param {KeyboardEvent} event @param {any} row @param {number} index */
  key(event, row, index) {
    if (this.group !== 'tracks') return false;
    if (event.key === 'Enter' && event.altKey) go(`/track/${row.id}`);
    else if (event.altKey && (event.key === 'ArrowUp' || event.key === 'ArrowDown') && this.canMove) this.move(index, index + (event.key === 'ArrowUp' ? -1 : 1));
    else if (event.key === 'Delete' && this.canMove && this.list) this.remove(index, row);
    else if (event.key === 'a' && settings.letterKeys.peek()) openAdd(row);
    else if (event.key === 'q' && settings.letterKeys.peek()) {
      player.ask(row);
      toast(`“${titleOf(row)}” plays next.`);
    } else return false;
    return true;
  }

  /** @param {HTMLElement} element @param {any} row */
  mark(element, row) {
    element.classList.toggle('playing', this.group === 'tracks' && player.track.peek()?.id === row.id);
    element.classList.toggle('single', this.group === 'tracks' && !row.artist && troubleOf(row) === null);
    element.classList.toggle('off', this.group === 'tracks' && troubleOf(row) !== null);
  }

  /** Keeps the search under a name. */
  async saveList() {
    const { q } = place.peek();
    try {
      await change('POST', '/lists', { name: q, query: q });
      toast(`The search is now the list “${q}”.`, true);
      this.countAll(q);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }
}
