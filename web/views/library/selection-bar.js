/** What can be done with the rows that are selected, in the place of the tabs. */

import { openMenu } from '../../components/menu.js';
import { makeStars, setStars } from '../../components/stars.js';
import { attempt, toast } from '../../components/toast.js';
import { getJSON } from '../../core/api.js';
import { h, setText } from '../../core/dom.js';
import { count, duration, number } from '../../core/format.js';
import { addressOfTags } from '../../data/names.js';
import { setAttribute } from '../../data/selected.js';
import { player } from '../../player/player.js';
import { openAdd } from './list-changes.js';
import { countOf, openAttribute, openExport, openPreset } from './selection-acts.js';

/** @typedef {import('../../data/documents.js').TrackRow} TrackRow */

/** So many at once go into the queue or a list. */
const most = 10_000;
const pageSize = 500;

/** @param {string} name @param {() => void} act */
const word = (name, act) => h('button', { type: 'button', class: 'word', onclick: act }, name);

export class SelectionBar {
  /** @param {import('../../components/table.js').Table} table */
  constructor(table) {
    this.table = table;
    this.search = { q: '', sort: '' };
    this.words = h('p', { role: 'status' });
    this.all = word('All', () => table.select(() => table.selection.set(0, table.rows?.total ?? 0, true)));
    this.tags = h('a', { class: 'word', href: '/tags' }, 'Edit tags');
    const stars = word('Rate', () => this.openStars(stars));
    stars.setAttribute('aria-haspopup', 'menu');
    const none = h('button', { type: 'button', class: 'word none', onclick: () => this.clear() }, 'None',
      h('span', { class: 'roomy second' }, ' Esc'));
    this.element = h('div', { class: 'selection', role: 'toolbar', 'aria-label': 'Selected tracks' }, this.words,
      word('Play', () => this.act((rows) => player.playRows(rows))),
      word('Play next', () => this.act((rows) => this.queue(rows, false))),
      word('Queue', () => this.act((rows) => this.queue(rows, true))),
      word('Add to list', () => this.act((rows) => openAdd(rows))),
      stars,
      word('Attribute', () => openAttribute(this.selected, this.what)),
      word('Preset', () => openPreset(this.selected, this.what)),
      word('Export', () => openExport(this.selected, this.what, this.search.q || 'Library')),
      this.tags, h('span', { class: 'space' }), this.all, none);
    this.element.addEventListener('keydown', (/** @type {KeyboardEvent} */ event) => {
      if (event.key !== 'Escape') return;
      this.clear();
      event.preventDefault();
    });
  }

  /**
   * The rows as the API takes them: all that is found, or those of the result that is shown.
   * @returns {import('../../data/selected.js').Selected}
   */
  get selected() {
    const { rows, selection } = this.table;
    if (!rows || selection.count === rows.total) return this.search;
    return { ...this.search, rows: selection.ranges, revision: rows.revision };
  }

  /** "12 tracks" */
  get what() {
    return count(this.table.selection.count, 'track');
  }

  /** Where their tags are edited. */
  get addressOfTags() {
    const { q, ...some } = this.selected;
    return addressOfTags(q, some);
  }

  /**
   * Rates all of them at once, as one change.
   * @param {number} stars 0 takes the ratings away
   */
  async rate(stars) {
    let words = '';
    const set = async () => (words = countOf(await setAttribute(this.selected, 'rating', stars ? stars * 20 : null)));
    await attempt(set, () => (stars ? `${stars} of 5 for ${words}.` : `No rating any more for ${words}.`));
  }

  /** @param {HTMLElement} button */
  openStars(button) {
    const { left, bottom } = button.getBoundingClientRect();
    /** @type {[Element, () => void][]} */
    const given = [5, 4, 3, 2, 1].map((stars) => {
      const strokes = makeStars(null);
      setStars(strokes, stars);
      return [strokes, () => this.rate(stars)];
    });
    openMenu({ x: left, y: bottom + 4 }, 'Rate', [...given, [h('span', {}, 'No rating'), () => this.rate(0)]]);
  }

  /** @param {{q: string, sort: string}} search that found the rows */
  show({ q, sort }) {
    this.search = { q, sort };
    const { rows, selection } = this.table;
    const total = rows?.total ?? 0;
    setText(this.words, `${number(selection.count)} of ${number(total)} selected${this.length()}`);
    setText(this.all, `All ${number(total)}`);
    this.tags.href = this.addressOfTags;
  }

  /** How long they are together, as far as all of them are here. */
  length() {
    const { rows, selection } = this.table;
    if (!rows || selection.count > 2000) return '';
    let seconds = 0;
    for (const [from, to] of selection.ranges) {
      for (let index = from; index < to; index += 1) {
        const row = rows.at(index);
        if (!row) return '';
        seconds += row.duration ?? 0;
      }
    }
    return ` \u00b7 ${duration(seconds)}`;
  }

  clear() {
    this.table.select(() => this.table.selection.clear());
    this.table.element.focus({ preventScroll: true });
  }

  /**
   * Does something with the rows, which are read page by page.
   * @param {(rows: TrackRow[]) => void} act
   */
  async act(act) {
    const { selection } = this.table;
    if (selection.count > most) return toast(`At most ${number(most)} tracks at once.`);
    /** @type {TrackRow[]} */
    const rows = [];
    let revision = '';
    try {
      for (const [from, to] of selection.ranges) {
        for (let start = from; start < to; start += pageSize) {
          const limit = Math.min(pageSize, to - start);
          const answer = await getJSON('/tracks', { ...this.search, from: start, limit, revision });
          revision = answer.revision;
          rows.push(...answer.rows);
          if (rows.length > pageSize) setText(this.words, `${number(rows.length)} of ${number(selection.count)} read`);
        }
      }
    } catch (error) {
      return toast(/** @type {Error} */ (error).message);
    }
    act(rows);
    this.clear();
  }

  /** @param {TrackRow[]} rows @param {boolean} isLast */
  queue(rows, isLast) {
    if (isLast) player.askLast(...rows);
    else player.ask(...rows);
    const what = count(rows.length, 'track');
    toast(isLast ? `${what} at the end of the queue.` : `${what} next.`, () => {
      const words = player.undoEdit();
      if (words) toast(`Undone: ${words}.`);
    });
  }
}
