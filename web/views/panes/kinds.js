/** What the lists with two panes have: artists, genres, composers, works, folders and lists of tracks. */

import { copyButton } from '../../components/copy-path.js';
import { getJSON } from '../../core/api.js';
import { h, pathText } from '../../core/dom.js';
import { count, date, duration, number } from '../../core/format.js';
import { addressOfName, quoted } from '../../data/names.js';
import { kept } from '../../core/settings.js';
import { Rows } from '../../data/rows.js';
import { similarArtists, soundOf } from './artist.js';
import { figureColumn, nameColumn } from './columns.js';
import { onceEach } from './content.js';
import { queryOfArtist } from './model.js';
import { problems } from './problems.js';
import { works, worksBy } from './works.js';

/** @typedef {import('./content.js').Content} Content */
/** @typedef {import('./panes.js').Kind} Kind */
/** @typedef {import('../../data/documents.js').GroupRow} GroupRow */

/** Whose artists are listed: those of albums, or those of tracks, too. */
const artistsOf = kept('artistsOf', 'albums', (value) => value === 'albums' || value === 'tracks');

const files = figureColumn((row) => number(row.files));

/**
 * The list of a route that gives pages.
 * @param {string} path @param {import('../../core/api.js').Parameters} [more]
 */
const paged = (path, more) => (/** @type {{q: string}} */ { q }) => new Rows(path, { q, ...more }).begin();

/**
 * "35 tracks · 2 h 3 min" of a query.
 * @param {string} q
 */
async function sumsOf(q) {
  const { files, duration_seconds: seconds } = await getJSON('/tracks/count', { q });
  return [count(files, 'track'), duration(seconds)];
}

/**
 * Adds what is known later to the line below a heading.
 * @param {Content} content @param {HTMLElement} line @param {Promise<string[]>} facts
 */
async function addFacts(content, line, facts) {
  const isHere = content.isStill();
  const known = await facts.catch(() => []);
  if (isHere()) line.append([line.textContent ? '' : null, ...known].filter((fact) => fact !== null).join(' \u00b7 '));
}

/**
 * "12 tracks on 2 albums", "7 on albums of others", the length of all.
 * @param {string} own finds the tracks of the artist's albums @param {string} all finds all of the artist's tracks
 */
async function factsOfArtist(own, all) {
  const [{ total }, { files: ownFiles }, { files, duration_seconds: seconds }] = await Promise.all([
    getJSON('/albums', { q: own, limit: 1 }), getJSON('/tracks/count', { q: await onceEach(own) }),
    getJSON('/tracks/count', { q: all }),
  ]);
  const others = Math.max(0, files - ownFiles);
  const mine = ownFiles ? `${count(ownFiles, 'track')} on ${count(total, 'album')}` : '';
  const rest = mine ? `${number(others)} on albums of others` : `${count(others, 'track')} on albums of others`;
  return [mine, others ? rest : '', duration(seconds)].filter(Boolean);
}

