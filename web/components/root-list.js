/** The folders of the library, and those that are left out. */

import { attempt, toast } from './toast.js';
import { change, getJSON } from '../core/api.js';
import { h, pathText } from '../core/dom.js';
import { count } from '../core/format.js';
import { act } from '../data/computer-folders.js';

/** @typedef {import('../data/computer-folders.js').FolderPath} FolderPath */

export class RootList {
  /** @param {() => void} changed is called after the folders of the library have changed */
  constructor(changed) {
    this.changed = changed;
    this.element = h('ul', { class: 'root-list', 'aria-label': 'Folders of this library' });
  }

  async show() {
    const { roots, excluded } = await getJSON('/roots');
    this.element.replaceChildren(
      ...roots.map((/** @type {FolderPath & {id: number, files: number, missing: number}} */ root) => {
        const missing = root.missing ? ` \u00b7 ${count(root.missing, 'missing', 'missing')}` : '';
        return this.row(root, count(root.files, 'file') + missing, 'Remove', () => this.remove(root));
      }),
      ...excluded.map((/** @type {FolderPath} */ folder) =>
        this.row(folder, 'left out', 'Scan again', () => this.include(folder))));
  }

  /** @param {FolderPath} folder @param {string} words @param {string} word @param {() => void} act */
  row({ path }, words, word, act) {
    return h('li', {}, h('span', { class: 'root-path' }, pathText(path)), h('span', { class: 'second' }, words),
      h('button', { type: 'button', class: 'link', 'aria-label': `${word}: ${path}`, onclick: act }, word));
  }

  /** @param {FolderPath & {id: number}} root */
  async remove(root) {
    try {
      await change('DELETE', `/roots/${root.id}`);
    } catch (error) {
      return toast(/** @type {Error} */ (error).message);
    }
    const back = () => this.act(() => act(root, 'add'), `${root.path} is in the library again.`);
    toast(`${root.path} is no longer in the library. Its files stay as they are, and so do ratings and lists.`, back);
    this.changed();
    await this.show();
  }

  /** @param {FolderPath} folder */
  include(folder) {
    return this.act(() => act(folder, 'include'), `${folder.path} is being read again.`);
  }

  /** @param {() => Promise<unknown>} act @param {string} sentence */
  async act(act, sentence) {
    if (!(await attempt(act, sentence, false))) return;
    this.changed();
    await this.show();
  }
}
