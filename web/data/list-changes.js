/** How lists are changed, whether they hold tracks in an order of their own or are queries. */

import { change, getJSON } from '../core/api.js';

/** @typedef {import('./documents.js').List} List */

/**
 * The ids of a list, in its order.
 * @param {{find: string}} list @returns {Promise<number[]>}
 */
async function idsOf({ find }) {
  /** @type {number[]} */
  const ids = [];
  let read = 0;
  for (;;) {
    const { rows } = await getJSON('/tracks', { q: find, fields: 'title', from: read, limit: 500 });
    ids.push(...rows.flatMap((/** @type {import('./documents.js').TrackRow} */ row) => row.id ?? []));
    read += rows.length;
    if (rows.length < 500) return ids;
  }
}

/**
 * Changes the order or the contents of a list; all of it is sent, so all of it must have been read.
 * @param {List} list @param {(ids: number[]) => void} body
 */
async function edit(list, body) {
  const ids = await idsOf(list);
  body(ids);
  await change('PATCH', `/lists/${list.id}`, { tracks: ids });
}

/**
 * Moves a track within its list.
 * @param {List} list @param {number} from @param {number} to
 */
export const moveWithin = (list, from, to) => edit(list, (ids) => ids.splice(to, 0, ...ids.splice(from, 1)));

/**
 * Takes the track at a place out of its list.
 * @param {List} list @param {number} index
 */
export const takeOut = (list, index) => edit(list, (ids) => ids.splice(index, 1));

/** @param {List} list @param {number[]} ids of the tracks that go to its end */
export const addTo = (list, ids) => change('PATCH', `/lists/${list.id}`, { add: ids });

/** @param {string} name @param {number[]} tracks */
export const makeList = (name, tracks) => change('POST', '/lists', { name, tracks });

/** @param {string} name @param {string} query */
export const saveSearch = (name, query) => change('POST', '/lists', { name, query });

/** @param {List} list @param {string} name @returns {Promise<List>} */
export const renameList = (list, name) => change('PATCH', `/lists/${list.id}`, { name });

/**
 * Gives a list that keeps itself another query.
 * @param {List} list @param {string} query @returns {Promise<List>}
 */
export const changeQuery = (list, query) => change('PATCH', `/lists/${list.id}`, { query });

/**
 * Keeps the tracks that a query finds now, each once.
 * @param {string} name @param {string} query
 */
export const makeListOf = async (name, query) => makeList(name, [...new Set(await idsOf({ find: query }))]);

/**
 * Makes a list of a playlist file. One that is no UTF-8 is of an older program, most likely of Windows.
 * @param {File} file
 * @returns {Promise<{list: List, entries: number, found: number, omitted: number, not_found: string[]}>}
 */
export async function importPlaylist(file) {
  const bytes = await file.arrayBuffer();
  let text = '';
  try {
    text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    text = new TextDecoder('windows-1252').decode(bytes);
  }
  return change('POST', '/lists/import', { file: file.name, text });
}

/** @param {List} list whose tracks stay */
export const eraseList = (list) => change('DELETE', `/lists/${list.id}`);