/** @type {Kind} */
const artists = {
  name: 'artists', label: 'Artists',
  rows: ({ q }) => new Rows('/artists', { q, of: artistsOf.peek() === 'tracks' ? 'tracks' : null }).begin(),
  choice: { label: 'Which artists', value: artistsOf, words: [['albums', 'Of albums'], ['tracks', 'Of tracks']] },
  columns: [
    nameColumn((row) => row.name ?? '[Unknown Artist]'), figureColumn((row) => number(row.tracks ?? row.files)),
  ],
  itemOf: (row) => row.name ?? '\u2013', rowFor: (item) => ({ name: item === '\u2013' ? null : item }),
  empty: ['No matching artists.', 'Artists come from the tags of the files.'],
  async fill(content, { name, query }) {
    const isHere = content.begin();
    const quotedName = quoted(name ?? '');
    const tracks = await onceEach(name ? queryOfArtist(quotedName) : 'album-artist:""');
    if (!isHere()) return;
    const acts = content.acts(`${tracks} year+ album+ album-disc+ track+`);
    const line = content.head(name ?? '[Unknown Artist]', [], acts);
    // That of the list has all spellings of the name; those of tracks are asked for by the one that is shown.
    const isOfAlbums = String(query ?? '').includes('album-artist');
    const own = isOfAlbums ? query : name ? `album-artist:=${quotedName}` : 'album-artist:""';
    addFacts(content, line, name ? factsOfArtist(own, tracks) : sumsOf(tracks));
    if (name) {
      // To compare sounds can take long, which the albums do not wait for; their place is kept.
      const side = h('div', { class: 'side-by-side waiting' });
      content.element.append(side);
      soundOf(content, name, tracks, side).then(() => similarArtists(content, name, tracks, side))
        .finally(() => side.classList.remove('waiting'));
    }
    if (!isHere()) return;
    await content.albums('Albums by year', own, {
      note: ({ artist, year }) => (artist === name ? String(year ?? '') : undefined),
    });
    if (!isHere()) return;
    if (name) {
      await content.albums('Appears on', `artist:=${quotedName} -album-artist:=${quotedName}`, {
        note: (row) => row.artist ?? '',
      });
      if (!isHere()) return;
      await rolesOf(content, name, quotedName);
      if (!isHere()) return;
    }
    const heard = await content.tracks('Most heard', `${tracks} plays:>0 plays-`, {
      most: 10, columns: ['place', 'title', 'album', 'sound', 'length', 'lufs', 'plays'],
    });
    if (!isHere()) return;
    await content.tracks(heard ? 'All tracks' : 'Tracks', `${tracks} year+ album+ album-disc+ track+`, {
      columns: ['place', 'title', 'album', 'sound', 'length', 'lufs', 'rating'],
    });
  },
};

/**
 * What else somebody did, as links.
 * @param {Content} content @param {string} name @param {string} quotedName
 */
async function rolesOf(content, name, quotedName) {
  const isHere = content.isStill();
  const roles = [['composer', 'Composer of'], ['conductor', 'Conductor of'], ['performer', 'Performer of'],
    ['remixer', 'Remixer of'], ['producer', 'Producer of']];
  const counts = await Promise.all(roles.map(([field]) =>
    getJSON('/tracks/count', { q: `${field}:=${quotedName} edition:1` }).catch(() => ({ files: 0 }))));
  const links = roles.flatMap(([field, words], i) => {
    const { files } = counts[i];
    const address = field === 'composer' ? addressOfName('composers', name)
      : '/?' + new URLSearchParams({ q: `${field}:=${quotedName}` });
    return files ? [h('li', {}, `${words} `, h('a', { class: 'link', href: address }, count(files, 'track')))] : [];
  });
  if (isHere() && links.length) content.element.append(h('ul', { class: 'roles' }, links));
}

/** @type {Kind} */
const genres = {
  name: 'genres', label: 'Genres', rows: paged('/genres'), columns: [nameColumn((row) => row.name), files],
  itemOf: (row) => row.name, rowFor: (item) => ({ name: item }),
  empty: ['No matching genres.', 'Genres come from the tags of the files.'],
  async fill(content, { name }) {
    const isHere = content.begin();
    const q = `genre:=${quoted(name)}`;
    const tracks = await onceEach(q);
    if (!isHere()) return;
    const order = `${tracks} artist+ album+ album-disc+ track+`;
    const line = content.head(name, [], content.acts(order));
    addFacts(content, line, sumsOf(tracks));
    await content.albums('Albums by year', q);
    if (isHere()) await content.tracks('Tracks', order);
  },
};

/** @type {Kind} */
const composers = {
  name: 'composers', label: 'Composers', rows: paged('/composers'), columns: [nameColumn((row) => row.name), files],
  itemOf: (row) => row.name, rowFor: (item) => ({ name: item }),
  empty: ['No matching composers.', 'Composers come from the tags of the files.'],
  async fill(content, { name }) {
    const isHere = content.begin();
    const q = `composer:=${quoted(name)}`;
    const tracks = await onceEach(q);
    if (!isHere()) return;
    const order = `${tracks} album+ album-disc+ track+`;
    const line = content.head(name, [], content.acts(order));
    addFacts(content, line, sumsOf(tracks));
    await worksBy(content, order);
    if (!isHere()) return;
    await content.albums('Albums', q);
    if (isHere()) await content.tracks('Tracks', order);
  },
};

