/**
 * What is played: entries, of which one is current, and the result that goes on behind the last of them. It makes
 * changes, remembers what takes them back, and knows nothing of sound and little of the server.
 */

import { getJSON } from '../core/api.js';
import { applied, inverse, newKey, nothing, placeOf } from './queue-changes.js';
import { ShuffledOrder } from './shuffled-order.js';

/** @typedef {import('../data/documents.js').TrackRow} TrackRow */
/** @typedef {import('./queue-changes.js').Entry} Entry */
/** @typedef {import('./queue-changes.js').Change} Change */
/** @typedef {{q: string, sort: string, total: number}} Result of a query */
/**
 * @typedef {Result & {from: number, to: number, seed: number | null, origin: number}} Source a result, and what of it
 *   is in the queue: the rows `from`…`to`, or places of the order that is shuffled by the `seed` and begins with the
 * row
 *   `origin`
 */
/** @typedef {{track: TrackRow, key: number}} Step an entry that follows */

/** A result of so many rows is in the queue as a whole. */
const wholeResult = 500;
/** Of a larger one so many are there before and behind the row that was played, and added when few are left. */
const windowBefore = 20;
const windowBehind = 100;
const fewLeft = 10;
/** Each row of a shuffled result is asked for by itself. */
const shuffledAtOnce = 12;
/** Of a result that goes on so many that were heard are kept. */
const mostPlayed = 300;
const mostUndone = 100;

/**
 * The fields of rows that are kept.
 * @param {TrackRow} row @returns {TrackRow}
 */
export const plainRow = ({ id, file, title, artist, album, filename, duration, rate, codec, state, part }) =>
  ({ id, file, title, artist, album, filename, duration, rate, codec, state, ...(part && { part }) });

export class Queue {
  constructor() {
    this.state = nothing;
    /** @type {number[]} Keys of what was heard in this browser, to go back. */
    this.heard = [];
    /** @type {{changes: Change[], words: string}[]} What takes edits back, the latest last. */
    this.undone = [];
    /** @type {Promise<void> | null} */
    this.filling = null;
    /** @type {string | null} The source that it is filled from. */
    this.filledSource = null;
    /**
     * Called with each edit, after it was made here.
     * @type {(changes: Change[]) => void}
     */
    this.edited = () => {};
  }

  get entries() {
    return this.state.entries;
  }

  /** Where the current entry stands; −1 if none is. */
  get place() {
    return placeOf(this.state);
  }

  /** How many tracks follow the current one, with those of the result that are not here yet. */
  get left() {
    const { source } = this;
    const isOpen = source && source.total > wholeResult;
    return this.entries.length - 1 - this.place + (isOpen ? Math.max(0, source.total - source.to) : 0);
  }

  /** @returns {Source | null} */
  get source() {
    try {
      return this.state.source === null ? null : JSON.parse(this.state.source);
    } catch {
      // Another version of the page wrote it.
      return null;
    }
  }

  /**
   * Makes changes together.
   * @param {Change[]} changes @param {string} [words] what has been done, if it can be taken back
   */
  edit(changes, words) {
    if (!changes.length) return;
    /** @type {Change[]} */
    const back = [];
    for (const change of changes) {
      back.unshift(...inverse(this.state, change));
      this.state = applied(this.state, change);
    }
    if (words && back.length) {
      this.undone.push({ changes: back, words });
      if (this.undone.length > mostUndone) this.undone.shift();
    }
    this.edited(changes);
  }

  /**
   * Takes the latest edit back.
   * @returns {string | null} what it was; null if there is none
   */
  undo() {
    const last = this.undone.pop();
    if (!last) return null;
    this.edit(last.changes);
    return last.words;
  }

  // What is in it.

  /**
   * Begins with a row of a result; what was asked for and not heard yet follows it, then what follows it there.
   * @param {TrackRow} row @param {Result} result @param {number} index @param {boolean} isShuffled
   */
  begin(row, { q, sort, total }, index, isShuffled) {
    const asked = this.entries.slice(this.place + 1).filter(({ rank }) => rank === null);
    const entry = { key: newKey(), row: plainRow(row), rank: index };
    const seed = isShuffled ? Math.floor(Math.random() * 2 ** 31) : null;
    this.heard = [];
    const source = { q, sort, total, from: index, to: seed === null ? index + 1 : 1, seed, origin: index };
    this.edit([{
      replace: [entry, ...asked], current: entry.key, position: 0, source: JSON.stringify(source),
    }], this.entries.length ? 'the new queue' : '');
  }

  /**
   * Begins with tracks that are of no result.
   * @param {TrackRow[]} rows @param {boolean} isShuffled
   */
  beginRows(rows, isShuffled) {
    const entries = rows.map((row, rank) => ({ key: newKey(), row: plainRow(row), rank }));
    this.heard = [];
    this.edit([{
      replace: entries, current: entries[0]?.key ?? null, position: 0, source: null,
    }], this.entries.length ? 'the new queue' : '');
    if (isShuffled) this.reorder(true);
  }

