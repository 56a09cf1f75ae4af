/** A list that keeps itself: rules as sentences, the query they stand for, and what it finds now. */

import { ask, labelled } from '../../components/ask.js';
import { toast } from '../../components/toast.js';
import { TrackList } from '../../components/track-list.js';
import { debounce, getJSON } from '../../core/api.js';
import { h, iconButton, setText } from '../../core/dom.js';
import { count, duration, number } from '../../core/format.js';
import { go, place } from '../../core/router.js';
import { changeQuery, makeListOf, renameList, saveSearch } from '../../data/list-changes.js';
import { listNamed } from '../../data/lists.js';
import { player } from '../../player/player.js';
import { changed, fieldNamed, fields, orders, parse, queryOf, verbsOf, withField } from './model.js';

/** @typedef {import('./model.js').Part} Part */
/** @typedef {import('./model.js').Rule} Rule */
/** @typedef {import('../../data/documents.js').List} List */
/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/** Rows that are shown of what is found. */
const most = 100;
/** Where the names are that a field can have. */
const groups = /** @type {Record<string, [string, import('../../core/api.js').Parameters]>} */ ({
  artist: ['/artists', { of: 'tracks' }], albumartist: ['/artists', {}], album: ['/albums', { sort: 'album' }],
  genre: ['/genres', {}], composer: ['/composers', {}],
});

/**
 * @param {string} name @param {[string, string][]} options @param {string} value
 * @param {(value: string) => void} set
 */
function choice(name, options, value, set) {
  const select = h('select', { 'aria-label': name, onchange: () => set(select.value) },
    options.map(([value, words]) => h('option', { value }, words)));
  if (!options.some(([known]) => known === value)) select.append(h('option', { value }, value));
  select.value = value;
  return select;
}

export class RulesPage {
  constructor() {
    /** @type {Part[]} */
    this.parts = [];
    /**
     * The list that is changed; null for a new one.
     * @type {List | null}
     */
    this.list = null;
    this.query = '';
    this.shown = '';
    this.asking = new AbortController();
    this.title = h('input', {
      type: 'text', class: 'etch', 'aria-label': 'Name of the list', maxLength: 200, placeholder: 'A new list',
    });
    this.rules = h('ol', { class: 'rules-of' });
    this.text = h('textarea', {
      rows: 2, spellcheck: false, 'aria-label': 'The same as a query', 'aria-describedby': 'rules-fault',
    });
    this.text.addEventListener('input', () => this.typed());
    this.fault = h('p', { class: 'trouble', id: 'rules-fault', role: 'status' });
    this.figure = h('span', { class: 'etch' });
    this.sums = h('span', { class: 'second' });
    this.tracks = new TrackList({
      label: 'What is found', columns: ['place', 'title', 'artist', 'sound', 'length', 'lufs'],
      open: (row, at) => player.playFrom(row, { q: this.query, sort: '', total: this.total }, at),
    });
    this.total = 0;
    const button = (/** @type {string} */ words, /** @type {() => void} */ act, kind = '') =>
      h('button', { type: 'button', class: kind, onclick: act }, words);
    const add = (/** @type {string} */ words, /** @type {Part} */ part) => button(words, () => this.add(part), 'link');
    /** @type {Rule} */
    const rule = { kind: 'rule', field: 'genre', verb: 'has', value: '', isNot: false };
    this.keeping = button('Keep list', () => this.save(), 'main');
    this.element = h('main', { class: 'rules', id: 'main' },
      h('h1', { class: 'unseen' }, 'A list by rules'),
      h('header', { class: 'rules-head' },
        h('div', {}, this.title, h('p', { class: 'second' }, 'A list that keeps itself: whatever fits is in it.')),
        h('div', { class: 'buttons' }, this.keeping, button('Play', () => this.play()),
          button('Freeze as it is', () => this.freeze()))),
      h('section', { class: 'rules-left', 'aria-label': 'Rules' },
        h('p', { class: 'label rules-label' }, h('span', {}, 'Tracks'), h('span', {}, 'left after it')),
        this.rules,
        h('p', { class: 'rules-add' }, add('and \u2026', rule), add('but not \u2026', { ...rule, isNot: true }),
          add('sounds like \u2026', { ...rule, field: 'similar' }),
          add('in order of \u2026', { kind: 'order', field: 'title', isFalling: false })),
        h('p', { class: 'label rules-label' }, h('span', {}, 'The same as a query \u00b7 change either')),
        this.text, this.fault),
      h('section', { class: 'rules-right', 'aria-label': 'What is found' },
        h('p', { class: 'rules-sum', role: 'status' }, this.figure, ' ', this.sums), this.tracks.element));
  }

