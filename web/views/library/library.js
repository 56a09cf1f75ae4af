/** The library: a search, tabs, and a table of what is found, or a panel in its place. */

import { Table, dragRows } from '../../components/table.js';
import { rateTrack } from '../../components/stars.js';
import { toast } from '../../components/toast.js';
import { getJSON } from '../../core/api.js';
import { h } from '../../core/dom.js';
import { go, place } from '../../core/router.js';
import { settings } from '../../core/settings.js';
import { effect, signal } from '../../core/signals.js';
import { listFor } from '../../data/lists.js';
import { addressOfTrack } from '../../data/names.js';
import { watchers } from '../../data/outlines.js';
import { Rows } from '../../data/rows.js';
import { titleOf, troubleOf } from '../../data/tracks.js';
import { palette } from '../../drawing/colour.js';
import { player } from '../../player/player.js';
import { columnsFor, fieldsFor } from './columns.js';
import { Jumps } from './jumps.js';
import { addressOf, canMove, emptyWords, isShown, keyOf, sortedBy } from './model.js';
import { PanelPlace, panels } from './panels.js';
import { SearchField } from './search-field.js';
import { Tabs } from './tabs.js';
import { Tools } from './tools.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */
/** @typedef {import('./model.js').Search} Search */

/**
 * What changes lists is loaded when it is first needed.
 * @template T
 * @param {Promise<T>} loading @param {(module: T) => void} act
 */
const withModule = (loading, act) =>
  loading.then(act, (error) => toast(`This cannot be loaded: ${error.message}`));
const lists = () => import('./list-changes.js');

export class Library {
  /** @param {(name: string) => Promise<import('../../core/router.js').View>} viewOf loads a panel */
  constructor(viewOf) {
    this.viewOf = viewOf;
    this.search = new SearchField((query) => this.go({ q: query }, true));
    this.tabs = new Tabs();
    this.tools = new Tools({
      sort: (sort) => this.go({ sort }),
      add: () => this.withActive((row) => this.add(row)),
      select: () => this.table.select(() => this.table.selection.toggle(this.table.active)),
      save: () => this.saveList(),
      rename: () => withModule(lists(), ({ openRename }) =>
        this.list && openRename(this.list, ({ find }) => this.go({ q: find }, true))),
      erase: () => this.eraseList(),
    });
    this.table = new Table({
      label: 'Tracks',
      open: (row, index) => this.open(row, index),
      key: (event, row, index) => this.key(event, row, index),
      sort: (field) => this.go({ sort: sortedBy(place.peek().sort, field) }),
      mark: (element, row) => this.mark(element, row),
      selects: () => place.peek().view === 'tracks',
      selected: () => this.showSelection(),
    });
    this.jumps = new Jumps((row) => {
      this.table.active = row;
      this.table.moveTo(row * this.table.rowHeight);
    });
    dragRows(this.table, () => this.canMove, (from, to) => this.move(from, to));
    this.empty = h('div', { class: 'empty', hidden: true });
    this.result = h('div', { class: 'rows-of' }, this.table.element, this.jumps.element);
    this.element = h('main', { class: 'library', id: 'main' },
      h('h1', { class: 'unseen' }, 'Library'),
      h('div', { class: 'query' }, this.search.element, this.tabs.sum, this.tools.more),
      h('div', { class: 'views' }, this.tabs.element, this.tools.element), this.result, this.empty);
    this.panels = new PanelPlace(this.element);
    /**
     * The list that is shown, if it has an order of its own.
     * @type {import('../../data/documents.js').List | null}
     */
    this.list = null;
    /** @type {import('./selection-bar.js').SelectionBar | null} */
    this.selectionBar = null;
    this.fitted = '';
    /** The fields that the rows have which are shown. */
    this.fields = '';
    /** Whether any track has a preset: else their column would be empty. */
    this.hasPresets = signal(false);
    /** Which search is shown. */
    this.shown = '';
    new ResizeObserver(() => this.fit()).observe(this.element);
    watchers.add(() => this.table.draw());
    effect(() => {
      palette.value;
      player.track.value;
      this.table.draw();
    });
    effect(() => {
      this.hasPresets.value;
      const fields = fieldsFor(settings.columns.value);
      this.fit();
      if (this.fields && fields !== this.fields) this.show(place.peek(), true);
    });
    this.table.window.addEventListener('contextmenu', (/** @type {MouseEvent} */ event) => {
      const index = this.table.indexOf(event);
      const row = place.peek().view === 'tracks' ? this.table.rows?.at(index) : null;
      if (!row) return;
      event.preventDefault();
      import('../queue/row-menu.js').then(({ openRowMenu }) =>
        openRowMenu(event, row, [
          ['Add to a list', () => this.add(row)],
          ['Select', () => this.table.select(() => this.table.selection.toggle(index))],
        ]));
    });
    setInterval(() => player.playing.peek() && this.table.draw(), 500);
    document.addEventListener('keydown', (event) => this.pressed(event));
    (globalThis.requestIdleCallback ?? setTimeout)(() => this.lookForPresets());
  }

