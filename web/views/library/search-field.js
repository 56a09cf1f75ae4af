/** The search field: a query as one types it, with completion, and what is wrong at its place. */

import { getJSON, debounce } from '../../core/api.js';
import { h, iconButton, setText } from '../../core/dom.js';
import { fold } from '../../core/fold.js';

/** @typedef {import('../../data/documents.js').Field} Field */
/** @typedef {{column: number, length?: number | null, message: string}} Fault */

/** Fields whose values are offered. */
const offered = ['artist', 'albumartist', 'album', 'genre'];
/** @type {Record<string, string>} What is written in fields of a kind. */
const hints = {
  duration: '3:30 or >10m', text: 'words', integer: 'a number or a..b', real: 'a number or a..b', size: '10M',
  date: '2023', instant: '-2w..',
};

/**
 * The word that the cursor stands in.
 * @param {string} text @param {number} cursor
 */
export function wordAt(text, cursor) {
  const start = text.slice(0, cursor).search(/[^\s()]*$/);
  const end = cursor + (text.slice(cursor).match(/^[^\s()]*/)?.[0].length ?? 0);
  return { start, end, text: text.slice(start, cursor) };
}

/**
 * A value as a query takes it: quoted if it has to be.
 * @param {string} value
 */
const quoted = (value) => (/^[\p{L}\p{N}_.-]+$/u.test(value) ? value : `"${value.replace(/["\\]/g, '\\$&')}"`);

/**
 * What is wrong, without the place, which is marked. The name of a field that it begins with stays as it is written.
 * @param {string} message
 */
export function sentenceOf(message) {
  const text = message.replace(/^query, column \d+: /, '');
  return /^[\p{L}\p{N}_-]+(?:\([^)]*\))?: /u.test(text) ? text : text.replace(/^./, (first) => first.toUpperCase());
}

/**
 * All names that can stand before a colon: a tag or an attribute may be called like a field, or like each other.
 * @param {{fields: Field[], tags: string[], attributes: string[]}} known
 * @returns {Field[]}
 */
export function namesOf({ fields, tags, attributes }) {
  const names = new Set(fields.map(({ name }) => name));
  const others = [...tags, ...attributes].map((name) => name.toLowerCase());
  const more = [...new Set(others)].filter((name) => !names.has(name));
  return [...fields, ...more.map((name) => ({ name, kind: 'text', words: null }))];
}

