/** What the library shows for a place: which rows, and what is said if there are none. */

/** @typedef {import('../../core/router.js').Place} Place */
/** @typedef {Pick<Place, 'q' | 'sort' | 'view' | 'folder' | 'item'>} Search what an address of the library says */

/**
 * The address of the library with some things changed; a folder and what is open in a view are left unless named.
 * @param {Search} search @param {Partial<Search>} changes
 */
export function addressOf(search, changes) {
  const { q, sort, view, folder, item } = { ...search, folder: '', item: '', ...changes };
  const parameters = new URLSearchParams();
  if (q) parameters.set('q', q);
  if (sort) parameters.set('sort', sort);
  if (view && view !== 'tracks') parameters.set('view', view);
  if (folder) parameters.set('folder', folder);
  if (item) parameters.set('item', item);
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
 * Two sentences in the place of a table without rows.
 * @param {Search} search @param {string | undefined} failure why nothing could be asked
 * @returns {[string, string]}
 */
export function emptyWords({ q }, failure) {
  if (failure !== undefined) return [failure, ''];
  if (q) return ['Nothing found.', `No track has “${q}”. `];
  return ['There is nothing here yet.', 'Choose your music folder, here or with “deadwax scan FOLDER”.'];
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
