/** Folders of this computer: which of them are in the library, and what can be done about each. */

import { change, getJSON } from '../core/api.js';

/**
 * @typedef {'root' | 'inside' | 'excluded' | 'below-excluded' | 'contains' | null} FolderState how a folder is related
 *   to those of the library
 * @typedef {{path: string, path_bytes?: string}} FolderPath `path_bytes`: in base64, if the path is not UTF-8
 * @typedef {FolderPath & {name: string, state: FolderState}} FolderRow
 * @typedef {{
 *   path: string | null, path_bytes?: string, parent: string | null, parent_bytes?: string, state: FolderState,
 *   cut: boolean, folders: FolderRow[],
 * }} FolderListing
 * @typedef {'add' | 'exclude' | 'include'} FolderAction
 */

/** @param {FolderPath} folder @returns {FolderPath} */
const named = ({ path, path_bytes: bytes }) => (bytes ? { path, path_bytes: bytes } : { path });

/**
 * The folder above what is typed, and how the name begins that is typed in it; null for what is no absolute path.
 * @param {string} text
 * @returns {{path: string, start: string} | null}
 */
export function splitPath(text) {
  if (!text.startsWith('/')) return null;
  const end = text.lastIndexOf('/');
  return { path: text.slice(0, end) || '/', start: text.slice(end + 1) };
}

/**
 * What is said of a folder, empty if it has nothing to do with the library.
 * @param {FolderState} state
 */
export const stateWords = (state) => (state === null ? '' : {
  root: 'In the library', inside: 'In the library', excluded: 'Left out', 'below-excluded': 'Left out',
  contains: 'Has a folder of the library in it',
}[state]);

/**
 * What can be done about a folder: the action and its word.
 * @param {FolderState} state
 * @returns {[FolderAction, string] | null}
 */
export function actionOf(state) {
  if (state === null || state === 'contains') return ['add', 'Add'];
  if (state === 'inside') return ['exclude', 'Leave out'];
  return state === 'excluded' ? ['include', 'Scan again'] : null;
}

/**
 * The folders in a folder; without one those to begin with.
 * @param {FolderPath | null} folder @param {string} [start] how their names begin @param {AbortSignal} [signal]
 * @returns {Promise<FolderListing>}
 */
export const foldersIn = (folder, start = '', signal) =>
  getJSON('/browse', { ...(folder ? named(folder) : {}), start }, signal);

/**
 * Does what was chosen for a folder; resolves when that is stored.
 * @param {FolderPath} folder @param {FolderAction} action @param {boolean} [takesOver] folders of the library in it
 *   become a part of it
 * @returns {Promise<any>}
 */
export function act(folder, action, takesOver = false) {
  if (action === 'add') return change('POST', '/roots', { ...named(folder), take_over: takesOver });
  return change('PUT', '/exclusions', { ...named(folder), excluded: action === 'exclude' });
}
