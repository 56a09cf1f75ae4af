/** Lists that hold tracks in an order of their own: what they hold, and how it is changed. */

import { change, getJSON } from '../core/api.js';
import { h } from '../core/dom.js';
import { count, titleOf } from '../core/format.js';
import { toast } from '../page/toast.js';

/** @typedef {{id: number, name: string, query: string | null, tracks: number, find: string}} List `query`: null if it holds tracks */

/** @returns {Promise<List[]>} */
const all = async () => (await getJSON('/lists')).lists;

/**
 * The list of tracks that a query stands for; null for other queries.
 * @param {string} query @returns {Promise<List | null>}
 */
export async function listFor(query) {
  if (!/^list:="/.test(query)) return null;
  const lists = await all().catch(() => /** @type {List[]} */ ([]));
  return lists.find(({ find, query: search }) => find === query && search === null) ?? null;
}

/**
 * The ids of a list, in its order.
 * @param {List} list @returns {Promise<number[]>}
 */
async function idsOf({ find }) {
  /** @type {number[]} */
  const ids = [];
  for (;;) {
    const { rows } = await getJSON('/tracks', { q: find, fields: 'title', from: ids.length, limit: 500 });
    ids.push(...rows.map((/** @type {any} */ row) => row.id));
    if (rows.length < 500) return ids;
  }
}

/**
 * Changes the order or the contents of a list.
 * @param {List} list @param {(ids: number[]) => void} body @param {string} sentence what has been done
 */
async function edit(list, body, sentence) {
  try {
    const ids = await idsOf(list);
    body(ids);
    await change('PATCH', `/lists/${list.id}`, { tracks: ids });
    toast(sentence, true);
    return true;
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
    return false;
  }
}

/**
 * Moves a track within its list.
 * @param {List} list @param {number} from @param {number} to
 */
export const move = (list, from, to) => edit(list, (ids) => ids.splice(to, 0, ...ids.splice(from, 1)), `Moved to place ${to + 1} of “${list.name}”.`);

/**
 * Takes a track out of its list.
 * @param {List} list @param {number} index @param {any} row
 */
export const remove = (list, index, row) => edit(list, (ids) => ids.splice(index, 1), `“${titleOf(row)}” is no longer in “${list.name}”.`);

/**
 * A dialog with one or two fields.
 * @param {string} title @param {string} verb @param {Element[]} fields @param {() => Promise<string>} act gives the sentence of what has been done
 */
function ask(title, verb, fields, act) {
  const fault = h('p', { class: 'trouble', role: 'alert' });
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'list-title' },
    h('form', { method: 'dialog', onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      try {
        const sentence = await act();
        dialog.close();
        toast(sentence, true);
      } catch (error) {
        fault.textContent = /** @type {Error} */ (error).message;
      }
    } },
    h('h2', { class: 'etch', id: 'list-title' }, title), h('div', { class: 'fields' }, fields), fault,
    h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), h('button', { class: 'main' }, verb))));
  dialog.addEventListener('close', () => dialog.remove());
  document.body.append(dialog);
  dialog.showModal();
}

/** @param {string} label @param {Element} field */
const labelled = (label, field) => h('label', {}, h('span', { class: 'label' }, label), field);

/**
 * Asks for the list that a track is to be in.
 * @param {any} row
 */
export async function openAdd(row) {
  const lists = (await all().catch(() => /** @type {List[]} */ ([]))).filter(({ query }) => query === null);
  const name = h('input', { type: 'text', maxLength: 200, class: 'name' });
  const choice = h('select', { onchange: () => (name.disabled = choice.value !== '') },
    lists.map((list) => h('option', { value: String(list.id) }, list.name)), h('option', { value: '' }, 'A new list'));
  name.disabled = choice.value !== '';
  ask(`Add “${titleOf(row)}”`, 'Add', [labelled('To', choice), labelled('Name of the new list', name)], async () => {
    const list = lists.find(({ id }) => String(id) === choice.value);
    if (!list && !name.value.trim()) throw new Error('Write a name for the new list.');
    if (list) await change('PATCH', `/lists/${list.id}`, { add: [row.id] });
    else await change('POST', '/lists', { name: name.value.trim(), tracks: [row.id] });
    return `“${titleOf(row)}” is in “${list?.name ?? name.value.trim()}”.`;
  });
}

/**
 * Asks for another name.
 * @param {List} list @param {(list: List) => void} renamed
 */
export function openRename(list, renamed) {
  const name = h('input', { type: 'text', maxLength: 200, value: list.name, required: true, class: 'name' });
  ask('Rename the list', 'Rename', [labelled('Name', name)], async () => {
    renamed(await change('PATCH', `/lists/${list.id}`, { name: name.value.trim() }));
    return `The list is called “${name.value.trim()}”.`;
  });
}

/**
 * Deletes a list; its tracks stay.
 * @param {List} list @returns {Promise<boolean>}
 */
export async function erase(list) {
  try {
    await change('DELETE', `/lists/${list.id}`);
    toast(`The list “${list.name}” with ${count(list.tracks, 'track')} is gone; the tracks stay.`, true);
    return true;
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
    return false;
  }
}
