/** Groups of files with the same sound: what differs, which one to keep, and all of them by ear. */

import { getJSON } from '../../core/api.js';
import { h, pathText } from '../../core/dom.js';
import { count, frequency, number, size, time } from '../../core/format.js';
import { formatOf, kinds, letterOf, nameOf, remark } from './copies.js';
import { Listening } from './listening.js';

/** @typedef {import('../../data/documents.js').CopyGroup} CopyGroup */

const pageSize = 50;
const columns = ['', 'Track', 'Format', 'Length', 'LUFS', 'Cut off at', 'Size', 'Verdict'];

export class Duplicates {
  constructor() {
    this.groups = h('div', { class: 'copies' });
    this.note = h('p', { class: 'second tally', role: 'status' });
    this.more = h('button', { type: 'button', hidden: true, onclick: () => this.load() }, 'Show more');
    this.kind = h('select', { 'aria-label': 'Kind', onchange: () => this.begin(this.query) },
      h('option', { value: '' }, 'All kinds'),
      Object.entries(kinds).map(([value, [label]]) => h('option', { value }, label)));
    this.element = h('section', { class: 'panel duplicates', 'aria-label': 'Duplicates' },
      h('div', { class: 'tools' }, this.kind, this.note), this.groups, this.more);
    /** @type {Listening | null} */
    this.listening = null;
    this.query = '';
    this.from = 0;
    this.turn = 0;
    /** The answer of which the first groups are. */
    this.first = '';
  }

  /** @param {{q: string}} place */
  async show({ q }) {
    // The library has changed, but perhaps nothing of this: what one reads or hears must not be taken away.
    const isSame = async () => this.first === JSON.stringify(await this.ask(0).catch(() => null));
    if (q === this.query && this.first && (this.listening || (await isSame()))) return;
    await this.begin(q);
  }

  /** @param {string} query */
  async begin(query) {
    this.hide();
    this.query = query;
    this.from = 0;
    this.groups.replaceChildren();
    this.note.textContent = 'Recordings are being compared\u2026';
    this.more.hidden = true;
    await this.load();
  }

  /** @param {number} from */
  ask(from) {
    return getJSON('/duplicates', { q: this.query, kind: this.kind.value || null, from, limit: pageSize });
  }

  hide() {
    this.turn += 1;
    this.listening?.close();
    this.listening = null;
    this.first = '';
  }

  async load() {
    const turn = (this.turn += 1);
    try {
      const answer = await this.ask(this.from);
      if (turn !== this.turn) return;
      const searching = answer.searching !== null;
      if (searching) setTimeout(() => turn === this.turn && !this.listening && this.begin(this.query), 1500);
      if (!this.from) this.first = searching ? '' : JSON.stringify(answer);
      this.from += answer.rows.length;
      this.groups.append(...answer.rows.map((/** @type {CopyGroup} */ group) => this.group(group)));
      this.more.hidden = this.from >= answer.total;
      this.note.textContent = this.tally(answer);
    } catch (error) {
      if (turn === this.turn) this.note.textContent = /** @type {Error} */ (error).message;
    }
  }

  /** @param {{searching: number | null, total: number}} answer */
  tally({ searching, total }) {
    if (searching !== null) return `Recordings are being compared: ${number(100 * searching)} %`;
    if (!total) return this.query ? 'No matching tracks have copies.' : 'No two files have the same sound.';
    return `${count(total, 'group')}; nothing is ever deleted here.`
      + ' “deadwax duplicates --script” writes what one would remove.';
  }

  /** @param {CopyGroup} group */
  group(group) {
    const [label, meaning] = kinds[group.kind] ?? [group.kind, ''];
    const listen = h('button', { type: 'button', onclick: () => this.listen(group, element, listen) }, 'Listen');
    listen.disabled = new Set(group.files.map(({ id }) => id)).size < 2;
    if (listen.disabled) listen.title = 'They have the same samples.';
    const heads = columns.map((text, i) =>
      h('th', { scope: 'col', class: i > 2 && i < 7 ? 'figure' : '' },
        text || h('span', { class: 'unseen' }, 'Letter')));
    const name = nameOf(group.files[0]);
    const element = h('section', { class: 'copies-of', 'aria-label': `${label}: ${name}` },
      h('header', {}, h('h2', { class: 'etch' }, name),
        h('p', { class: 'second', title: meaning }, `${label} \u00b7 ${count(group.files.length, 'file')}`), listen),
      h('table', {}, h('thead', {}, h('tr', {}, heads)),
        h('tbody', {}, group.files.map((_, place) => this.row(group, place)))));
    return element;
  }

  /** @param {CopyGroup} group @param {number} place */
  row(group, place) {
    const file = group.files[place];
    const figure = (/** @type {string} */ text) => h('td', { class: 'figure' }, text);
    return h('tr', { class: group.kind === 'same-recording' && place === 0 ? 'kept' : '' },
      h('th', { scope: 'row' }, letterOf(place)),
      h('td', { class: 'what' }, h('a', { href: `/track/${file.id}` }, nameOf(file)),
        h('span', { class: 'second path' }, pathText(file.path))),
      h('td', {}, formatOf(file)), figure(time(file.duration_seconds, 1)),
      figure(file.loudness_lufs === null ? '' : number(file.loudness_lufs, 1)),
      figure(file.cutoff_hz === null ? '' : frequency(file.cutoff_hz)), figure(size(file.size_bytes)),
      h('td', { class: file.is_damaged ? 'trouble' : 'remark' },
        (file.is_damaged ? 'Damaged; ' : '') + remark(group, place)));
  }

  /** @param {CopyGroup} group @param {HTMLElement} element @param {HTMLButtonElement} button */
  listen(group, element, button) {
    const isOpen = this.listening?.element.parentElement === element;
    this.listening?.close();
    this.listening = null;
    if (isOpen) return;
    this.listening = new Listening(group, () => {
      this.listening = null;
      button.textContent = 'Listen';
      button.focus();
    });
    element.append(this.listening.element);
    button.textContent = 'Stop listening';
    this.listening.begin();
  }
}
