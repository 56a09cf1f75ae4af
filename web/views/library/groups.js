/** Artists, albums, genres, composers, works, folders, lists and problems: what the tabs beside the tracks show. */

import { h, setText } from '../../core/dom.js';
import { date, duration, number } from '../../core/format.js';
import { coverOfAlbum } from '../../data/covers.js';

/** @typedef {import('../../components/table.js').Column} Column */
/** @typedef {import('../../data/documents.js').GroupRow} GroupRow */

/** @param {string} key @param {string} label @param {string} [width] @returns {Column} */
const words = (key, label, width = 'minmax(0, 1fr)') => ({
  key, label, width, make: () => h('span'), fill: (cell, row) => setText(cell, row[key] ?? ''),
});
/** @param {string} key @param {string} label @param {(value: any) => string} [show] @returns {Column} */
const figure = (key, label, show = number) =>
  ({
    key, label, width: '96px', isNumber: true, name: 'figure',
    fill: (cell, row) => setText(cell, typeof row[key] === 'number' ? show(row[key]) : ''),
  });

const length = figure('duration_seconds', 'Length', duration);
/**
 * A number that says nothing if it is 1.
 * @param {string} key @param {string} label @returns {Column}
 */
const several = (key, label) => figure(key, label, (value) => (value > 1 ? number(value) : ''));
/** @param {Column} column @returns {Column} */
const title = (column) => ({ ...column, name: 'title' });

/**
 * The cover of an album; an empty frame if nothing can be drawn.
 * @type {Column}
 */
const cover = {
  key: 'cover', label: '', width: '48px', name: 'cover',
  make: () => h('img', {
    alt: '', loading: 'lazy',
    onerror: (/** @type {Event} */ event) => /** @type {Element} */ (event.target).classList.add('none'),
  }),
  fill: (image, row) => {
    // Between two groups it is a row of the other one.
    if (!row.album_id) return;
    const source = coverOfAlbum(row.album_id, 48);
    if (image.getAttribute('src') === source) return;
    image.classList.remove('none');
    image.src = source;
  },
};

/** @type {Record<string, string>} */
const states = {
  damaged: 'Damaged', missing: 'Missing', unsupported: 'Unsupported', unreadable: 'Unreadable', crashed: 'Crashed',
  timeout: 'Too slow', empty: 'Empty', oversize: 'Too large', pending: 'Not read',
};

/**
 * @typedef {{
 *   name: string, label: string, path: string, columns: Column[], tall?: boolean, whole?: (answer: any) => GroupRow[],
 *   parameters?: (folder: string) => import('../../core/api.js').Parameters, empty: string, way: string,
 *   query: (row: GroupRow) => string | null, isCostly?: boolean, isRare?: boolean,
 * }} Group `query` finds what a row stands for, null opens the track; `isCostly`: the server counts it by going through
 *   all tracks; `isRare`: many libraries have none, and then no tab
 */

/** @type {Group[]} */
export const groups = [
  {
    isCostly: true, name: 'artists', label: 'Artists', path: '/artists', query: (row) => row.query,
    columns: [
      title({ ...words('name', 'Artist'), fill: (cell, row) => setText(cell, row.name ?? 'Unknown artist') }),
      figure('albums', 'Albums'), figure('tracks', 'Tracks'), length,
    ],
    empty: 'No artist has a track like that.', way: 'Artists come from the tags of the files.',
  },
  {
    isCostly: true, name: 'albums', label: 'Albums', path: '/albums', tall: true, query: (row) => row.query,
    columns: [
      cover,
      title({
        ...words('album', 'Album', 'minmax(0, 1.5fr)'),
        fill: (cell, row) => setText(cell, row.album ?? 'Without an album'),
      }),
      { ...words('artist', 'Artist'), name: 'second' },
      figure('year', 'Year', String), figure('tracks', 'Tracks'), several('discs', 'Discs'),
      several('editions', 'Editions'), length,
    ],
    empty: 'No album has a track like that.', way: 'Albums come from the tags of the files.',
  },
  {
    isCostly: true, name: 'genres', label: 'Genres', path: '/genres', query: (row) => row.query,
    columns: [title(words('name', 'Genre')), figure('files', 'Tracks'), length],
    empty: 'No track like that has a genre.', way: 'Genres come from the tags of the files.',
  },
  {
    isCostly: true, isRare: true, name: 'composers', label: 'Composers', path: '/composers', query: (row) => row.query,
    columns: [title(words('name', 'Composer')), figure('files', 'Tracks'), length],
    empty: 'No track like that has a composer.', way: 'Composers come from the tags of the files.',
  },
  {
    isCostly: true, isRare: true, name: 'works', label: 'Works', path: '/works', query: (row) => row.query,
    columns: [title(words('name', 'Work')), figure('files', 'Tracks'), length],
    empty: 'No track like that is part of a work.', way: 'Works come from the tags of the files.',
  },
  {
    name: 'folders', label: 'Folders', path: '/folders', query: (row) => row.query,
    whole: (answer) => answer.rows,
    parameters: (folder) => (folder ? { root: folder.split(':')[0], path: folder.slice(folder.indexOf(':') + 1) } : {}),
    columns: [title(words('name', 'Folder')), figure('files', 'Tracks')],
    empty: 'No folder has a track like that.', way: 'Add a folder with “deadwax roots add FOLDER”.',
  },
  {
    name: 'lists', label: 'Lists', path: '/lists', query: (row) => row.find ?? `list:="${row.name}"`,
    whole: (answer) => answer.lists, parameters: () => ({}),
    columns: [
      title(words('name', 'List')), words('query', 'Search'), figure('tracks', 'Tracks'), {
        ...words('changed_at', 'Changed', '112px'), name: 'figure', isNumber: true,
        fill: (cell, row) => setText(cell, date(row.changed_at)),
      },
    ],
    empty: 'There are no lists yet.', way: 'Type a search, then save it as a list.',
  },
  {
    name: 'problems', label: 'Problems', path: '/problems', query: () => null,
    columns: [
      title({
        ...words('path', 'File', 'minmax(0, 1.4fr)'), fill: (cell, row) => setText(cell, row.path.split('/').pop()),
      }),
      { ...words('state', 'State', '120px'), fill: (cell, row) => setText(cell, states[row.state] ?? row.state) },
      { ...words('reason', 'What is wrong', 'minmax(0, 2fr)'), name: 'trouble' },
    ],
    empty: 'Every file could be read.', way: 'Damaged, missing and unsupported files would be listed here.',
  },
];