  /**
   * @param {TrackRow[]} rows that play after the current one, behind others that were asked for
   * @param {string} words
   */
  askNext(rows, words) {
    let index = this.place + 1;
    while (this.entries[index]?.rank === null) index += 1;
    this.insert(rows, this.entries[index - 1]?.key ?? null, words);
  }

  /** @param {TrackRow[]} rows that play after everything else @param {string} words */
  askLast(rows, words) {
    this.insert(rows, this.entries[this.entries.length - 1]?.key ?? null, words);
  }

  /** @param {TrackRow[]} rows @param {number | null} after @param {string} words */
  insert(rows, after, words) {
    const added = rows.map((row) => ({ key: newKey(), row: plainRow(row), rank: null }));
    this.edit([{ insert: added, after }], words);
  }

  /** @param {number[]} keys @param {string} words */
  remove(keys, words) {
    this.edit([{ remove: keys }], words);
  }

  /**
   * Moves entries in front of the one that stands at an index.
   * @param {number[]} keys @param {number} index of the entries as they are now @param {string} words
   */
  moveTo(keys, index, words) {
    const moving = new Set(keys);
    let before = index - 1;
    while (before >= 0 && moving.has(this.entries[before].key)) before -= 1;
    const ordered = this.entries.filter(({ key }) => moving.has(key)).map(({ key }) => key);
    this.edit([{ move: ordered, after: this.entries[before]?.key ?? null }], words);
  }

  /**
   * Removes everything but what plays.
   * @param {string} words
   */
  clear(words) {
    const others = this.entries.filter(({ key }) => key !== this.state.current).map(({ key }) => key);
    this.edit([{ remove: others }, { source: null }], words);
  }

  /**
   * Makes an entry the current one.
   * @param {number} key @param {number} [position] in milliseconds
   */
  goTo(key, position = 0) {
    if (this.state.current !== null && this.state.current !== key) this.heard.push(this.state.current);
    if (this.heard.length > 500) this.heard.shift();
    this.edit([{ place: key, position }]);
  }

  /**
   * Shuffles what follows the current entry, and of a whole result also what stands before it; or puts all in its
   * own order again.
   * @param {boolean} isShuffled
   */
  reorder(isShuffled) {
    const { entries, place, source } = this;
    const current = entries[place];
    const keys = (/** @type {Entry[]} */ some) => some.map(({ key }) => key);
    const asked = entries.slice(place + 1).filter(({ rank }) => rank === null);
    const isWhole = !source || source.total <= wholeResult;
    if (!isWhole) {
      const seed = isShuffled ? Math.floor(Math.random() * 2 ** 31) : null;
      const origin = current?.rank ?? source.origin;
      const later = entries.slice(place + 1).filter(({ rank }) => rank !== null);
      const range = seed === null ? { from: origin, to: origin + 1 } : { from: 0, to: 1 };
      this.edit([{ remove: keys(later) }, { source: JSON.stringify({ ...source, ...range, seed, origin }) }]);
      return;
    }
    const ranked = entries.filter((entry) => entry.rank !== null && entry !== current);
    if (isShuffled) {
      const order = new ShuffledOrder(ranked.length + 1, Math.floor(Math.random() * 2 ** 31), ranked.length);
      const shuffled = ranked.map((_, i) => ranked[order.rowAt(i + 1)]);
      this.edit([{ move: [...keys(asked), ...keys(shuffled)], after: current?.key ?? null }]);
    } else {
      const sorted = ranked.sort((a, b) => /** @type {number} */ (a.rank) - /** @type {number} */ (b.rank));
      const rank = current?.rank ?? -1;
      const behind = sorted.filter((one) => (one.rank ?? 0) > rank);
      const before = sorted.filter((one) => !behind.includes(one));
      this.edit([
        { move: keys(before), after: null }, { move: [...keys(asked), ...keys(behind)], after: current?.key ?? null },
      ]);
    }
  }

  // What follows.

  /**
   * The entry after the current one.
   * @param {string} repeat
   * @returns {Promise<Step | null>}
   */
  async next(repeat) {
    const left = () => this.entries.length - 1 - this.place;
    // Once more if another queue has begun meanwhile.
    for (let given = null; left() < fewLeft && given !== this.state.source;) {
      given = this.state.source;
      const filling = this.fill(repeat === 'all');
      if (left() < 1) await filling;
      else {
        filling.catch(() => {});
        break;
      }
    }
    const entry = this.entries[this.place + 1] ?? (repeat === 'all' ? this.entries[0] : undefined);
    return entry ? { track: entry.row, key: entry.key } : null;
  }