  /** @param {import('../../core/router.js').Place} here */
  async show({ q, item }) {
    const wanted = JSON.stringify([q, item]);
    if (wanted === this.shown) return this.look();
    this.shown = wanted;
    const list = item ? await listNamed(item).catch(() => null) : null;
    if (wanted !== this.shown) return;
    this.list = list?.query === null ? null : list;
    this.title.value = item;
    this.parts = parse(q || (this.list?.query ?? ''));
    this.draw();
    this.text.value = queryOf(this.parts);
    this.look();
    if (!this.parts.length) this.add({ kind: 'rule', field: 'genre', verb: 'has', value: '', isNot: false });
  }

  hide() {
    this.asking.abort();
    this.shown = '';
  }

  /** @param {Part} part */
  add(part) {
    // What orders is the last of all.
    const at = this.parts.findIndex(({ kind }) => kind === 'order');
    this.parts.splice(part.kind === 'order' || at < 0 ? this.parts.length : at, 0, { ...part });
    this.draw();
    this.edited();
    const index = part.kind === 'order' || at < 0 ? this.parts.length - 1 : at;
    /** @type {HTMLElement | null} */ (this.rules.children[index]?.querySelector('input, select'))?.focus();
  }

  /** @param {number} index @param {Part | null} part null takes it away @param {boolean} [isTyped] keeps the fields */
  change(index, part, isTyped = false) {
    if (part) this.parts[index] = part;
    else this.parts.splice(index, 1);
    if (!isTyped) this.draw();
    this.edited();
  }

  /** The query below was typed in. */
  typed() {
    this.parts = parse(this.text.value);
    this.draw();
    this.note(this.text.value.trim());
    this.look();
  }

  edited() {
    this.text.value = queryOf(this.parts);
    this.note(this.text.value);
    this.look();
  }

  /** @param {string} q in the address, so that it is there again after loading */
  note(q) {
    const { item } = place.peek();
    this.shown = JSON.stringify([q, item]);
    go('/rules?' + new URLSearchParams({ q, ...(item ? { item } : {}) }), true);
  }

  draw() {
    this.rules.replaceChildren(...this.parts.map((part, index) => this.line(part, index)));
  }

  /** @param {Part} part @param {number} index */
  line(part, index) {
    const before = part.kind === 'order' ? 'in' : part.kind === 'rule' && part.isNot ? 'but not'
      : index === 0 ? 'whose' : 'and';
    const take = iconButton('Take this away',
      'M6.4 5 12 10.6 17.6 5 19 6.4 13.4 12 19 17.6 17.6 19 12 13.4 6.4 19 5 17.6 10.6 12 5 6.4z',
      () => this.change(index, null));
    return h('li', {}, h('span', { class: 'second before' }, before),
      h('span', { class: 'sentence' }, this.sentence(part, index)), h('span', { class: 'second left' }), take);
  }

  /** @param {Part} part @param {number} index @returns {(Element | string)[]} */
  sentence(part, index) {
    if (part.kind === 'text') return [h('code', { class: 'etch' }, part.source)];
    if (part.kind === 'order') {
      return ['order of', choice('Order', orders, part.field, (field) => this.change(index, changed(part, { field }))),
        choice('Direction', [['+', 'rising'], ['-', 'falling']], part.isFalling ? '-' : '+',
          (sign) => this.change(index, changed(part, { isFalling: sign === '-' })))];
    }
    const field = fieldNamed(part.field);
    const names = /** @type {[string, string][]} */ (fields.map(({ name, words }) => [name, words]));
    const verb = (part.isNot ? '-' : '') + part.verb;
    return [
      choice('Field', names, part.field, (name) => this.change(index, withField(part, name))),
      choice('Verb', verbsOf(field), verb, (verb) =>
        this.change(index, changed(part, { isNot: verb.startsWith('-'), verb: verb.replace('-', '') }))),
      ...(part.verb === 'empty' ? [] : this.value(part, index)),
    ];
  }

