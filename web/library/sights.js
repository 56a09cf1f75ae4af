/** Views of the library that are no tables; their modules are loaded when they are opened. */

import { loadStyle } from '../core/dom.js';

/**
 * @typedef {{label: string, element: HTMLElement, show: (query: string) => Promise<void>, hide: () => void}} Sight `show` is called again when the library has changed
 */

/** @type {{name: string, label: string, load: () => Promise<Sight>}[]} */
export const sights = [
  { name: 'duplicates', label: 'Duplicates', load: async () => new (await import('../alike/duplicates.js')).Duplicates() },
  { name: 'map', label: 'Map', load: async () => new (await import('../alike/map.js')).SoundMap() },
];

/** @type {Map<string, Promise<Sight>>} */
const loaded = new Map();

/**
 * The view of a name, loaded once; null if there is none.
 * @param {string} name @returns {Promise<Sight> | null}
 */
export function sight(name) {
  const found = sights.find((one) => one.name === name);
  if (!found) return null;
  let known = loaded.get(name);
  if (!known) {
    known = Promise.all([found.load(), loadStyle('alike')]).then(([made]) => made);
    known.catch(() => loaded.delete(name));
    loaded.set(name, known);
  }
  return known;
}
