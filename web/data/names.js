/** Where names lead: each artist, album, genre and so on has an address of its own. */

/**
 * A text as a query takes it.
 * @param {string} text
 */
export const quoted = (text) => `"${text.replace(/["\\]/g, '\\$&')}"`;

/**
 * The values of a field that rows give as one text.
 * @param {string | null | undefined} text
 */
export const valuesOf = (text) => (text ?? '').split('; ').filter(Boolean);

/** @param {number | string} id @param {number} [edition] counts from 1, which is the first one's */
export const addressOfAlbum = (id, edition = 1) => `/album/${id}` + (edition > 1 ? `?item=${edition}` : '');

/**
 * Where one row of a view with two panes is open.
 * @param {string} view such as "artists" @param {string} name
 */
export const addressOfName = (view, name) => '/?' + new URLSearchParams({ view, item: name });

/** @param {number} id of a track */
export const addressOfTrack = (id) => `/track/${id}`;

/**
 * Where the tags of the files are edited that a query finds, or of some of the rows that it finds.
 * @param {string} q @param {{sort?: string, rows?: [number, number][], revision?: string}} some
 */
export function addressOfTags(q, some = {}) {
  const { sort = '', rows, revision = '' } = some;
  const ranges = rows?.map(([from, to]) => `${from}-${to}`).join(',');
  return '/tags?' + new URLSearchParams({ q, ...(ranges ? { sort, rows: ranges, revision } : {}) });
}

/**
 * What such an address says, as the API takes it.
 * @param {string} search @returns {{q: string, sort?: string, rows?: number[][], revision?: string}}
 */
export function filesOfTags(search) {
  const { q = '', rows, ...more } = Object.fromEntries(new URLSearchParams(search));
  return rows ? { q, ...more, rows: rows.split(',').map((range) => range.split('-').map(Number)) } : { q };
}

/**
 * The folder that a file lies in, with a slash at its end.
 * @param {string} path
 */
export const folderOf = (path) => path.slice(0, path.lastIndexOf('/') + 1);
