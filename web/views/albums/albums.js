/** All albums: as a grid of covers, or as a list with their sound. */

import { albumTitle, fillTile, makeTile } from '../../components/album-tile.js';
import { Table } from '../../components/table.js';
import { TileGrid } from '../../components/tile-grid.js';
import { toast } from '../../components/toast.js';
import { getJSON } from '../../core/api.js';
import { attribute, h, setText } from '../../core/dom.js';
import { count } from '../../core/format.js';
import { go, place } from '../../core/router.js';
import { effect } from '../../core/signals.js';
import { addressOfAlbum } from '../../data/names.js';
import { watchers } from '../../data/outlines.js';
import { Rows } from '../../data/rows.js';
import { palette } from '../../drawing/colour.js';
import { player } from '../../player/player.js';
import { albumGrid, albumSide } from './choices.js';
import { columnsFor } from './columns.js';
import { nextOrder, orderOf, orders } from './model.js';

/** @typedef {import('../../data/documents.js').AlbumRow} AlbumRow */

/**
 * Plays an album from its start.
 * @param {AlbumRow} row
 */
export async function playAlbum(row) {
  const q = `album-id:${row.album_id} edition:1 album-disc+ track+`;
  const { rows, total } = await getJSON('/tracks', { q, limit: 1 });
  if (rows[0]?.id) await player.playFrom(rows[0], { q, sort: '', total: total ?? row.tracks }, 0);
  else toast(`“${albumTitle(row)}” has no playable tracks.`);
}

const isNarrow = () => innerWidth < 800;

export class Albums {
  name = 'albums';

  constructor() {
    const open = (/** @type {AlbumRow} */ row) => go(addressOfAlbum(row.album_id));
    const key = (/** @type {KeyboardEvent} */ event, /** @type {AlbumRow} */ row) => {
      if (event.key !== 'Enter' || !event.shiftKey) return false;
      playAlbum(row);
      return true;
    };
    this.grid = new TileGrid({
      label: 'Albums', side: () => (isNarrow() ? 150 : albumSide.peek()), gap: 24, below: 50, open, key,
      make: () => {
        const tile = makeTile();
        tile.append(h('button', {
          type: 'button', class: 'tile-play', tabIndex: -1, 'aria-label': 'Play', onclick: () => {
            const row = this.grid.rows?.at(Number(tile.dataset.index));
            if (row) playAlbum(row);
          },
        }));
        return tile;
      },
      fill: (tile, row, index, { isFast }) => {
        fillTile(tile, row, this.grid.side, { isFast });
        tile.classList.toggle('playing', row !== null && row?.album_id === this.playing);
      },
    });
    this.table = new Table({ label: 'Albums', open, key });
    this.table.element.classList.add('groups', 'tall', 'albums-table');
    this.playing = -1;
    this.order = h('div', { class: 'orders', role: 'group', 'aria-label': 'Order' });
    this.sum = h('p', { class: 'albums-sum' });
    const word = (/** @type {string} */ name, /** @type {boolean} */ isGrid) => {
      const button = h('button', { type: 'button', class: 'tool', onclick: () => (albumGrid.value = isGrid) }, name);
      effect(() => attribute(button, 'aria-pressed', String(albumGrid.value === isGrid)));
      return button;
    };
    this.size = h('input', {
      type: 'range', min: 128, max: 256, step: 16, class: 'slide', 'aria-label': 'Size of the covers',
      value: String(albumSide.peek()),
    });
    this.size.addEventListener('input', () => (albumSide.value = Number(this.size.value)));
    this.sizeLabel = h('label', { class: 'size' }, h('span', {}, 'Size'), this.size);
    effect(() => (this.sizeLabel.hidden = !albumGrid.value));
    this.empty = h('div', { class: 'empty', hidden: true });
    this.place = h('div', { class: 'albums-of' });
    this.element = h('section', { class: 'albums', 'aria-label': 'Albums' },
      h('div', { class: 'albums-head' }, this.order, this.sum,
        h('div', { class: 'words' }, word('Grid', true), word('List', false),
          this.sizeLabel)),
      this.place, this.empty);
    /** Which search is asked for, which one is shown, and which columns fit. */
    this.wanted = this.known = this.fitted = '';
    effect(() => {
      this.size.style.setProperty('--part', `${((albumSide.value - 128) / 128) * 100}%`);
      this.grid.measure();
    });
    effect(() => {
      const isGrid = albumGrid.value;
      if (this.element.isConnected) this.put(isGrid);
    });
    effect(() => {
      palette.value;
      this.follow(player.track.value);
    });
    watchers.add(() => this.shown === this.table && this.table.draw());
    new ResizeObserver(() => this.fit()).observe(this.element);
    document.addEventListener('keydown', (event) => {
      if (event.target !== document.body || !this.shown.element.clientHeight) return;
      this.shown.keyed(event);
      if (event.defaultPrevented) this.shown.element.focus({ preventScroll: true });
    });
  }

