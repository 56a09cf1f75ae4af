/** Which rows of a table are selected, as ranges: ten thousand of them cost as little as one. */

export class Selection {
  constructor() {
    /** @type {[number, number][]} From a row to before another one, in order and apart. */
    this.ranges = [];
    /** Where a range begins that Shift makes longer or shorter. */
    this.anchor = 0;
    /** The other end of that range; −1 without one. */
    this.end = -1;
  }

  get count() {
    return this.ranges.reduce((sum, [from, to]) => sum + to - from, 0);
  }

  get isEmpty() {
    return this.ranges.length === 0;
  }

  /** @param {number} index */
  has(index) {
    return this.ranges.some(([from, to]) => index >= from && index < to);
  }

  clear() {
    this.ranges = [];
    this.end = -1;
  }

  /**
   * A row or rows, however they were before.
   * @param {number} from @param {number} to the first that is not one of them @param {boolean} isSelected
   */
  set(from, to, isSelected) {
    /** @type {[number, number][]} */
    const rest = [];
    for (const [start, end] of this.ranges) {
      if (start < from) rest.push([start, Math.min(end, from)]);
      if (end > to) rest.push([Math.max(start, to), end]);
    }
    if (isSelected && to > from) rest.push([from, to]);
    this.ranges = [];
    for (const [start, end] of rest.sort((a, b) => a[0] - b[0])) {
      const last = this.ranges[this.ranges.length - 1];
      if (last && last[1] >= start) last[1] = Math.max(last[1], end);
      else this.ranges.push([start, end]);
    }
  }

  /**
   * The row alone is the other way round; ranges begin here.
   * @param {number} index
   */
  toggle(index) {
    this.set(index, index + 1, !this.has(index));
    [this.anchor, this.end] = [index, -1];
  }

  /**
   * Everything from the anchor to a row, instead of the range that was there.
   * @param {number} index
   */
  extend(index) {
    const range = (/** @type {number} */ end) =>
      /** @type {[number, number]} */ ([Math.min(this.anchor, end), Math.max(this.anchor, end) + 1]);
    if (this.end >= 0) this.set(...range(this.end), false);
    this.set(...range(index), true);
    this.end = index;
  }

  /**
   * A plain click: nothing is selected, and ranges begin here.
   * @param {number} index
   */
  begin(index) {
    this.clear();
    this.anchor = index;
  }

  /** @param {number} total rows that there are now */
  limit(total) {
    this.set(total, Infinity, false);
  }
}
