/** Tiles side by side, of which a hundred thousand scroll like ten: a table with several items in each line. */

import { attribute, h } from '../core/dom.js';
import { Table } from './table.js';

/**
 * @typedef {{
 *   label: string, side: () => number, gap: number, below: number,
 *   open: (row: any, index: number) => void, key?: (event: KeyboardEvent, row: any, index: number) => boolean,
 *   make: () => HTMLElement, fill: (tile: any, row: any, index: number, state: {isFast: boolean}) => void,
 * }} TileOptions `side`: about the width of a tile; `gap`: between tiles, and below lines; `below`: what is
 *   under the picture; all in CSS pixels. `isFast`: lines fly by, and what costs much can wait
 */

export class TileGrid extends Table {
  /** @param {TileOptions} options */
  constructor(options) {
    super(options);
    this.tiles = options;
    this.perLine = 1;
    this.side = 0;
    this.element.classList.add('tile-grid');
    this.head.hidden = true;
    this.sampled = { time: 0, top: 0 };
    this.isFast = false;
    this.resting = 0;
  }

  get lineCount() {
    return Math.ceil((this.rows?.total ?? 0) / this.perLine);
  }

  /** @param {number} index */
  lineOf(index) {
    return Math.floor(index / this.perLine);
  }

  readSizes() {
    if (!this.tiles) return;
    const { gap, below } = this.tiles;
    const style = getComputedStyle(this.element);
    const width = this.element.clientWidth - 2 * (parseFloat(style.getPropertyValue('--margin')) || 0);
    if (width <= 0) return;
    const perLine = Math.max(2, Math.round((width + gap) / (this.tiles.side() + gap)));
    this.side = Math.floor((width - (perLine - 1) * gap) / perLine);
    this.element.style.setProperty('--side', `${this.side}px`);
    this.element.style.setProperty('--gap', `${gap}px`);
    this.rowHeight = this.side + below + gap;
    if (perLine === this.perLine) return;
    // What is active stays in view.
    const above = this.lineOf(this.active);
    this.perLine = perLine;
    this.dropRows();
    this.top += (this.lineOf(this.active) - above) * this.rowHeight;
  }

  makeRow() {
    const tiles = Array.from({ length: this.perLine }, () => this.tiles.make());
    const element = h('div', { class: 'tiles', role: 'row' }, tiles);
    for (const tile of tiles) attribute(tile, 'role', 'gridcell');
    this.window.append(element);
    return element;
  }

  render() {
    const now = performance.now();
    const elapsed = now - this.sampled.time;
    if (elapsed > 100) {
      // Five screens a second are no looking: pictures come when it rests.
      this.isFast = Math.abs(this.top - this.sampled.top) > (5 * this.viewHeight * elapsed) / 1000;
      this.sampled = { time: now, top: this.top };
    }
    if (this.isFast) {
      clearTimeout(this.resting);
      this.resting = Number(setTimeout(() => this.draw(), 150));
    }
    super.render();
  }

  /** @param {HTMLElement} element @param {number} line */
  fillRow(element, line) {
    element.hidden = false;
    element.style.transform = `translateY(${Math.round(line * this.rowHeight - this.top)}px)`;
    attribute(element, 'aria-rowindex', line + 1);
    for (let i = 0; i < this.perLine; i += 1) {
      const index = line * this.perLine + i;
      const tile = /** @type {HTMLElement} */ (element.children[i]);
      const isThere = index < (this.rows?.total ?? 0);
      tile.style.visibility = isThere ? '' : 'hidden';
      if (!isThere) continue;
      const row = this.rows?.at(index);
      const id = `${this.name}-${index}`;
      if (tile.id !== id) {
        tile.id = id;
        tile.dataset.index = String(index);
      }
      attribute(tile, 'aria-selected', index === this.active ? 'true' : 'false');
      tile.classList.toggle('active', index === this.active);
      tile.classList.toggle('loading', !row);
      this.tiles.fill(tile, row, index, { isFast: this.isFast });
    }
  }

  /** @param {Event} event */
  indexOf(event) {
    const tile = /** @type {HTMLElement} */ (event.target).closest?.('[data-index]');
    return tile instanceof HTMLElement ? Number(tile.dataset.index) : -1;
  }

  /** @param {MouseEvent} event */
  clicked(event) {
    if (event.type !== 'click') return;
    const index = this.indexOf(event);
    const row = index >= 0 && this.rows?.at(index);
    if (!row) return;
    this.active = index;
    this.draw();
    const isElsewhere = /** @type {Element} */ (event.target).closest('button, .second a') !== null;
    const isNew = event.ctrlKey || event.metaKey || event.shiftKey;
    if (isElsewhere || isNew) return;
    event.preventDefault();
    this.options.open(row, index);
  }

  /** @param {string} key @param {number} last @returns {number | undefined} */
  stepOf(key, last) {
    const lines = Math.max(1, Math.floor(this.viewHeight / this.rowHeight)) * this.perLine;
    return {
      ArrowRight: 1, ArrowLeft: -1, ArrowDown: this.perLine, ArrowUp: -this.perLine, PageDown: lines, PageUp: -lines,
      Home: -last - 1, End: last + 1,
    }[key];
  }
}
