/** How lists of tracks are changed: dialogs that ask, and sentences that say what was done. */

import { ask, labelled } from '../../components/ask.js';
import { attempt, toast } from '../../components/toast.js';
import { h, showModal } from '../../core/dom.js';
import { count, number } from '../../core/format.js';
import { go } from '../../core/router.js';
import {
  addTo, eraseList, importPlaylist, makeList, moveWithin, renameList, saveSearch, takeOut,
} from '../../data/list-changes.js';
import { listsOfTracks } from '../../data/lists.js';
import { titleOf } from '../../data/tracks.js';

/** @typedef {import('../../data/documents.js').List} List */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/**
 * Moves a track within its list.
 * @param {List} list @param {number} from @param {number} to
 */
export const move = (list, from, to) =>
  attempt(() => moveWithin(list, from, to), `Moved to place ${to + 1} of “${list.name}”.`);

/**
 * Takes a track out of its list.
 * @param {List} list @param {number} index @param {TrackRow} row
 */
export const remove = (list, index, row) =>
  attempt(() => takeOut(list, index), `“${titleOf(row)}” is no longer in “${list.name}”.`);

/**
 * Deletes a list; its tracks stay.
 * @param {List} list
 */
export const erase = (list) => attempt(
  () => eraseList(list), `The list “${list.name}” with ${count(list.tracks, 'track')} is gone; the tracks stay.`);

/**
 * Asks for the list that tracks are to be in.
 * @param {TrackRow[]} rows
 */
export async function openAdd(rows) {
  const what = rows.length === 1 ? `“${titleOf(rows[0])}”` : count(rows.length, 'track');
  const ids = rows.map(({ id }) => id);
  const lists = await listsOfTracks();
  const name = h('input', { type: 'text', maxLength: 200, class: 'name' });
  const choice = h('select', { onchange: () => (name.disabled = choice.value !== '') },
    lists.map((list) => h('option', { value: String(list.id) }, list.name)), h('option', { value: '' }, 'A new list'));
  name.disabled = choice.value !== '';
  const fields = [labelled('To', choice), labelled('Name of the new list', name)];
  ask(`Add ${what}`, 'Add', fields, async () => {
    const list = lists.find(({ id }) => String(id) === choice.value);
    if (!list && !name.value.trim()) throw new Error('Write a name for the new list.');
    if (list) await addTo(list, ids);
    else await makeList(name.value.trim(), ids);
    return `${what} ${rows.length === 1 ? 'is' : 'are'} in “${list?.name ?? name.value.trim()}”.`;
  });
}

/**
 * Imports a playlist file, and says which of its entries were not found.
 * @param {File} file
 */
export async function importList(file) {
  toast(`Looking for the tracks of “${file.name}”.`);
  try {
    const { list, entries, found, omitted, not_found: missing } = await importPlaylist(file);
    go('/?' + new URLSearchParams({ view: 'lists', item: list.name }));
    const left = entries - found;
    if (!left && !omitted) return toast(`“${list.name}” has all ${count(found, 'track')} of the playlist.`, true);
    toast(`“${list.name}” has ${number(found)} of ${count(entries, 'track')}.`, true);
    showModal(h('dialog', { class: 'dialog', 'aria-labelledby': 'missing-title' },
      h('h2', { class: 'etch', id: 'missing-title' }, `${count(left, 'entry', 'entries')} not found`),
      h('p', {}, `The other ${count(found, 'track')} of “${file.name}” are the list “${list.name}”.`),
      h('ul', { class: 'missing' }, missing.map((name) => h('li', {}, name))),
      left > missing.length ? h('p', {}, `and ${number(left - missing.length)} more`) : '',
      omitted ? h('p', {}, `${number(omitted)} entries were not read.`) : '',
      h('form', { method: 'dialog', class: 'buttons' }, h('button', { class: 'main', autofocus: true }, 'Close'))));
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
  }
}

/**
 * Asks for the name that a search is kept under.
 * @param {string} query @param {() => void} saved
 */
export function openSaveSearch(query, saved) {
  const name = h('input', { type: 'text', maxLength: 200, value: query, required: true, class: 'name' });
  ask('Save the search as a list', 'Save', [labelled('Name', name)], async () => {
    await saveSearch(name.value.trim(), query);
    saved();
    return `The search is now the list “${name.value.trim()}”.`;
  });
  name.select();
}

/**
 * Asks for another name.
 * @param {List} list @param {(list: List) => void} renamed
 */
export function openRename(list, renamed) {
  const name = h('input', { type: 'text', maxLength: 200, value: list.name, required: true, class: 'name' });
  ask('Rename the list', 'Rename', [labelled('Name', name)], async () => {
    renamed(await renameList(list, name.value.trim()));
    return `The list is called “${name.value.trim()}”.`;
  });
}
