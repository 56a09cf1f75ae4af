/** Where folders are shown. */

import { getJSON } from '../core/api.js';

/**
 * The address that shows a folder beside its neighbours.
 * @param {{root: number, name: string}[]} roots of the library
 * @param {string} path of a folder, with a slash at its end
 * @returns {string | null} null if it lies in no root
 */
export function addressOfFolder(roots, path) {
  const withSlash = (/** @type {string} */ name) => (name.endsWith('/') ? name : name + '/');
  const root = roots.filter(({ name }) => path.startsWith(withSlash(name)))
    .sort((a, b) => b.name.length - a.name.length)[0];
  if (!root) return null;
  const below = path.slice(withSlash(root.name).length).replace(/\/$/, '');
  const folder = below ? `${root.root}:${below.split('/').slice(0, -1).join('/')}` : '';
  return '/?' + new URLSearchParams({ view: 'folders', ...(folder ? { folder } : {}), item: `${root.root}:${below}` });
}

/**
 * Lets a link lead to a folder, as soon as it is known in which root it lies.
 * @param {HTMLAnchorElement} link @param {string} path
 */
export async function leadToFolder(link, path) {
  const { rows } = await getJSON('/folders').catch(() => ({ rows: [] }));
  const address = addressOfFolder(rows, path);
  if (address) link.href = address;
}
