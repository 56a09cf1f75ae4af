/** What is played next: tracks that were asked for, then the rest of the result that was played from. */

import { getJSON } from '../core/api.js';

/** @typedef {import('../data/documents.js').TrackRow} TrackRow */
/** @typedef {{q: string, sort: string, total: number}} Source a result of a query */
/** @typedef {{track: TrackRow, row: number, isAsked: boolean}} Step a track that follows, and where it stands */

const rounds = [0, 1, 2, 3];
const backwards = [3, 2, 1, 0];

export class Queue {
  constructor() {
    /** @type {Source | null} */
    this.source = null;
    /** Where the playing track stands in the source. */
    this.row = 0;
    /**
     * Tracks that were asked for; they come first.
     * @type {TrackRow[]}
     */
    this.asked = [];
    /** @type {{row: number, track: TrackRow | undefined}[]} */
    this.played = [];
    this.seed = 0;
    /** @type {number | null} The row that the shuffled order begins with; null while rows follow one another. */
    this.origin = null;
  }

  /** @param {Source} source @param {number} row */
  begin(source, row) {
    this.source = source;
    this.row = row;
    this.seed = Math.floor(Math.random() * 2 ** 31);
    this.origin = null;
    this.played = [];
  }

  /**
   * The track after this one, and how to become it.
   * @param {{shuffle: boolean, repeat: string}} how
   * @returns {Promise<Step | null>}
   */
  async next(how) {
    if (this.asked.length) return { track: this.asked[0], row: this.row, isAsked: true };
    const row = this.source && this.following(how.shuffle, how.repeat === 'all');
    if (row === null) return null;
    const track = await this.trackAt(row);
    return track && { track, row, isAsked: false };
  }

  /** @param {Step} step @param {TrackRow | undefined} leaving */
  take(step, leaving) {
    this.played.push({ row: this.row, track: leaving });
    if (this.played.length > 500) this.played.shift();
    if (step.isAsked) this.asked.shift();
    else this.row = step.row;
  }

  /**
   * The track before this one.
   * @returns {Promise<TrackRow | null | undefined>}
   */
  async previous() {
    const last = this.played.pop();
    if (last) {
      this.row = last.row;
      return last.track;
    }
    if (!this.source || this.row === 0) return null;
    this.row -= 1;
    return this.trackAt(this.row);
  }

  /** @param {boolean} shuffle @param {boolean} around @returns {number | null} */
  following(shuffle, around) {
    const total = this.source?.total ?? 0;
    if (!total) return null;
    // Shuffled rows begin with the one that plays: all others come after it.
    this.origin = shuffle ? (this.origin ?? this.row) : null;
    const at = shuffle ? this.position(this.row, total) : this.row;
    if (at + 1 >= total && !around) return null;
    const next = (at + 1) % total;
    return shuffle ? this.shuffled(next, total) : next;
  }

  /**
   * The row at a place of the shuffled order.
   * @param {number} place @param {number} total
   */
  shuffled(place, total) {
    return this.exchanged((place + this.start(total)) % total, total, rounds);
  }

  /**
   * The inverse: where a row stands in the shuffled order.
   * @param {number} row @param {number} total
   */
  position(row, total) {
    return (this.exchanged(row, total, backwards) - this.start(total) + total) % total;
  }

  /** @param {number} total @returns {number} where the row that the order begins with stands */
  start(total) {
    return this.origin === null ? 0 : this.exchanged(this.origin % total, total, backwards);
  }

  /**
   * A row for another one, each for another: a cipher (Feistel's) of the least power of four that has room for all,
   * again until there is such a row. So an order of a million rows needs no memory and no row comes twice.
   * @param {number} row @param {number} total @param {number[]} rounds
   */
  exchanged(row, total, rounds) {
    let half = 2;
    while (half * half < total) half *= 2;
    do {
      let [left, right] = [Math.floor(row / half), row % half];
      for (const round of rounds) [left, right] = [right, (left ^ mixed(right, this.seed + round)) & (half - 1)];
      // The halves change places, so that the way back is the same with the rounds the other way round.
      row = right * half + left;
    } while (row >= total);
    return row;
  }

  /** @param {number} row @returns {Promise<TrackRow | null>} */
  async trackAt(row) {
    const { q, sort } = /** @type {Source} */ (this.source);
    return (await getJSON('/tracks', { q, sort, from: row, limit: 1 })).rows[0] ?? null;
  }
}

/**
 * 32 bits that depend on each bit of a value and a key (Austin Appleby's MurmurHash 3).
 * @param {number} value @param {number} key
 */
function mixed(value, key) {
  let x = Math.imul(value ^ Math.imul(key + 1, 0x9e3779b9), 0x85ebca6b);
  x = Math.imul(x ^ (x >>> 13), 0xc2b2ae35);
  return x ^ (x >>> 16);
}
