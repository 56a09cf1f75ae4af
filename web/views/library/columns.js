/** The columns that a table of tracks can have. */

import { h, setText } from '../../core/dom.js';
import { channels, date, length, number, rate, signed } from '../../core/format.js';
import { outlineOf } from '../../data/outlines.js';
import { keyText, titleOf, troubleOf } from '../../data/tracks.js';
import { sizeOf } from '../../drawing/canvas.js';
import { palette } from '../../drawing/colour.js';
import { drawOutline } from '../../drawing/waveform.js';
import { player } from '../../player/player.js';

/** @typedef {import('../../components/table.js').Column} Column */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/** @param {string} key @param {string} label @param {string} width @param {Partial<Column>} [more] @returns {Column} */
const text = (key, label, width, more = {}) =>
  ({ key, label, width, sort: key, fill: (cell, row) => setText(cell, row[key] ?? ''), ...more });

/**
 * @param {string} key @param {string} label @param {number} width @param {(value: any) => string} show
 * @returns {Column}
 */
const figure = (key, label, width, show) =>
  ({
    key, label, width: `${width}px`, sort: key, isNumber: true,
    fill: (cell, row) => setText(cell, row[key] === null ? '' : show(row[key])),
  });

/**
 * Where the playing track stands, 0…1, or −1 for others.
 * @param {TrackRow} row
 */
const playedPart = (row) => {
  const track = player.track.peek();
  return track && track.id === row.id ? player.frame() / track.frames : -1;
};

/** @type {Column} */
const index = {
  key: 'index', label: '', width: '40px', isNumber: true, name: 'index',
  fill: (cell, row, at) => setText(cell, String(at + 1)),
};

/** @type {Column} */
const sound = {
  key: 'sound', label: 'Sound', width: '216px', name: 'sound',
  make: () => h('canvas', { 'aria-hidden': 'true' }),
  fill: (canvas, row, at, { over }) => {
    const outline = outlineOf(row.id);
    const played = playedPart(row);
    const coloured = over || played >= 0;
    const { width, height } = sizeOf(canvas);
    // What plays is drawn again and again, also while another view is shown.
    if (!width) return;
    const { isLight } = palette.peek();
    const state = [
      row.id, outline !== null, coloured, Math.round(played * 216), isLight, devicePixelRatio, width, height,
    ].join(' ');
    if (canvas.drawn === state) return;
    if (outline) drawOutline(canvas, outline, palette.peek(), { coloured, played, faint: troubleOf(row) !== null });
    else canvas.width = canvas.width;
    canvas.drawn = state;
  },
};

/** @type {Column} */
const title = {
  key: 'title', label: 'Title', width: 'minmax(0, 1.5fr)', sort: 'title', name: 'title',
  make: () => h('a', { tabIndex: -1 }),
  fill: (link, row) => {
    setText(link, titleOf(row));
    link.setAttribute('href', `/track/${row.id}`);
  },
};

/** @type {Column} */
const artist = {
  key: 'artist', label: 'Artist', width: 'minmax(0, 1.1fr)', sort: 'artist', name: 'artist',
  make: () => h('span'),
  fill: (cell, row) => {
    const trouble = troubleOf(row);
    cell.classList.toggle('trouble', trouble !== null);
    setText(cell, trouble ?? row.artist ?? '');
  },
};

/**
 * All columns in their order.
 * @type {Column[]}
 */
const all = [
  index, title, artist,
  text('album', 'Album', 'minmax(0, 1fr)'),
  text('genre', 'Genre', 'minmax(0, 0.7fr)'),
  figure('year', 'Year', 48, String),
  sound,
  { ...figure('duration', 'Length', 64, (value) => length(value)), name: 'length' },
  { ...figure('lufs', 'LUFS', 72, (value) => number(value, 1)), name: 'lufs' },
  { ...figure('lra', 'Range', 64, (value) => number(value, 1)), name: 'wide' },
  {
    ...figure('truepeak', 'True peak', 72, () => ''), name: 'wide',
    fill: (cell, row) => {
      setText(cell, row.truepeak === null ? '' : signed(row.truepeak));
      cell.classList.toggle('strong', row.truepeak >= 1);
    },
  },
  figure('bpm', 'BPM', 56, (value) => number(value, 1)),
  text('key', 'Key', '72px', { fill: (cell, row) => setText(cell, keyText(row)) }),
  text('codec', 'Codec', '72px', { name: 'wide' }),
  figure('rate', 'Rate', 80, (value) => rate(value)),
  figure('channels', 'Channels', 80, (value) => channels(value)),
  { ...figure('added', 'Added', 104, (value) => date(value)), name: 'wide' },
  text('filename', 'File', 'minmax(0, 1fr)', { name: 'wide' }),
  text('preset', 'Preset', '132px', { name: 'wide', sort: undefined }),
];

/** What can be chosen, with its words. */
export const choices = all.slice(2).map(({ key, label }) => ({ key, label }));

/** What can be sorted by, with its words. */
export const sortable = all.filter(({ sort }) => sort).map(({ key, label }) => ({ key, label }));

/**
 * The columns to show. On a phone always the same: title over artist, sound, length over loudness.
 * @param {string[]} chosen @param {number} width of the table in pixels
 */
export function columnsFor(chosen, width) {
  if (width < 800) return [
    title, artist, { ...sound, width: '96px' },
    .../** @type {Column[]} */ (['duration', 'lufs'].map((key) => all.find((column) => column.key === key))),
  ];
  return all.filter((column) =>
    ['index', 'title'].includes(column.key)
    || (chosen.includes(column.key) && (width >= 1100 || !column.name?.includes('wide'))));
}