  /**
   * The entry before this one: what was heard before it, else what stands before it.
   * @returns {Promise<Step | null>}
   */
  async previous() {
    for (let key = this.heard.pop(); key !== undefined; key = this.heard.pop()) {
      const entry = this.entries.find((one) => one.key === key);
      if (entry) return { track: entry.row, key };
    }
    const { source, place } = this;
    if (place === 0 && source?.seed === null && source.from > 0) await this.fillBefore(source);
    const entry = this.entries[this.place - 1];
    return entry ? { track: entry.row, key: entry.key } : null;
  }

  /**
   * Adds what goes on behind the last entry, a part at a time.
   * @param {boolean} around whether it begins again at the end
   */
  fill(around) {
    const { source } = this.state;
    // What is on its way for another queue is of no use.
    if (this.filling && this.filledSource === source) return this.filling;
    const filling = this.fillOnce(around).finally(() => {
      if (this.filling === filling) this.filling = null;
    });
    this.filledSource = source;
    return (this.filling = filling);
  }

  /** @param {boolean} around */
  async fillOnce(around) {
    const { source } = this;
    if (!source) return;
    const isWhole = source.total <= wholeResult;
    let wanted = source;
    if (isWhole ? source.from === 0 && source.to === source.total : source.to >= source.total) {
      if (!around || isWhole) return;
      // The whole queue is not there, so it begins again with other entries.
      wanted = { ...source, from: 0, to: 0, seed: source.seed === null ? null : source.seed + 1 };
    }
    const given = this.state.source;
    const rows = await (isWhole ? this.wholeOf(wanted) : this.partOf(wanted));
    // Another queue, meanwhile.
    if (this.state.source !== given) return;
    const made = rows.map(({ rank, row }) => ({ key: newKey(), row: plainRow(row), rank }));
    const isFirst = wanted.to - wanted.from === 1 && wanted.seed === null;
    const before = isFirst ? made.filter(({ rank }) => rank < wanted.origin) : [];
    const behind = made.slice(before.length);
    const last = this.entries[this.entries.length - 1]?.key ?? null;
    const next = isWhole ? { from: 0, to: source.total } : this.range(wanted, rows.map(({ rank }) => rank));
    const surplus = isWhole ? [] : this.entries.slice(0, Math.max(0, this.place - mostPlayed)).map(({ key }) => key);
    /** @type {Change[]} */
    const changes = [{ source: JSON.stringify({ ...wanted, ...next }) }];
    if (before.length) changes.push({ insert: before, after: null });
    if (behind.length) changes.push({ insert: behind, after: last });
    if (surplus.length) changes.push({ remove: surplus });
    this.edit(changes);
  }

  /** @param {Source} source @param {number[]} rows that have come */
  range(source, rows) {
    if (source.seed !== null) return { from: 0, to: rows.length ? source.to + rows.length : source.total };
    const end = rows.length ? rows[rows.length - 1] + 1 : source.total;
    return { from: Math.min(source.from, rows[0] ?? source.from), to: Math.max(end, source.to) };
  }

  /**
   * All rows but the one that it began with, in their order.
   * @param {Source} source @returns {Promise<{rank: number, row: TrackRow}[]>}
   */
  async wholeOf(source) {
    const rows = await this.rowsOf(source, 0, wholeResult);
    const others = rows.map((row, rank) => ({ rank, row })).filter(({ rank }) => rank !== source.origin);
    if (source.seed === null) return others;
    const order = new ShuffledOrder(source.total, source.seed, source.origin);
    return others.sort((a, b) => order.placeOf(a.rank) - order.placeOf(b.rank));
  }

  /** @param {Source} source @returns {Promise<{rank: number, row: TrackRow}[]>} */
  async partOf(source) {
    const { total, seed, origin, to } = source;
    if (seed !== null) {
      const order = new ShuffledOrder(total, seed, origin);
      const ranks = Array.from({ length: Math.min(shuffledAtOnce, total - to) }, (_, i) => order.rowAt(to + i));
      const found = await Promise.all(ranks.map((rank) => this.rowsOf(source, rank, 1)));
      return ranks.flatMap((rank, i) => found[i].map((row) => ({ rank, row })));
    }
    const from = to - source.from === 1 ? Math.max(0, origin - windowBefore) : to;
    const rows = await this.rowsOf(source, from, to + windowBehind - from);
    return rows.map((row, i) => ({ rank: from + i, row })).filter(({ rank }) => rank >= to || rank < source.from);
  }

  /** @param {Source} source whose rows before the first entry are wanted */
  async fillBefore(source) {
    const from = Math.max(0, source.from - windowBefore);
    const given = this.state.source;
    const rows = await this.rowsOf(source, from, source.from - from);
    if (this.state.source !== given) return;
    const insert = rows.map((row, i) => ({ key: newKey(), row: plainRow(row), rank: from + i }));
    this.edit([{ source: JSON.stringify({ ...source, from }) }, { insert, after: null }]);
  }

  /** @param {Result} result @param {number} from @param {number} limit @returns {Promise<TrackRow[]>} */
  async rowsOf({ q, sort }, from, limit) {
    return (await getJSON('/tracks', { q, sort, from, limit })).rows;
  }
}
