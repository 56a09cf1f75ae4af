/** An order of up to 2^52 rows that needs no memory, in which each comes once. */

const rounds = [0, 1, 2, 3];
const backwards = [3, 2, 1, 0];

export class ShuffledOrder {
  /** @param {number} total @param {number} seed @param {number} origin the row that it begins with */
  constructor(total, seed, origin) {
    this.total = total;
    this.seed = seed;
    this.start = total ? this.exchanged(origin % total, backwards) : 0;
  }

  /**
   * The row at a place.
   * @param {number} place
   */
  rowAt(place) {
    return this.exchanged((place + this.start) % this.total, rounds);
  }

  /**
   * The inverse: where a row stands.
   * @param {number} row
   */
  placeOf(row) {
    return (this.exchanged(row, backwards) - this.start + this.total) % this.total;
  }

  /**
   * A row for another one, each for another: a cipher (Feistel's) of the least power of four that has room for all,
   * again until there is such a row.
   * @param {number} row @param {number[]} rounds
   */
  exchanged(row, rounds) {
    let half = 2;
    while (half * half < this.total) half *= 2;
    do {
      let [left, right] = [Math.floor(row / half), row % half];
      for (const round of rounds) [left, right] = [right, (left ^ mixed(right, this.seed + round)) & (half - 1)];
      // The halves change places, so that the way back is the same with the rounds the other way round.
      row = right * half + left;
    } while (row >= this.total);
    return row;
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