  /** @param {Rule} rule @param {number} index @returns {(Element | string)[]} */
  value(rule, index) {
    const field = fieldNamed(rule.field);
    if (field.choices) {
      return [choice('Value', field.choices, rule.value, (value) => this.change(index, changed(rule, { value })))];
    }
    const input = h('input', {
      type: 'text', value: rule.value, placeholder: field.hint ?? '', 'aria-label': `Value of ${field.words}`,
      autocapitalize: 'off', spellcheck: false,
      oninput: () => {
        input.size = Math.max(8, input.value.length + 1);
        this.change(index, changed(/** @type {Rule} */ (this.parts[index]), { value: input.value }), true);
      },
    });
    input.size = Math.max(8, rule.value.length + 1);
    const names = groups[field.name];
    const list = h('datalist', { id: `rule-names-${index}` });
    if (names) {
      input.setAttribute('list', list.id);
      input.addEventListener('focus', async () => {
        const { rows } = await getJSON(names[0], { ...names[1], limit: 500 }).catch(() => ({ rows: [] }));
        list.replaceChildren(...rows.flatMap((/** @type {any} */ row) => {
          const value = row.name ?? row.album;
          return value ? [h('option', { value })] : [];
        }));
      }, { once: true });
    }
    return [input, list, field.unit ?? ''];
  }

  /** Asks what is found: whether the query is right, how much is left after each rule, and the first rows. */
  async look() {
    this.asking.abort();
    const { signal } = (this.asking = new AbortController());
    const q = this.text.value.trim();
    this.query = q;
    try {
      await debounce(signal);
      const answer = await getJSON('/query', { q }, signal);
      setText(this.fault, answer.valid ? '' : answer.message);
      this.keeping.disabled = !answer.valid || !q;
      if (!answer.valid) return;
      const [sums, page] = await Promise.all([
        getJSON('/tracks/count', { q }, signal),
        getJSON('/tracks', {
          q, limit: most, fields: 'title,artist,album,album-id,filename,duration,codec,rate,lufs,state,rating,reason',
        }, signal),
      ]);
      this.total = sums.files;
      setText(this.figure, number(sums.files));
      setText(this.sums, `${sums.files === 1 ? 'track' : 'tracks'} \u00b7 ${duration(sums.duration_seconds)}`);
      this.tracks.show([{ title: '', note: '', rows: page.rows }]);
      for (let i = 0; i < this.parts.length; i += 1) {
        const left = this.rules.children[i]?.querySelector('.left');
        if (this.parts[i].kind === 'order' || !left) continue;
        const { files } = await getJSON('/tracks/count', { q: queryOf(this.parts.slice(0, i + 1)) }, signal);
        setText(left, number(files));
      }
    } catch (error) {
      if (/** @type {Error} */ (error).name !== 'AbortError') setText(this.fault, /** @type {Error} */ (error).message);
    }
  }

  async play() {
    const [row] = this.tracks.rows;
    if (row?.id) await player.playFrom(row, { q: this.query, sort: '', total: this.total }, 0);
    else toast('There is nothing here that can be heard.');
  }

  async save() {
    const name = this.title.value.trim();
    if (!name) {
      this.title.focus();
      return toast('Write a name for the list.');
    }
    try {
      if (this.list) {
        if (this.list.query !== this.query) this.list = await changeQuery(this.list, this.query);
        if (this.list.name !== name) this.list = await renameList(this.list, name);
      } else this.list = await saveSearch(name, this.query);
      this.shown = JSON.stringify([this.query, name]);
      go('/rules?' + new URLSearchParams({ q: this.query, item: name }), true);
      toast(`The list “${name}” has ${count(this.total, 'track')} now.`, true);
    } catch (error) {
      toast(/** @type {Error} */ (error).message);
    }
  }

  /** The tracks of this moment, as a list that stays so. */
  freeze() {
    const name = h('input', { type: 'text', class: 'name', required: true, maxLength: 200,
      value: `${this.title.value.trim() || 'List'}, ${new Date().toISOString().slice(0, 10)}` });
    const { query } = this;
    ask(`Keep these ${count(this.total, 'track')} as they are`, 'Keep', [labelled('Name', name)], async () => {
      await makeListOf(name.value.trim(), query);
      return `“${name.value.trim()}” has these tracks, whatever becomes of the rules.`;
    });
  }
}
