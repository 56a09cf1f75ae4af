/** One sentence at the bottom left for six seconds. */

import { change } from '../core/api.js';
import { h } from '../core/dom.js';

const element = h('div', { class: 'toast', role: 'status' });
document.body.append(element);
let timer = 0;

/** @param {string} sentence @param {boolean} [undoable] offers to take back the latest change */
export function toast(sentence, undoable = false) {
  const undo = h('button', { type: 'button', onclick: async () => {
    const { summary } = await change('POST', '/undo', {}).catch((error) => ({ summary: error.message }));
    toast(`Taken back: ${summary}`);
  } }, 'Undo');
  element.replaceChildren(h('span', {}, sentence), undoable ? undo : '');
  element.classList.add('shown');
  clearTimeout(timer);
  timer = setTimeout(() => element.classList.remove('shown'), 6000);
}
