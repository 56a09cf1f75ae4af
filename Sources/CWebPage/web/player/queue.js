/** What is played next: tracks that were asked for, then the rest of the result that was played from. */

import { getJSON } from '../core/api.js';

/** @typedef {{q: string, sort: string, total: number}} Source a result of a query */

export class Queue {
  constructor() {
    /** @type {Source | null} */
    this.source = null;
    /** Where the playing track stands in the source. */
    this.row = 0;
    /**
     * Tracks that were asked for; they come first.
     * @type {any[]}
     */
    this.asked = [];
    /** @type {{row: number, track: any}[]} */
    this.played = [];
    this.seed = 0;
  }

  /** @param {Source} source @param {number} row */
  begin(source, row) {
    this.source = source;
    this.row = row;
    this.seed = Math.floor(Math.random() * 2 ** 31);
    this.played = [];
  }

  /**
   * The track after this one, and how to become it.
   * @param {{shuffle: boolean, repeat: string}} how
   * @returns {Promise<{track: any, row: number, isAsked: boolean} | null>}
   */
  async next(how) {
    if (this.asked.length) return { track: this.asked[0], row: this.row, isAsked: true };
    const row = this.source && this.following(how.shuffle, how.repeat === 'all');
    if (row === null) return null;
    const track = await this.trackAt(row);
    return track && { track, row, isAsked: false };
  }

  /** @param {{track: any, row: number, isAsked: boolean}} step @param {any} leaving */
  take(step, leaving) {
    this.played.push({ row: this.row, track: leaving });
    if (this.played.length > 500) this.played.shift();
    if (step.isAsked) this.asked.shift();
    else this.row = step.row;
  }

  /**
   * The track before this one.
   * @returns {Promise<any>}
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
    const at = shuffle ? this.position(this.row, total) : this.row;
    if (at + 1 >= total && !around) return null;
    const next = (at + 1) % total;
    return shuffle ? this.shuffled(next, total) : next;
  }

  /**
   * The row at a place of the shuffled order: x ↦ a·x + b modulo the total, so an order of a million rows needs no memory and
   * no row comes twice.
   * @param {number} place @param {number} total
   */
  shuffled(place, total) {
    const [factor, shift] = this.factors(total);
    return Number((BigInt(place) * factor + shift) % BigInt(total));
  }

  /**
   * The inverse: where a row stands in the shuffled order.
   * @param {number} row @param {number} total
   */
  position(row, total) {
    const [factor, shift] = this.factors(total);
    const modulus = BigInt(total);
    return Number(((((BigInt(row) - shift) % modulus) + modulus) * inverse(factor, modulus)) % modulus);
  }

  /** @param {number} total @returns {[bigint, bigint]} */
  factors(total) {
    let factor = BigInt(Math.max(1, Math.floor(total * 0.618) + (this.seed % 97)));
    while (divisor(factor, BigInt(total)) !== 1n) factor += 1n;
    return [factor, BigInt(this.seed % total)];
  }

  /** @param {number} row @returns {Promise<any>} */
  async trackAt(row) {
    const { q, sort } = /** @type {Source} */ (this.source);
    return (await getJSON('/tracks', { q, sort, from: row, limit: 1 })).rows[0] ?? null;
  }
}

/** @param {bigint} a @param {bigint} b @returns {bigint} */
const divisor = (a, b) => (b === 0n ? a : divisor(b, a % b));

/** @param {bigint} a @param {bigint} modulus */
function inverse(a, modulus) {
  let [previous, value, s, t] = [modulus, a % modulus, 0n, 1n];
  while (value > 0n) {
    const quotient = previous / value;
    [previous, value, s, t] = [value, previous % value, t, s - quotient * t];
  }
  return ((s % modulus) + modulus) % modulus;
}
