/** A cover with a title, an artist and a year below it: what albums are in grids. */

import { nameLinks } from './names.js';
import { h, setText } from '../core/dom.js';
import { coverOfAlbum } from '../data/covers.js';
import { addressOfAlbum } from '../data/names.js';

/** @typedef {import('../data/documents.js').AlbumRow} AlbumRow */

/** @param {Pick<AlbumRow, 'album'>} row */
export const albumTitle = (row) => row.album ?? '[Unknown Album]';

/**
 * An empty tile.
 * @returns {HTMLElement}
 */
export function makeTile() {
  const image = h('img', {
    alt: '', draggable: false,
    onerror: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).classList.add('none'),
    onload: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).classList.remove('none'),
  });
  image.classList.add('none');
  return h('div', { class: 'tile' },
    h('a', { class: 'tile-link', tabIndex: -1 }, h('span', { class: 'tile-cover' }, image),
      h('span', { class: 'tile-title' })),
    h('p', { class: 'second' }, h('span', { class: 'tile-artist' }), h('span', { class: 'tile-year' })));
}

/**
 * @param {HTMLElement} tile @param {AlbumRow | null | undefined} row null while it is on its way @param {number} side
 * @param {{isFast?: boolean, note?: string, isFocusable?: boolean}} how `note` in the place of artist and year
 */
export function fillTile(tile, row, side, { isFast = false, note, isFocusable = false }) {
  const link = /** @type {HTMLAnchorElement} */ (tile.querySelector('.tile-link'));
  const image = /** @type {HTMLImageElement} */ (tile.querySelector('img'));
  const part = (/** @type {string} */ name) => /** @type {HTMLElement} */ (tile.querySelector(name));
  const source = row && !isFast ? coverOfAlbum(row.album_id, side) : '';
  if (image.getAttribute('src') !== source) {
    image.classList.add('none');
    if (source) image.src = source;
    else image.removeAttribute('src');
  }
  const title = row ? albumTitle(row) : '';
  const state = `${row?.album_id ?? ''} ${title} ${note ?? ''}`;
  if (tile.dataset.shown === state) return;
  tile.dataset.shown = state;
  if (row) link.href = addressOfAlbum(row.album_id);
  if (isFocusable) link.removeAttribute('tabindex');
  setText(part('.tile-title'), title);
  const artist = part('.tile-artist');
  if (note !== undefined) setText(artist, note);
  else artist.replaceChildren(...nameLinks('artists', row?.artist).map((node) => {
    if (node instanceof HTMLElement) node.tabIndex = -1;
    return node;
  }));
  setText(part('.tile-year'), note === undefined && row?.year ? String(row.year) : '');
}