export class SearchField {
  /** @param {(query: string) => void} search called while one types */
  constructor(search) {
    this.search = search;
    /** @type {{text: string, hint: string}[]} */
    this.offers = [];
    this.chosen = -1;
    this.turn = 0;
    /** @type {AbortController | null} */
    this.asking = null;
    /**
     * What fields there are.
     * @type {Promise<{fields: Field[], tags: string[], attributes: string[]}> | null}
     */
    this.known = null;
    /** @type {Fault | null} */
    this.fault = null;
    this.input = h('input', {
      id: 'query', type: 'text', role: 'combobox', spellcheck: false, autocapitalize: 'off', 'aria-label': 'Search',
      placeholder: 'Search', 'aria-autocomplete': 'list', 'aria-expanded': 'false', 'aria-controls': 'completions',
      'aria-describedby': 'query-fault',
    });
    this.input.autocomplete = 'off';
    this.mirror = h('div', { class: 'mirror', 'aria-hidden': 'true' });
    this.sentence = h('p', { class: 'fault', id: 'query-fault', role: 'status' });
    this.list = h('div', {
      class: 'completions', id: 'completions', role: 'listbox', 'aria-label': 'Completions', hidden: true,
    });
    const clear = iconButton('Empty the search',
      'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z', () => this.empty());
    clear.tabIndex = -1; // Escape does the same.
    this.element = h('div', { class: 'search', role: 'search' }, this.mirror, this.input,
      h('span', { class: 'clear' }, clear), this.list, this.sentence);
    this.input.addEventListener('input', () => this.typed());
    this.input.addEventListener('scroll', () => (this.mirror.scrollLeft = this.input.scrollLeft));
    this.input.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => this.keyed(event));
    this.input.addEventListener('blur', () => this.offer([]));
  }

  /** @param {string} text */
  setText(text) {
    if (this.input.value !== text) this.input.value = text;
    this.paint();
  }

  empty() {
    this.input.value = '';
    this.typed();
    this.input.focus();
  }

  typed() {
    this.setFault(null);
    this.search(this.input.value);
    this.complete();
  }

  /**
   * Marks the word that is wrong and says why.
   * @param {Fault | null} fault
   */
  setFault(fault) {
    this.fault = fault;
    setText(this.sentence,
      fault ? sentenceOf(fault.message) : '');
    this.input.setAttribute('aria-invalid', String(fault !== null));
    this.paint();
  }

  /** Fields and signs in secondary ink, values in ink, the wrong word underlined. */
  paint() {
    const text = this.input.value;
    const characters = [...text];
    const start = this.fault ? characters.slice(0, this.fault.column - 1).join('').length : -1;
    const rest = text.slice(Math.max(0, start));
    const { length: told } = this.fault ?? {};
    const length = (told ? [...rest].slice(0, told).join('') : rest.match(/^[^\s()]+/)?.[0])?.length ?? 0;
    /** @type {Node[]} */
    const pieces = [];
    const add = (/** @type {number} */ from, /** @type {number} */ to, /** @type {string} */ name) => {
      const cuts = [from, ...[start, start + length].filter((cut) => start >= 0 && cut > from && cut < to), to];
      for (let i = 0; i + 1 < cuts.length; i += 1) {
        const isWrong = start >= 0 && cuts[i] >= start && cuts[i] < start + length;
        pieces.push(h('span', { class: `${name} ${isWrong ? 'wrong' : ''}` }, text.slice(cuts[i], cuts[i + 1])));
      }
    };
    let at = 0;
    for (const match of text.matchAll(/(^|[\s(])([-^]?[\p{L}_]+(?:\([^)]*\))?:(?:[:=]|[<>]=?)?)/gu)) {
      const from = (match.index ?? 0) + match[1].length;
      if (from > at) add(at, from, 'value');
      add(from, from + match[2].length, 'field');
      at = from + match[2].length;
    }
    if (at < text.length) add(at, text.length, 'value');
    this.mirror.replaceChildren(...pieces);
    this.mirror.scrollLeft = this.input.scrollLeft;
  }

  /** Offers fields, or values of the field that the cursor stands in. */
  async complete() {
    const turn = (this.turn += 1);
    const word = wordAt(this.input.value, this.input.selectionStart ?? 0);
    const match = word.text.match(/^([-^]?)([\p{L}_]*)(?::=?"?(.*))?$/u);
    if (!match || !word.text) return this.offer([]);
    const [, sign, field, value] = match;
    const offers = await (value === undefined ? this.fields(sign, field) : this.values(sign, field, value));
    if (turn === this.turn && document.activeElement === this.input) this.offer(offers.slice(0, 7));
  }

  /** @param {string} sign @param {string} beginning */
  async fields(sign, beginning) {
    const names = namesOf(await (this.known ??= getJSON('/fields')));
    return names.filter(({ name }) => name.startsWith(beginning.toLowerCase()) && name !== beginning)
      .map(({ name, kind, words }) => ({
        text: `${sign}${name}:`, hint: words?.slice(0, 4).join(' ') ?? hints[kind] ?? kind,
      }));
  }

  /** @param {string} sign @param {string} field @param {string} beginning */
  async values(sign, field, beginning) {
    /** @type {{fields: Field[]}} */
    const { fields } = await (this.known ??= getJSON('/fields'));
    const words = fields.find(({ name }) => name === field)?.words;
    const wanted = beginning.toLowerCase();
    if (words) {
      return words.filter((word) => word.startsWith(wanted) && word !== wanted)
        .map((word) => ({ text: `${sign}${field}:${word}`, hint: '' }));
    }
    const text = beginning.replace(/"$/, '');
    this.asking?.abort();
    if (!offered.includes(field) || !text) return [];
    const { signal } = (this.asking = new AbortController());
    // Of the first tracks that have it: to list all artists of a million tracks takes seconds.
    const request = { q: `${field}:${quoted(text)}`, fields: field, limit: 200 };
    const { rows } = await debounce(signal).then(() => getJSON('/tracks', request, signal))
      .catch(() => ({ rows: [] }));
    /** @type {string[]} */
    const all = rows.flatMap((/** @type {any} */ row) => row[field]?.split('; ') ?? []);
    const begins = (/** @type {string} */ value) => Number(fold(value).startsWith(fold(text)));
    return [...new Set(all)].filter((value) => fold(value).includes(fold(text)))
      .sort((a, b) => begins(b) - begins(a) || a.localeCompare(b))
      .map((value) => ({ text: `${sign}${field}:=${quoted(value)}`, hint: '' }));
  }

  /** @param {typeof this.offers} offers */
  offer(offers) {
    this.offers = offers;
    this.chosen = -1;
    this.list.hidden = offers.length === 0;
    this.input.setAttribute('aria-expanded', String(offers.length > 0));
    this.input.removeAttribute('aria-activedescendant');
    this.list.replaceChildren(...offers.map(({ text, hint }, i) =>
      h('div', {
        role: 'option', id: `completion-${i}`, 'aria-selected': 'false',
        onpointerdown: (/** @type {Event} */ event) => this.accept(i, event),
      },
        h('span', {}, text), h('span', { class: 'hint' }, hint))));
  }

  /** @param {number} step */
  choose(step) {
    const count = this.offers.length;
    this.chosen = (this.chosen + step + count + (this.chosen < 0 && step < 0 ? 1 : 0)) % count;
    [...this.list.children].forEach((option, i) => option.setAttribute('aria-selected', String(i === this.chosen)));
    this.input.setAttribute('aria-activedescendant', `completion-${this.chosen}`);
  }

  /** @param {number} index @param {Event} event */
  accept(index, event) {
    event.preventDefault();
    const { value, selectionStart } = this.input;
    const { start, end } = wordAt(value, selectionStart ?? 0);
    const { text } = this.offers[index];
    const tail = text.endsWith(':') ? '' : ' ';
    const rest = value.slice(end);
    this.input.value = value.slice(0, start) + text + tail + (tail ? rest.replace(/^\s/, '') : rest);
    const cursor = start + text.length + tail.length;
    this.input.setSelectionRange(cursor, cursor);
    this.typed();
    if (tail) this.offer([]);
  }

  /** @param {KeyboardEvent} event */
  keyed(event) {
    if (this.offers.length && (event.key === 'ArrowDown' || event.key === 'ArrowUp')) {
      event.preventDefault();
      this.choose(event.key === 'ArrowDown' ? 1 : -1);
    } else if ((event.key === 'Enter' || event.key === 'Tab') && this.chosen >= 0) this.accept(this.chosen, event);
    else if (event.key === 'Escape' && this.offers.length) this.offer([]);
    else if (event.key === 'Escape' && this.input.value) this.empty();
    else if (event.key === 'Enter' || (event.key === 'ArrowDown' && !this.offers.length)) {
      this.offer([]);
      /** @type {HTMLElement | null} */ (document.querySelector('.table'))?.focus();
      event.preventDefault();
    }
  }
}
