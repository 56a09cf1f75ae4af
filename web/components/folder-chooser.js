/** Chooses folders of this computer for the library: by typing a path that completes, or by going into folders. */

import { toast } from './toast.js';
import { h, pathText, setText } from '../core/dom.js';
import { act, actionOf, foldersIn, splitPath, stateWords } from '../data/computer-folders.js';

/** @typedef {import('../data/computer-folders.js').FolderPath} FolderPath */
/** @typedef {import('../data/computer-folders.js').FolderRow} FolderRow */
/** @typedef {import('../data/computer-folders.js').FolderAction} FolderAction */

/** @type {Record<FolderAction, string>} */
const done = {
  add: 'is in the library now, and is being read.', exclude: 'is left out from now on.',
  include: 'is being read again.',
};
const waitingTime = 150;

export class FolderChooser {
  /** @param {() => void} changed is called after the folders of the library have changed */
  constructor(changed) {
    this.changed = changed;
    this.input = h('input', {
      type: 'text', class: 'etch', spellcheck: false, autocomplete: 'off', autocapitalize: 'none',
      'aria-label': 'Folder', 'aria-describedby': 'chooser-words', placeholder: '/home/\u2026/Music',
      oninput: () => this.typed(), onkeydown: (/** @type {KeyboardEvent} */ event) => this.keyed(event),
    });
    this.button = h('button', { type: 'button', class: 'main', onclick: () => this.do() }, 'Add');
    this.words = h('p', { class: 'chooser-words', id: 'chooser-words', role: 'status' });
    this.list = h('ul', {
      class: 'chooser-list', onkeydown: (/** @type {KeyboardEvent} */ event) => this.moved(event),
    });
    this.element = h('div', { class: 'chooser' },
      h('div', { class: 'chooser-field' }, this.input, this.button), this.words, this.list);
    /**
     * What is shown.
     * @type {import('../data/computer-folders.js').FolderListing | null}
     */
    this.listing = null;
    this.timer = 0;
    this.asking = new AbortController();
  }

