/** One frequency axis for the curve, the sliders and the live spectrum: 20 Hz to 20 kHz, even by ear. */

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