/** @param {GroupRow} row */
const folderItem = (row) => `${row.root}:${row.path}`;

/** @type {Kind} */
const folders = {
  name: 'folders', label: 'Folders', columns: [nameColumn((row) => row.name), files],
  async rows({ q, folder }) {
    const parameters = folder
      ? { root: folder.split(':')[0], path: folder.slice(folder.indexOf(':') + 1), q } : {};
    return new Rows('/folders', parameters, (answer) => answer.rows).begin();
  },
  itemOf: folderItem, rowFor: () => null,
  enter: (row) => ({ folder: folderItem(row), item: '' }),
  up({ folder }) {
    if (!folder) return null;
    const [root, path] = [folder.split(':')[0], folder.slice(folder.indexOf(':') + 1)];
    if (!path) return { folder: '', item: folder };
    return { folder: `${root}:${path.split('/').slice(0, -1).join('/')}`, item: folder };
  },
  empty: ['There are no folders here.', 'Add a folder with “deadwax roots add FOLDER”.'],
  async fill(content, row) {
    const isHere = content.begin();
    const q = String(row.query);
    const path = q.replace(/^path:="|"$/g, '').replace(/\\(["\\])/g, '$1');
    const order = `${q} path+`;
    const line = content.head(row.name, [], content.acts(order));
    content.element.append(h('p', { class: 'edition-line' }, pathText(path), ' \u00b7 ', copyButton(path)));
    addFacts(content, line, sumsOf(q));
    const { rows } = await getJSON('/folders', { root: row.root, path: row.path }).catch(() => ({ rows: [] }));
    if (!isHere()) return;
    if (rows.length) {
      const addressOf = (/** @type {GroupRow} */ below) =>
        '/?' + new URLSearchParams({ view: 'folders', folder: folderItem(row), item: folderItem(below) });
      content.part('Folders in it', h('ul', { class: 'names' }, rows.map((/** @type {GroupRow} */ below) => h('li', {},
        h('a', { href: addressOf(below) }, below.name), h('span', { class: 'second' }, count(below.files, 'track'))))));
    }
    await content.albums('Albums', q);
    if (isHere()) await content.tracks('Tracks', order);
  },
};

/** @param {GroupRow} row */
async function exportList(row) {
  const { openExport } = await import('../library/selection-acts.js');
  openExport({ q: row.find, sort: '' }, `“${row.name}”`, row.name);
}

/** @type {Kind} */
const lists = {
  name: 'lists', label: 'Lists', columns: [nameColumn((row) => row.name), figureColumn((row) => number(row.tracks))],
  rows: () => new Rows('/lists', {}, (answer) => answer.lists).begin(),
  itemOf: (row) => row.name, rowFor: () => null,
  empty: ['There are no lists yet.', 'Select tracks and add them to one, write rules, or drop a playlist here.'],
  above: () => [h('a', { href: '/rules' }, 'New list with rules')],
  async fill(content, row) {
    content.begin();
    const rules = '/rules?' + new URLSearchParams({ q: row.query ?? '', item: row.name });
    const line = content.head(row.name, row.query ? [h('span', { class: 'etch' }, row.query), ' \u00b7 '] : [], [
      ...content.acts(row.find),
      row.query === null ? h('a', { class: 'button', href: '/?' + new URLSearchParams({ q: row.find }) }, 'Change')
        : h('a', { class: 'button', href: rules }, 'Rules'),
      h('button', { type: 'button', onclick: () => exportList(row) }, 'Export'),
    ]);
    addFacts(content, line, sumsOf(row.find).then((facts) => [...facts, `changed ${date(row.changed_at)}`]));
    await content.tracks('Tracks', row.find, { most: 200 });
  },
};

/** @type {Record<string, Kind>} */
export const kinds = { artists, genres, composers, works, folders, lists, problems };