  /**
   * Shows the folders in a folder.
   * @param {FolderPath | null} folder null for those to begin with
   * @param {{start?: string, isTyped?: boolean}} how `start`: how their names begin; `isTyped`: the field stays
   */
  async show(folder, { start = '', isTyped = false } = {}) {
    this.asking.abort();
    this.asking = new AbortController();
    const { signal } = this.asking;
    let listing;
    try {
      listing = await foldersIn(folder, start, signal);
    } catch (error) {
      if (signal.aborted) return false;
      this.listing = null;
      this.list.replaceChildren();
      this.tell(/** @type {Error} */ (error).message, true);
      return false;
    }
    if (signal.aborted) return false;
    this.listing = listing;
    if (!isTyped) this.input.value = listing.path === null ? '' : listing.path.replace(/\/*$/, '/');
    this.fill(start);
    return true;
  }

  /** Shows the same again, as after a folder has been added. */
  again() {
    const { path, start } = splitPath(this.input.value) ?? { path: null, start: '' };
    const isSame = this.listing !== null && this.listing.path === path;
    return this.show(isSame ? this.shown : path === null ? null : { path }, { start, isTyped: true });
  }

  /** The folder that is listed; null for the beginning. */
  get shown() {
    const { path, path_bytes } = this.listing ?? {};
    return path === null || path === undefined ? null : { path, path_bytes };
  }

  /** The folder that the field names: what is listed, or one of its rows. @returns {FolderRow | null} */
  get chosen() {
    const { listing } = this;
    const text = this.input.value.replace(/(?<=.)\/+$/, '');
    if (!listing || !text) return null;
    if (listing.path === text) return { ...listing, path: listing.path, name: text };
    return listing.folders.find(({ path }) => path === text) ?? null;
  }

  /** @param {string} start */
  fill(start) {
    const { listing } = this;
    if (!listing) return;
    const { path, parent, folders, cut } = listing;
    const back = path === null ? null : h('li', {},
      h('button', { type: 'button', class: 'word chooser-open', onclick: () => this.up() },
        `\u2190 ${parent ?? 'All places'}`));
    const focused = document.activeElement instanceof HTMLElement && this.list.contains(document.activeElement);
    this.list.replaceChildren(...(back ? [back] : []), ...folders.map((row) => this.row(row)));
    this.list.setAttribute('aria-label', path === null ? 'Places' : `Folders in ${path}`);
    if (focused) /** @type {HTMLElement | null} */ (this.list.querySelector('.chooser-open'))?.focus();
    const none = start ? `No folder in it begins with \u201c${start}\u201d.` : 'There are no folders in it.';
    const { chosen } = this;
    const told = [
      chosen && stateWords(chosen.state), path !== null && !folders.length && none,
      cut && 'There are more: type how the name begins.',
    ].filter(Boolean).join(' \u00b7 ');
    this.tell(told);
  }

  /** @param {string} words @param {boolean} [isFailure] */
  tell(words, isFailure = false) {
    setText(this.words, words);
    this.words.classList.toggle('trouble', isFailure);
    const { chosen } = this;
    const action = chosen && actionOf(chosen.state);
    setText(this.button, action?.[1] ?? 'Add');
    this.button.disabled = !action;
  }

  /** @param {FolderRow} row */
  row(row) {
    const action = actionOf(row.state);
    const words = stateWords(row.state);
    return h('li', {},
      h('button', { type: 'button', class: 'word chooser-open', title: row.path, onclick: () => this.enter(row) },
        row.name.startsWith('/') ? pathText(row.name) : row.name),
      words && h('span', { class: 'second' }, words),
      action && h('button', {
        type: 'button', class: 'link', 'aria-label': `${action[1]}: ${row.name}`,
        onclick: () => this.do(row),
      }, action[1]));
  }

  /** @param {FolderPath | null} folder */
  enter(folder) {
    clearTimeout(this.timer);
    return this.show(folder);
  }

  typed() {
    clearTimeout(this.timer);
    this.timer = Number(setTimeout(() => {
      if (this.input.value) {
        const typed = splitPath(this.input.value);
        if (typed) this.show({ path: typed.path }, { start: typed.start, isTyped: true });
        else this.tell('A path begins with a slash.', true);
      } else this.show(null, { isTyped: true });
    }, waitingTime));
  }

  /**
   * Does what can be done about a folder.
   * @param {FolderRow | null} [row] by default the one that the field names
   */
  async do(row = this.chosen) {
    const action = row && actionOf(row.state);
    if (!row || !action) return;
    this.button.disabled = true;
    try {
      await act(row, action[0], row.state === 'contains');
      toast(`${row.name} ${done[action[0]]}`);
    } catch (error) {
      return this.tell(/** @type {Error} */ (error).message, true);
    }
    this.changed();
    // What is in the library now is no longer looked for.
    if (action[0] === 'add' && row.path === this.listing?.path) await this.up();
    else await this.again();
  }

  /** Shows the folder above. */
  up() {
    const { parent, parent_bytes: bytes } = this.listing ?? { parent: null };
    return this.enter(parent === null ? null : { path: parent, path_bytes: bytes });
  }

  /** @param {KeyboardEvent} event in the field */
  async keyed(event) {
    const opens = this.list.querySelectorAll('.chooser-open');
    if (event.key === 'ArrowDown') /** @type {HTMLElement | undefined} */ (opens[0])?.focus();
    else if (event.key === 'Enter') {
      clearTimeout(this.timer);
      const path = this.input.value.replace(/(?<=.)\/+$/, '');
      const { chosen } = this;
      // A second Enter chooses what the first one has opened.
      if (chosen && chosen.path === this.listing?.path) await this.do(chosen);
      else if (chosen || path.startsWith('/')) await this.show(chosen ?? { path });
    } else return;
    event.preventDefault();
  }

  /** @param {KeyboardEvent} event in the list */
  moved(event) {
    const opens = /** @type {HTMLElement[]} */ ([...this.list.querySelectorAll('.chooser-open')]);
    const row = /** @type {Element} */ (event.target).closest('li');
    const index = opens.findIndex((one) => one.closest('li') === row);
    const step = { ArrowDown: 1, ArrowUp: -1, Home: -opens.length, End: opens.length }[event.key];
    if (step !== undefined) {
      if (index + step < 0 && event.key === 'ArrowUp') this.input.focus();
      else opens[Math.max(0, Math.min(opens.length - 1, index + step))]?.focus();
    } else if (event.key === 'ArrowRight') opens[index]?.click();
    else if (event.key === 'ArrowLeft' && this.listing?.path) opens[0]?.click();
    else return;
    event.preventDefault();
  }
}
