/** The rows of a result, a page at a time, whichever of a million is looked at. */

import { ApiError, getJSON, debounce } from '../core/api.js';

/** Little enough to come at once, more than a screen shows. */
export const pageSize = 80;
const pagesKept = 150;
/** Requests at the same time: of the pages that are scrolled past, most need not be asked for. */
const mostAsked = 3;

export class Rows {
  /**
   * @param {string} path @param {import('../core/api.js').Parameters} parameters
   * @param {(answer: any) => any[]} [whole] reads an answer that has all rows
   */
  constructor(path, parameters, whole) {
    this.path = path;
    this.parameters = parameters;
    this.whole = whole;
    this.total = 0;
    this.expected = 0;
    /** Of the library, when these rows were found. */
    this.revision = '';
    /** @type {ApiError | null} */
    this.error = null;
    /** @type {Map<number, any[] | 'asked'>} */
    this.pages = new Map();
    this.asking = 0;
    this.abort = new AbortController();
    /** @type {Promise<import('./documents.js').Sums> | null} */
    this.counting = null;
    this.changed = () => {};
  }

  /**
   * Asks for the first page, and for those that rows are on which are to be shown.
   * @param {number} [from] @param {number} [to] the last of these rows
   * @param {number} [expected] how many rows there were before: so many are there until they have been counted
   */
  async begin(from = 0, to = 0, expected = 0) {
    this.expected = expected;
    await this.ask(0);
    const [first, last] = [from, Math.min(to, this.total - 1)].map((index) => Math.floor(index / pageSize));
    const pages = this.whole ? [] : Array.from({ length: Math.max(0, last - first + 1) }, (_, i) => first + i);
    await Promise.all(pages.filter((number) => number > 0).map((number) => this.ask(number)));
    return this;
  }

  /**
   * The row, or null while it is on its way; who draws it is told when something has come, and asks again.
   * @param {number} index
   */
  at(index) {
    const number = this.whole ? 0 : Math.floor(index / pageSize);
    const page = this.pages.get(number);
    if (page === undefined && this.asking < mostAsked) this.ask(number);
    if (!Array.isArray(page)) return null;
    this.pages.delete(number);
    this.pages.set(number, page);
    return page[this.whole ? index : index % pageSize] ?? null;
  }

  /** @param {number} number */
  async ask(number) {
    this.pages.set(number, 'asked');
    this.asking += 1;
    try {
      // Tracks come as they were found at first, while the library changes.
      const revision = this.path === '/tracks' ? this.revision : null;
      const page = this.whole ? {} : { from: number * pageSize, limit: pageSize, revision };
      const answer = await getJSON(this.path, { ...this.parameters, ...page }, this.abort.signal);
      const rows = this.whole?.(answer) ?? answer.rows;
      this.pages.set(number, rows);
      this.revision = answer.revision ?? '';
      if (number === 0 || typeof answer.total === 'number') {
        this.total = answer.total ?? Math.max(this.total, rows.length, this.expected);
      }
      if (answer.total === null) this.count();
    } catch (error) {
      if (/** @type {Error} */ (error).name === 'AbortError') return;
      setTimeout(() => {
        this.pages.delete(number);
        this.changed();
      }, 2000);
      this.error = error instanceof ApiError ? error : new ApiError(String(error), 0);
    } finally {
      this.asking -= 1;
    }
    for (const old of this.pages.keys()) {
      if (this.pages.size <= pagesKept) break;
      this.pages.delete(old);
    }
    this.changed();
  }

  async count() {
    const sums = await this.sums().catch(() => null);
    if (!sums) return;
    this.total = sums.files;
    this.changed();
  }

  /**
   * How many files a query of tracks finds, and their sums; asked for once.
   * @returns {Promise<import('./documents.js').Sums>}
   */
  sums() {
    const { signal } = this.abort;
    return (this.counting ??= debounce(signal).then(() => getJSON('/tracks/count', { q: this.parameters.q }, signal)));
  }

  /** Forgets what is still on its way. */
  end() {
    this.abort.abort();
    this.changed = () => {};
  }
}
