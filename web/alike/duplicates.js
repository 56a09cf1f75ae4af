/** Groups of files with the same sound: what differs, which one to keep, and all of them by ear. */

import { ApiError, getJSON } from '../core/api.js';
import { h, pathText } from '../core/dom.js';
import { count, frequency, number, size, time } from '../core/format.js';
import { Listening } from './listening.js';

const pageSize = 50;

/** @type {Record<string, [string, string]>} */
const kinds = {
  'same-recording': ['Same recording', 'The same sound from start to end; one is worth keeping.'],
  contained: ['Contained', 'One is a part of the other.'],
  'other-master': ['Other master', 'The same music, mastered or processed in another way.'],
  'shares-sample': ['Shares a sample', 'Only a part is common, such as a loop or an intro.'],
};

/**
 * "FLAC 44.1/16", "Vorbis 147 kbit/s".
 * @param {any} file
 */
function formatOf({ codec, sample_rate_hz: hertz, bits, bitrate_bps: rate, is_lossless: isLossless }) {
  const name = !codec ? '?' : codec.length < 5 ? codec.toUpperCase() : codec.replace(/^./, (/** @type {string} */ first) => first.toUpperCase());
  return bits || isLossless || !rate ? `${name} ${hertz / 1000}${bits ? `/${bits}` : ''}` : `${name} ${number(rate / 1000)} kbit/s`;
}

/**
 * What is said about a file: why it is kept or not, or where the common sound is.
 * @param {any} group @param {number} place
 */
function remark(group, place) {
  const file = group.files[place];
  if (group.kind !== 'same-recording') {
    if (!place || group.common_seconds === null) return '';
    return `${time(group.common_seconds)} in common, begins at ${group.offset_seconds < 0 ? '\u2212' : ''}${time(Math.abs(group.offset_seconds))}`;
  }
  if (place === 0) return 'Keep';
  const reason = file.reason ? `the kept one is ${file.reason.replace('higher bit rate', 'of a higher bit rate').replace('reaches higher', 'wider in frequency').replace('higher sample rate', 'of a higher rate').replace('more bits', 'of more bits').replace('more channels', 'of more channels')}` : 'as good as the kept one';
  return (file.identical ? 'Same samples; ' : '') + reason;
}

/** @param {any} file */
const nameOf = (file) => file.title || file.path.split('/').pop();

export class Duplicates {
  constructor() {
    this.label = 'Duplicates';
    this.groups = h('div', { class: 'copies' });
    this.note = h('p', { class: 'second tally', role: 'status' });
    this.more = h('button', { type: 'button', hidden: true, onclick: () => this.load() }, 'Show more');
    this.kind = h('select', { 'aria-label': 'Kind', onchange: () => this.begin(this.query) },
      h('option', { value: '' }, 'All kinds'), Object.entries(kinds).map(([value, [label]]) => h('option', { value }, label)));
    this.element = h('section', { class: 'sight duplicates', 'aria-label': 'Duplicates' }, h('div', { class: 'tools' }, this.kind, this.note), this.groups, this.more);
    /** @type {Listening | null} */
    this.listening = null;
    this.query = '';
    this.from = 0;
    this.turn = 0;
    /** The answer of which the first groups are. */
    this.first = '';
  }

  /** @param {string} query */
  async show(query) {
    // The library has changed, but perhaps nothing of this: what one reads or hears must not be taken away.
    if (query === this.query && this.first && (this.listening || this.first === JSON.stringify(await this.ask(0).catch(() => null)))) return;
    await this.begin(query);
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
      this.groups.append(...answer.rows.map((/** @type {any} */ group) => this.group(group)));
      this.more.hidden = this.from >= answer.total;
      this.note.textContent = searching ? `Recordings are being compared: ${number(100 * answer.searching)} %`
        : answer.total ? `${count(answer.total, 'group')}; nothing is ever deleted here. “deadwax duplicates --script” writes what one would remove.`
        : this.query ? 'No track like that has a copy.' : 'No two files have the same sound.';
    } catch (error) {
      if (turn === this.turn) this.note.textContent = error instanceof ApiError ? error.message : String(error);
    }
  }

  /** @param {any} group */
  group(group) {
    const [label, meaning] = kinds[group.kind] ?? [group.kind, ''];
    const listen = h('button', { type: 'button', onclick: () => this.listen(group, element, listen) }, 'Listen');
    const ids = new Set(group.files.map((/** @type {any} */ file) => file.id));
    listen.disabled = ids.size < 2;
    if (listen.disabled) listen.title = 'They have the same samples.';
    const rows = group.files.map((/** @type {any} */ file, /** @type {number} */ place) =>
      h('tr', { class: group.kind === 'same-recording' && place === 0 ? 'kept' : '' },
        h('th', { scope: 'row' }, String.fromCharCode(65 + (place % 26))),
        h('td', { class: 'what' }, h('a', { href: `/track/${file.id}` }, nameOf(file)), h('span', { class: 'second path' }, pathText(file.path))),
        h('td', {}, formatOf(file)), h('td', { class: 'figure' }, time(file.duration_seconds, 1)),
        h('td', { class: 'figure' }, file.loudness_lufs === null ? '' : number(file.loudness_lufs, 1)),
        h('td', { class: 'figure' }, file.cutoff_hz === null ? '' : frequency(file.cutoff_hz)), h('td', { class: 'figure' }, size(file.size_bytes)),
        h('td', { class: file.is_damaged ? 'trouble' : 'remark' }, (file.is_damaged ? 'Damaged; ' : '') + remark(group, place))));
    const heads = ['', 'Track', 'Format', 'Length', 'LUFS', 'Cut off at', 'Size', 'Verdict'].map((text, i) => h('th', { scope: 'col', class: i > 2 && i < 7 ? 'figure' : '' }, text || h('span', { class: 'unseen' }, 'Letter')));
    const element = h('section', { class: 'copies-of', 'aria-label': `${label}: ${nameOf(group.files[0])}` },
      h('header', {}, h('h2', { class: 'etch' }, nameOf(group.files[0])), h('p', { class: 'second', title: meaning }, `${label} \u00b7 ${count(group.files.length, 'file')}`), listen),
      h('table', {}, h('thead', {}, h('tr', {}, heads)), h('tbody', {}, rows)));
    return element;
  }

  /** @param {any} group @param {HTMLElement} element @param {HTMLButtonElement} button */
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
