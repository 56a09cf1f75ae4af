/** Signals that are made up, and dice that fall the same each time. */

/** A sine from `phase` on; its peak is `amplitude`. */
export const sine = (hertz, rate, count, amplitude = 1, phase = 0.3) =>
  Float32Array.from({ length: count }, (_, i) => amplitude * Math.sin((2 * Math.PI * hertz * i) / rate + phase));

/** The amplitude of a level in dB. */
export const amplitude = (decibels) => 10 ** (decibels / 20);

/**
 * Numbers 0…1 that look random, the same for the same seed (Marsaglia's xorshift, 32 bits).
 * @param {number} seed not 0
 */
export function dice(seed) {
  let state = seed >>> 0;
  return () => {
    state ^= state << 13;
    state ^= state >>> 17;
    state ^= state << 5;
    return (state >>> 0) / 2 ** 32;
  };
}

/** Whole numbers from `low` to `high`, both included. */
export const integers = (random) => (low, high) => low + Math.floor(random() * (high - low + 1));

/** The greatest distance between numbers at the same places. */
export const farthest = (a, b) => Array.from(a).reduce((most, value, i) => Math.max(most, Math.abs(value - b[i])), a.length === b.length ? 0 : Infinity);
