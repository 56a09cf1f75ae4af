/**
 * A table that scrolls a million rows like ten: some fifty elements are reused, and beyond 15 million pixels (browsers
 * have limits) the scroll bar stands for the rows in proportion while wheel and keys move by pixels.
 */

import { attribute, h, perFrame, setText } from '../core/dom.js';
import { Selection } from './selection.js';

const tallest = 15_000_000;
const spare = 4;

/**
 * @typedef {{
 *   key: string, label: string, width: string, isNumber?: boolean, sort?: string, name?: string,
 *   make?: () => Element, fill: (cell: any, row: any, index: number, state: {over: boolean}) => void,
 * }} Column `width` as in grid-template-columns; `sort`: the field to sort by; `name`: a class
 * @typedef {{
 *   label: string, open: (row: any, index: number) => void,
 *   key?: (event: KeyboardEvent, row: any, index: number) => boolean, chosen?: (row: any, isKey: boolean) => void,
 *   sort?: (field: string) => void, mark?: (element: HTMLElement, row: any) => void,
 *   selects?: () => boolean, selected?: () => void,
 * }} Options `chosen` is told the row that becomes the active one, by a key or by a click; `selects`: whether many
 *   rows can be selected; `selected` is told when others are
 */

let tables = 0;

export class Table {
  /** @param {Options} options */
  constructor(options) {
    this.options = options;
    this.name = `table${(tables += 1)}`;
    /** @type {Column[]} */
    this.columns = [];
    /** @type {import('../data/rows.js').Rows | null} */
    this.rows = null;
    /** Pixels above the first visible one, as if the table were as tall as its rows. */
    this.top = 0;
    this.active = 0;
    this.over = -1;
    this.rowHeight = 36;
    /** Of the rows, without the head. */
    this.viewHeight = 0;
    this.selection = new Selection();
    /** @type {HTMLElement[]} */
    this.pool = [];
    this.head = h('div', { class: 'head', role: 'row', 'aria-rowindex': 1 });
    this.window = h('div', { class: 'window', role: 'presentation' });
    this.extent = h('div', { class: 'extent', role: 'rowgroup' }, this.window);
    this.element = h('div', { class: 'table', role: 'grid', tabIndex: 0, 'aria-label': options.label },
      this.head, this.extent);
    this.draw = perFrame(() => this.render());
    this.element.addEventListener('scroll', () => this.scrolled());
    this.element.addEventListener('wheel', (/** @type {WheelEvent} */ event) => this.wheeled(event),
      { passive: false });
    this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.target === this.element) this.keyed(event);
    });
    // With Shift the browser would mark the words between two clicks.
    this.window.addEventListener('mousedown', (/** @type {MouseEvent} */ event) => {
      if (!event.shiftKey || !this.options.selects?.()) return;
      event.preventDefault();
      this.element.focus({ preventScroll: true });
    });
    this.window.addEventListener('click', (/** @type {MouseEvent} */ event) => this.clicked(event));
    this.window.addEventListener('dblclick', (/** @type {MouseEvent} */ event) => this.clicked(event));
    this.window.addEventListener('pointerover', (/** @type {PointerEvent} */ event) => this.hover(this.indexOf(event)));
    this.window.addEventListener('pointerleave', () => this.hover(-1));
    new ResizeObserver(() => this.measure()).observe(this.element);
  }

  /** @param {Column[]} columns @param {string} [sorted] "field+" or "field-" */
  setColumns(columns, sorted = '') {
    this.columns = columns;
    this.element.style.setProperty('--columns', columns.map((column) => column.width).join(' '));
    this.head.replaceChildren(...columns.map((column) => this.heading(column, sorted)));
    attribute(this.element, 'aria-colcount', columns.length);
    this.dropRows();
    this.measure();
  }

  /** Makes other elements for the rows when they are drawn again. */
  dropRows() {
    for (const element of this.pool) element.remove();
    this.pool = [];
  }

  /** @param {Column} column @param {string} sorted */
  heading(column, sorted) {
    const isSorted = column.sort && sorted.slice(0, -1) === column.sort;
    const direction = isSorted ? (sorted.endsWith('-') ? 'descending' : 'ascending') : null;
    const label = column.label + (isSorted ? (direction === 'descending' ? ' \u2193' : ' \u2191') : '');
    const children = column.sort
      ? h('button', { type: 'button', onclick: () => this.options.sort?.(/** @type {string} */ (column.sort)) }, label)
      : column.label || h('span', { class: 'unseen' }, column.key);
    return h('div', {
      class: `cell ${column.isNumber ? 'number' : ''} ${column.name ?? ''}`, role: 'columnheader',
      'aria-sort': direction,
    }, children);
  }

  /**
   * @param {import('../data/rows.js').Rows} rows @param {boolean} [stay] keeps the place: the same result, asked again
   */
  show(rows, stay = false) {
    const isSame = stay && this.isSelectionIn(rows);
    if (this.rows !== rows) this.rows?.end();
    this.rows = rows;
    if (!stay) [this.top, this.active] = [0, 0];
    if (!this.selection.isEmpty) {
      this.select(() => (isSame ? this.selection.limit(rows.total) : this.selection.clear()));
    }
    let { total } = rows;
    rows.changed = () => {
      // How many there are can be known later.
      if (rows.total !== total && !this.selection.isEmpty) this.select(() => this.selection.limit(rows.total));
      ({ total } = rows);
      this.stretch();
    };
    this.appear();
  }

  /**
   * Whether the rows that are selected are the same files in another result, as far as both are here.
   * @param {import('../data/rows.js').Rows} rows
   */
  isSelectionIn(rows) {
    return this.selection.ranges.every(([from, to]) => [from, to - 1].every((index) => {
      const [before, after] = [this.rows?.at(index), rows.at(index)];
      return index >= rows.total || !before || !after || before.file === after.file;
    }));
  }

  /** The rows that are in view, from the first to the last. */
  get inView() {
    const first = Math.floor(this.top / this.rowHeight);
    return [first, first + Math.ceil(this.viewHeight / this.rowHeight)];
  }

  /**
   * Is where it was when the place was left.
   * @param {{top: number, active: number}} kept
   */
  restore({ top, active }) {
    this.active = Math.max(0, Math.min(active, (this.rows?.total ?? 0) - 1));
    this.moveTo(top);
  }

  /** Comes back as it was left: the browser forgets where it was while it was elsewhere. */
  appear() {
    this.measure();
    this.moveTo(this.top);
  }

  /** How many rows are one below the other. */
  get lineCount() {
    return this.rows?.total ?? 0;
  }

  /**
   * In which of them an item stands.
   * @param {number} index
   */
  lineOf(index) {
    return index;
  }

  get fullHeight() {
    return this.lineCount * this.rowHeight;
  }

  /** How tall a row is. */
  readSizes() {
    this.rowHeight = parseFloat(getComputedStyle(this.element).getPropertyValue('--row')) || 36;
  }

  /** Fits into its place. */
  measure() {
    this.readSizes();
    const before = this.viewHeight;
    this.viewHeight = Math.max(0, this.element.clientHeight - this.head.offsetHeight);
    this.stretch();
    // What was chosen must not be covered by what grows below the table; a table that is not shown has no height.
    const end = (this.lineOf(this.active) + 1) * this.rowHeight - this.top;
    if (this.viewHeight && end > this.viewHeight && end <= before) this.moveActive(this.active);
    // Without room for a row the browser forgot where it was, too.
    if (this.viewHeight && !before) this.moveTo(this.top);
  }

  /** Becomes as tall as its rows. */
  stretch() {
    this.extent.style.height = Math.max(this.viewHeight, Math.min(tallest, this.fullHeight)) + 'px';
    this.window.style.height = this.viewHeight + 'px';
    attribute(this.element, 'aria-rowcount', this.lineCount + 1);
    this.draw();
  }

  /** How many pixels of rows one pixel of the scroll bar stands for. */
  get scale() {
    const hidden = this.fullHeight - this.viewHeight;
    return this.fullHeight <= tallest || hidden <= 0 ? 1 : hidden / (tallest - this.viewHeight);
  }

  scrolled() {
    // What comes late, when the table is not shown any more, tells of no place.
    if (this.isMoved || !this.element.clientHeight || Math.abs(this.element.scrollTop - this.expected) < 1.5) return;
    this.expected = this.element.scrollTop;
    this.top = this.element.scrollTop * this.scale;
    this.draw();
  }

  /** Where the scroll bar is to be; it is moved with the next frame. */
  expected = 0;
  isMoved = false;

  /** @param {WheelEvent} event */
  wheeled(event) {
    if (this.scale === 1 || event.ctrlKey) return;
    event.preventDefault();
    this.moveTo(this.top + event.deltaY * (event.deltaMode ? this.rowHeight : 1));
  }

  /** @param {number} top */
  moveTo(top) {
    this.top = Math.max(0, Math.min(top, this.fullHeight - this.viewHeight));
    this.expected = Math.round(this.top / this.scale);
    this.isMoved = true;
    this.draw();
  }

  render() {
    const { rows, rowHeight } = this;
    if (!rows) return;
    // Before anything changes: to move, the browser must know where everything is.
    if (this.isMoved) this.element.scrollTop = this.expected;
    this.isMoved = false;
    const needed = Math.ceil(this.viewHeight / rowHeight) + 1 + spare;
    while (this.pool.length < needed) this.pool.push(this.makeRow());
    const first = Math.floor(this.top / rowHeight);
    for (let offset = 0; offset < this.pool.length; offset += 1) {
      const index = first + offset;
      const element = this.pool[index % this.pool.length];
      if (offset >= needed || index >= this.lineCount) element.hidden = true;
      else this.fillRow(element, index);
    }
    attribute(this.element, 'aria-activedescendant', rows.total ? `${this.name}-${this.active}` : null);
  }

  makeRow() {
    const cells = this.columns.map((column) =>
      h('div', { class: `cell ${column.isNumber ? 'number' : ''} ${column.name ?? ''}`, role: 'gridcell' },
        column.make?.() ?? ''));
    const element = h('div', { class: 'row', role: 'row' }, cells);
    this.window.append(element);
    return element;
  }

  /** @param {HTMLElement} element @param {number} index */
  fillRow(element, index) {
    const row = this.rows?.at(index);
    element.hidden = false;
    const id = `${this.name}-${index}`;
    if (element.id !== id) {
      element.id = id;
      element.dataset.index = String(index);
      attribute(element, 'aria-rowindex', index + 2);
    }
    element.style.transform = `translateY(${Math.round(index * this.rowHeight - this.top)}px)`;
    const { selection } = this;
    const isSelected = selection.has(index);
    attribute(element, 'aria-selected', (selection.isEmpty ? index === this.active : isSelected) ? 'true' : 'false');
    element.classList.toggle('selected', isSelected);
    element.classList.toggle('loading', !row);
    element.classList.toggle('active', index === this.active);
    this.columns.forEach((column, i) => {
      const cell = element.children[i];
      if (row) column.fill(column.make ? cell.firstElementChild : cell, row, index, { over: index === this.over });
      else if (!column.make) setText(cell, column.key === 'index' ? String(index + 1) : '');
    });
    if (row) this.options.mark?.(element, row);
  }

  /** @param {Event} event */
  indexOf(event) {
    const row = /** @type {HTMLElement} */ (event.target).closest?.('.row');
    return row instanceof HTMLElement ? Number(row.dataset.index) : -1;
  }

  /** @param {number} index */
  hover(index) {
    if (index === this.over) return;
    this.over = index;
    this.draw();
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    const index = this.indexOf(event);
    const row = index >= 0 && this.rows?.at(index);
    if (!row) return;
    this.active = index;
    this.draw();
    this.options.chosen?.(row, false);
    const isTouch = /** @type {PointerEvent} */ (event).pointerType === 'touch';
    if (this.selectedBy(event, index, isTouch)) return;
    // A finger opens the row wherever it meets it: it has no double click, and a link is easily hit.
    if (isTouch) event.preventDefault();
    const isLink = !isTouch && /** @type {Element} */ (event.target).closest('a');
    const isIndex = /** @type {Element} */ (event.target).closest('.index');
    if (!isLink && (event.type === 'dblclick' || (isIndex && event.type === 'click' && event.detail < 2) || isTouch)) {
      this.options.open(row, index);
    }
  }

  /** @param {() => void} change what becomes of the selection */
  select(change) {
    change();
    this.element.classList.toggle('selecting', !this.selection.isEmpty);
    attribute(this.element, 'aria-multiselectable', this.options.selects?.() ? 'true' : null);
    this.options.selected?.();
    this.draw();
  }

  /**
   * Whether a click was one that selects: with Control or Shift, or by a finger while others are selected.
   * @param {MouseEvent} event @param {number} index @param {boolean} isTouch
   */
  selectedBy(event, index, isTouch) {
    const { selection } = this;
    if (!this.options.selects?.() || event.type !== 'click') return false;
    const toggles = event.ctrlKey || event.metaKey || (isTouch && !selection.isEmpty);
    if (!toggles && !event.shiftKey) {
      if (selection.isEmpty) selection.begin(index);
      else this.select(() => selection.begin(index));
      return false;
    }
    event.preventDefault();
    this.select(() => (toggles ? selection.toggle(index) : selection.extend(index)));
    return true;
  }

  /**
   * Whether a key was one that selects.
   * @param {KeyboardEvent} event @param {number | undefined} step from the active row @param {number} last row
   */
  selectedByKey(event, step, last) {
    const { selection } = this;
    const isControl = event.ctrlKey || event.metaKey;
    if (!this.options.selects?.() || last < 0) return false;
    if (event.key === 'Escape' && !selection.isEmpty) this.select(() => selection.clear());
    else if (isControl && event.key === 'a') this.select(() => selection.set(0, last + 1, true));
    else if (isControl && event.key === ' ') this.select(() => selection.toggle(this.active));
    else if (isControl && step !== undefined) this.moveActive(Math.max(0, Math.min(last, this.active + step)));
    else if (event.shiftKey && step !== undefined) {
      if (selection.end !== this.active) [selection.anchor, selection.end] = [this.active, -1];
      this.moveActive(Math.max(0, Math.min(last, this.active + step)));
      this.select(() => selection.extend(this.active));
    } else return false;
    event.preventDefault();
    event.stopPropagation();
    return true;
  }

  /**
   * By how many items a key moves the active one.
   * @param {string} key @param {number} last @returns {number | undefined}
   */
  stepOf(key, last) {
    const page = Math.max(1, Math.floor(this.viewHeight / this.rowHeight) - 1);
    return { ArrowDown: 1, ArrowUp: -1, PageDown: page, PageUp: -page, Home: -last - 1, End: last + 1 }[key];
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    const last = (this.rows?.total ?? 0) - 1;
    const step = event.altKey ? undefined : this.stepOf(event.key, last);
    if (this.selectedByKey(event, step, last) || event.ctrlKey || event.metaKey) return;
    const row = this.rows?.at(this.active);
    if (step !== undefined) {
      this.moveActive(Math.max(0, Math.min(last, this.active + step)));
      const next = this.rows?.at(this.active);
      if (next) this.options.chosen?.(next, true);
    } else if (event.key === 'Enter' && !event.altKey && row) this.options.open(row, this.active);
    else if (!row || !this.options.key?.(event, row, this.active)) return;
    event.preventDefault();
    event.stopPropagation();
  }

  /**
   * Makes a row the active one, and brings it into view.
   * @param {number} index
   */
  moveActive(index) {
    this.active = index;
    const at = this.lineOf(index) * this.rowHeight;
    if (at < this.top) this.moveTo(at);
    else if (at + this.rowHeight > this.top + this.viewHeight) this.moveTo(at + this.rowHeight - this.viewHeight);
    else this.draw();
  }
}

/**
 * Lets rows be dragged to another place by mouse or pen; by keys it is Alt and the arrows.
 * @param {Table} table @param {() => boolean} isAllowed
 * @param {(from: number, to: number) => void} drop
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
