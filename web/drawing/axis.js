/** Axes of plots: that of frequency, from 20 Hz to 20 kHz and even by ear, and the marks of others. */

import { number } from '../core/format.js';

export const lowest = 20;
export const highest = 20_000;
export const marks = [50, 100, 200, 500, 1000, 2000, 5000, 10_000];

/**
 * Where a frequency is, 0…1.
 * @param {number} hertz
 */
export const placeOf = (hertz) => Math.log(hertz / lowest) / Math.log(highest / lowest);
/** @param {number} place 0…1 */
export const hertzAt = (place) => lowest * (highest / lowest) ** place;

/**
 * A round step for a time axis of about `count` marks.
 * @param {number} seconds @param {number} count
 */
export function timeStep(seconds, count) {
  return [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 1800, 3600].find((step) => seconds / step <= count) ?? 7200;
}

/**
 * "100 Hz" at the first place, then "200", "1 k".
 * @param {number} hertz
 */
export const hertzMark = (hertz) => (hertz < 1000 ? String(hertz) : `${number(hertz / 1000)} k`);