  /** Asks whether any track has a preset. */
  async lookForPresets() {
    const { presets } = await getJSON('/presets').catch(() => ({ presets: [] }));
    this.hasPresets.value = presets.some((/** @type {{assignments: number}} */ { assignments }) => assignments > 0);
  }

  /** How it is left: where one was among the rows. */
  keep() {
    return this.panel ? this.panel.keep?.() ?? null : { top: this.table.top, active: this.table.active };
  }

  /** The panel that is shown, if one is. */
  get panel() {
    return this.panels.panel;
  }

  /** @param {Partial<Search>} changes @param {boolean} [replace] */
  go(changes, replace = false) {
    go(addressOf(place.peek(), changes), replace);
  }

  /**
   * Shows what the address says.
   * @param {Search} search @param {boolean} [again] the library has changed
   */
  async show(search = place.peek(), again = false) {
    const { q, sort, view } = search;
    this.search.setText(q);
    this.tabs.show(view, (name) => addressOf(search, { view: name, sort: name === view ? search.sort : '' }));
    this.showTools();
    const wanted = keyOf(search);
    const stays = wanted === this.shown;
    const { kept } = place.peek();
    if (stays && !again) return this.panel ? this.panel.show(place.peek()) : this.table.appear();
    this.shown = wanted;
    // A panel that is shown again keeps what one reads or hears there.
    const isPanel = panels.some(({ name }) => name === view);
    if (!stays && (!isPanel || this.panel?.name !== view)) this.putPanel(null);
    if (isPanel) return this.showPanel(wanted);
    this.fit();
    this.fields = fieldsFor(settings.columns.peek());
    const rows = new Rows('/tracks', { q, sort, fields: this.fields });
    const [from, to] = stays ? this.table.inView : [0, 0];
    await rows.begin(from, to, stays ? this.table.rows?.total : 0);
    if (this.shown !== wanted) return rows.end();
    if (rows.error?.status === 400) return this.explain(q, rows.error);
    this.search.setFault(null);
    this.table.show(rows, stays);
    if (kept && !stays) this.table.restore(kept);
    this.showEmpty(rows);
    this.tabs.count(q, rows.sums());
    this.jumps.show(q, sort, rows.total);
    const list = await listFor(q);
    if (this.shown !== wanted) return;
    this.list = list;
    this.showTools();
  }

  /** @param {string} wanted the search that a panel is loaded for */
  async showPanel(wanted) {
    const { q, view } = place.peek();
    const panel = await this.viewOf(view).catch(() => null);
    if (wanted !== this.shown) return;
    this.putPanel(panel);
    if (!panel) return;
    this.empty.hidden = true;
    this.search.setFault(null);
    this.showTools();
    this.tabs.count(q);
    const answer = q ? await getJSON('/query', { q }).catch(() => null) : null;
    if (wanted !== this.shown) return;
    if (answer && !answer.valid) this.search.setFault(answer);
    else await panel.show(place.peek());
  }

  /** @param {import('./panels.js').LibraryPanel | null} panel in the place of the table; null for none */
  putPanel(panel) {
    // Whether a table or a sentence stands there is known when its rows have come.
    if (this.panel || panel) this.result.hidden = panel !== null;
    this.panels.put(panel);
  }

  /** Ends what a panel does that nobody sees. */
  hide() {
    this.panels.hide();
    if (this.panel) this.shown = '';
  }

  /** @param {string} q @param {{message: string, column: number | null}} error */
  async explain(q, error) {
    const answer = await getJSON('/query', { q }).catch(() => null);
    if (q !== place.peek().q) return;
    this.empty.hidden = true;
    if (answer && !answer.valid) this.search.setFault(answer);
    else this.search.setFault({ column: error.column ?? 1, length: null, message: error.message });
  }

  /** @param {Rows} rows */
  showEmpty(rows) {
    this.empty.hidden = rows.total > 0;
    this.result.hidden = rows.total === 0;
    if (rows.total > 0) return;
    const { q } = place.peek();
    const [sentence, way] = emptyWords(place.peek(), rows.error?.message);
    const clear = h('button', { type: 'button', class: 'link', onclick: () => this.go({ q: '' }) }, 'Clear the search');
    const choose = h('a', { class: 'link', href: '/start' }, 'Choose folders');
    this.empty.replaceChildren(h('p', { class: 'etch' }, sentence),
      h('p', {}, way, ' ', q ? clear : rows.error ? '' : choose));
  }

