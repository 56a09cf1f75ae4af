/** A dialog that asks for a few things, does something with them, and says what has been done. */

import { toast } from './toast.js';
import { h, showModal } from '../core/dom.js';

/**
 * @param {string} title @param {string} verb @param {Element[]} fields
 * @param {() => Promise<string>} act gives the sentence of what has been done
 * @param {boolean} [undoable] whether that can be taken back
 */
export function ask(title, verb, fields, act, undoable = true) {
  const fault = h('p', { class: 'trouble', role: 'alert' });
  const main = h('button', { class: 'main' }, verb);
  const dialog = h('dialog', { class: 'dialog', 'aria-labelledby': 'asked-title' },
    h('form', { method: 'dialog', onsubmit: async (/** @type {Event} */ event) => {
      event.preventDefault();
      main.disabled = true;
      try {
        const sentence = await act();
        dialog.close();
        toast(sentence, undoable);
      } catch (error) {
        fault.textContent = /** @type {Error} */ (error).message;
      }
      main.disabled = false;
    } },
    h('h2', { class: 'etch', id: 'asked-title' }, title), h('div', { class: 'fields' }, fields), fault,
    h('div', { class: 'buttons' }, h('button', { type: 'button', onclick: () => dialog.close() }, 'Cancel'), main)));
  showModal(dialog);
  return dialog;
}

/** @param {string} label @param {...Element} field */
export const labelled = (label, ...field) => h('label', {}, h('span', { class: 'label' }, label), ...field);
