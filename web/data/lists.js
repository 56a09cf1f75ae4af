/** Lists: which there are, and which one a query stands for. How they are changed is in list-changes.js. */

import { getJSON } from '../core/api.js';

/** @typedef {import('./documents.js').List} List */

/** @returns {Promise<List[]>} */
const all = async () => (await getJSON('/lists')).lists;

/**
 * Those that hold tracks; none if they cannot be read.
 * @returns {Promise<List[]>}
 */
export const listsOfTracks = () => all().then((lists) => lists.filter(({ query }) => query === null), () => []);

/**
 * The list of tracks that a query stands for; null for other queries.
 * @param {string} query @returns {Promise<List | null>}
 */
export async function listFor(query) {
  if (!/^list:="/.test(query)) return null;
  return (await listsOfTracks()).find(({ find }) => find === query) ?? null;
}

/** @param {string} name @returns {Promise<List | null>} */
export const listNamed = async (name) => (await all()).find((list) => list.name === name) ?? null;
