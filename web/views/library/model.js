/** What the library shows for a place: which rows, and what is said if there are none. */

import { groups } from './groups.js';

/** @typedef {import('../../core/router.js').Place} Place */
/** @typedef {Pick<Place, 'q' | 'sort' | 'view' | 'folder'>} Search what an address of the library says */

/**
 * The address of the library with some things changed; a folder is left unless it is named.
 * @param {Search} search @param {Partial<Search>} changes
 */
export function addressOf(search, changes) {
  const { q, sort, view, folder } = { ...search, folder: '', ...changes };
  const parameters = new URLSearchParams();
  if (q) parameters.set('q', q);
  if (sort) parameters.set('sort', sort);
  if (view && view !== 'tracks') parameters.set('view', view);
  if (folder) parameters.set('folder', folder);
  return '/' + (String(parameters) && '?' + parameters);
}

/**
 * Tells one search from another.
 * @param {Search} search
 */
export const keyOf = ({ q, sort, view, folder }) => JSON.stringify([q, sort, view, folder]);

/**
 * What sorting by a field becomes: ascending first, then the other way round.
 * @param {string} sort "field+" or "field-" @param {string} field
 */
export const sortedBy = (sort, field) => field + (sort === field + '+' ? '-' : '+');

/**
 * The group of a view; undefined for the tracks.
 * @param {string} view
 */
export const groupOf = (view) => groups.find(({ name }) => name === view);

/**
 * What is asked for to show a search as a table.
 * @param {Search} search
 * @returns {{path: string, parameters: import('../../core/api.js').Parameters, whole?: (answer: any) => any[]}}
 *   `whole` as `Rows` takes it
 */
export function requestOf({ q, sort, view, folder }) {
  const group = groupOf(view);
  if (!group) return { path: '/tracks', parameters: { q, sort } };
  return { path: group.path, parameters: group.parameters?.(folder) ?? { q, sort: '' }, whole: group.whole };
}

/**
 * Two sentences in the place of a table without rows.
 * @param {Search} search @param {string | undefined} failure why nothing could be asked
 * @returns {[string, string]}
 */
export function emptyWords({ q, view }, failure) {
  if (failure !== undefined) return [failure, ''];
  const group = groupOf(view);
  if (group) return [group.empty, group.way];
  if (q) return ['Nothing sounds like that.', `No track has “${q}”. `];
  return ['There is nothing here yet.', 'Index a folder with “deadwax scan FOLDER”.'];
}

/**
 * Where a row of a group leads.
 * @param {import('./groups.js').Group} group @param {import('../../data/documents.js').GroupRow} row
 * @returns {Partial<Search> | null} what changes in the address; null if the row stands for a track
 */
export function changesOf(group, row) {
  const query = group.query(row);
  if (group.name === 'folders') return { q: query ?? '', folder: `${row.root}:${row.path}` };
  return query === null ? null : { q: query, view: 'tracks' };
}

/**
 * Whether a list is what a search shows.
 * @param {import('../../data/documents.js').List | null} list @param {Search} search
 */
export const isShown = (list, { q, view }) => list !== null && list.find === q && view === 'tracks';

/**
 * Whether the rows are those of a list, in its order, so that they can be moved.
 * @param {import('../../data/documents.js').List | null} list @param {Search} search
 */
export const canMove = (list, search) => isShown(list, search) && !search.sort;