  /** Chooses the columns that fit. Other rows with the same columns keep the elements of the table. */
  fit() {
    const width = innerWidth;
    const kind = width < 800 ? 'phone' : width < 1100 ? 'narrow' : 'wide';
    const columns = columnsFor(settings.columns.peek(), width, this.hasPresets.peek());
    const { sort } = place.peek();
    const fitted = [kind, sort, ...columns.map(({ key }) => key)].join(' ');
    if (fitted === this.fitted) return;
    this.fitted = fitted;
    this.tools.fit(kind === 'phone');
    this.table.setColumns(columns, sort);
  }

  /** @param {TrackRow} row @param {number} index @returns {unknown} */
  open(row, index) {
    const { q, sort } = place.peek();
    if (!row.id) return toast(`“${titleOf(row)}” cannot be played: ${troubleOf(row) ?? 'it contains no audio'}.`);
    return player.playFrom(row, { q, sort, total: this.table.rows?.total ?? 0 }, index);
  }

  showTools() {
    this.tools.show(place.peek(), isShown(this.list, place.peek()));
  }

  /** While rows are selected, what can be done with them stands in the place of the tabs. */
  async showSelection() {
    const { selection } = this.table;
    const { SelectionBar } = await import('./selection-bar.js');
    this.selectionBar ??= new SelectionBar(this.table);
    const { element } = this.selectionBar;
    if (selection.isEmpty) element.remove();
    else {
      this.selectionBar.show(place.peek());
      if (!element.isConnected) this.tabs.element.parentElement?.append(element);
    }
  }

  /** @param {TrackRow} row that is to be in a list */
  add(row) {
    withModule(lists(), ({ openAdd }) => openAdd([row]));
  }

  /**
   * Rates the rows that are selected, otherwise one.
   * @param {TrackRow} row @param {number} star
   */
  rate(row, star) {
    if (!this.table.selection.isEmpty) this.selectionBar?.rate(star);
    else rateTrack(row, star).then(() => this.table.draw());
  }

  /** Whether the rows are those of a list, in its order. */
  get canMove() {
    return canMove(this.list, place.peek());
  }

  /** @param {(row: TrackRow) => void} act */
  withActive(act) {
    const row = this.table.rows?.at(this.table.active);
    if (row?.id) act(row);
  }

  /** @param {number} from @param {number} to */
  async move(from, to) {
    const isPlace = to >= 0 && to < (this.table.rows?.total ?? 0);
    const { move } = await lists();
    if (!isPlace || !this.list || !(await move(this.list, from, to))) return;
    await this.show(place.peek(), true);
    this.table.moveActive(to);
  }

  /** @param {number} index @param {TrackRow} row */
  async remove(index, row) {
    const { remove } = await lists();
    if (this.list && (await remove(this.list, index, row))) this.show(place.peek(), true);
  }

  async eraseList() {
    const { erase } = await lists();
    if (this.list && (await erase(this.list))) this.go({ q: '', view: 'lists' }, true);
  }

  /** Keeps the search under a name. */
  saveList() {
    const { q } = place.peek();
    withModule(lists(), ({ openSaveSearch }) => openSaveSearch(q, () => this.tabs.count(q)));
  }

  /**
   * A key while nothing has the focus, as after the page has loaded, is for the table, whose active row is marked.
   * @param {KeyboardEvent} event
   */
  pressed(event) {
    if (event.target !== document.body || !this.table.element.clientHeight) return;
    this.table.keyed(event);
    if (event.defaultPrevented) this.table.element.focus({ preventScroll: true });
  }

  /** @param {KeyboardEvent} event @param {TrackRow} row @param {number} index */
  key(event, row, index) {
    const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    const isLetter = settings.letterKeys.peek();
    if (!row.id) return false;
    if (event.key === 'Enter' && event.altKey) go(addressOfTrack(row.id));
    else if (event.altKey && step && this.canMove) this.move(index, index + step);
    else if (event.key === 'Delete' && this.canMove) this.remove(index, row);
    else if (event.key === 'a' && isLetter) this.add(row);
    else if (/^[1-5]$/.test(event.key) && isLetter) this.rate(row, Number(event.key));
    else if ((event.key === 'q' || event.key === 'Q') && isLetter) {
      import('../queue/row-menu.js').then(({ queueRow }) => queueRow(row, event.key === 'Q'));
    } else return false;
    return true;
  }

  /** @param {HTMLElement} element @param {TrackRow} row */
  mark(element, row) {
    const isWhole = troubleOf(row) === null;
    element.classList.toggle('playing', player.track.peek()?.id === row.id);
    element.classList.toggle('single', !row.artist && isWhole);
    element.classList.toggle('off', !isWhole);
  }
}
