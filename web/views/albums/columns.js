/** The columns of the list of albums. */

import { albumTitle } from '../../components/album-tile.js';
import { fillLinks } from '../../components/names.js';
import { attribute, h, setText } from '../../core/dom.js';
import { duration, number } from '../../core/format.js';
import { coverOfAlbum } from '../../data/covers.js';
import { addressOfAlbum } from '../../data/names.js';
import { outlineOf } from '../../data/outlines.js';
import { sizeOf } from '../../drawing/canvas.js';
import { palette } from '../../drawing/colour.js';
import { drawStrip } from '../../drawing/strip.js';

/** @typedef {import('../../components/table.js').Column} Column */
/** @typedef {import('../../data/documents.js').AlbumRow} AlbumRow */

/** @type {Column} */
const cover = {
  key: 'cover', label: '', width: '48px', name: 'cover',
  make: () => h('img', {
    alt: '', loading: 'lazy',
    onerror: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).classList.add('none'),
  }),
  fill: (image, row) => {
    const source = coverOfAlbum(row.album_id, 48);
    if (image.getAttribute('src') === source) return;
    image.classList.remove('none');
    image.src = source;
  },
};

/** @type {Column} */
const title = {
  key: 'title', label: 'Album', width: 'minmax(0, 1.3fr)', name: 'title', make: () => h('a', { tabIndex: -1 }),
  fill: (link, row) => {
    setText(link, albumTitle(row));
    attribute(link, 'href', addressOfAlbum(row.album_id));
  },
};

/** @type {Column} */
const artist = {
  key: 'artist', label: 'Artist', width: 'minmax(0, 1fr)', name: 'second', make: () => h('span'),
  fill: (cell, row) => fillLinks(cell, 'artists', row.artist),
};

/**
 * @param {string} key @param {string} label @param {number} width @param {(row: AlbumRow) => string} show
 * @param {string} [name]
 * @returns {Column}
 */
const figure = (key, label, width, show, name = 'figure') => ({
  key, label, width: `${width}px`, isNumber: true, name, fill: (cell, row) => setText(cell, show(row)),
});

/** @type {Column} */
const sound = {
  key: 'sound', label: 'Sound', width: 'minmax(200px, 380px)', name: 'sound',
  make: () => h('canvas', { 'aria-hidden': 'true' }),
  fill: (canvas, row) => {
    const { width, height } = sizeOf(canvas);
    if (!width) return;
    const recordings = /** @type {AlbumRow} */ (row).recordings ?? [];
    const outlines = recordings.map(({ id }) => outlineOf(id));
    const { isLight } = palette.peek();
    const state = [row.album_id, outlines.filter(Boolean).length, width, height, devicePixelRatio, isLight].join(' ');
    if (canvas.drawn === state) return;
    canvas.drawn = state;
    const gap = recordings.length > 60 ? 0 : 3;
    const seconds = recordings.reduce((all, { duration_seconds: own }) => all + own, 0) || 1;
    const scale = (width - gap * Math.max(0, recordings.length - 1)) / seconds;
    let left = -gap;
    drawStrip(canvas, recordings.map(({ duration_seconds: own }, i) => {
      const piece = { left: left + gap, width: own * scale, outline: outlines[i], played: 0 };
      left = piece.left + piece.width;
      return piece;
    }), palette.peek(), { pitch: 3, coloured: true });
  },
};

const all = [
  cover, title, artist, figure('year', 'Year', 56, ({ year }) => (year ? String(year) : '')),
  figure('tracks', 'Tracks', 56, ({ tracks }) => number(tracks)), sound,
  figure('length', 'Length', 88, ({ duration_seconds: seconds }) => duration(seconds)),
  figure('lufs', 'LUFS', 56, ({ loudness_lufs: lufs }) => (typeof lufs === 'number' ? number(lufs, 1) : '')),
  figure('editions', 'Editions', 64, ({ editions }) => (editions > 1 ? number(editions) : '')),
  {
    ...figure('problems', 'Problems', 72, ({ problems }) => (problems ? number(problems) : '')), name: 'figure trouble',
  },
];

/** @param {number} width of the screen */
export function columnsFor(width) {
  const left = width < 800 ? ['cover', 'title', 'artist', 'length']
    : width < 1100 ? ['cover', 'title', 'artist', 'year', 'tracks', 'sound', 'length'] : all.map(({ key }) => key);
  return all.filter(({ key }) => left.includes(key));
}