  /** The grid, or the list. */
  get shown() {
    return albumGrid.peek() ? this.grid : this.table;
  }

  keep() {
    return { top: this.shown.top, active: this.shown.active };
  }

  hide() {
    this.wanted = '';
  }

  /** @param {import('../../core/router.js').Place} here */
  async show({ q, sort, kept }) {
    const order = orderOf(sort);
    this.showOrder(order);
    const isGrid = albumGrid.peek();
    const wanted = (this.wanted = `${q} ${order} ${isGrid}`);
    const rows = new Rows('/albums', { q, sort: order, detail: isGrid ? null : 1 });
    await rows.begin();
    if (this.wanted !== wanted) return rows.end();
    const stays = this.known === wanted && !kept;
    this.known = wanted;
    if (this.place.firstElementChild !== this.shown.element) this.place.replaceChildren(this.shown.element);
    this.fit();
    this.shown.show(rows, stays);
    if (kept) this.shown.restore(kept);
    this.place.hidden = rows.total === 0;
    this.empty.hidden = rows.total > 0;
    if (!rows.total) {
      this.empty.replaceChildren(h('p', { class: 'etch' }, rows.error?.message ?? 'No matching albums.'),
        h('p', {}, 'Albums come from the tags of the files.'));
    }
    setText(this.sum, count(rows.total, 'album'));
  }

  /**
   * Changes between grid and list.
   * @param {boolean} isGrid
   */
  put(isGrid) {
    const { active } = isGrid ? this.table : this.grid;
    this.show({ ...place.peek(), kept: null }).then(() => this.shown.moveActive(active));
  }

  /** @param {string} order */
  showOrder(order) {
    const link = (/** @type {{name: string, label: string}} */ { name, label }) => {
      const isOn = order.replace('-', '') === name;
      const arrow = isOn ? (order.endsWith('-') ? ' \u2193' : ' \u2191') : '';
      const next = nextOrder(order, name);
      const { q } = place.peek();
      const parameters = new URLSearchParams({ view: 'albums', ...(q ? { q } : {}), sort: next });
      const element = h('a', { href: '/?' + parameters, class: 'tool' }, label + arrow);
      attribute(element, 'aria-current', isOn ? 'true' : null);
      return element;
    };
    this.order.replaceChildren(h('span', {}, 'Order'), ...orders.map(link));
  }

  fit() {
    const columns = columnsFor(innerWidth);
    const fitted = columns.map(({ key }) => key).join(' ');
    if (fitted !== this.fitted) this.table.setColumns(columns);
    this.fitted = fitted;
    this.shown.measure();
  }

  /**
   * Marks the album that plays.
   * @param {import('../../player/player.js').Loaded | null} track
   */
  async follow(track) {
    const id = track?.id;
    const known = track?.row['album-id'];
    const { rows } = known || !id
      ? { rows: [{ 'album-id': known }] }
      : await getJSON('/tracks', { q: `id:${id}`, fields: 'album-id', limit: 1 }).catch(() => ({ rows: [] }));
    if (player.track.peek()?.id !== id) return;
    this.playing = rows[0]?.['album-id'] ?? -1;
    this.grid.draw();
    this.table.draw();
  }
}
