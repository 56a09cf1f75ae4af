/** One sentence at the head of the page: for six seconds, or as long as what failed is not there. */

import { change } from '../core/api.js';
import { h } from '../core/dom.js';

const element = h('div', { class: 'toast', role: 'status' });
document.body.append(element);
let timer = 0;
let isOfFailure = false;

/**
 * @param {string} sentence
 * @param {boolean | (() => void)} [undoable] offers to take back the latest change of the library, or does this
 *   instead
 */
export function toast(sentence, undoable = false) {
  const undo = h('button', { type: 'button', onclick: async () => {
    if (typeof undoable === 'function') return undoable();
    toast(await change('POST', '/undo', {}).then(({ summary }) => `Undone: ${summary}`, ({ message }) => message));
  } }, 'Undo');
  element.replaceChildren(h('span', {}, sentence), undoable ? undo : '');
  element.classList.add('shown');
  clearTimeout(timer);
  isOfFailure = false;
  timer = setTimeout(() => element.classList.remove('shown'), 6000);
}

/**
 * Does something, and says what has been done, or why it could not be done.
 * @param {() => Promise<unknown>} act @param {string | (() => string)} sentence @param {boolean} [undoable]
 * @returns {Promise<boolean>} whether it has been done
 */
export async function attempt(act, sentence, undoable = true) {
  try {
    await act();
  } catch (error) {
    toast(/** @type {Error} */ (error).message);
    return false;
  }
  toast(typeof sentence === 'string' ? sentence : sentence(), undoable);
  return true;
}

/**
 * Says why a view is not there, until one goes elsewhere: whoever looks away for a moment would see only a page that
 * did nothing.
 * @param {string} sentence
 */
export function toastFailure(sentence) {
  toast(sentence);
  clearTimeout(timer);
  isOfFailure = true;
}

/** One goes elsewhere: what failed is forgotten. */
export function forgetFailure() {
  if (isOfFailure) element.classList.remove('shown');
  isOfFailure = false;
}
