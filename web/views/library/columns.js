/** The columns that a table of tracks can have. */

import { fillLinks } from '../../components/names.js';
import { drawRowSound } from '../../components/row-sound.js';
import { makeStars, rateTrack, setStars, starsOf } from '../../components/stars.js';
import { attribute, h, setText } from '../../core/dom.js';
import { channels, date, length, number, rate, signed } from '../../core/format.js';
import { addressOfAlbum, addressOfTrack } from '../../data/names.js';
import { keyText, titleOf, troubleOf } from '../../data/tracks.js';

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
    fill: (cell, row) => setText(cell, (row[key] ?? null) === null ? '' : show(row[key])),
  });

/** @type {Column} */
const index = {
  key: 'index', label: '', width: '40px', isNumber: true, name: 'index',
  fill: (cell, row, at) => setText(cell, String(at + 1)),
};

/** @type {Column} */
const sound = {
  key: 'sound', label: 'Sound', width: '216px', name: 'sound',
  make: () => h('canvas', { 'aria-hidden': 'true' }),
  fill: (canvas, row, at, { over }) => drawRowSound(canvas, row, over),
};

/** @type {Column} */
const title = {
  key: 'title', label: 'Title', width: 'minmax(0, 1.5fr)', sort: 'title', name: 'title',
  make: () => h('a', { tabIndex: -1 }),
  fill: (link, row) => {
    setText(link, titleOf(row));
    // A file that could not be decoded is no track.
    attribute(link, 'href', row.id ? addressOfTrack(row.id) : null);
  },
};

/** @type {Column} */
const artist = {
  key: 'artist', label: 'Artist', width: 'minmax(0, 1.1fr)', sort: 'artist', name: 'artist',
  make: () => h('span'),
  fill: (cell, row) => {
    const trouble = troubleOf(row);
    cell.classList.toggle('trouble', trouble !== null);
    if (trouble) setText(cell, trouble);
    else fillLinks(cell, 'artists', row.artist);
  },
};

/** @type {Column} */
const album = {
  key: 'album', label: 'Album', width: 'minmax(0, 1fr)', sort: 'album', name: 'album',
  make: () => h('a', { tabIndex: -1 }),
  fill: (link, row) => {
    setText(link, row.album ?? '');
    attribute(link, 'href', row.album && row['album-id'] ? addressOfAlbum(row['album-id']) : null);
  },
};

/**
 * Names, each a link to all that has it.
 * @param {string} key @param {string} label @param {string} view
 */
const names = (key, label, view) => text(key, label, 'minmax(0, 0.7fr)', {
  make: () => h('span'), fill: (cell, row) => fillLinks(cell, view, row[key]),
});

/** @type {Column} */
const rating = {
  key: 'rating', label: 'Rating', width: '80px', sort: 'rating', name: 'rating',
  make: () => {
    const element = makeStars((star) => rateTrack(/** @type {any} */ (element).row, star).then(() =>
      setStars(element, starsOf(/** @type {any} */ (element).row))));
    return element;
  },
  fill: (element, row) => {
    element.row = row;
    element.hidden = !row.id;
    setStars(element, starsOf(row));
  },
};

/**
 * All columns in their order.
 * @type {Column[]}
 */
const all = [
  index, title, artist, album,
  figure('track', 'Track', 48, String),
  names('composer', 'Composer', 'composers'),
  names('genre', 'Genre', 'genres'),
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
  figure('bpm', 'Tempo', 56, (value) => number(value, 1)),
  text('key', 'Key', '72px', { fill: (cell, row) => setText(cell, keyText(row)) }),
  text('codec', 'Codec', '72px', { name: 'wide' }),
  figure('bits', 'Bits', 48, String),
  figure('rate', 'Rate', 80, (value) => rate(value)),
  figure('channels', 'Channels', 80, (value) => channels(value)),
  rating,
  figure('plays', 'Plays', 56, (value) => (value ? number(value) : '')),
  { ...figure('added', 'Added', 104, (value) => date(value)), name: 'wide' },
  text('filename', 'File', 'minmax(0, 1fr)', { name: 'wide' }),
  text('preset', 'Preset', '132px', { name: 'wide', sort: undefined }),
];

/** What can be chosen, with its words. */
export const choices = all.slice(2).map(({ key, label }) => ({ key, label }));

/** What can be sorted by, with its words. */
export const sortable = all.filter(({ sort }) => sort).map(({ key, label }) => ({ key, label }));

/** What rows have for the player, for what is wrong with them, and as links. */
const always = [
  'title', 'artist', 'album', 'album-id', 'filename', 'state', 'duration', 'codec', 'rate', 'lufs', 'rating',
];

/**
 * The fields that rows must have for some columns.
 * @param {string[]} chosen keys of columns
 */
export const fieldsFor = (chosen) => {
  const known = all.filter(({ key }) => chosen.includes(key) && !['index', 'sound'].includes(key));
  const more = chosen.includes('key') ? ['camelot'] : [];
  return [...new Set([...always, ...known.map(({ key }) => key), ...more])].join(',');
};

/**
 * The columns to show. On a phone always the same: title over artist, sound, length over loudness.
 * @param {string[]} chosen @param {number} width of the table in pixels
 * @param {boolean} [hasPresets] whether any track has one; without them the column would be empty
 */
export function columnsFor(chosen, width, hasPresets = true) {
  if (width < 800) return [
    title, artist, { ...sound, width: '96px' },
    .../** @type {Column[]} */ (['duration', 'lufs'].map((key) => all.find((column) => column.key === key))),
  ];
  const shown = all.filter((column) =>
    ['index', 'title'].includes(column.key)
    || (chosen.includes(column.key) && (width >= 1100 || !column.name?.includes('wide'))
      && (hasPresets || column.key !== 'preset')));
  // Names need the room more than their sound.
  return width < 1100 ? shown.map((column) => (column === sound ? { ...sound, width: '112px' } : column)) : shown;
}
